package exec_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

type squarer struct{ x []float64 }

func (s *squarer) at(i int) { s.x[i] *= s.x[i] }

// Each launch is one event, whatever passes it makes.
func TestEvents(t *testing.T) {
	var mu sync.Mutex
	var told []tools.Event
	var ends []error
	defer tools.Listen(func(e tools.Event) func(error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, e)
		return func(err error) {
			mu.Lock()
			defer mu.Unlock()
			ends = append(ends, err)
		}
	})()
	two := exec.NewGoroutines(2)
	defer two.Close()
	x := make([]float64, 5000)
	var sum, high float64
	p := policy.Range(0, len(x)).On(two)
	s := &squarer{x}
	require.NoError(t, exec.ParallelFor(p.WithLabel("square"), s.at))
	require.NoError(t, exec.ParallelReduce(policy.MDRange2([2]int{}, [2]int{50, 20}).On(exec.Serial{}), func(policy.Index2, *float64) {}, builtin.Sum(&sum)))
	require.NoError(t, exec.ParallelScan(p, func(i int, acc *float64, final bool) { *acc += x[i] }, builtin.Sum(&sum)))
	require.NoError(t, exec.ParallelFold(exec.Slice(p, x), builtin.Sum(&sum), builtin.Max(&high)))
	require.NoError(t, exec.ParallelFor(policy.Team(3, 4).On(exec.Serial{}), func(*team.Member) {}))
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	require.Error(t, exec.ParallelFor(p.WithContext(canceled), func(int) {}))
	assert.Panics(t, func() { _ = exec.ParallelFor(p, func(int) { panic("stop") }) })
	require.Error(t, exec.ParallelFor(policy.Range(1, 0), func(int) {})) // is not made

	for k := range told[1:] {
		if e := &told[k+1]; e.Kind != tools.Fold {
			assert.Regexp(t, `^event_test.go:\d+$`, e.Code)
			e.Code = ""
		}
	}
	assert.Equal(t, []tools.Event{
		{Kind: tools.For, Label: "square", Code: "exec_test.(*squarer).at", Policy: "policy.RangePolicy", Space: "goroutines", Items: 5000},
		{Kind: tools.Reduce, Policy: "policy.MDRangePolicy", Space: "serial", Items: 1000},
		{Kind: tools.Scan, Policy: "policy.RangePolicy", Space: "goroutines", Items: 5000},
		{Kind: tools.Fold, Space: "goroutines", Items: 5000, Bytes: 40000},
		{Kind: tools.For, Policy: "policy.TeamPolicy", Space: "serial", Items: 3},
		{Kind: tools.For, Policy: "policy.RangePolicy", Space: "goroutines", Items: 5000},
		{Kind: tools.For, Policy: "policy.RangePolicy", Space: "goroutines", Items: 5000},
	}, told)
	require.Len(t, ends, 7)
	assert.Equal(t, []error{nil, nil, nil, nil, nil}, ends[:5])
	assert.ErrorIs(t, ends[5], context.Canceled)
	assert.True(t, errors.Is(ends[6], tools.ErrPanic))
}
