package rate_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools/rate"
	"github.com/gokkos/gokkos/policy"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.benchtime", "10ms"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestMetrics(t *testing.T) {
	const n = 1 << 12
	x := make([]float64, n)
	report := func(on exec.Space, items, bytes int) testing.BenchmarkResult {
		return testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(exec.Serial{}), func(i int) { x[i]++ }))
			}
			rate.Report(b, on, items, bytes)
		})
	}
	all := report(exec.Serial{}, n, 16*n)
	each := float64(all.T) / float64(all.N)
	assert.InEpsilon(t, each/n, all.Extra["ns/item"], 1e-3)
	assert.InEpsilon(t, 16*n/each, all.Extra["GB/s"], 1e-3)
	limit, err := rate.Read(exec.Serial{}, 16*n)
	require.NoError(t, err)
	share := 100 * all.Extra["GB/s"] / limit
	assert.Greater(t, all.Extra["%read"], share/4, "of a noisy machine")
	assert.Less(t, all.Extra["%read"], share*4)

	assert.Empty(t, report(nil, 0, 0).Extra)
	assert.NotContains(t, report(nil, 0, 8).Extra, "ns/item")
	assert.NotContains(t, report(nil, 8, 0).Extra, "GB/s")
}

func TestReadsOfEverySize(t *testing.T) {
	for _, bytes := range []int{-1, 0, 7, 8, 9, 1 << 20} {
		limit, err := rate.Read(exec.Serial{}, bytes)
		require.NoError(t, err)
		assert.Positive(t, limit)
	}
	closed := exec.NewGoroutines(2)
	require.NoError(t, closed.Close())
	_, err := rate.Read(closed, 8)
	assert.True(t, errors.Is(err, space.ErrClosed), "%v", err)
}

func ExampleReport() {
	x := make([]float64, 1000)
	result := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			exec.Must(exec.ParallelFor(policy.Range(0, len(x)), func(i int) { x[i]++ }))
		}
		rate.Report(b, nil, len(x), 2*8*len(x)) // x is read and written
	})
	for _, metric := range []string{"ns/item", "GB/s", "%read"} {
		fmt.Println(metric, result.Extra[metric] > 0)
	}
	// Output:
	// ns/item true
	// GB/s true
	// %read true
}

func ExampleRead() {
	memory, err := rate.Read(exec.Serial{}, 64<<20)
	fmt.Println(memory > 0, err)
	// Output: true <nil>
}
