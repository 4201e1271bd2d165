package lane

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClose(t *testing.T) {
	e := New()
	assert.NoError(t, e.Close(), "never used")
	assert.NoError(t, e.Close(), "twice")
	assert.ErrorIs(t, e.Do(func() {}), ErrClosed)

	e = New()
	before := runtime.NumGoroutine()
	works(t, e)
	assert.ErrorIs(t, run(t, e, Block{Lanes: 1}, func(*Lane) { panic(e.Close()) }), ErrBusy)
	assert.Greater(t, runtime.NumGoroutine(), before)
	assert.NoError(t, e.Close())
	assert.ErrorIs(t, e.Do(func() {}), ErrClosed)
}

func TestCloseAfterGoexit(t *testing.T) {
	e := New()
	works(t, e)
	done := make(chan bool)
	go func() {
		defer close(done)
		_ = e.Do(runtime.Goexit)
	}()
	<-done
	assert.NoError(t, e.Close(), "the pool has no worker")
}

func TestNestedDo(t *testing.T) {
	e, other := engine(t), engine(t)
	assert.NoError(t, run(t, e, Block{Lanes: 3}, func(l *Lane) {
		assert.ErrorIs(t, e.Do(func() {}), ErrBusy)
		barrier(l)
		total := 0
		assert.NoError(t, run(t, other, Block{Lanes: 5}, func(m *Lane) {
			assert.ErrorIs(t, e.Do(func() {}), ErrBusy, "a circle of engines")
			total = sum(m, m.All(), 1)
		}))
		assert.Equal(t, 5*3, sum(l, l.All(), total))
	}))
}

func TestDroppedEngine(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		e := New()
		works(t, e)
		require.Greater(t, runtime.NumGoroutine(), before+60)
	}()
	assert.Eventually(t, func() bool {
		runtime.GC()
		return runtime.NumGoroutine() <= before+2 // Eventually has its own
	}, time.Minute, 10*time.Millisecond)
}

func TestCallerLockedToAThread(t *testing.T) {
	e := engine(t)
	works(t, e)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	works(t, e)
	fresh := New()
	works(t, fresh)
	assert.Error(t, run(t, fresh, Block{Lanes: 9}, kernelThatPanics))
	works(t, fresh)
	assert.NoError(t, fresh.Close())
}

func TestObserverThatPanics(t *testing.T) {
	e := engine(t)
	for at := range 9 {
		o := &bomb{left: at}
		func() {
			defer func() {
				if recover() != nil {
					assert.NoError(t, o.end)
				}
			}()
			assert.Error(t, run(t, e, Block{Lanes: 2, Observer: o}, barrier))
		}()
		assert.Negative(t, o.left)
		works(t, e)
	}
}

// bomb is an observer that panics once.
type bomb struct {
	left int
	end  error
}

func (o *bomb) tick() {
	o.left--
	if o.left == -1 {
		panic("observer")
	}
}

func (o *bomb) Begin(int)                       { o.tick() }
func (o *bomb) Resume(int)                      { o.tick() }
func (o *bomb) Arrive(int, *Scope, uintptr, Op) { o.tick() }
func (o *bomb) Complete(*Scope, uintptr, Op)    { o.tick() }
func (o *bomb) End(err error)                   { o.end = err; o.tick() }

func TestHammer(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			e := New()
			defer e.Close()
			for r := range rounds {
				lanes := 1 + (r*13+g*7)%80
				err := e.Do(func() {
					for b := range 4 {
						fault := e.Run(Block{Lanes: lanes, Schedule: uint64(r * b)}, func(l *Lane) {
							if v := sum(l, l.All(), 1); v != lanes {
								t.Errorf("%d instead of %d", v, lanes)
							}
							groupBarrier(l, 1+r%9)
							if b == 3 && r%5 == 0 && l.Rank() == lanes-1 {
								panic("hammer")
							}
							if b == 2 && r%7 == 0 && l.Rank() > 0 {
								return
							}
							barrier(l)
						})
						if want := b == 3 && r%5 == 0 || b == 2 && r%7 == 0 && lanes > 1; want != (fault != nil) {
							t.Errorf("round %d, block %d: %v", r, b, fault)
						}
					}
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
