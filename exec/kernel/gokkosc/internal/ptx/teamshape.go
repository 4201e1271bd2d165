package ptx

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A teamBlock has the registers of an entry that runs teams.
type teamBlock struct {
	rank, lane    string // of the thread
	many          string // vector lanes of a member
	warp, members string // of 32 bits: the first lane of the member in its warp, and the threads of the member
	flag          string // the address in shared memory of the flag of a member that stops
	left          string // label: the block ends
	one           string // predicate: the thread is the first one of the block
	apart         string // predicate: members leave their accumulators apart; "" if these are structs, which is so always
}

// shapeNames are the parameters of an entry that runs teams, in front of the captured parameters, see
// [kernel.Text].
func shapeNames(accs int) []string {
	names := []string{"first", "last", "status", "before", "league", "size", "dim0", "dim1", "dim2", "vector", "team0", "member0", "bytes0", "team1", "member1", "bytes1", "far"}
	if accs > 0 {
		names = append(names, "leaf", "lanes")
	}
	for n := range accs {
		names = append(names, fmt.Sprint("out", n), fmt.Sprint("identity", n), fmt.Sprint("join", n))
	}
	return names
}

// shapeName returns the parameter that a part of the team is, or final of a scan; "" of another part.
func shapeName(k *ir.Kernel, param int, path []ir.Step) string {
	if k.Scan && param == len(k.Params)-1 {
		return "final"
	}
	if k.Team == ir.NoTeam || param != len(k.Params)-1 {
		return ""
	}
	name := ""
	for _, s := range path[1:] {
		switch s.Kind {
		case ir.Field:
			name = map[string]string{"Scratch": "", "Dims": "dim"}[s.Field]
			if s.Field != "Scratch" && s.Field != "Dims" {
				name = strings.ToLower(s.Field)
			}
		case ir.Elem:
			name += fmt.Sprint(s.N)
		}
	}
	if last := path[len(path)-1]; len(path) == 4 { // of Scratch[level]
		name = fmt.Sprint(strings.ToLower(last.Field), path[2].N)
	}
	return name
}
