package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

func partCases() []Case {
	return []Case{
		// Steps asked for too late, mixed with Run, a column forgotten, lanes joined as
		// neighbours, a column collected whose order matters.
		{"parts/steps", func(t *report, s exec.Space) { runsStepped(t, s, false) }},
		// Nodes that are forgotten, or told as others than they are.
		{"parts/nodes", func(t *report, s exec.Space) { runsStepped(t, s, true) }},
		// Values that are not joined in lanes, a second factor or a first location forgotten,
		// an operation guessed that nobody has told, Fold asked too late.
		{"parts/fold", computesFolds},
		// Nodes computed of a functor that nobody has code for, an error that does not name it.
		{"parts/code", findsNoCode},
		// Engines that are lost: each launch of teams starts goroutines.
		{"parts/engines", keepsEngines},
		// A size that is said to fit and does not, or the other way round.
		{"parts/limits", keepsLimits},
		// Bytes beside those of a copy, an extent or a stride ignored, part of a pattern,
		// memory that is freed twice, that is not zero, or that is said to be there.
		{"parts/memory", keepsMemory},
		// A stride ignored, an initial value forgotten or joined twice, leaves joined from left to right.
		{"parts/scans", scansMemory},
	}
}

// Without returns the optional parts of the contract that a space does without.
func Without(s exec.Space) (parts []string) {
	if on, ok := s.(space.TeamSpace); !ok {
		parts = append(parts, "space.TeamSpace")
	} else {
		teams := on.Teams()
		if teams.Engines == nil {
			parts = append(parts, "engines in space.Teams")
		}
		if teams.Limits == nil {
			parts = append(parts, "limits in space.Teams")
		}
	}
	if device.MemoryOf(s) == nil {
		parts = append(parts, "device.MemoryOwner")
	}
	if _, ok := s.(device.MemoryScanner); !ok {
		parts = append(parts, "device.MemoryScanner")
	}
	if j := newStepped(2, 1, 1); s.Launch(j.grid, carried{j}) == nil {
		if !j.everSteps {
			parts = append(parts, "the steps of a device.Stepper")
		}
		if !j.printed {
			parts = append(parts, "ranks.Carrier")
		}
	}
	j := newValued[float64](1, 1, 1, sumOp)
	if s.Launch(j.grid, j) == nil && !j.asked {
		parts = append(parts, "the folds of a device.Job")
	}
	j = newValued[float64](1, 1, 1, sumOp)
	j.none = true
	if _ = s.Launch(j.grid, j); !j.called {
		parts = append(parts, "the functors of a device.Job")
	}
	return parts
}

// runsStepped runs a job that can be taken apart, and whose nodes may be able to leave the
// process.
func runsStepped(t *report, s exec.Space, carries bool) {
	for _, lanes := range []int{1, 2, 32} {
		for _, leaves := range []int{0, 1, 2, 3, 5, 8, 13, 33, 100} {
			leaf := 3 * lanes
			for _, items := range []int{leaves * leaf, leaves*leaf - leaf/2, leaves*leaf - leaf + 1} {
				if leaves == 0 && items != 0 {
					continue
				}
				j := newStepped(items, leaf, lanes)
				var job space.Job = j
				if carries {
					job = carried{j}
				}
				j.end(s.Launch(j.grid, job))
				if len(j.breaches) > 0 {
					t.fatalf("%d items in leaves of %d with %d lanes: %s", items, leaf, lanes, j.breaches[0])
				}
			}
		}
	}
}

func computesFolds(t *report, s exec.Space) {
	for _, lanes := range []int{1, 4, 32} {
		for _, leaves := range []int{0, 1, 2, 3, 13, 64} {
			leaf := max(3*lanes, 4)
			for _, items := range []int{leaves * leaf, leaves*leaf - leaf/2, leaves*leaf - leaf + 1} {
				if leaves == 0 && items != 0 {
					continue
				}
				for name, j := range valuedJobs(items, leaf, lanes) {
					j.end(s.Launch(j.grid, j))
					if len(j.breaches) > 0 {
						t.fatalf("%s: %d items in leaves of %d with %d lanes: %s", name, items, leaf, lanes, j.breaches[0])
					}
				}
			}
		}
	}
}

func findsNoCode(t *report, s exec.Space) {
	for _, leaves := range []int{1, 2, 13} {
		j := newValued[float64](4*leaves, 4, 1)
		j.none = true
		err := s.Launch(j.grid, j)
		if err == nil {
			j.end(nil)
		} else if of := j.Functor().String(); !strings.Contains(err.Error(), of) {
			t.fatalf("a functor without code: Launch returned %q, expected the error to name %s", err, of)
		}
		if len(j.breaches) > 0 {
			t.fatalf("a functor without code: %s", j.breaches[0])
		}
	}
}

func keepsEngines(t *report, s exec.Space) {
	on, ok := s.(space.TeamSpace)
	if !ok || on.Teams().Engines == nil {
		return
	}
	if err := exec.ParallelFor(policy.Team(1, 4).On(s), func(m *team.Member) { m.Barrier() }); err != nil {
		t.fatalf("a team of 4: %v", err)
	}
	engines := on.Teams().Engines
	e := engines.Take()
	if e == nil {
		t.fatalf("after a launch of teams, Teams().Engines keeps none")
	}
	engines.Give(e)
}

func keepsLimits(t *report, s exec.Space) {
	on, ok := s.(space.TeamSpace)
	if !ok || on.Teams().Limits == nil {
		return
	}
	l := on.Teams().Limits
	shape := policy.Team(1, 1).Plan().Team
	most, good, err := l.TeamSizes(shape)
	if err != nil || most < 1 || good < 1 || good > most {
		t.fatalf("TeamSizes is %d, %d, %v: expected a largest size, and a good one up to that", most, good, err)
	}
	for size, fits := range map[int]bool{1: true, good: true, most: true, most + 1: false} {
		if size > space.MaxTeamSize {
			continue
		}
		p := policy.Team(1, size)
		if err := l.CheckTeams(p.Plan().Team); (err == nil) != fits {
			t.errorf("the largest team has %d members, and CheckTeams says of one of %d: %v", most, size, err)
		}
		members := 0
		err := exec.ParallelFor(p.On(s), func(m *team.Member) { members++ }) //gokkosvet:ignore members run one at a time
		switch {
		case fits && (err != nil || members != size):
			t.errorf("a team of %d members, which fits: %d ran, %v", size, members, err)
		case !fits && (err == nil || members > 0):
			t.errorf("a team of %d members, of %d that fit: %d ran, %v", size, most, members, err)
		}
	}
}

// butterfly returns what lanes come to: lane l is joined with lane l+h, for h a half, a quarter
// and so on, as far as there are items in them.
func butterfly(lanes []string) string {
	x := slices.Clone(lanes)
	for h := len(x) / 2; h > 0; h /= 2 {
		for l := range h {
			x[l] = joined(x[l], x[l+h])
		}
	}
	return x[0]
}

// pairs joins neighbours, level by level.
func pairs(leaves []string) string {
	x := slices.Clone(leaves)
	for w := 1; w < len(x); w *= 2 {
		for k := 0; k+w < len(x); k += 2 * w {
			x[k] = joined(x[k], x[k+w])
		}
	}
	return x[0]
}

// joined is a value of two, either of which may not be there.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return fmt.Sprintf("(%s %s)", a, b)
}
