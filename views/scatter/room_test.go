package scatter_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

// A launch after others of its kind takes no memory but for the reducer, however many parts it has,
// though the reducer is made anew.
func TestMemoryIsTakenAgain(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops some of what is pooled")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector does, too
	// The parts are few: if each were given back twice, that would fail, and hang for many.
	const n, chunk = 20000, 1000
	for _, cells := range []int{100, 1000, 20000} {
		columns := views.Must(views.New2[float64]("y", cells, 2))
		for _, v := range []views.Viewer[float64]{
			views.Must(views.New1[float64]("y", cells)),
			views.Must(columns.Sub(views.All(), views.Index(0))), // has gaps
		} {
			launch := func(duplicated bool) {
				r := scatter.Sum(v, policy.On(exec.Serial{}))
				if duplicated {
					r = scatter.Duplicated(r)
				}
				require.NoError(t, exec.ParallelReduce(policy.Range(0, n).Chunk(chunk).On(exec.Serial{}), func(i int, acc *scatter.Access[float64]) {
					acc.Combine1(i*7919%cells, 1)
				}, r))
			}
			for _, duplicated := range []bool{false, true} {
				launch(duplicated)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				const launches = 10
				for range launches {
					launch(duplicated)
				}
				runtime.ReadMemStats(&after)
				what := fmt.Sprintf("%v, duplicated: %t", views.As(v), duplicated)
				assert.Less(t, (after.Mallocs-before.Mallocs)/launches, uint64(80), "allocations, %s", what)
				assert.Less(t, (after.TotalAlloc-before.TotalAlloc)/launches, uint64(8192), "bytes, %s", what)
			}
		}
	}
}

// Launches at one time, of one reducer and of several, into views of many sizes, after each other and
// after launches that failed, have the bits that they have alone.
func TestMemoryOfManyLaunches(t *testing.T) {
	const n, rounds = 5000, 8
	s := exec.NewGoroutines(3)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	p := policy.Range(0, n).Chunk(128)
	f := func(cells int) func(i int, acc *scatter.Access[float64]) {
		return func(i int, acc *scatter.Access[float64]) {
			acc.Combine1(int(rand.NewPCG(uint64(i), 1).Uint64()%uint64(cells)), 1/float64(i+1))
		}
	}
	into := func(name string, y []float64, duplicated bool) func(on exec.Space, f func(i int, acc *scatter.Access[float64])) error {
		return func(on exec.Space, f func(i int, acc *scatter.Access[float64])) error {
			r := reducerOf(name, views.Must(views.Of1("y", y)), policy.On(on))
			if duplicated {
				r = scatter.Duplicated(r)
			}
			return exec.ParallelReduce(p.On(on), f, r)
		}
	}
	var all sync.WaitGroup
	for _, cells := range []int{1, 600, 1000, 16384, 16385, 30000} { // some share rooms
		for _, name := range []string{"Sum", "Max"} {
			for _, duplicated := range []bool{false, true} {
				old := content(cells)
				want := slices.Clone(old)
				require.NoError(t, into(name, want, duplicated)(exec.Serial{}, f(cells)))
				all.Go(func() {
					for range rounds {
						y := slices.Clone(old)
						failing := func(i int, acc *scatter.Access[float64]) {
							if f(cells)(i, acc); i == n/2 {
								acc.Combine1(cells, 1)
							}
						}
						func() {
							defer func() { assert.NotNil(t, recover()) }()
							_ = into(name, y, duplicated)(s, failing)
						}()
						assert.NoError(t, into(name, y, duplicated)(s, f(cells)))
						if !assert.True(t, slices.Equal(bitsOf(want), bitsOf(y)), "%s into %d cells, duplicated: %t", name, cells, duplicated) {
							return
						}
					}
				})
			}
		}
	}
	all.Wait()
}

// busy is a space on which something else happens before each launch.
type busy struct {
	exec.Serial
	before func()
}

func (s busy) Launch(g space.Grid, j space.Job) error {
	s.before()
	return s.Serial.Launch(g, j)
}

// A view with gaps is written through memory that no other launch has meanwhile.
func TestMemoryOfViewsWithGaps(t *testing.T) {
	const cells = 1000
	column := func() views.View[float64] {
		return views.Must(views.Must(views.New[float64]("y", []int{cells, 2})).Sub(views.All(), views.Index(1)))
	}
	launch := func(v views.View[float64], x float64, on exec.Space) {
		assert.NoError(t, exec.ParallelReduce(policy.Range(0, 2*cells).On(exec.Serial{}), func(i int, acc *scatter.Access[float64]) {
			acc.Combine1(i%cells, x)
		}, scatter.Sum(v, policy.On(on))))
	}
	y, other, others := column(), column(), 0
	between := busy{before: func() {
		launch(other, 100, exec.Serial{})
		others++
	}}
	for range 3 {
		launch(y, 1, between)
	}
	assert.GreaterOrEqual(t, others, 6, "launches that copy the view from and to that memory")
	for i := range cells {
		require.Equal(t, 6.0, y.At(i))
		require.EqualValues(t, 200*others, other.At(i))
	}
}
