//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Launches over boxes give the bits of closures on Serial: at all levels, on all spaces, in all orders, of
// rows of any length, and where items are out of range.

type (
	points2 = policy.MDRangePolicy[policy.Index2, [2]int]
	points3 = policy.MDRangePolicy[policy.Index3, [3]int]
)

// A boxed launches a functor over a box of such extents: the closure, or what is compiled. It makes what the
// functor captures anew, and returns what came out.
type boxed func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string

// inOrder returns a policy in one of the orders that there are.
func inOrder[I any, B [2]int | [3]int | [4]int | [5]int | [6]int](p policy.MDRangePolicy[I, B], order int, tile B, s exec.Space) policy.MDRangePolicy[I, B] {
	switch order {
	case 1:
		p = p.Iterate(policy.Right, policy.Left)
	case 2:
		p = p.Tile(tile)
	case 3:
		p = p.Tile(tile).Iterate(policy.Left, policy.Left)
	case 4:
		p = p.Chunk(70)
	}
	return p.On(s)
}

const orders = 5

// inside2 are the points with a border of that many around them, inside3 those of three dimensions.
func inside2(extent []int, border, order int, s exec.Space) points2 {
	return inOrder(policy.MDRange2([2]int{border, border}, [2]int{extent[0] + border, extent[1] + border}), order, [2]int{3, 11}, s)
}

func inside3(extent []int, border, order int, s exec.Space) points3 {
	return inOrder(policy.MDRange3([3]int{border, border, border}, [3]int{extent[0] + border, extent[1] + border, extent[2] + border}), order, [3]int{2, 3, 7}, s)
}

// ran returns what came out of a launch: its error or panic, and memory.
func ran(launch func() error, memory ...any) string {

	message := ""
	func() {
		defer func() {
			if p, ok := recover().(*exec.Panic); ok {
				message = fmt.Sprint("panic ", p.Value)
			}
		}()
		message = fmt.Sprint(launch())
	}()
	for _, m := range memory {
		message += " " + hex(reflect.Indirect(reflect.ValueOf(m)).Interface())
	}
	return message
}

// pick returns one of two functors.
func pick[F any](compiled bool, closure, kernel F) F {
	if compiled {
		return kernel
	}
	return closure
}

// view3 is a view whose rows and planes are apart.
func view3[T any](n, m, l int, next func() T) (v views.View3[T], memory []T) {
	memory = make([]T, n*(m+1)*(l+2))
	for i := range memory {
		memory[i] = next()
	}
	if n*m*l == 0 {
		return views.Must(views.New3[T]("v", n, m, l)), memory
	}
	last := (n-1)*(m+1)*(l+2) + (m-1)*(l+2) + l
	return views.Must(views.As3(views.Of("v", memory[:last], []int{n, m, l}, views.Stride{(m + 1) * (l + 2), l + 2, 1}))), memory
}

var boxRuns = map[string]boxed{
	"generation": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		next := func() uint8 { return uint8(r.IntN(256) * r.IntN(2)) }
		u, v := view(extent[0]+2, extent[1]+2, next), view(extent[0]+2, extent[1]+2, next)
		f := pick(compiled, generation, Generation)(u, v)
		return ran(func() error { return exec.ParallelFor(inside2(extent, 1, order, s), f) }, all(v))
	},
	"relaxed": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		next := func() float64 { return float(r) }
		u, v := view(extent[0]+2, extent[1]+2, next), view(extent[0]+2, extent[1]+2, next)
		f := pick(compiled, relaxed, Relaxed)(u, v)
		return ran(func() error { return exec.ParallelFor(inside2(extent, 1, order, s), f) }, all(v))
	},
	"outweighed": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		next := func() float64 { return float(r) }
		u, v := view(extent[0], extent[1], next), view(extent[0], extent[1], next)
		f := pick(compiled, outweighed, Outweighed)(floats(r, extent[0]), floats(r, extent[1]), u, v)
		return ran(func() error { return exec.ParallelFor(inside2(extent, 0, order, s), f) }, all(v))
	},
	"wedge": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		u, v := view(extent[0], extent[1], r.Int), view(extent[0], extent[1], r.Int)
		f := pick(compiled, wedge, Wedge)(u, v)
		return ran(func() error { return exec.ParallelFor(inside2(extent, 0, order, s), f) }, all(v))
	},
	"relaxedRow": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		next := func() float64 { return float(r) }
		u, v := view(extent[0]+2, extent[1]+2, next), view(extent[0]+2, extent[1]+2, next)
		f := pick(compiled, relaxedRow, RelaxedRow)(u, v)
		if order == 1 || order == 3 { // a row goes along the first dimension there, and the functor along the second one
			order--
		}
		return ran(func() error { return exec.ParallelFor(inside2(extent, 1, order, s).Rows(), f) }, all(v))
	},
	"residual": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		u := view(extent[0]+2, extent[1]+2, r.NormFloat64)
		var sum float64
		f := pick(compiled, residual, Residual)(u)
		return ran(func() error { return exec.ParallelReduce(inside2(extent, 1, order, s), f, builtin.Sum(&sum)) }, &sum)
	},
	"relaxed3": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		next := func() float64 { return float(r) }
		u, _ := view3(extent[0]+2, extent[1]+2, extent[2]+2, next)
		v, memory := view3(extent[0]+2, extent[1]+2, extent[2]+2, next)
		f := pick(compiled, relaxed3, Relaxed3)(u, v)
		return ran(func() error { return exec.ParallelFor(inside3(extent, 1, order, s), f) }, memory)
	},
	"spread": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		u := view(extent[0], 2, func() float64 { return float(r) }).Transpose()
		if r.IntN(2) == 0 {
			u = views.Must(views.AsStrided2(view(2, extent[0], func() float64 { return float(r) }).View, nil))
		}
		w, at := float(r), r.Perm(extent[1])
		memory := floats(r, 2*3*extent[1]*extent[0])
		v := views.Must(views.Of4("v", memory, 2, 3, extent[1], extent[0]))
		p := inOrder(policy.MDRange4([4]int{}, [4]int{2, 3, extent[1], extent[0]}), order, [4]int{2, 2, 3, 5}, s)
		f := pick(compiled, spread, Spread)(w, u, at, v)
		return ran(func() error { return exec.ParallelFor(p, f) }, memory)
	},
	"extremes": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		x, _ := view3(extent[0], extent[1], extent[2], func() float32 { return float32(r.NormFloat64()) })
		var sum float64
		var low, high float32
		var n int
		f := pick(compiled, extremes, Extremes)(1.5, x)
		out := ran(func() error {
			return exec.ParallelReduce4(inside3(extent, 0, order, s), f, builtin.Sum(&sum), builtin.Min(&low), builtin.Max(&high), builtin.Sum(&n))
		}, &sum, &low, &high, &n)
		return out
	},
	"nearestOf": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		at, x := make([]int, extent[0]+extent[2]), floats(r, 9)
		for i := range at {
			at[i] = r.IntN(10) - 1
		}
		v, memory := view3(extent[0]+1, extent[2]+1, extent[1]+1, r.NormFloat64)
		var sum float64
		f := pick(compiled, nearestOf, NearestOf)(at, x, views.Must(views.AsStrided3(v.Permute(0, 2, 1))))
		return ran(func() error { return exec.ParallelReduce(inside3(extent, 0, order, s), f, builtin.Sum(&sum)) }, memory, &sum)
	},
	"escaping": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string { // some take more than a call may
		memory := make([]int32, extent[0]*extent[1])
		v := views.Must(views.Of2("v", memory, extent[0], extent[1]))
		var sum float64
		limit := 30
		if extent[1] > 100 {
			limit = 25_000
		}
		f := pick(compiled, escaping, Escaping)(.04, limit, v)
		return ran(func() error { return exec.ParallelReduce(inside2(extent, 0, order, s), f, builtin.Sum(&sum)) }, memory, &sum)
	},
	"sixth": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		x := make([]int32, extent[0]*2*3*2*3*5)
		p := inOrder(policy.MDRange6([6]int{}, [6]int{extent[0], 2, 3, 2, 3, 5}), order, [6]int{2, 1, 2, 2, 2, 3}, s)
		f := pick(compiled, sixth, Sixth)(x)
		return ran(func() error { return exec.ParallelFor(p, f) }, x)
	},
	"summedRow": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		u, _ := view3(extent[0], extent[1], max(extent[1], extent[2], extent[0]), r.NormFloat64)
		var sum float64
		var rows int
		f := pick(compiled, summedRow, SummedRow)(u, floats(r, extent[0]))
		return ran(func() error {
			return exec.ParallelReduce2(inside3(extent, 0, order, s).Rows(), f, builtin.Sum(&sum), builtin.Sum(&rows))
		}, &sum, &rows)
	},
	"scaledRow": func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		if order == 1 || order == 3 {
			order--
		}
		u, memory := view3(extent[0], extent[1], extent[2], func() float64 { return float(r) })
		f := pick(compiled, scaledRow, ScaledRow)(floats(r, extent[1]), u)
		return ran(func() error { return exec.ParallelFor(inside3(extent, 0, order, s).Rows(), f) }, memory)
	},
}

func TestBoxes(t *testing.T) {
	spaces := []exec.Space{exec.Serial{}, exec.NewSimGPU(gpu.H200())}
	for _, workers := range []int{1, 2, 7, 61} {
		s := exec.NewGoroutines(workers)
		defer s.Close()
		spaces = append(spaces, s)
	}
	extents := [][]int{{0, 3, 2}, {1, 1, 1}, {2, 3, 0}, {5, 4, 3}, {3, 8, 9}, {7, 33, 2}, {1, 200, 5}, {40, 17, 31}, {3, 2, 150}}
	for name, launch := range boxRuns {
		t.Run(name, func(t *testing.T) {
			for n, extent := range extents {
				for order := range orders {
					run := func(s exec.Space, compiled bool) string {
						return launch(rand.New(rand.NewPCG(uint64(n), uint64(order))), extent, order, s, compiled)
					}
					want := run(exec.Serial{}, false)
					require.NotContains(t, want, "panic", "%v points, order %d", extent, order)
					for m, s := range spaces {
						for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2, kernel.AVX512} {
							if m > 1 && (n+order+m+int(level))%3 > 0 {
								continue
							}
							_, undo := kernel.Limit(level)
							got := run(s, true)
							undo()
							require.Equal(t, want, got, "%v points, order %d, on %s at level %v", extent, order, s.Name(), level)
						}
					}
				}
			}
		})
	}
}

// Items out of range panic as in the closure, with the memory that it has left: in front of a run, within,
// behind it, and where all runs stop.
func TestBoxPanics(t *testing.T) {
	for n := range 60 {
		for order := range orders {
			for name, launch := range map[string]func(compiled bool) string{
				"relaxed": func(compiled bool) string {
					r := rand.New(rand.NewPCG(uint64(n), 1))
					next := func() float64 { return float(r) }
					u, v := view(12, 23, next), view(12, 23, next)
					p := inOrder(policy.MDRange2([2]int{n%4 - 1, n%3 - 1}, [2]int{n%4 + 9, n/2 + 5}), order, [2]int{3, 11}, exec.Serial{})
					f := pick(compiled, relaxed, Relaxed)(u, v)
					return ran(func() error { return exec.ParallelFor(p, f) }, all(v))
				},
				"outweighed": func(compiled bool) string {
					r := rand.New(rand.NewPCG(uint64(n), 5))
					next := func() float64 { return float(r) }
					u, v := view(12, 23, next), view(14, 25, next)
					p := inOrder(policy.MDRange2([2]int{n%4 - 1, n%3 - 1}, [2]int{n%4 + 9, n/2 + 5}), order, [2]int{3, 11}, exec.Serial{})
					f := pick(compiled, outweighed, Outweighed)(floats(r, 9+n%5), floats(r, 30), u, v)
					return ran(func() error { return exec.ParallelFor(p, f) }, all(v))
				},
				"relaxedRow": func(compiled bool) string {
					r := rand.New(rand.NewPCG(uint64(n), 2))
					next := func() float64 { return float(r) }
					u, v := view(12, 23, next), view(12, 23, next)
					p := inOrder(policy.MDRange2([2]int{n%4 - 1, n%3 - 1}, [2]int{n%4 + 9, n/2 + 5}), order&^1, [2]int{3, 11}, exec.Serial{})
					f := pick(compiled, relaxedRow, RelaxedRow)(u, v)
					return ran(func() error { return exec.ParallelFor(p.Rows(), f) }, all(v))
				},
				"residual": func(compiled bool) string {
					u := view(12, 23, rand.New(rand.NewPCG(uint64(n), 3)).NormFloat64)
					p := inOrder(policy.MDRange2([2]int{n%4 - 1, n%3 - 1}, [2]int{n%4 + 9, n/2 + 5}), order, [2]int{3, 11}, exec.Serial{})
					sum := []float64{0}
					f := pick(compiled, residual, Residual)(u)
					return ran(func() error { return exec.ParallelReduce(p, f, builtin.Sum(&sum[0])) }, sum)
				},
				"scaledRow": func(compiled bool) string {
					r := rand.New(rand.NewPCG(uint64(n), 4))
					u, memory := view3(4, 5, 19, func() float64 { return float(r) })
					p := inOrder(policy.MDRange3([3]int{0, n%3 - 1, n%5 - 1}, [3]int{4, 4 + n%2, n/2 + 5}), order&^1, [3]int{2, 3, 7}, exec.Serial{})
					f := pick(compiled, scaledRow, ScaledRow)(floats(r, 4+n%2), u)
					return ran(func() error { return exec.ParallelFor(p.Rows(), f) }, memory)
				},
			} {
				want := launch(false)
				for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2, kernel.AVX512} {
					_, undo := kernel.Limit(level)
					got := launch(true)
					undo()
					require.Equal(t, want, got, "%s, %d, order %d at level %v", name, n, order, level)
				}
			}
		}
	}
}

// A view may be both what points are read from and where they are stored.
func TestPointsInPlace(t *testing.T) {
	for m := range 40 {
		for order := range orders {
			levels(t, "shifted", func() []float64 {
				v := view(4, m, rand.New(rand.NewPCG(1, uint64(m))).NormFloat64)
				require.NoError(t, exec.ParallelFor(inside2([]int{4, m}, 0, order, exec.Serial{}), Shifted(v, v)))
				return all(v)
			})
		}
	}
}

// Rows whose memory overlaps run in the order of the closure.
func TestBoxesInPlace(t *testing.T) {
	for shift := range 4 {
		levels(t, "relaxedRow", func() []float64 {
			const n, m = 7, 40
			x := floats(rand.New(rand.NewPCG(1, uint64(shift))), n*m+3)
			u := views.Must(views.As2(views.Of("u", x[:n*m], []int{n, m}, views.Stride{m, 1})))
			v := views.Must(views.As2(views.Of("v", x[shift:][:n*m], []int{n, m}, views.Stride{m, 1})))
			require.NoError(t, exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{n - 1, m - 1}).On(exec.Serial{}).Rows(), RelaxedRow(u, v)))
			return x
		})
	}
}

// Each functor over a box has loops at all levels.
func TestBoxesHaveLoops(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	for name, f := range map[string]any{
		"relaxed": Relaxed(views.View2[float64]{}, views.View2[float64]{}), "relaxedRow": RelaxedRow(views.View2[float64]{}, views.View2[float64]{}),
		"residual": Residual(views.View2[float64]{}), "relaxed3": Relaxed3(views.View3[float64]{}, views.View3[float64]{}),
		"spread": Spread(1, views.Strided2[float64]{}, nil, views.View4[float64]{}), "extremes": Extremes(1, views.View3[float32]{}),
		"nearestOf": NearestOf(nil, nil, views.Strided3[float64]{}), "sixth": Sixth(nil), "wedge": Wedge(views.View2[int]{}, views.View2[int]{}),
		"outweighed": Outweighed(nil, nil, views.View2[float64]{}, views.View2[float64]{}), "summedRow": SummedRow(views.View3[float64]{}, nil),
		"scaledRow": ScaledRow(nil, views.View3[float64]{}), "generation": Generation(views.View2[uint8]{}, views.View2[uint8]{}),
	} {
		require.NotNil(t, kernel.Of(f), name)
	}
}

// These functors run several rows in a call.
func TestBoxesHavePlanes(t *testing.T) {
	if level, undo := kernel.Limit(kernel.AVX512); level < kernel.AVX2 || closures {
		undo()
		t.Skip("no vectors in this build")
	} else {
		undo()
	}
	for name, f := range map[string]any{
		"relaxed": Relaxed(views.View2[float64]{}, views.View2[float64]{}), "relaxed3": Relaxed3(views.View3[float64]{}, views.View3[float64]{}),
		"outweighed": Outweighed(nil, nil, views.View2[float64]{}, views.View2[float64]{}), "sixth": Sixth(nil),
		"generation": Generation(views.View2[uint8]{}, views.View2[uint8]{}),
	} {
		require.Implements(t, (*kernel.ForPlanes)(nil), kernel.Of(f), name)
	}
}
