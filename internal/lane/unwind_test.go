package lane

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// only calls f in the lanes given.
func only(l *Lane, f func(), ranks ...int) {
	for _, r := range ranks {
		if l.Rank() == r {
			f()
		}
	}
}

// A panic comes out whatever deferred functions wait for.
func TestPanicThroughDeferredMeetings(t *testing.T) {
	broken := func() { panic(os.ErrNotExist) }
	for name, c := range map[string]struct {
		body func(l *Lane)
		lane int
	}{
		"barrier": {func(l *Lane) {
			defer barrier(l)
			only(l, broken, 2)
		}, 2},
		"barrier in a function": {func(l *Lane) {
			defer func() { barrier(l) }()
			only(l, broken, 2)
			barrier(l)
		}, 2},
		"others have returned": {func(l *Lane) {
			only(l, func() {
				defer barrier(l)
				broken()
			}, 5)
		}, 5},
		"others meet it": {func(l *Lane) {
			defer func() { barrier(l) }()
			only(l, broken, 5)
		}, 5},
		"sub-group": {func(l *Lane) {
			defer groupBarrier(l, 2)
			only(l, broken, 3)
			barrier(l)
		}, 3},
		"a value, and more": {func(l *Lane) {
			defer func() {
				for range 9 {
					sum(l, l.All(), 1)
					sum(l, l.Group(4), 1)
				}
			}()
			only(l, broken, 4)
			barrier(l)
		}, 4},
		"several functions": {func(l *Lane) {
			defer barrier(l)
			defer barrier(l)
			func() {
				defer groupBarrier(l, 4)
				only(l, broken, 0)
			}()
			barrier(l)
		}, 0},
		"the lowest of those that wait": {func(l *Lane) {
			defer barrier(l)
			only(l, broken, 6, 3)
			barrier(l)
		}, 3},
		"below one that does not wait": {func(l *Lane) {
			only(l, broken, 6)
			defer barrier(l)
			only(l, broken, 1)
			barrier(l)
		}, 1},
		"above one that does not wait": {func(l *Lane) {
			only(l, broken, 1)
			defer barrier(l)
			only(l, broken, 6)
			barrier(l)
		}, 1},
		"all": {func(l *Lane) {
			defer barrier(l)
			broken()
		}, 0},
		"beside runtime.Goexit": {func(l *Lane) {
			defer barrier(l)
			only(l, runtime.Goexit, 1)
			only(l, broken, 2)
		}, 2},
		"recovered and repeated": {func(l *Lane) {
			defer func() {
				r := recover()
				barrier(l)
				if r != nil {
					panic(r)
				}
			}()
			only(l, broken, 7)
			barrier(l)
		}, 7},
		"another one, recovered inside": {func(l *Lane) {
			defer func() {
				defer func() { _ = recover() }()
				defer barrier(l)
				panic("inner")
			}()
			only(l, broken, 2)
			barrier(l)
		}, 2},
		"a deep stack": {func(l *Lane) {
			defer deep(300, func() { barrier(l) })
			only(l, func() { deep(300, broken) }, 2)
			barrier(l)
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t)
			for _, seed := range seeds {
				var p *Panic
				err := run(t, e, Block{Lanes: 8, Schedule: seed}, c.body)
				require.ErrorAs(t, err, &p)
				assert.Equal(t, c.lane, p.Lane)
				assert.Equal(t, os.ErrNotExist, p.Value)
				assert.Contains(t, string(p.Stack), "lane.TestPanicThroughDeferredMeetings.func1(", "where it began")
				works(t, e)
			}
		})
	}
}

//go:noinline
func deep(frames int, f func()) {
	if frames > 0 {
		deep(frames-1, f)
		return
	}
	f()
}

// A panic of the runtime is a panic.
func TestRuntimePanicThroughADeferredBarrier(t *testing.T) {
	e := engine(t)
	var p *Panic
	var none *Lane
	require.ErrorAs(t, run(t, e, Block{Lanes: 3}, func(l *Lane) {
		defer barrier(l)
		if l.Rank() == 1 {
			none.rank++
		}
		barrier(l)
	}), &p)
	assert.ErrorContains(t, p, "nil pointer dereference")
	works(t, e)
}

// One that begins in a deferred function replaces the panic, as it always does.
func TestPanicOfADeferredFunctionThatWaited(t *testing.T) {
	e := engine(t)
	var p *Panic
	require.ErrorAs(t, run(t, e, Block{Lanes: 3}, func(l *Lane) {
		defer func() {
			barrier(l)
			panic("second")
		}()
		only(l, func() { panic("first") }, 1)
		groupBarrier(l, 1)
		barrier(l)
	}), &p)
	assert.Equal(t, 1, p.Lane)
	assert.Equal(t, "second", p.Value)
}

func TestGoexitThroughDeferredMeetings(t *testing.T) {
	e := engine(t)
	for _, seed := range seeds {
		o, deferred := &log{}, 0
		returned := false
		done := make(chan bool)
		go func() {
			defer close(done)
			_ = e.Do(func() {
				_ = e.Run(Block{Lanes: 4, Schedule: seed, Observer: o}, func(l *Lane) {
					defer func() { deferred++ }()
					defer func() {
						if l.Rank() == 2 {
							barrier(l)
							sum(l, l.All(), 1)
						}
					}()
					only(l, runtime.Goexit, 2)
					barrier(l)
				})
			})
			returned = true
		}()
		<-done
		assert.False(t, returned, "Do returned")
		assert.Equal(t, 4, deferred)
		assert.Equal(t, "end lane: lane 2 called runtime.Goexit", (*o)[len(*o)-1])
		works(t, e)
	}
}

// A lane that has recovered meets the others as any other does.
func TestMeetingsAfterRecover(t *testing.T) {
	e := engine(t)
	for _, seed := range seeds {
		require.NoError(t, run(t, e, Block{Lanes: 8, Schedule: seed}, func(l *Lane) {
			func() {
				defer func() {
					_ = recover()
					barrier(l)
					assert.Equal(t, 8, sum(l, l.All(), 1))
				}()
				only(l, func() { panic("recovered") }, 2, 3)
			}()
			barrier(l)
		}))
	}
}

// A panic that was recovered is none, and what follows a meeting that did not come about is
// dropped.
func TestDivergenceAfterRecover(t *testing.T) {
	for name, after := range map[string]func(l *Lane){
		"returns": func(*Lane) {},
		"meets":   func(l *Lane) { barrier(l); t.Error("the lane went on") },
		"panics":  func(*Lane) { panic("of a lane that is being unwound") },
		"exits":   func(*Lane) { runtime.Goexit() },
	} {
		t.Run(name, func(t *testing.T) {
			var panics, waits, meets int
			d := diverges(t, Block{Lanes: 4}, func(l *Lane) {
				if l.Rank() == 1 {
					func() {
						defer func() {
							_ = recover()
							waits = next()
							barrier(l)
						}()
						panics = next()
						panic("recovered")
					}()
					after(l)
					return
				}
				meets = next()
				barrier(l)
			})
			assert.EqualError(t, d, fmt.Sprintf("barrier at unwind_test.go:%d: 3 of 4 lanes arrived (0, 2-3); "+
				"barrier at unwind_test.go:%d after a panic at unwind_test.go:%d: 1 of 4 lanes arrived (1)", meets, waits, panics))
		})
	}
}

// A deferred function that would wait for ever is ended, and with it the panic.
func TestDeferredFunctionThatWaitsForEver(t *testing.T) {
	var line int
	d := diverges(t, Block{Lanes: 4}, func(l *Lane) {
		defer func() {
			for l.Rank() == 1 {
				barrier(l)
			}
		}()
		if l.Rank() == 1 {
			line = next()
			runtime.Goexit()
		}
	})
	assert.ErrorContains(t, d, fmt.Sprintf("after runtime.Goexit at unwind_test.go:%d: 1 of 4 lanes arrived (1); 3 lanes returned early (0, 2-3)", line))
}
