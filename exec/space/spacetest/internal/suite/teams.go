package suite

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

func teamCases() []Case {
	return []Case{
		// A member left out, or a team run by two workers at one time.
		{"team/each", teamEach},
		// What a member writes before a barrier is not seen after it.
		{"team/barrier", teamBarrier},
		// Teams joined in another order than the items of a range.
		{"team/reduce", teamReduce},
		// Members that wait for ever take the space with them.
		{"team/faults", teamFaults},
		// A team that launches teams waits for the engine that it runs on.
		{"team/nested", teamNested},
	}
}

// teamShapes are leagues and sizes, some larger than any warp.
var teamShapes = [][2]int{{0, 3}, {1, 1}, {1, 2}, {3, 1}, {100, 1}, {2, 7}, {5, 33}, {33, 5}, {4, 100}, {70, 32}, {1000, 2}}

func teamEach(t *report, s exec.Space) {
	for _, x := range teamShapes {
		league, size := x[0], x[1]
		what := fmt.Sprintf("%d teams of %d", league, size)
		visits := make([]atomic.Int32, league*size)
		err := exec.ParallelFor(policy.Team(league, size).On(s), func(m *team.Member) {
			if m.LeagueSize() == league && m.Size() == size {
				visits[m.LeagueRank()*size+m.Rank()].Add(1)
			}
		})
		if err != nil {
			t.fatalf("%s: %v", what, err)
		}
		once(t, what, visits)
	}
}

func teamBarrier(t *report, s exec.Space) {
	for _, x := range teamShapes {
		league, size := x[0], x[1]
		const rounds = 5
		y := make([]int, league*size)
		err := exec.ParallelFor(policy.Team(league, size).On(s), func(m *team.Member) {
			mine := y[m.LeagueRank()*size:][:size]
			for range rounds { // each takes over what its neighbour has
				next := mine[(m.Rank()+1)%size] + 1
				m.Barrier()
				mine[m.Rank()] = next
				m.Barrier()
			}
		})
		if err != nil {
			t.fatalf("%d teams of %d: %v", league, size, err)
		}
		for k := range y {
			if y[k] != rounds {
				t.fatalf("%d teams of %d: member %d has %d, expected %d", league, size, k, y[k], rounds)
			}
		}
	}
}

func teamReduce(t *report, s exec.Space) {
	for _, x := range teamShapes {
		teamReduceWith(t, s, x[0], x[1], ints)
		teamReduceWith(t, s, x[0], x[1], floats)
		teamReduceWith(t, s, x[0], x[1], maps)
		teamReduceWith(t, s, x[0], x[1], texts)
		teamReduceWith(t, s, x[0], x[1], blocks)
	}
}

func teamReduceWith[A any](t *report, s exec.Space, league, size int, o op[A]) {
	n := league * size
	if n > o.most {
		return
	}
	what := fmt.Sprintf("%d teams of %d, sum of %s", league, size, o.name)
	got := versus(t, s, what, o.same, func(s exec.Space) (result A, err error) {
		err = exec.ParallelReduce(policy.Team(league, size).On(s), func(m *team.Member, acc *A) {
			m.Barrier()
			o.add(acc, m.LeagueRank()*size+m.Rank())
		}, o.reducer(&result))
		return result, err
	})
	if plain := o.plain(n); !o.right(got, plain, n) {
		t.fatalf("%s: %.300s, but %.300s in a plain loop", what, fmt.Sprint(got), fmt.Sprint(plain))
	}
}

func teamFaults(t *report, s exec.Space) {
	p := policy.Team(20, 6).Chunk(1).On(s)
	for range 3 {
		kept := 42
		launch := func(f func(m *team.Member)) error {
			return exec.ParallelReduce(p, func(m *team.Member, acc *int) {
				f(m)
				*acc++
			}, reducers.New(&kept, func(dst, src *int) { *dst += *src }))
		}
		err := launch(func(m *team.Member) {
			if m.LeagueRank() < 7 || m.Rank() > 1 {
				m.Barrier()
			}
		})
		if !errors.Is(err, team.ErrDivergence) || !strings.Contains(err.Error(), "team 7 of 20") {
			t.errorf("members 0 and 1 of team 7 left out a barrier: %v, expected an error that says so", err)
		}
		p, ok := panicOf(func() {
			_ = launch(func(m *team.Member) {
				m.Barrier()
				if m.LeagueRank() >= 5 {
					panic("boom")
				}
			})
		}).(*exec.Panic)
		if !ok || p.Begin != 5 || p.End != 6 {
			t.errorf("team 5 panicked: %v, expected an *exec.Panic that says so", p)
		}
		if kept != 42 {
			t.errorf("the result place holds %d after launches that failed, expected its old content, 42", kept)
		}
	}
}

func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func teamNested(t *report, s exec.Space) {
	var n atomic.Int32
	err := exec.ParallelFor(policy.Team(4, 3).On(s), func(m *team.Member) {
		m.Barrier()
		err := exec.ParallelFor(policy.Team(2, 5).On(s), func(m *team.Member) {
			m.Barrier()
			n.Add(1)
		})
		if err != nil {
			t.errorf("launched by a member: %v", err)
		}
		m.Barrier()
	})
	if err != nil || n.Load() != 120 {
		t.errorf("%d members ran, expected 120: %v", n.Load(), err)
	}
}
