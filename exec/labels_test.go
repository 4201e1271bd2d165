package exec_test

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// labelled returns how many goroutines have labels in a profile, as a text that they are told by.
func labelled(t *testing.T, labels string) (n int) {
	var b bytes.Buffer
	assert.NoError(t, pprof.Lookup("goroutine").WriteTo(&b, 1))
	for _, part := range strings.Split(b.String(), "\n\n") {
		if strings.Contains(part, "# labels: "+labels) {
			for range strings.Split(part, "@ ")[1:] {
				n++
			}
		}
	}
	return n
}

// Every worker has the labels of the launch while it runs items, and none after.
func TestLabelsOfWorkers(t *testing.T) {
	on := exec.NewGoroutines(2)
	defer on.Close()
	stop := tools.LabelProfiles()
	defer tools.StartRegion("solve")()
	var both, counted sync.WaitGroup
	both.Add(2)
	counted.Add(2)
	counts := make([]int, 2)
	require.NoError(t, exec.ParallelFor(policy.Range(0, 2).On(on).WithLabel("axpy"), func(i int) {
		both.Done()
		both.Wait() // both workers are in the launch
		counts[i] = labelled(t, `{"kernel":"axpy", "region":"solve"}`)
		counted.Done()
		counted.Wait()
	}))
	assert.Equal(t, []int{2, 2}, counts)
	assert.Zero(t, labelled(t, `{"kernel"`))
	stop()
	stop()
	require.NoError(t, exec.ParallelFor(policy.Range(0, 2).On(on).WithLabel("axpy"), func(i int) { counts[i] = labelled(t, `{"kernel"`) }))
	assert.Equal(t, []int{0, 0}, counts, "nobody wants labels")
}

// Patterns and spaces have them alike; the functor's place stands for a label. A panic leaves none, and the
// caller has those of its context again.
func TestLabels(t *testing.T) {
	defer tools.LabelProfiles()()
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	var n int
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 1).On(sim), func(_ int, acc *int) { *acc += labelled(t, `{"kernel":"labels_test.go:`) }, builtin.Sum(&n)))
	assert.Equal(t, 1, n)
	require.NoError(t, exec.ParallelFor(policy.Team(1, 2).On(sim).WithLabel("teams"), func(m *team.Member) {
		m.Barrier()
		team.Single(m, func() { n = labelled(t, `{"kernel":"teams"}`) })
	}))
	assert.Positive(t, n)
	require.NoError(t, exec.ParallelFor(policy.Team(1, 2).On(sim).WithLabel("others"), func(m *team.Member) {
		m.Barrier() // members run on goroutines that have run others
		team.Single(m, func() { n = labelled(t, `{"kernel":"teams"}`) })
	}))
	assert.Zero(t, n)
	assert.Panics(t, func() {
		exec.Must(exec.ParallelFor(policy.Range(0, 1).On(exec.Serial{}).WithLabel("torn"), func(int) { panic("torn") }))
	})
	assert.Zero(t, labelled(t, `{"kernel"`))
	pprof.Do(context.Background(), pprof.Labels("of", "caller"), func(ctx context.Context) {
		require.NoError(t, exec.ParallelFor(policy.Range(0, 1).On(exec.Serial{}).WithContext(ctx), func(int) {}))
		assert.Equal(t, 1, labelled(t, `{"of":"caller"}`))
	})
}
