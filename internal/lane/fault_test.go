package lane

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// diverges runs a block that does.
func diverges(t *testing.T, b Block, body func(*Lane)) *Divergence {
	t.Helper()
	e := engine(t)
	var d *Divergence
	require.ErrorAs(t, run(t, e, b, body), &d)
	works(t, e)
	return d
}

func TestDivergedSites(t *testing.T) {
	for _, seed := range seeds {
		var a, b int
		d := diverges(t, Block{Lanes: 32, Schedule: seed}, func(l *Lane) {
			barrier(l)
			if l.Rank() < 12 {
				a = next()
				barrier(l)
			} else {
				b = next()
				barrier(l)
			}
		})
		_, file, _, _ := runtime.Caller(0)
		require.Len(t, d.Places, 2)
		for i, want := range []struct {
			line  int
			lanes Span
		}{{a, Span{0, 12}}, {b, Span{12, 32}}} {
			p := d.Places[i]
			assert.Equal(t, file, p.File)
			assert.Equal(t, want.line, p.Line)
			assert.Contains(t, p.Function, "lane.TestDivergedSites.func")
			assert.Equal(t, []Span{want.lanes}, p.Lanes)
			assert.Equal(t, Span{0, 32}, p.Scope)
		}
		assert.Empty(t, d.Returned)
		assert.EqualError(t, d, fmt.Sprintf("barrier at fault_test.go:%d: "+
			"12 of 32 lanes arrived (0-11); barrier at fault_test.go:%d: 20 of 32 lanes arrived (12-31)", a, b))
	}
}

func TestEarlyReturn(t *testing.T) {
	for _, seed := range seeds {
		var line int
		d := diverges(t, Block{Lanes: 32, Schedule: seed}, func(l *Lane) {
			if l.Rank() == 5 {
				return
			}
			line = next()
			barrier(l)
		})
		assert.EqualError(t, d, fmt.Sprintf("barrier at fault_test.go:%d: "+
			"31 of 32 lanes arrived (0-4, 6-31); lane 5 returned early", line))
		assert.Equal(t, 31, Count(d.Places[0].Lanes))
	}
}

func TestReturnAfterSomeBarriers(t *testing.T) {
	var line int
	d := diverges(t, Block{Lanes: 8}, func(l *Lane) {
		for range 1 + l.Rank()/4 {
			line = next()
			barrier(l)
		}
	})
	assert.EqualError(t, d, fmt.Sprintf("barrier at fault_test.go:%d: "+
		"4 of 8 lanes arrived (4-7); 4 lanes returned early (0-3)", line))
}

func TestDivergedOperations(t *testing.T) {
	ops := []Op{{Kind: "reduce", Type: reflect.TypeFor[int]()}, {Kind: "reduce", Type: reflect.TypeFor[float64]()}}
	var line int
	d := diverges(t, Block{Lanes: 4}, func(l *Lane) {
		line = next()
		meet(l, ops[l.Rank()%2])
	})
	assert.EqualError(t, d, fmt.Sprintf("reduce int at fault_test.go:%d: "+
		"2 of 4 lanes arrived (0, 2); reduce float64 at fault_test.go:%[1]d: 2 of 4 lanes arrived (1, 3)", line))
}

//go:noinline
func meet(l *Lane, op Op) { l.Meet(l.All(), Site(), op, nil) }

func TestDivergedScopes(t *testing.T) {
	var all, group int
	d := diverges(t, Block{Lanes: 20}, func(l *Lane) {
		groupBarrier(l, 8)
		if l.Rank() == 17 {
			return
		}
		if l.Rank() >= 16 {
			group = next()
			groupBarrier(l, 8)
		}
		all = next()
		barrier(l)
	})
	assert.EqualError(t, d, fmt.Sprintf("barrier at fault_test.go:%d: "+
		"16 of 20 lanes arrived (0-15); barrier at fault_test.go:%d of lanes 16-19: 3 of 4 lanes arrived (16, 18-19); "+
		"lane 17 returned early", all, group))
}

func TestUnknownSite(t *testing.T) {
	d := diverges(t, Block{Lanes: 2}, func(l *Lane) {
		if l.Rank() == 1 {
			l.Meet(l.All(), 0, Op{Kind: "barrier"}, nil)
		}
	})
	assert.ErrorContains(t, d, "barrier at an unknown line: 1 of 2 lanes arrived (1); lane 0 returned early")
}

//go:noinline
func kernelThatPanics(l *Lane) {
	barrier(l)
	if l.Rank()%5 == 3 {
		panic(os.ErrNotExist)
	}
	barrier(l)
}

func TestPanicOfTheLowestLane(t *testing.T) {
	e := engine(t)
	for _, seed := range seeds {
		var p *Panic
		err := run(t, e, Block{Lanes: 40, Schedule: seed}, kernelThatPanics)
		require.ErrorAs(t, err, &p)
		assert.Equal(t, 3, p.Lane)
		assert.Equal(t, os.ErrNotExist, p.Value)
		assert.ErrorIs(t, err, os.ErrNotExist)
		assert.Contains(t, string(p.Stack), "lane.kernelThatPanics(")
		assert.ErrorContains(t, err, "lane: panic in lane 3: file does not exist\n\n")
		works(t, e)
	}
}

func TestPanicOfTheFirstFaultyRound(t *testing.T) {
	e := engine(t)
	var p *Panic
	require.ErrorAs(t, run(t, e, Block{Lanes: 8}, func(l *Lane) {
		groupBarrier(l, 2)
		if l.Rank() == 5 {
			panic("round 1")
		}
		if l.Rank() < 4 {
			groupBarrier(l, 2)
			panic("round 2")
		}
	}), &p)
	assert.Equal(t, 5, p.Lane)
	works(t, e)
}

func TestPanicOfALoneLane(t *testing.T) {
	e := engine(t)
	var p *Panic
	require.ErrorAs(t, run(t, e, Block{Lanes: 1}, func(*Lane) { panic("alone") }), &p)
	assert.Equal(t, 0, p.Lane)
	assert.Equal(t, "alone", p.Value)
	assert.Contains(t, string(p.Stack), "TestPanicOfALoneLane")
	works(t, e)
}

func TestPanicOfACombiner(t *testing.T) {
	e := engine(t)
	for i, size := range []int{8, 8, 8, 8, 8, 8, 1} {
		var p *Panic
		require.ErrorAs(t, run(t, e, Block{Lanes: 64, Schedule: uint64(i)}, func(l *Lane) {
			l.Meet(l.Group(size), 0, Op{}, combiner(func(s *Scope) {
				if s.Begin() >= 16 {
					panic("join")
				}
			}))
			if size > 1 && (i == 0 || l.Rank() >= 16) {
				t.Error("a lane went on")
			}
		}), &p)
		if i == 0 { // all meetings are full before one is released
			assert.Equal(t, 16, p.Lane)
		}
		assert.GreaterOrEqual(t, p.Lane, 16)
		assert.Contains(t, string(p.Stack), "TestPanicOfACombiner")
		works(t, e)
	}
}

func TestUnwindingRunsDeferredFunctions(t *testing.T) {
	e := engine(t)
	unwound, ranks, seen := 0, 0, 0
	var kept *Lane
	o := &log{}
	var p *Panic
	require.ErrorAs(t, run(t, e, Block{Lanes: 50, Observer: o}, func(l *Lane) {
		if l.Rank() == 8 {
			kept = l
		}
		defer func() {
			unwound++
			if r := recover(); r != nil {
				seen++
				panic(r)
			}
			if l.Rank() != 7 {
				ranks += l.Rank()
				defer func() { panic("of an unwound lane: dropped") }()
				barrier(l) // is refused
			}
		}()
		barrier(l)
		if l.Rank() == 7 {
			panic("first")
		}
		barrier(l)
		t.Error("after the fault")
	}), &p)
	assert.Equal(t, "first", p.Value)
	assert.Equal(t, 50, unwound)
	assert.Equal(t, 49*50/2-7, ranks)
	assert.Len(t, *o, 1+50*2+1+50+49+1, "no lane arrives while it is unwound")
	assert.Panics(t, func() { kept.Meet(kept.core.partition(50).scopes[0], 0, Op{}, nil) })
	assert.Equal(t, 1, seen, "lanes that are unwound have nothing to recover")
	works(t, e)
}

func TestNoLaneCanRefuseToBeUnwound(t *testing.T) {
	e := engine(t)
	var d *Divergence
	require.ErrorAs(t, run(t, e, Block{Lanes: 6}, func(l *Lane) {
		for l.Rank() > 0 {
			func() {
				defer func() { _ = recover() }()
				defer barrier(l)
				barrier(l)
			}()
		}
	}), &d)
	works(t, e)
}

func TestGoexitInALane(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{1, 2, 40} {
		for _, meets := range []bool{false, true} {
			deferred, f := 0, 0
			caller := make(chan bool)
			o := &log{}
			go func() {
				returned := false
				defer func() { caller <- returned }()
				_ = e.Do(func() {
					defer func() { f++ }()
					_ = e.Run(Block{Lanes: lanes, Observer: o}, func(l *Lane) {
						defer func() { deferred++ }()
						if meets {
							barrier(l)
						}
						if l.Rank() >= lanes/2 {
							runtime.Goexit()
						}
						if meets {
							barrier(l)
						}
					})
					f++
				})
				returned = true
			}()
			assert.False(t, <-caller, "Do returned")
			assert.Equal(t, 1, f)
			assert.Equal(t, lanes, deferred)
			assert.Equal(t, fmt.Sprintf("end lane: lane %d called runtime.Goexit", lanes/2), (*o)[len(*o)-1])
			works(t, e)
		}
	}
}

func TestPanicBeatsGoexit(t *testing.T) {
	e := engine(t)
	var p *Panic
	require.ErrorAs(t, run(t, e, Block{Lanes: 4}, func(l *Lane) {
		if l.Rank() == 3 {
			panic("kept")
		}
		runtime.Goexit()
	}), &p)
	assert.Equal(t, 3, p.Lane)
	works(t, e)
}

func TestGoexitMeetsInDeferredFunctions(t *testing.T) {
	e := engine(t)
	met := 0
	done := make(chan bool)
	go func() {
		defer close(done)
		_ = e.Do(func() {
			_ = e.Run(Block{Lanes: 4}, func(l *Lane) {
				defer func() {
					met = sum(l, l.All(), 1)
					if l.Rank() != 2 {
						sum(l, l.Group(2), 1) // group 0 comes complete in the round in which lane 2 ends
						t.Error("a lane went on")
					}
				}()
				if l.Rank() == 2 {
					runtime.Goexit()
				}
			})
		})
	}()
	<-done
	assert.Equal(t, 4, met)
	works(t, e)
}

func TestGoexitInACombiner(t *testing.T) {
	e := engine(t)
	done := make(chan bool)
	go func() {
		defer close(done)
		_ = e.Do(func() {
			_ = e.Run(Block{Lanes: 4}, func(l *Lane) {
				l.Meet(l.All(), 0, Op{}, combiner(func(*Scope) { runtime.Goexit() }))
			})
		})
	}()
	<-done
	works(t, e)
}

func TestSite(t *testing.T) {
	line := next()
	pc := siteOfCaller()
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	assert.Equal(t, line, frame.Line)
	assert.Equal(t, "fault_test.go", filepath.Base(frame.File))
	line = next()
	frame, _ = runtime.CallersFrames([]uintptr{inlined()}).Next()
	assert.NotEqual(t, line, frame.Line, "the call is in the function that is inlined")
	assert.Contains(t, frame.Function, "lane.inlined")
	assert.Zero(t, testing.AllocsPerRun(10, func() { siteOfCaller() }))
}

func inlined() uintptr { return siteOfCaller() }

//go:noinline
func siteOfCaller() uintptr { return Site() }

func TestFaultEmptiesTheSlots(t *testing.T) {
	e := engine(t)
	for _, lanes := range []int{1, 5} {
		kept := 0
		fill := func(l *Lane) {
			for _, s := range []*Scope{l.All(), l.Group(2)} {
				if *s.Slot() != nil {
					kept++
				}
				*s.Slot() = 1
				l.Meet(s, 0, Op{}, nil)
				*s.Slot() = 2
			}
		}
		require.NoError(t, run(t, e, Block{Lanes: lanes}, fill))
		assert.Error(t, run(t, e, Block{Lanes: lanes}, func(l *Lane) { panic(l.Rank()) }))
		kept = 0
		require.NoError(t, run(t, e, Block{Lanes: lanes}, fill))
		assert.Equal(t, []int{0, 0, 0, 0, 0, 4 + 2}[lanes], kept, "found by lanes that are not the first of their scope")
	}
}

func TestErrorsOfRun(t *testing.T) {
	e := engine(t)
	assert.EqualError(t, run(t, e, Block{}, nil), "lane: a block of 0 lanes: need at least 1")
	assert.EqualError(t, e.Run(Block{Lanes: 1}, nil), "lane: Run outside of Do")
	var inner error
	assert.NoError(t, run(t, e, Block{Lanes: 2}, func(l *Lane) {
		inner = e.Run(Block{Lanes: 1}, func(*Lane) {})
		barrier(l)
	}))
	assert.EqualError(t, inner, "lane: Run within a block of the same engine: use another engine")
}

func TestPanicInDo(t *testing.T) {
	e := engine(t)
	func() {
		defer func() {
			p, ok := recover().(*Panic)
			require.True(t, ok)
			assert.Equal(t, -1, p.Lane)
			assert.True(t, bytes.Contains(p.Stack, []byte("TestPanicInDo")))
			assert.True(t, errors.Is(p, os.ErrClosed))
			assert.ErrorContains(t, p, "lane: panic: file already closed\n\n")
		}()
		_ = e.Do(func() { panic(os.ErrClosed) })
	}()
	works(t, e)
}
