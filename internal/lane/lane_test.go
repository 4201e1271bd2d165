package lane

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var seeds = []uint64{0, 1, 2, 3, 1 << 63}

func TestBarrierOrdersNeighbours(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{1, 2, 3, 7, 31, 32, 33, 64, 256, 1024} {
		for _, seed := range seeds {
			a, b := make([]int, lanes), make([]int, lanes)
			require.NoError(t, run(t, e, Block{Lanes: lanes, Schedule: seed}, func(l *Lane) {
				i := l.Rank()
				assert.Equal(t, lanes, l.Size())
				a[i] = i
				for range 5 {
					barrier(l)
					b[i] = a[(i+1)%lanes]
					barrier(l)
					a[i] = b[i]
				}
			}))
			for i, v := range a {
				require.Equal(t, (i+5)%lanes, v, "lanes %d, seed %d", lanes, seed)
			}
		}
	}
}

func TestBackToBackMeetings(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{1, 2, 3, 33, 256} {
		for _, seed := range seeds {
			require.NoError(t, run(t, e, Block{Lanes: lanes, Schedule: seed}, func(l *Lane) {
				for k := range 9 {
					if v := sum(l, l.All(), l.Rank()*k); v != k*lanes*(lanes-1)/2 {
						t.Errorf("lanes %d, meeting %d: %d", lanes, k, v)
					}
				}
			}))
		}
	}
}

func TestSlotsAlternate(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{2, 3, 33} {
		for _, seed := range seeds {
			require.NoError(t, run(t, e, Block{Lanes: lanes, Schedule: seed}, func(l *Lane) {
				i := l.Rank()
				for k := range 6 {
					slot := l.All().Slot()
					if _, ok := (*slot).([]int); !ok || k < 2 && len((*slot).([]int)) != lanes {
						*slot = make([]int, lanes)
					}
					shared := (*slot).([]int)
					shared[i] = k
					barrier(l)
					for _, v := range shared { // while some lanes have gone on to the next meeting
						if v != k {
							t.Errorf("%d in meeting %d", v, k)
						}
					}
				}
			}))
		}
	}
}

func TestCombineIsCalledOnce(t *testing.T) {
	e := engine(t)
	x := &sums{in: make([]int, 40)}
	require.NoError(t, run(t, e, Block{Lanes: 40}, func(l *Lane) {
		for range 3 {
			l.Meet(l.All(), 0, Op{Kind: "sum"}, x)
		}
	}))
	assert.Equal(t, 3, x.calls)
}

func TestSubGroupsAreIndependent(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{1, 5, 32, 33, 70, 256} {
		for _, size := range []int{1, 8, 16, 32, 33, 1000} {
			for _, seed := range seeds {
				require.NoError(t, run(t, e, Block{Lanes: lanes, Schedule: seed}, func(l *Lane) {
					g := l.Group(size)
					begin := l.Rank() / size * size
					assert.Equal(t, begin, g.Begin())
					assert.Equal(t, min(size, lanes-begin), g.Size())
					for range 1 + l.Rank()/size { // each group meets another number of times
						groupBarrier(l, size)
						if v := sum(l, g, 1); v != g.Size() {
							t.Errorf("lanes %d, groups of %d: %d", lanes, size, v)
						}
					}
					if v := sum(l, l.All(), l.Rank()); v != lanes*(lanes-1)/2 {
						t.Errorf("lanes %d: %d", lanes, v)
					}
				}))
			}
		}
	}
}

func TestPartitionsOfSeveralSizes(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{64, 24, 100} {
		require.NoError(t, run(t, e, Block{Lanes: lanes}, func(l *Lane) {
			for _, size := range []int{4, 16, 3, 4} {
				if v := sum(l, l.Group(size), 1); v != l.Group(size).Size() {
					t.Errorf("groups of %d: %d", size, v)
				}
			}
			assert.PanicsWithValue(t, "lane: a sub-group of 0 lanes: need at least 1", func() { l.Group(0) })
		}))
	}
}

func TestMeetingOfStrangers(t *testing.T) {
	e := engine(t)
	var groups [2]*Scope
	assert.NoError(t, run(t, e, Block{Lanes: 4}, func(l *Lane) {
		groups[l.Rank()/2] = l.Group(2)
		barrier(l)
		assert.PanicsWithValue(t, "lane: a lane met in a scope that it is not a lane of", func() {
			l.Meet(groups[1-l.Rank()/2], 0, Op{}, nil)
		})
	}))
}

func TestSeedExposesAMissingBarrier(t *testing.T) {
	e := engine(t)
	results := map[string]bool{}
	for seed := range uint64(8) {
		a := make([]int, 32)
		require.NoError(t, run(t, e, Block{Lanes: 32, Schedule: seed}, func(l *Lane) {
			a[l.Rank()] = 1 + a[(l.Rank()+1)%32]
		}))
		results[fmt.Sprint(a)] = true
	}
	assert.Greater(t, len(results), 4)
}

func TestBlocksReuseThePool(t *testing.T) {
	e := engine(t)
	total := 0
	require.NoError(t, e.Do(func() {
		for b := range 300 {
			lanes := 1 + b*7%90
			if err := e.Run(Block{Lanes: lanes}, func(l *Lane) {
				if b%3 > 0 {
					total += sum(l, l.Group(1+b%11), 1) * 0
					barrier(l)
				}
				total++
			}); err != nil {
				t.Error(err)
			}
			total -= lanes
		}
	}))
	assert.Zero(t, total)
	assert.LessOrEqual(t, len(e.core.free), 90)
}

func TestLocalStaysWithTheCarrier(t *testing.T) {
	e := engine(t)
	made := 0
	require.NoError(t, run(t, e, Block{Lanes: 100}, func(l *Lane) {
		if l.Local == nil {
			made++
			l.Local = new(int)
		}
	}))
	assert.Equal(t, 1, made, "lanes that never wait share a carrier")
}

func TestKeptLane(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{1, 3} {
		var kept *Lane
		var scope *Scope
		require.NoError(t, run(t, e, Block{Lanes: lanes}, func(l *Lane) {
			if l.Rank() == 0 {
				kept, scope = l, l.All()
			}
			barrier(l)
			if l != kept {
				assert.PanicsWithError(t, errNotRunning.Error(), func() { kept.Rank() })
			}
		}))
		assert.PanicsWithError(t, errNotRunning.Error(), func() { kept.Meet(scope, 0, Op{}, nil) })
		assert.PanicsWithError(t, errNotRunning.Error(), func() { kept.Rank() })
		assert.PanicsWithError(t, errNotRunning.Error(), func() { kept.Size() })
		assert.PanicsWithError(t, errNotRunning.Error(), func() { kept.All() })
		assert.PanicsWithError(t, errNotRunning.Error(), func() { kept.Group(1) })
		works(t, e)
	}
}

func TestCombineMustNotMeet(t *testing.T) {
	e := engine(t)
	var p *Panic
	var last *Lane
	require.ErrorAs(t, run(t, e, Block{Lanes: 3}, func(l *Lane) {
		last = l
		l.Meet(l.All(), 0, Op{}, combiner(func(s *Scope) { last.Meet(s, 0, Op{}, nil) }))
	}), &p)
	assert.ErrorIs(t, p, errNotRunning)
	works(t, e)
}

type combiner func(*Scope)

func (f combiner) Combine(s *Scope) { f(s) }

type log []string

func (o *log) add(format string, args ...any) { *o = append(*o, fmt.Sprintf(format, args...)) }

func (o *log) Begin(lanes int) { o.add("begin %d", lanes) }
func (o *log) Resume(rank int) { o.add("resume %d", rank) }
func (o *log) Arrive(rank int, s *Scope, _ uintptr, op Op) {
	o.add("%d at %v of %d", rank, op, s.Size())
}
func (o *log) Complete(s *Scope, _ uintptr, op Op) { o.add("%v of %d complete", op, s.Size()) }
func (o *log) End(fault error)                     { o.add("end %v", fault) }

func TestObserver(t *testing.T) {
	e := engine(t)
	o := &log{}
	require.NoError(t, run(t, e, Block{Lanes: 2, Observer: o}, barrier))
	assert.Equal(t, log{"begin 2", "resume 0", "0 at barrier of 2", "resume 1", "1 at barrier of 2", "barrier of 2 complete",
		"resume 0", "resume 1", "end <nil>"}, *o)
	o = &log{}
	require.NoError(t, run(t, e, Block{Lanes: 1, Observer: o}, barrier))
	assert.Equal(t, log{"begin 1", "resume 0", "0 at barrier of 1", "barrier of 1 complete", "end <nil>"}, *o)
}
