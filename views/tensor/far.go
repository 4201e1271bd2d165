package tensor

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/x448/float16"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/nest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

// A far is values in memory which the host cannot touch, as a space is told of them.
type far struct {
	x      any           // a slice from the first element on
	format device.Format // what they are converted from
	mapped bool          // by a function that nobody knows
}

// farOf returns the values of a view, none if the host can touch them.
func farOf[T any](v views.View[T]) (x far) {
	if !memory.Far(v.MemorySpace()) || v.Len() == 0 {
		return x
	}
	last := 0
	for d := range v.Rank() {
		last += (v.Extent(d) - 1) * v.Stride(d)
	}
	x.x = unsafe.Slice((*T)(v.Address()), last+1)
	return x
}

// converted returns the values that a function makes of them, which is known if it is the conversion of a format.
func (x far) converted(f any) far {
	known := x.format == device.Plain && !x.mapped
	switch f := f.(type) {
	case func(float16.Float16) float32:
		x.format = device.Float16
		known = known && same(f, float16.Float16.Float32)
	case func(bfloat16.BFloat16) float32:
		x.format = device.BFloat16
		known = known && same(f, bfloat16.BFloat16.Float32)
	case func([]float64, []float32):
		x.format = device.Single
		known = known && same(f, Float64s)
	default:
		known = false
	}
	x.mapped = !known
	return x
}

// same reports whether two functions have the same code.
func same(f, g any) bool { return reflect.ValueOf(f).Pointer() == reflect.ValueOf(g).Pointer() }

// folderOf returns the space that folds a tensor where it is, or nil.
func folderOf(s settings) device.TensorFolder {
	if !memory.Far(s.in) {
		return nil
	}
	near, err := memory.Near(s.in, s.on.Space(), "")
	if f, ok := near.(device.TensorFolder); ok && err == nil && f.Memory() == s.in {
		return f
	}
	return nil
}

var errMapped = errors.New("tensor: Map by a function of the host of values in the memory of a device, expected float16.Float16.Float32 or bfloat16.BFloat16.Float32, or MapSlice by Float64s")

// fold makes the results of a tensor by a space that folds it where it is.
func (c *call[T]) fold() error {
	if c.far.mapped {
		return errMapped
	}
	t := device.Tensor{X: c.far.x, Memory: c.in, Format: c.far.format, Kept: loopsOf(c.kept), Walked: loopsOf(c.inner), Grid: c.grid}
	for k, col := range c.columns {
		r, err := col.told()
		if err == nil {
			err = col.carry()
		}
		if err != nil {
			return fmt.Errorf("tensor: operation %d over values in the memory of %v: %w", k+1, c.in, err)
		}
		t.Columns = append(t.Columns, r)
	}
	ctx := policy.Range(0, 0).With(c.on).Plan().Context
	if ctx == nil {
		ctx = context.Background()
	}
	var err error
	p := policy.Range(0, 1).With(c.on).On(exec.Serial{}) // a launch, which listeners hear of
	if launched := exec.ParallelFor(p, func(int) { err = c.foldOn(ctx, t) }); launched != nil {
		return launched
	}
	return err
}

// foldOn hands the results to the columns, and has them finished.
func (c *call[T]) foldOn(ctx context.Context, t device.Tensor) error {
	columns, err := c.folder.FoldTensor(ctx, t)
	if err != nil {
		return fmt.Errorf("tensor: Reduce of %s: %w", c.name, err)
	}
	_, _, step := c.kept.Inner()
	for n, data := range columns {
		col := c.columns[n]
		for r := c.kept.Rows(0, c.outputs); r.Next(); {
			if step == 1 {
				data = col.setRoots(data, r.B, r.N)
				continue
			}
			for k := range r.N {
				data = col.setRoot(data, r.B+k*step, 0)
			}
		}
		col.finish(0, c.outputs)
	}
	return nil
}

func loopsOf(x nest.Loops) (loops []device.Loop) {
	for d := range x.Rank {
		loops = append(loops, device.Loop{Extent: x.N[d], Stride: x.A[d]})
	}
	return loops
}

var errFunction = errors.New("FoldMap calls a function of the host, expected Fold by a reducer that has the function within, as builtin.SumSq, builtin.Norm1 and builtin.AMax have")

// told returns what a space has to know of the reduction.
func (f *folding[T, V, A]) told() (r device.Result, err error) {
	if f.before.f != nil {
		return r, errFunction
	}
	c := f.first.Column()
	profile := c.Profile(f.shape.grid.Lanes)
	r.Column = device.Column{Reducer: c.Name(), Bytes: profile.Bytes, Flat: profile.Flat, Exact: profile.Exact, Lanes: profile.Lanes}
	r.Operation = f.first.Operation()
	r.Layout, err = c.Layout()
	return r, err
}
