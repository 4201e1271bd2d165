//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A drawnBox is a box with tiles, in an order, with leaves of a length, and views with a margin around its points.
type drawnBox struct {
	r            *rand.Rand
	lower, upper [6]int
	tile         [6]int
	outer, inner policy.Order
	chunk        int
}

func drawBox(seed uint64) *drawnBox {
	r := rand.New(rand.NewPCG(seed, 5))
	b := &drawnBox{r: r, outer: policy.Order(r.IntN(2)), inner: policy.Order(r.IntN(2)), chunk: []int{0, 0, 1, 3, 32, 100}[r.IntN(6)]}
	for d := range 6 {
		most := []int{40, 40, 12, 7, 4, 3}[d]
		b.lower[d] = 1 + r.IntN(3)
		b.upper[d] = b.lower[d] + r.IntN(most)
		b.tile[d] = 1 + r.IntN(9)
		if seed%3 == 0 {
			b.tile[d] = 100
		}
	}
	return b
}

func (b *drawnBox) p2(on exec.Space) policy.MDRangePolicy[policy.Index2, [2]int] {
	return policy.MDRange2([2]int(b.lower[:2]), [2]int(b.upper[:2])).Tile([2]int(b.tile[:2])).Iterate(b.outer, b.inner).Chunk(b.chunk).On(on)
}

func (b *drawnBox) p3(on exec.Space) policy.MDRangePolicy[policy.Index3, [3]int] {
	return policy.MDRange3([3]int(b.lower[:3]), [3]int(b.upper[:3])).Tile([3]int(b.tile[:3])).Iterate(b.outer, b.inner).Chunk(b.chunk).On(on)
}

func (b *drawnBox) p4(on exec.Space) policy.MDRangePolicy[policy.Index4, [4]int] {
	return policy.MDRange4([4]int(b.lower[:4]), [4]int(b.upper[:4])).Tile([4]int(b.tile[:4])).Iterate(b.outer, b.inner).Chunk(b.chunk).On(on)
}

func (b *drawnBox) p6(on exec.Space) policy.MDRangePolicy[policy.Index6, [6]int] {
	return policy.MDRange6([6]int{}, [6]int{b.upper[0] % 3, 2, 3, 2, 3, 5}).Tile(b.tile).Iterate(b.outer, b.inner).Chunk(b.chunk).On(on)
}

// made returns a view of a rank whose points have a margin, and the memory that it is of.
func made[T float32 | float64 | int32, V any](b *drawnBox, c *card, of func(views.View[T], error) (V, error), rank int) (V, []T) {
	var extents []int
	n := 1
	for d := range rank {
		extents = append(extents, b.upper[d]+2)
		n *= b.upper[d] + 2
	}
	x := mapped(c, make([]T, n))
	for i := range x {
		x[i] = T(b.r.IntN(2001)-1000) / 8
	}
	return views.Must(of(views.Of("v", x, extents))), x
}

// Launches over boxes and rows have the bits of closures on Serial, in all orders, with tiles, with leaves that cut rows.
func TestCardBoxes(t *testing.T) {
	for seed := range uint64(60) {
		if testing.Short() && seed >= 12 {
			break
		}
		b, c := drawBox(seed), newCard()
		what := fmt.Sprintf("seed %d: %v chunk %d", seed, b.p3(nil), b.chunk)
		u, _ := made(b, c, views.As2[float64], 2)
		v, v1 := made(b, c, views.As2[float64], 2)
		w, w1 := made(b, c, views.As2[float64], 2)
		u3, _ := made(b, c, views.As3[float64], 3)
		v3, y3 := made(b, c, views.As3[float64], 3)
		w3, z3 := made(b, c, views.As3[float64], 3)
		f3, _ := made(b, c, views.As3[float32], 3)
		v4, y4 := made(b, c, views.As4[float64], 4)
		w4, z4 := made(b, c, views.As4[float64], 4)
		at := mapped(c, make([]int, 60))
		for i := range at {
			at[i] = b.r.IntN(60) - 20
		}
		square := views.Must(views.Of2("square", mapped(c, positive(b.r, 144)), 12, 12)).Transpose()
		numbers := mapped(c, positive(b.r, 60))
		copy(w1, v1)
		copy(z3, y3)
		copy(z4, y4)
		both := func(name string, serial, on error, want, got any) {
			require.NoError(t, serial, "%s %s", name, what)
			require.NoError(t, on, "%s %s", name, what)
			require.Equal(t, want, got, "%s, %s", name, what)
		}
		both("relaxed", exec.ParallelFor(b.p2(exec.Serial{}), relaxed(u, v)), exec.ParallelFor(b.p2(c), Relaxed(u, w)), v1, w1)
		both("relaxed in place", exec.ParallelFor(b.p2(exec.Serial{}), shifted(v, v)), exec.ParallelFor(b.p2(c), Shifted(w, w)), v1, w1)
		both("relaxed3", exec.ParallelFor(b.p3(exec.Serial{}), relaxed3(u3, v3)), exec.ParallelFor(b.p3(c), Relaxed3(u3, w3)), y3, z3)
		both("spread", exec.ParallelFor(b.p4(exec.Serial{}), spread(1.5, square, at, v4)), exec.ParallelFor(b.p4(c), Spread(1.5, square, at, w4)), y4, z4)
		rows := b.p2(nil).Plan().Items
		right, left := policy.Right, policy.Left
		both("relaxedRow", exec.ParallelFor(b.p2(exec.Serial{}).Iterate(b.outer, right).Rows(), relaxedRow(u, v)), exec.ParallelFor(b.p2(c).Iterate(b.outer, right).Rows(), RelaxedRow(u, w)), v1, w1)
		both("columnRow", exec.ParallelFor(b.p2(exec.Serial{}).Iterate(b.outer, left).Rows(), columnRow(u, v)), exec.ParallelFor(b.p2(c).Iterate(b.outer, left).Rows(), ColumnRow(u, w)), v1, w1)
		assert.Equal(t, 2*min(1, rows), c.byPoints, "points are rows: %s", what)
		c.byPoints = 0
		lines := func(on exec.Space) policy.RowsPolicy[policy.Index2, [2]int] { // which no tile and no leaf cuts
			return b.p2(on).Tile([2]int{100, 100}).Iterate(policy.Right, policy.Right).Chunk(1 << 20).Rows()
		}
		both("carriedRow in place", exec.ParallelFor(lines(exec.Serial{}), carriedRow(v, v)), exec.ParallelFor(lines(c), CarriedRow(w, w)), v1, w1)
		assert.Zero(t, c.byPoints, "rounds depend on each other")
		both("scaledRow", exec.ParallelFor(b.p3(exec.Serial{}).Iterate(b.outer, right).Rows(), scaledRow(numbers, v3)), exec.ParallelFor(b.p3(c).Iterate(b.outer, right).Rows(), ScaledRow(numbers, w3)), y3, z3)

		var a, a2, s, s2 float64
		var low, high, low2, high2 float32
		var n, n2 int
		both("residual", exec.ParallelReduce(b.p2(exec.Serial{}), residual(u), builtin.Sum(&a)), exec.ParallelReduce(b.p2(c), Residual(u), builtin.Sum(&a2)), a, a2)
		both("extremes", exec.ParallelReduce4(b.p3(exec.Serial{}), extremes(3, f3), builtin.Sum(&s), builtin.Min(&low), builtin.Max(&high), builtin.Sum(&n)),
			exec.ParallelReduce4(b.p3(c), Extremes(3, f3), builtin.Sum(&s2), builtin.Min(&low2), builtin.Max(&high2), builtin.Sum(&n2)), fmt.Sprint(s, low, high, n), fmt.Sprint(s2, low2, high2, n2))
		both("summedRow", exec.ParallelReduce2(b.p3(exec.Serial{}).Rows(), summedRow(u3, numbers), builtin.Sum(&a), builtin.Sum(&n)),
			exec.ParallelReduce2(b.p3(c).Rows(), SummedRow(u3, numbers), builtin.Sum(&a2), builtin.Sum(&n2)), fmt.Sprint(a, n), fmt.Sprint(a2, n2))
		x, y := mapped(c, make([]int32, 1000)), make([]int32, 1000)
		both("sixth", exec.ParallelFor(b.p6(exec.Serial{}), sixth(y)), exec.ParallelFor(b.p6(c), Sixth(x)), y, x)
	}
}

// A point that stops is the lowest one in the order of the policy.
func TestCardBoxesStop(t *testing.T) {
	c := newCard()
	u := views.Must(views.Of2("u", mapped(c, make([]float64, 100)), 10, 10))
	v := views.Must(views.Of2("v", mapped(c, make([]float64, 70)), 7, 10))
	p := policy.MDRange2([2]int{1, 1}, [2]int{9, 9}).On(c)
	for _, x := range []struct {
		item int
		err  error
	}{ // the points with I = 7 have none in v
		{48, exec.ParallelFor(p, Relaxed(u, v))},
		{6, exec.ParallelFor(p.Iterate(policy.Left, policy.Left), Relaxed(u, v))},
		{24, exec.ParallelFor(p.Tile([2]int{8, 4}).Iterate(policy.Left, policy.Right), Relaxed(u, v))},
		{48, exec.ParallelFor(p.Rows(), RelaxedRow(u, v))},
		{40, exec.ParallelFor(p.Rows(), RelaxedRow(v, v))},
	} {
		assert.ErrorContains(t, x.err, fmt.Sprintf("card: item %d stops: points.go:", x.item))
	}
}

// Points have their coordinates in boxes of any number of points, which are counted in 32 or 64 bits, at both ends
// and in parts of a box.
func TestBoxesOfManyPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	modes := map[uint64]int{}
	for _, extent := range [][4]int{{3, 5, 7, 11}, {1 << 8, 1 << 7, 1 << 8, 1 << 8}, {1 << 8, 1 << 7, 1 << 8, 1<<8 + 1}, {1, 1, 1, 1 << 31}, {1 << 31, 1, 1, 1}, {46341, 1, 46340, 1},
		{1 << 15, 1 << 16, 1 << 15, 1 << 16}, {1, 1 << 62, 1, 1}, {3, 1<<31 - 1, 1 << 20, 7}, {715827883, 1, 1, 3}} {
		for n := range 12 {
			tile := extent
			if n >= 4 {
				for d := range tile {
					tile[d] = 1 + r.IntN(tile[d])>>r.IntN(8)
				}
			}
			upper := [4]int{}
			lower := [4]int{-5, 1 << 40, 0, 7}
			for d := range upper {
				if extent[d] > 1<<61 {
					lower[d] = -1
				}
				upper[d] = lower[d] + extent[d]
			}
			p := policy.MDRange4(lower, upper).Tile(tile).Iterate(policy.Order(n%2), policy.Order(n/2%2))
			plan := p.Plan()
			require.NoError(t, plan.Err)
			box, _ := policy.BoxOf(p)
			for _, first := range []int{0, r.IntN(plan.Items), plan.Items - 300, r.IntN(plan.Items)} {
				first = max(first, 0) &^ 63
				if n%3 == 0 {
					box.First = first / 2 // of a part of a launch
				}
				modes[checkLeaves(t, p, box, first, min(256, plan.Items-box.First-first))]++
			}
		}
	}
	assert.Len(t, modes, 3, "%v", modes)
}

// checkLeaves runs leaves of 64 items of a box on a card, and returns the mode of the box.
func checkLeaves(t *testing.T, p policy.MDRangePolicy[policy.Index4, [4]int], box device.Box, first, items int) (mode uint64) {
	if items <= 0 {
		return 0
	}
	c := newCard()
	f := device.Functor{Func: Hashed(77)}
	call := f.Code("ptx").(*kernel.Call)
	params, err := call.Text.Index(&box)
	require.NoError(t, err)
	m, err := c.module(call.Text)
	require.NoError(t, err)
	status, out, root := mapped(c, []uint64{math.MaxUint64, 0}), mapped(c, make([]uint64, 4)), mapped(c, []uint64{0})
	mode = params[0]
	params = append(params, uint64(first), uint64(first+items), address(status), 64, 8, address(mapped(c, []uint64{0})), address(out)-uint64(first/64*8), address(root), 0, 0)
	require.NoError(t, m.Run(c.mem, machine.Launch{Entry: call.Text.Entry, Blocks: 2, Threads: 32, Params: append(params, call.Scalars...), Seed: uint64(first)}))
	require.Equal(t, uint64(math.MaxUint64), status[0])
	at := make([]policy.Index4, items)
	n, _ := p.Next(box.First+first, box.First+first+items, at)
	require.Equal(t, items, n)
	want, sum := make([]uint64, 4), uint64(0)
	for k, x := range at {
		hashed(77)(x, &want[k/64])
		hashed(77)(x, &sum)
	}
	require.Equal(t, sum, root[0], "%v, items %d to %d of a part from %d on", p, first, first+items-1, box.First)
	require.Equal(t, want[1:], out[1:], "%v, items %d to %d of a part from %d on", p, first, first+items-1, box.First)
	return mode
}

// Rows that blocks have parts of are whole, and so are those that a launch begins or ends in, with what is out of range in
// the first and the last of them.
func TestCardPlain(t *testing.T) {
	for _, n := range []int{63, 64, 65, 127, 384, 385, 462, 512, 513, 700, 1030} {
		c, r := newCard(), rand.New(rand.NewPCG(uint64(n), 6))
		of := func(rows int, x []float64) views.View2[float64] { return views.Must(views.Of2("v", x, rows, n+2)) }
		u, w := mapped(c, positive(r, 5*(n+2))), mapped(c, make([]float64, 5*(n+2)))
		want := make([]float64, len(w))
		p := policy.MDRange2([2]int{1, 1}, [2]int{4, n + 1})
		require.NoError(t, exec.ParallelFor(p.On(exec.Serial{}), relaxed(of(5, u), of(5, want))))
		require.NoError(t, exec.ParallelFor(p.On(c), Relaxed(of(5, u), of(5, w))))
		require.Equal(t, want, w, "rows of %d", n)
		assert.Equal(t, n >= 64, c.plain == 1, "rows of %d", n)
		short := mapped(c, make([]float64, 2*(n+2))) // without the row of the second line of points
		for k, x := range []error{
			exec.ParallelFor(p.On(c), Relaxed(of(5, u), views.Must(views.Of2("short", short, 2, n+2)))),
			exec.ParallelFor(policy.MDRange2([2]int{0, 1}, [2]int{3, n + 1}).On(c), Relaxed(of(5, u), of(5, w))),
		} {
			assert.ErrorContains(t, x, fmt.Sprintf("card: item %d stops", []int{n, 0}[k]), "rows of %d", n)
		}
		// Rows that go on behind the view: u has n+2 elements in the row below the first points, and none behind them.
		err := exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{2, n + 400}).On(c), Relaxed(of(3, u[:3*(n+2)]), of(5, w)))
		assert.ErrorContains(t, err, fmt.Sprintf("card: item %d stops", n+1), "rows of %d", n)
		checkParts(t, c, of(5, u), n)
	}
}

// checkParts runs parts of a box of three rows, one after the other.
func checkParts(t *testing.T, c *card, u views.View2[float64], n int) {
	w := mapped(c, make([]float64, 5*(n+2)))
	v := views.Must(views.Of2("v", w, 5, n+2))
	box, _ := policy.BoxOf(policy.MDRange2([2]int{1, 1}, [2]int{4, n + 1}))
	f := device.Functor{Func: Relaxed(u, v)}
	call := f.Code("ptx").(*kernel.Call)
	m, err := c.module(call.Text)
	require.NoError(t, err)
	index, err := call.Text.Index(&box)
	require.NoError(t, err)
	if !call.IsPlain(index) {
		return
	}
	status := mapped(c, []uint64{math.MaxUint64, 0})
	cuts := []int{0, 1, n / 2, n - 1, n + 3, 2*n + 5, 3 * n}
	for k, first := range cuts[:len(cuts)-1] {
		clear(w)
		last := cuts[k+1]
		params := append(append(append([]uint64{}, index...), uint64(first), uint64(last), address(status)), call.Scalars...)
		for _, of := range call.Memories {
			params = append(params, uint64(uintptr(of.At)))
		}
		blocks := call.Text.PlainBlocks(index, first, last)
		require.NoError(t, m.Run(c.mem, machine.Launch{Entry: call.Text.Plain, Blocks: blocks, Threads: kernel.PlainThreads, Params: params, Seed: uint64(first)}))
		for i := range 3 * n {
			at := (i/n+1)*(n+2) + i%n + 1
			require.Equal(t, i >= first && i < last, w[at] != 0, "rows of %d, items %d to %d: item %d", n, first, last-1, i)
		}
	}
	assert.Equal(t, uint64(math.MaxUint64), status[0])
}
