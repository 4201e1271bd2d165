package target

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

var (
	errTeams = errors.New("its items are teams, which have Go loops only")
	errRoom  = errors.New("its reductions in vectors need other memory")
	errScan  = errors.New("its items are those of a scan, which have Go loops and PTX only")
)

// GoAlone returns why a kernel as a whole has no loops in vectors, or nil.
func (k *Kernel) GoAlone() error {
	switch {
	case k.IR == nil:
	case k.IR.Team != ir.NoTeam:
		return errTeams
	case k.IR.Scan:
		return errScan
	}
	return nil
}

// teams returns a type whose method makes a loop of teams a kernel.Teams. The method allocates the room that
// the loop needs.
func (k *Kernel) teams(loop string) string {
	var room []string
	for n, of := range []string{"t.Shape.Size", "t.Shape.Vector", "t.Shape.Size*t.Shape.Vector"} {
		if words := k.IR.Room[n]; words > 0 {
			room = append(room, fmt.Sprintf("%d*%s", words, of))
		}
	}
	grow := ""
	if len(room) > 0 {
		grow = fmt.Sprintf("	if n := %s; len(t.Room) < n {\n\t\tt.Room = make([]uint64, n)\n\t}\n", strings.Join(room, " + "))
	}
	return fmt.Sprintf(`
type %[1]sTeams %[2]s

func (k *%[1]sTeams) Teams(begin, end int, t *kernel.Team) (next int) {
%[3]s	loop := %[1]s{%[2]s(*k), t}
	return loop.Span(begin, end)
}
`, loop, k.Type, grow)
}

// InLanes returns a kernel of teams whose reductions are for vectors, except for reductions at some
// positions.
func (k *Kernel) InLanes(except map[token.Position]bool) (*ir.Kernel, error) {
	of := pass.Right(k.Source)
	if err := pass.PhasesInLanes(of, except); err != nil {
		return nil, err
	}
	pass.Run(of, pass.All)
	if of.Room != k.IR.Room {
		return nil, errRoom
	}
	return of, nil
}

// MostInner limits the inner loops of a team that a target compiles.
const MostInner = 16

// InnerOf is the prefix of the names of a kernel's inner loops, which end with a number.
func InnerOf(base string) string { return base + "Inner" }
