package wrong

import (
	"os"
	"strings"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

type config struct {
	verbose bool
	levels  []bool
}

func (c *config) debug() bool { return c.verbose }

func verboseNow(verbose bool) bool { return verbose }

// A condition that is the same for all items chooses none of them.
func uniform(x []float64, verbose bool, mode string, k int, c *config) error {
	n := 0
	quiet := !verbose
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if verbose {
			n++ // want `a functor writes n, which items share`
		}
		if !quiet && k == 3 {
			n++ // want `a functor writes n, which items share`
		}
		if mode == "debug" || strings.Contains(mode, "all") {
			n++ // want `a functor writes n, which items share`
		}
		if c.verbose {
			n++ // want `a functor writes n, which items share`
		}
		if c.debug() || c.levels[2] || os.Getenv("DEBUG") == "1" {
			n++ // want `a functor writes n, which items share`
		}
		if verboseNow(verbose) == true {
			n++ // want `a functor writes n, which items share`
		}
		if len(x) == 9 && x[0] == 1 {
			n++ // want `a functor writes n, which items share`
		}
		switch verbose {
		case true:
			n++ // want `a functor writes n, which items share`
		}
		switch {
		case k == 2:
			n++ // want `a functor writes n, which items share`
		}
		switch mode {
		case "fast":
			return
		case "slow":
			n++ // want `a functor writes n, which items share`
		}
		if !verbose {
			return
		}
		n++ // want `a functor writes n, which items share`
	})
}

// So does one that is made of such a condition in the functor.
func uniformLocals(x []float64, verbose bool, k int) error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		v := verbose
		if v {
			n++ // want `a functor writes n, which items share`
		}
		both := v && k == 2
		if both {
			n++ // want `a functor writes n, which items share`
		}
		found := false
		for j := 0; j < k; j++ {
			if j == 3 {
				found = true
				n++ // want `a functor writes n, which items share`
			}
		}
		if found {
			n++ // want `a functor writes n, which items share`
		}
		var flag bool
		if flag = k == 4; flag {
			n++ // want `a functor writes n, which items share`
		}
		s := config{verbose: verbose}
		if s.verbose {
			n++ // want `a functor writes n, which items share`
		}
		count := func(all bool) {
			if all {
				n++ // want `a functor writes n, which items share`
			}
		}
		count(verbose)
		log := func(now bool) {
			if now {
				n++ // want `a functor writes n, which items share`
			}
		}
		log(verbose)
		log(i == 3)
		func(first bool, j int) {
			if first {
				n += j // want `a functor writes n, which items share`
			}
		}(true, k)
		for done := false; !done; done = true {
			n++ // want `a functor writes n, which items share`
		}
	})
}

// Elements are not of one item only, whatever they are called.
func ofElements(x []float64, flags []bool, cells []config) error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		hit := flags[i]
		if hit {
			n++ // want `a functor writes n, which items share`
		}
		if cells[i].verbose {
			n++ // want `a functor writes n, which items share`
		}
		if isZero(x[i]) {
			n++ // want `a functor writes n, which items share`
		}
	})
}

func isZero(x float64) bool { return x == 0 }

// For lanes, a condition has to choose among the lanes.
func uniformLanes(x []float64, wrong bool) error {
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		row, seen := 0.0, map[int]bool{}
		first := m.Rank() == 0
		if wrong {
			team.For(team.VectorRange(m, 10), func(k int) {
				row += x[k] // want `a functor of vector lanes writes row, which the lanes share`
			})
		}
		if m.Rank() == 0 {
			team.For(team.VectorRange(m, 10), func(k int) {
				row += x[k] // want `a functor of vector lanes writes row, which the lanes share`
			})
		}
		team.For(team.VectorRange(m, 10), func(k int) {
			if first {
				row += x[k] // want `a functor of vector lanes writes row, which the lanes share`
			}
			if m.LeagueRank() == 2 {
				row += x[k] // want `a functor of vector lanes writes row, which the lanes share`
			}
		})
		_ = seen
	})
}
