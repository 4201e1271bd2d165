package exec_test

import (
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// started are a goroutine that one of our packages has started, tests apart, and its number.
var started = regexp.MustCompile(`(?s)^goroutine (\d+) .*\ncreated by github\.com/gokkos/gokkos/[a-z/]+\.`)

// helpers are the numbers of the helpers of all Goroutines spaces: where no teams run, no other goroutines are started.
type helpers map[string]bool

func helpersNow() helpers {
	stacks := make([]byte, 1<<20)
	n := runtime.Stack(stacks, true)
	for ; n == len(stacks); n = runtime.Stack(stacks, true) {
		stacks = make([]byte, 2*n)
	}
	all := helpers{}
	for stack := range strings.SplitSeq(string(stacks[:n]), "\n\n") {
		if number := started.FindStringSubmatch(stack); number != nil {
			all[number[1]] = true
		}
	}
	return all
}

// since returns how many helpers there are now that there were not before: those of a space that another test
// has closed may be on their way out.
func (before helpers) since() (n int) {
	for number := range helpersNow() {
		if !before[number] {
			n++
		}
	}
	return n
}

// eventually waits for that many helpers: one that was just started, or that just
// told of its end, may not look like it yet.
func (before helpers) eventually(t *testing.T, want int, why string) {
	t.Helper()
	assert.Eventually(t, func() bool { runtime.GC(); return before.since() == want }, time.Minute, time.Millisecond, why)
}

// count launches a loop that any worker may take part in and checks it.
func count(t *testing.T, space exec.Space) {
	t.Helper()
	var n atomic.Int64
	require.NoError(t, exec.ParallelFor(policy.Range(0, 500).Chunk(1).On(space), func(int) { n.Add(1) }))
	assert.EqualValues(t, 500, n.Load())
}

func TestNewGoroutinesWorkers(t *testing.T) {
	assert.Equal(t, runtime.GOMAXPROCS(0), exec.NewGoroutines(0).Concurrency())
	assert.Equal(t, 61, exec.NewGoroutines(61).Concurrency())

	ran := false
	err := exec.ParallelFor(policy.Range(0, 10).On(exec.NewGoroutines(-3)), func(int) { ran = true }) //gokkosvet:ignore the launch is refused
	assert.ErrorContains(t, err, "-3 workers, expected 1 to 4096")
	assert.False(t, ran)
	assert.ErrorContains(t, exec.ParallelFor(policy.Range(0, 10).On(exec.NewGoroutines(1<<30)), func(int) {}), "1073741824 workers, expected 1 to 4096")
	assert.Equal(t, 4096, exec.NewGoroutines(4096).Concurrency())

	for _, space := range []*exec.Goroutines{nil, {}} {
		const want = "that NewGoroutines did not make"
		assert.ErrorContains(t, exec.ParallelFor(policy.Range(0, 10).On(space), func(int) {}), want)
		assert.ErrorContains(t, space.Close(), want)
		_, err := space.Partition(1)
		assert.ErrorContains(t, err, want)
	}
}

func TestHelpersAreHiredOnDemand(t *testing.T) {
	before := helpersNow()
	space := exec.NewGoroutines(1000)
	defer func() {
		require.NoError(t, space.Close())
		before.eventually(t, 0, "Close ends the helpers") // which other tests must not count
	}()
	require.NoError(t, exec.ParallelFor(policy.Range(0, 3).Chunk(1).On(space), func(int) {}))
	before.eventually(t, 2, "three items need two helpers")
	count(t, space)
	before.eventually(t, 499, "500 items need the caller and 499 helpers")
}

func TestHelpersAreStandingAndEndWithClose(t *testing.T) {
	before := helpersNow()
	space := exec.NewGoroutines(5)
	assert.Zero(t, before.since(), "no helper before the first launch")
	for range 10 {
		count(t, space)
	}
	before.eventually(t, 4, "the caller is a worker too")
	require.NoError(t, space.Close())
	require.NoError(t, space.Close(), "closing twice is fine")
	before.eventually(t, 0, "Close ends the helpers")
}

// On one processor nobody else runs before a Close that does not wait returns. After one
// that waits, the last helper may still be there, if rarely: it ends after it has said so.
func TestCloseWaitsForTheHelpers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	before := helpersNow()
	gone := 0
	for range 20 {
		space := exec.NewGoroutines(64)
		count(t, space)
		require.NoError(t, space.Close())
		if before.since() == 0 {
			gone++
		}
		before.eventually(t, 0, "Close ends the helpers")
	}
	assert.Greater(t, gone, 10, "of 20 times")
}

func TestLaunchOnClosedSpace(t *testing.T) {
	closed := exec.NewGoroutines(3)
	count(t, closed)
	require.NoError(t, closed.Close())
	_, err := closed.Partition(1, 1)
	assert.ErrorIs(t, err, space.ErrClosed)
	total := 7
	for _, n := range []int{0, 1, 1000} {
		err := exec.ParallelReduce(policy.Range(0, n).On(closed), func(i int, acc *int) { t.Error("ran") },
			reducers.New(&total, func(dst, src *int) { *dst += *src }))
		assert.ErrorIs(t, err, space.ErrClosed, "n %d", n)
	}
	assert.Equal(t, 7, total)
}

func TestCloseRefusesWhileALaunchRuns(t *testing.T) {
	space := exec.NewGoroutines(3)
	defer space.Close()
	var once sync.Once
	require.NoError(t, exec.ParallelFor(policy.Range(0, 100).Chunk(1).On(space), func(int) {
		once.Do(func() { assert.ErrorContains(t, space.Close(), "while 1 launches ran") })
	}))
	count(t, space)
}

func TestDroppedSpaceEndsItsHelpers(t *testing.T) {
	before := helpersNow()
	count(t, exec.NewGoroutines(4))
	before.eventually(t, 0, "the space is unreachable")
}

func TestGoexitReplacesHelpers(t *testing.T) {
	before := helpersNow()
	space := exec.NewGoroutines(3)
	for range 20 {
		ended := make(chan bool)
		go func() {
			finished := false
			defer func() { ended <- !finished }()
			_ = exec.ParallelFor(policy.Range(0, 64).Chunk(1).On(space), func(i int) {
				if i%3 == 1 {
					runtime.Goexit()
				}
			})
			finished = true
		}()
		assert.True(t, <-ended, "Goexit reaches the caller")
		count(t, space)
	}
	before.eventually(t, 2, "a helper that ended is replaced")
	require.NoError(t, space.Close())
	before.eventually(t, 0, "Close ends the helpers")
}

func TestWorkersShareTheWork(t *testing.T) {
	space := exec.NewGoroutines(4)
	defer space.Close()
	// Every item waits until four are running at once.
	var running atomic.Int32
	all := make(chan struct{})
	require.NoError(t, exec.ParallelFor(policy.Range(0, 4).Chunk(1).On(space), func(int) {
		if running.Add(1) == 4 {
			close(all)
		}
		<-all
	}))
}

func TestNeverMoreWorkersThanAsked(t *testing.T) {
	space := exec.NewGoroutines(3)
	defer space.Close()
	var running, most atomic.Int32
	work := func() {
		n := running.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(50 * time.Microsecond)
		running.Add(-1)
	}
	require.NoError(t, exec.ParallelFor(policy.Range(0, 20).Chunk(1).On(space), func(int) {
		assert.NoError(t, exec.ParallelFor(policy.Range(0, 20).Chunk(1).On(space), func(int) { work() }))
	}))
	assert.LessOrEqual(t, most.Load(), int32(3), "nested launches do not oversubscribe")
}

func TestSlowHelperIsNotWaitedFor(t *testing.T) {
	space := exec.NewGoroutines(2)
	defer space.Close()
	block, blocked := make(chan struct{}), make(chan struct{})
	var first sync.WaitGroup
	first.Go(func() { // keeps the only helper, and itself, busy
		assert.NoError(t, exec.ParallelFor(policy.Range(0, 2).Chunk(1).On(space), func(int) {
			blocked <- struct{}{}
			<-block
		}))
	})
	<-blocked
	<-blocked
	count(t, space)
	close(block)
	first.Wait()
}

func TestPartition(t *testing.T) {
	space := exec.NewGoroutines(8)
	defer space.Close()
	tests := []struct {
		name    string
		weights []int
		want    []int
	}{
		{"one", []int{3}, []int{8}},
		{"equal", []int{1, 1}, []int{4, 4}},
		{"proportional", []int{1, 3}, []int{2, 6}},
		{"at least one each", []int{1000, 1, 1}, []int{6, 1, 1}},
		{"uneven", []int{1, 1, 1}, []int{3, 3, 2}},
		{"all single", []int{9, 9, 9, 9, 9, 9, 9, 9}, []int{1, 1, 1, 1, 1, 1, 1, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			parts, err := space.Partition(test.weights...)
			require.NoError(t, err)
			var got []int
			for _, p := range parts {
				defer p.Close()
				got = append(got, p.Concurrency())
				count(t, p)
			}
			assert.Equal(t, test.want, got)
		})
	}
	for name, weights := range map[string][]int{
		"without weights":      {},
		"is 0, expected":       {1, 0},
		"is -2, expected":      {-2},
		"one space per worker": {1, 1, 1, 1, 1, 1, 1, 1, 1},
	} {
		_, err := space.Partition(weights...)
		assert.ErrorContains(t, err, name)
	}
	_, err := exec.NewGoroutines(-1).Partition(1)
	assert.ErrorContains(t, err, "-1 workers")
}

// A histogram of many bins must not be held once per leaf.
func TestFewLargePartialsAreHeld(t *testing.T) {
	if raceEnabled {
		t.Skip("memory is not what it is without -race, and it takes long")
	}
	const bins, workers = 1 << 16, 2
	space := exec.NewGoroutines(workers)
	defer space.Close()
	histogram := make([]int64, bins)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 1000).Chunk(1).On(space), func(i int, acc *[]int64) { (*acc)[i%bins]++ },
		reducers.Slice(&histogram, func(x *int64) reducers.Func[int64] {
			return reducers.New(x, func(dst, src *int64) { *dst += *src })
		})))
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(60*8*bins), "1000 leaves, 16 claims")
	assert.Equal(t, int64(1), histogram[999])
}

// Two launches posted in a row must not count on the same helper that is awake: here
// the items of the inner launch wait for item 1 of the outer one, so that a parked
// helper has to be woken for it. Of the three helpers, two may be taken by the inner
// launch while its caller waits for them.
func TestEachLaunchGetsAHelper(t *testing.T) {
	space := exec.NewGoroutines(4)
	defer space.Close()
	two := policy.Range(0, 2).Chunk(1).On(space)
	count(t, space) // all helpers are hired
	for range 200 {
		time.Sleep(200 * time.Microsecond) // and park
		var both sync.WaitGroup
		both.Add(2)
		require.NoError(t, exec.ParallelFor(two, func(int) { both.Done(); both.Wait() })) // one woke
		time.Sleep(time.Microsecond)
		ran := make(chan struct{})
		done := make(chan error)
		go func() {
			done <- exec.ParallelFor(two, func(i int) {
				if i == 1 {
					close(ran)
					return
				}
				assert.NoError(t, exec.ParallelFor(two, func(int) { <-ran }))
			})
		}()
		select {
		case err := <-done:
			require.NoError(t, err)
		case <-time.After(time.Minute):
			t.Fatal("no helper came")
		}
	}
}
