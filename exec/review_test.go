package exec

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Rows of lanes end where the range ends, if that is the largest int.
func TestReduceUpToTheLargestIndex(t *testing.T) {
	add := func(dst, src *int) { *dst += *src }
	p := policy.Range(math.MaxInt-100, math.MaxInt).Chunk(128).On(Serial{})
	check := func(calls *int, i int) {
		if *calls++; *calls > 100 || i < math.MaxInt-100 {
			panic("an item that there is not")
		}
	}
	var a, b, c, d, calls int
	require.NoError(t, ParallelReduce(p, func(i int, a *int) { check(&calls, i); *a++ }, reducers.New(&a, add)))
	calls = 0
	assert.NotPanics(t, func() {
		_ = ParallelReduce2(p, func(i int, a, b *int) { check(&calls, i); *a++ }, reducers.New(&a, add), reducers.New(&b, add))
	})
	calls = 0
	assert.NotPanics(t, func() {
		_ = ParallelReduce3(p, func(i int, a, b, c *int) { check(&calls, i); *a++ }, reducers.New(&a, add), reducers.New(&b, add), reducers.New(&c, add))
	})
	calls = 0
	assert.NotPanics(t, func() {
		_ = ParallelReduce4(p, func(i int, a, b, c, d *int) { check(&calls, i); *a++ }, reducers.New(&a, add), reducers.New(&b, add), reducers.New(&c, add), reducers.New(&d, add))
	})
}

// The lowest of what goes wrong is reported, whatever it is.
func TestScanInStepReportsThePanicBelowAnExit(t *testing.T) {
	for _, at := range []bool{false, true} {
		var got any
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { got = recover() }()
			total := 0
			_ = ParallelScan(policy.Range(0, stepItems).On(Serial{}), func(i int, _ *int, final bool) {
				switch {
				case final != at:
				case i == 3*stepLeaf: // comes first in its row
					runtime.Goexit()
				case i == 5:
					panic("item 5")
				}
			}, reducers.New(&total, func(dst, src *int) { *dst += *src }))
		}()
		<-done
		assert.NotNil(t, got, "final %t: the panic of item 5 is lost", at)
	}
}

// lastNode runs the last four leaves only.
type lastNode struct{}

func (lastNode) Name() string     { return "last node" }
func (lastNode) Concurrency() int { return 1 }
func (lastNode) Launch(g Grid, j Job) error {
	j.Open(1, 1)
	j.Run(0, g.Leaves-4, g.Leaves, 0)
	return nil
}

// The last leaf of as many items as an int counts is no full one.
func TestScanOfTheMostItems(t *testing.T) {
	if math.MaxInt > math.MaxInt32 {
		t.Skip("takes too long; run with GOARCH=386")
	}
	total, beyond := 0, 0
	_ = ParallelScan(policy.Range(0, math.MaxInt).On(lastNode{}), func(i int, acc *int, final bool) {
		if i == math.MaxInt {
			beyond++
		}
	}, reducers.New(&total, func(d, s *int) { *d += *s }))
	assert.Zero(t, beyond, "an item that there is not")
}
