package algorithms_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/leaktest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// A world is a space and a stride that an algorithm is tried with.
type world struct {
	name   string
	on     policy.Launch
	stride int
}

// worlds returns all of them; the first one is Serial with stride 1.
func worlds(t *testing.T) (all []world) {
	spaces := []exec.Space{exec.Serial{}}
	for _, n := range []int{1, 2, 3, 7} {
		s := exec.NewGoroutines(n)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		spaces = append(spaces, s)
	}
	sim := exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() { require.NoError(t, sim.Close()) })
	spaces = append(spaces, sim)
	for _, s := range spaces {
		for _, stride := range []int{1, 3} {
			name := fmt.Sprintf("%s of %d, stride %d", s.Name(), s.Concurrency(), stride)
			all = append(all, world{name, policy.On(s), stride})
		}
	}
	return all
}

// on returns a view of the elements of x in a world. Before, between and behind them there
// are others.
func on[T any](w world, x []T) views.View[T] {
	memory := make([]T, 1+(len(x)+1)*w.stride)
	for i, e := range x {
		memory[1+i*w.stride] = e
	}
	return views.Must(views.Of("v", memory[1:1+max(len(x)*w.stride, 1)], []int{len(x)}, views.Stride{w.stride}))
}

// values returns the elements of a view.
func values[T any](v views.Viewer[T]) []T {
	x := make([]T, 0, views.As(v).Len())
	return slices.AppendSeq(x, views.As(v).Values())
}

// bits returns the bits of floats, for which NaN equals itself and -0 not +0.
func bits(x []float64) []uint64 {
	b := make([]uint64, len(x))
	for i, f := range x {
		b[i] = math.Float64bits(f)
	}
	return b
}

// sizes are numbers of elements that differ in leaves, blocks and what is left over.
var sizes = []int{0, 1, 2, 3, 17, 100, 1023, 9001}

// large is a number of elements that fills whole leaves, for few worlds only.
const large = 100_003

// patterns are sequences that sorts have trouble with.
var patterns = map[string]func(i, n int) int{
	"random":   func(i, n int) int { return int(uint32(i) * 2654435761 >> 7) },
	"few":      func(i, n int) int { return int(uint32(i)*2654435761>>7) % 5 },
	"equal":    func(i, n int) int { return 7 },
	"sorted":   func(i, n int) int { return i },
	"reversed": func(i, n int) int { return n - i },
	"negative": func(i, n int) int { return int(uint32(i)*2654435761>>9) - 1<<22 },
	"swapped":  func(i, n int) int { return i ^ 1 },
}

// specials has all kinds of floats.
func specials(n int) []float64 {
	kinds := []float64{
		0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1),
		math.Float64frombits(0x7FF0000000000001), math.Float64frombits(0xFFFFFFFFFFFFFFFF),
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, math.MaxFloat64, -math.MaxFloat64, 1, -1,
	}
	r := rand.New(rand.NewPCG(3, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		if x[i] = r.NormFloat64(); r.IntN(2) == 0 {
			x[i] = kinds[r.IntN(len(kinds))]
		}
	}
	return x
}

// small draws a short slice of small numbers, among which many are equal.
func small(t *rapid.T, label string) []int {
	most := rapid.SampledFrom([]int{1, 3, 50}).Draw(t, "most")
	return rapid.SliceOfN(rapid.IntRange(0, most), 0, 80).Draw(t, label)
}

// few draws a few of the worlds.
func few(t *rapid.T, all []world) []world {
	return []world{rapid.SampledFrom(all).Draw(t, "world"), rapid.SampledFrom(all).Draw(t, "another")}
}

// line returns a view of x on the host.
func line[T any](x []T) views.View1[T] { return views.Must(views.Of1("x", x)) }
