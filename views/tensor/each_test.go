package tensor_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// halved is a func(float64) float32 with a loop that stops at negative values.
type halved struct {
	calls, maps int
	wrong       int // what is added to what the loop returns
}

func (h *halved) of(x float64) float32 {
	h.calls++ //gokkosvet:ignore on Serial
	return float32(x / 2)
}

type halvedGo halved

func (h *halvedGo) Map(dst []float32, src []float64) (done int) {
	h.maps++
	for k, x := range src {
		if x < 0 {
			return k + h.wrong
		}
		dst[k] = float32(x / 2)
	}
	return len(src) + h.wrong
}

func init() {
	kernel.Attach(kernel.Go, kernel.Source{Name: "tensor_test.halved", Version: kernel.Version},
		func(h *halved) func(float64) float32 { return h.of }, func(h *halved) kernel.Map[float64, float32] { return (*halvedGo)(h) })
}

// loops reports whether loops run in this build. With the hooks of watched launches, functors do.
func loops() bool {
	level, undo := kernel.Limit(kernel.Go)
	undo()
	return level == kernel.Go && !watch.On
}

// Functions of values whose loops are compiled give the bits that they give alone.
func TestCompiledMaps(t *testing.T) {
	x := views.Must(views.New2[float64]("x", 90, 70))
	for i := range 90 {
		for j := range 70 {
			x.Set(i, j, float64((i*31+j*17)%101)-3)
		}
	}
	for dim := range 2 {
		var texts [2]string
		reduce := func(h *halved, s exec.Space) {
			sums, highs := views.Must(views.New1[float32]("sums", x.Extent(1-dim))), views.Must(views.New1[float32]("highs", x.Extent(1-dim)))
			require.NoError(t, tensor.Reduce(tensor.Over(x, dim).On(s), tensor.FoldMap(h.of, builtin.Sum[float32], tensor.Into(sums))))
			texts[0] = fmt.Sprintf("%x", sums.Row())
			require.NoError(t, tensor.Reduce(tensor.Map(tensor.Over(x, dim).On(s), h.of), tensor.Fold(builtin.Max[float32], tensor.Into(highs))))
			texts[1] = fmt.Sprintf("%x", highs.Row())
		}
		_, undo := kernel.Limit(kernel.Closure)
		plain := new(halved)
		reduce(plain, exec.Serial{})
		undo()
		want := texts
		assert.Equal(t, 2*90*70, plain.calls)
		h := new(halved)
		reduce(h, exec.Serial{})
		assert.Equal(t, want, texts, "dimension %d", dim)
		if loops() {
			assert.Positive(t, h.maps)
			assert.Less(t, h.calls, plain.calls)
		}
		reduce(new(halved), exec.NewSimGPU(gpu.H200()))
		assert.Equal(t, want, texts, "dimension %d", dim)
	}
}

func TestWrongLoopOfMap(t *testing.T) {
	if !loops() {
		t.Skip("no loops in this build")
	}
	x, sum := views.Must(views.Of2("x", make([]float64, 100), 2, 50)), views.Must(views.Of1("sum", []float32{7, 7}))
	for _, wrong := range []int{1, -51} {
		h := &halved{wrong: wrong}
		func() {
			defer func() {
				p, ok := recover().(*exec.Panic)
				require.True(t, ok)
				assert.Contains(t, fmt.Sprint(p.Value), "values and returned")
			}()
			_ = tensor.Reduce(tensor.Over(x, 1).On(exec.Serial{}), tensor.FoldMap(h.of, builtin.Sum[float32], tensor.Into(sum)))
		}()
		assert.Equal(t, []float32{7, 7}, sum.Row())
	}
}
