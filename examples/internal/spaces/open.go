package spaces

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec"
	_ "github.com/gokkos/gokkos/exec/cuda" // which registers its space
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/exec/space"
)

const (
	all        = "all" // stands for three:
	onAny      = "serial,goroutines,simgpu"
	ranks      = "mpi" // has no name in the registry of spaces
	card       = "cuda"
	maxWorkers = 4096 // that exec.NewGoroutines takes
)

// Flags declares -space and -workers.
func (c *Choice) Flags(f *flag.FlagSet) {
	c.Name = cmp.Or(os.Getenv("GOKKOS_SPACE"), c.Name)
	f.StringVar(&c.Name, "space", c.Name, fmt.Sprintf("`names` with commas between them, to compare bits: %s, or all for %s",
		strings.Join(c.known(), ", "), onAny))
	f.Func("workers", fmt.Sprintf("`number` of workers of goroutines, 0 for one per core (default %d)", c.Workers), func(s string) (err error) {
		if c.Workers, err = strconv.Atoi(s); err != nil || c.Workers < 0 || c.Workers > maxWorkers {
			return fmt.Errorf("expected 1 to %d, or 0 for one per core", maxWorkers)
		}
		c.given = true
		return nil
	})
}

// Check returns an error if a name is that of no space which the program runs on.
func (c Choice) Check() error {
	for _, name := range c.names() {
		switch {
		case name == ranks && !c.Ranks:
			return fmt.Errorf("-space %s: the arrays of this program are not spread over ranks, expected some of all, %s",
				c.Name, strings.Join(c.known(), ", "))
		case name == card && c.NoCard != "":
			return fmt.Errorf("-space %s: this program does not run on a card: %s", c.Name, c.NoCard)
		case name != ranks && !slices.Contains(space.Names(), name):
			return fmt.Errorf("-space %s: no space is called %q, expected some of all, %s", c.Name, name, strings.Join(c.known(), ", "))
		}
	}
	return nil
}

// known returns the names of all spaces that the program runs on.
func (c Choice) known() []string {
	names := space.Names()
	if c.NoCard != "" {
		names = slices.DeleteFunc(names, func(name string) bool { return name == card })
	}
	if c.Ranks {
		names = append(names, ranks)
	}
	return names
}

// names returns the names of the spaces in the order in which they run.
func (c Choice) names() []string {
	var names []string
	for name := range strings.SplitSeq(c.Name, ",") {
		list := []string{name}
		if name == all {
			list = strings.Split(onAny, ",")
		}
		for _, name := range list {
			if !slices.Contains(names, name) { // once is enough
				names = append(names, name)
			}
		}
	}
	return names
}

// Start calls f with the choice, on each rank if the spaces have ranks.
func (c Choice) Start(f func(Choice) error) error {
	if err := c.Check(); err != nil {
		return err
	}
	if !slices.Contains(c.names(), ranks) {
		return f(c)
	}
	return mpi.Run(func(world *mpi.Comm) error { return f(c.Over(world)) })
}

// Local is Run over ranks that are goroutines of this process, for tests.
func (c Choice) Local(ranks int, w io.Writer, program Program) error {
	return mpi.Local(ranks, func(world *mpi.Comm) error { return c.Over(world).Run(w, program) })
}

// Over returns the choice of a rank.
func (c Choice) Over(world *mpi.Comm) Choice {
	c.world = world
	return c
}

// Spread reports whether the program runs over ranks.
func (c Choice) Spread() bool { return c.world != nil }

// First reports whether this is the first rank, or the only process.
func (c Choice) First() bool { return c.world == nil || c.world.Rank() == 0 }

// An Opened is a space with its name.
type Opened struct {
	Name string
	On   exec.Space
}

// Open opens the spaces, in their order. closed closes them.
func (c Choice) Open() (all []Opened, closed func(), err error) {
	closed = func() {
		for _, s := range all {
			if ranks, is := s.On.(mpi.Space); is {
				s.On = ranks.Inner()
			}
			if closer, is := s.On.(io.Closer); is {
				_ = closer.Close() // no launch runs any more, so it does not fail
			}
		}
	}
	for _, name := range c.names() {
		on, err := c.open(name)
		if err != nil {
			closed()
			return nil, nil, fmt.Errorf("-space %s: %w", name, err)
		}
		all = append(all, Opened{name, on})
	}
	return all, closed, nil
}

func (c Choice) open(name string) (exec.Space, error) {
	if name == ranks {
		inner, err := c.open("goroutines")
		return mpi.On(c.world, inner), err
	}
	return space.Open(name, func(key string) string {
		switch {
		case key != "GOKKOS_WORKERS":
		case c.Workers > 0:
			return strconv.Itoa(c.Workers)
		case c.given:
			return ""
		}
		return os.Getenv(key)
	})
}
