package exec_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// timed is a clock that stands still but for what items say that they take.
type timed struct{ clock, reads atomic.Int64 }

func (c *timed) takes(d time.Duration) { c.clock.Add(int64(d)) }

// newTimed lets launches time items with a clock of the test's.
func newTimed(t *testing.T) *timed {
	c := new(timed)
	t.Cleanup(setLookClock(func() time.Duration {
		c.reads.Add(1)
		return time.Duration(c.clock.Load())
	}))
	return c
}

// cancellingSpaces runs a test on spaces of all kinds. No more than that many of their workers are
// at an item when a launch is cancelled, besides the one that cancels.
func cancellingSpaces(t *testing.T, f func(t *testing.T, s exec.Space, others int)) {
	goroutines := exec.NewGoroutines(3)
	defer goroutines.Close()
	device := simGPU(t, gpu.Device{})
	for _, s := range []struct {
		name   string
		space  exec.Space
		others int
	}{
		{"serial", exec.Serial{}, 0},
		{"goroutines", goroutines, 2},
		{"simgpu", device, 0},
		{"simgpu, schedule 1", device.WithSchedule(1), 0},
	} {
		t.Run(s.name, func(t *testing.T) { f(t, s.space, s.others) })
	}
}

// begunAfter cancels a launch in that call of its functor, and returns how many calls begin
// afterwards.
func begunAfter(t *testing.T, clock *timed, l cancellable, s exec.Space, n, call int, takes func(i int) time.Duration) int {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var calls, after atomic.Int64
	var cancelled atomic.Bool
	_, err := l.run(ctx, s, n, func(i int) {
		if cancelled.Load() {
			after.Add(1)
		}
		clock.takes(takes(i))
		if calls.Add(1) == int64(call) {
			cancel(why)
			cancelled.Store(true)
		}
	})
	require.ErrorIs(t, err, why)
	return int(after.Load())
}

func TestCancelIsHeardWithinAnItem(t *testing.T) {
	clock := newTimed(t)
	const n = 20_000
	cancellingSpaces(t, func(t *testing.T, s exec.Space, others int) {
		for _, takes := range []time.Duration{time.Second, time.Millisecond, 50 * time.Microsecond, time.Microsecond} {
			always := func(int) time.Duration { return takes }
			within := int(time.Millisecond / takes) // that many items begin in a millisecond
			check := func(l cancellable, n, call, most int) {
				after := begunAfter(t, clock, l, s, n, call, always)
				assert.LessOrEqual(t, after, (most+1)*(others+1)-1, "%s: items of %v that began after the launch was cancelled in the one at %d", l.name, takes, call)
			}
			for _, call := range []int{1, 2, 777} {
				for _, l := range cancellableItems {
					check(l, n, call, within)
				}
				for _, l := range cancellableRows {
					check(l, n, call, within+31)
				}
			}
			for _, call := range []int{1, 2, 7} {
				for _, l := range cancellableSpans {
					check(l, 10*n, call, 0) // leaves of two spans of Fill
				}
			}
		}
	})
}

// The second time that a scan runs its items.
func TestCancelIsHeardInResultsOfAScan(t *testing.T) {
	clock := newTimed(t)
	const n = 4000
	for _, l := range cancellableItems {
		if !strings.HasPrefix(l.name, "Scan") {
			continue
		}
		after := begunAfter(t, clock, l, exec.Serial{}, n, 2*n-5, func(int) time.Duration { return time.Second })
		assert.Zero(t, after, l.name)
	}
}

// What is below a panic runs no longer, either.
func TestCancelIsHeardBelowAPanic(t *testing.T) {
	clock := newTimed(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const leaf = 1024 // of 20 000 items, in groups of four
	var total, last int
	scan := func() error {
		return exec.ParallelScan(policy.Range(0, 20_000).On(exec.Serial{}).WithContext(ctx), func(i int, _ *int, _ bool) { //gokkosvet:ignore the last item counts
			clock.takes(time.Second)
			switch last = i; i {
			case leaf:
				panic("in the second leaf")
			case 10: // of the first
				cancel()
			}
		}, reducers.New(&total, func(dst, src *int) {}))
	}
	assert.Panics(t, func() { _ = scan() })
	assert.Equal(t, 10, last)
}

// manyLeaves is a policy that scans several leaves in one call.
type manyLeaves struct {
	policy.RangePolicy
	scanned func()
}

func (p manyLeaves) ScanLeaves(int, int, int, []int, bool) { p.scanned() }

func TestCancelIsHeardBetweenGroupsOfLeaves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	total, calls := 0, 0
	p := manyLeaves{policy.Range(0, 20_000).On(exec.Serial{}).WithContext(ctx), func() {
		if calls++; calls == 2 {
			cancel()
		}
	}}
	err := exec.ParallelScan(p, func(int, *int, bool) {}, reducers.New(&total, func(dst, src *int) {}))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 2, calls)
}

// Items may become heavier, fifty times or, behind the first one, any number of times.
func TestCancelIsHeardInHeavierItems(t *testing.T) {
	clock := newTimed(t)
	for _, test := range []struct {
		name         string
		light, heavy time.Duration
		from, call   int // the first heavy item, and the call that cancels
		most         int
	}{
		{"late", 20 * time.Nanosecond, time.Microsecond, 9500, 10_000, 999},
		{"behind the first", time.Nanosecond, time.Second, 1, 3, 29},
	} {
		after := begunAfter(t, clock, cancellableItems[0], exec.Serial{}, 20_000, test.call, func(i int) time.Duration {
			if i < test.from {
				return test.light
			}
			return test.heavy
		})
		assert.LessOrEqual(t, after, test.most, test.name)
	}
}

// Launches that are not cancelled have the bits that they have without a context, wherever
// their workers look.
func TestLooksKeepBits(t *testing.T) {
	clock := newTimed(t)
	const n = 3000
	cancellingSpaces(t, func(t *testing.T, s exec.Space, _ int) {
		for _, l := range append(append(cancellableRows, cancellableSpans...), cancellableItems...) {
			want, err := l.run(context.Background(), s, n, func(int) {})
			require.NoError(t, err)
			for seed := range 4 {
				ctx, cancel := context.WithCancel(t.Context())
				var calls atomic.Int64
				got, err := l.run(ctx, s, n, func(i int) {
					calls.Add(1)
					x := uint64(i/97+seed) * 0x9e3779b97f4a7c15
					clock.takes(1 << (x >> 60)) // a nanosecond to some thirty microseconds
				})
				cancel()
				require.NoError(t, err)
				require.Equal(t, want, got, "%s, %d", l.name, seed)
				require.Positive(t, calls.Load())
			}
		}
	})
}

// Looks are few, and a launch that cannot be cancelled has none.
func TestLooksAreFew(t *testing.T) {
	if raceEnabled {
		t.Skip("all is on one goroutine, and takes long")
	}
	clock := newTimed(t)
	const n = 100_000
	for _, takes := range []time.Duration{2, 20, 200, 2000} {
		for _, l := range cancellableItems {
			t.Run(fmt.Sprintf("%s/%v", l.name, takes), func(t *testing.T) {
				run := func(ctx context.Context) (looks int, items time.Duration) {
					before, start := clock.reads.Load(), clock.clock.Load()
					_, err := l.run(ctx, exec.Serial{}, n, func(int) { clock.takes(takes) })
					require.NoError(t, err)
					return int(clock.reads.Load() - before), time.Duration(clock.clock.Load() - start)
				}
				looks, _ := run(context.Background())
				assert.Zero(t, looks)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				looks, work := run(ctx)
				calls := int(work / takes)
				most := max(calls/4096, int(work/(20*time.Microsecond)))
				assert.LessOrEqual(t, looks, most+most/4+bits.Len(n), "%d calls that take %v", calls, work)
			})
		}
	}
}

// A launch that can be cancelled panics with the panic that it has if it cannot.
func TestLooksKeepTheLowestPanic(t *testing.T) {
	clock := newTimed(t)
	const n = 3000
	for _, l := range cancellableItems {
		for _, lowest := range []int{0, 1, 31, 32, 500, 2999} {
			run := func(ctx context.Context) (p *exec.Panic) {
				defer func() { p, _ = recover().(*exec.Panic) }()
				_, err := l.run(ctx, exec.Serial{}, n, func(i int) {
					if clock.takes(time.Duration(i%977) * 100); i >= lowest && i%7 == lowest%7 {
						panic(i)
					}
				})
				t.Errorf("%s returned %v", l.name, err)
				return nil
			}
			ctx, cancel := context.WithCancel(t.Context())
			want, got := run(context.Background()), run(ctx)
			cancel()
			require.NotNil(t, got)
			assert.Equal(t, []any{want.Value, want.Begin, want.End}, []any{got.Value, got.Begin, got.End}, l.name)
		}
	}
}
