package scatter_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

// spaces returns one of each kind.
func spaces(t *testing.T) []exec.Space {
	list := []exec.Space{exec.Serial{}, exec.NewSimGPU(gpu.H200())}
	for _, workers := range []int{1, 2, 3, 7} {
		s := exec.NewGoroutines(workers)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		list = append(list, s)
	}
	return list
}

// bitsOf returns what tells floats apart. All NaNs are one.
func bitsOf(x []float64) []uint64 {
	bits := make([]uint64, len(x))
	for k := range x {
		bits[k] = math.Float64bits(x[k])
		if x[k] != x[k] {
			bits[k] = 1
		}
	}
	return bits
}

// requireBits holds y against want, faster than by reflection.
func requireBits(t *testing.T, want, y []float64, format string, of ...any) {
	t.Helper()
	require.True(t, slices.Equal(bitsOf(want), bitsOf(y)), append([]any{format}, of...)...)
}

type contribution struct {
	cell int
	x    float64
}

// A part of the tree, as the page of the package says: contributions or partial results.
type part struct {
	log   []contribution
	cells []float64
}

// model has the documented order.
type model struct {
	cells, few int
	identity   float64
	op         func(a, b float64) float64
	owned      func(leaf int) bool // leaves that asked for their cells, if not nil
}

func (m model) condensed(p part) part {
	if p.cells == nil {
		p.cells = slices.Repeat([]float64{m.identity}, m.cells)
		for _, c := range p.log {
			p.cells[c.cell] = m.op(p.cells[c.cell], c.x)
		}
		p.log = nil
	}
	return p
}

func (m model) join(dst, src part) part {
	if dst.cells == nil && src.cells == nil && len(dst.log)+len(src.log) <= m.few {
		return part{log: slices.Concat(dst.log, src.log)}
	}
	dst = m.condensed(dst)
	m.joinTo(dst.cells, src)
	return dst
}

func (m model) joinTo(y []float64, p part) {
	for _, c := range p.log {
		y[c.cell] = m.op(y[c.cell], c.x)
	}
	for k := range p.cells {
		y[k] = m.op(y[k], p.cells[k])
	}
}

// run joins what the items contribute, in leaves of that many, to y.
func (m model) run(y []float64, items [][]contribution, leaf int) {
	var parts []part
	for leaf := range slices.Chunk(items, leaf) {
		p := part{log: slices.Concat(leaf...)}
		if len(p.log) > m.few || m.owned != nil && m.owned(len(parts)) {
			p = m.condensed(p)
		}
		parts = append(parts, p)
	}
	for width := 1; width < len(parts); width *= 2 {
		for k := 0; k+width < len(parts); k += 2 * width {
			parts[k] = m.join(parts[k], parts[k+width])
		}
	}
	if len(parts) > 0 {
		m.joinTo(y, parts[0])
	}
}

var models = map[string]model{
	"Sum":  {identity: math.Copysign(0, -1), op: func(a, b float64) float64 { return a + b }},
	"Prod": {identity: 1, op: func(a, b float64) float64 { return a * b }},
	"Min":  {identity: math.Inf(1), op: func(a, b float64) float64 { return min(a, b) }},
	"Max":  {identity: math.Inf(-1), op: func(a, b float64) float64 { return max(a, b) }},
}

func reducerOf(name string, v views.Viewer[float64], on ...policy.Launch) reducers.Reducer[scatter.Access[float64]] {
	switch name {
	case "Sum":
		return scatter.Sum(v, on...)
	case "Prod":
		return scatter.Prod(v, on...)
	case "Min":
		return scatter.Min(v, on...)
	}
	return scatter.Max(v, on...)
}

// random returns what n items contribute: most once, some not at all, some often.
func random(n, cells int, seed uint64) [][]contribution {
	r := rand.New(rand.NewPCG(seed, 7))
	items := make([][]contribution, n)
	for i := range items {
		times := 1
		if r.IntN(4) == 0 {
			times = r.IntN(4)
		}
		for range times {
			items[i] = append(items[i], contribution{r.IntN(cells), 0.5 + r.Float64()})
		}
	}
	return items
}

// content returns values for a view.
func content(cells int) []float64 {
	r := rand.New(rand.NewPCG(3, 9))
	y := make([]float64, cells)
	for k := range y {
		y[k] = r.NormFloat64()
	}
	return y
}

// The bits are those of the documented order, on every space.
func TestOrder(t *testing.T) {
	all := spaces(t)
	for _, c := range []struct{ n, cells int }{
		{0, 5}, {1, 1}, {7, 3}, {100, 1}, {1000, 63}, {1000, 64}, {1000, 300}, {1025, 5000},
		{20000, 10}, {20000, 1000}, {30000, 16384}, {20000, 16385}, {20000, 50000}, {300000, 16385},
	} {
		if c.n > 100000 && testing.Short() {
			continue
		}
		items := random(c.n, c.cells, uint64(c.n))
		old := content(c.cells)
		for name, m := range models {
			if c.n > 10000 && name != "Sum" && c.cells != 1000 {
				continue
			}
			m.cells, m.few = c.cells, scatter.FewOf(c.cells)
			for _, duplicated := range []bool{false, true} {
				want := slices.Clone(old)
				if duplicated {
					m.few = 0
				}
				m.run(want, items, space.NewGrid(c.n, 0, false).Leaf)
				for _, s := range all {
					y := slices.Clone(old)
					v := views.Must(views.Of1("y", y))
					r := reducerOf(name, v, policy.On(s))
					if d := scatter.Duplicated(r); duplicated { // which leaves r as it is
						r = d
					}
					err := exec.ParallelReduce(policy.Range(0, c.n).On(s), func(i int, acc *scatter.Access[float64]) {
						for _, x := range items[i] {
							acc.Combine1(x.cell, x.x)
						}
					}, r)
					require.NoError(t, err)
					requireBits(t, want, y, "%s of %d items into %d cells on %s with %d workers, duplicated: %t", name, c.n, c.cells, s.Name(), s.Concurrency(), duplicated)
				}
			}
		}
	}
}

// Parts that have just as many contributions as are kept, one less, and one more.
func TestFew(t *testing.T) {
	serial := exec.Serial{}
	for _, cells := range []int{1000, 1020, 1024, 1028, 2048} { // of which few is a quarter
		m := models["Sum"]
		m.cells, m.few = cells, scatter.FewOf(cells)
		for _, chunk := range []int{32, 64, 128, 256, 512} {
			for _, n := range []int{chunk, 2 * chunk, 5*chunk + 1, 8 * chunk} {
				for times := range 3 {
					r := rand.New(rand.NewPCG(uint64(n), uint64(times)))
					items := make([][]contribution, n)
					for i := range items {
						for range times + 1 {
							items[i] = append(items[i], contribution{r.IntN(7), r.Float64()})
						}
					}
					y, want := content(cells), content(cells)
					m.run(want, items, chunk)
					v := views.Must(views.Of1("y", y))
					require.NoError(t, exec.ParallelReduce(policy.Range(0, n).Chunk(chunk).On(serial), func(i int, acc *scatter.Access[float64]) {
						for _, c := range items[i] {
							acc.Combine1(c.cell, c.x)
						}
					}, scatter.Sum(v, policy.On(serial))))
					requireBits(t, want, y, "%d cells, %d items of %d in leaves of %d", cells, n, times+1, chunk)
				}
			}
		}
	}
}

// Two contributions of a scatter that is duplicated are joined before the view is.
func TestDuplicated(t *testing.T) {
	for _, s := range spaces(t) {
		for _, chunk := range []int{1, 2} {
			y := []float64{1 << 53}
			v := views.Must(views.Of1("y", y))
			run := func(r reducers.Reducer[scatter.Access[float64]]) float64 {
				y[0] = 1 << 53 // to which 1 is added in vain
				require.NoError(t, exec.ParallelReduce(policy.Range(0, 2).Chunk(chunk).On(s), func(_ int, acc *scatter.Access[float64]) {
					acc.Combine1(0, 1)
				}, r))
				return y[0]
			}
			assert.Equal(t, 1<<53+2.0, run(scatter.Duplicated(scatter.Sum(v))), "%s, chunk %d", s.Name(), chunk)
		}
	}
}

// With few contributions, the bits are those of the plain loop.
func TestPlainLoop(t *testing.T) {
	const n, cells = 100000, 20000
	items := random(n, cells, 1)
	y := content(cells)
	want := slices.Clone(y)
	for _, item := range items {
		for _, c := range item {
			want[c.cell] += c.x
		}
	}
	s := exec.NewGoroutines(3)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	v := views.Must(views.Of1("y", y))
	require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(s), func(i int, acc *scatter.Access[float64]) {
		for _, x := range items[i] {
			acc.Combine1(x.cell, x.x)
		}
	}, scatter.Sum(v, policy.On(s))))
	assert.Equal(t, bitsOf(want), bitsOf(y))
}

// A cell that nobody contributes to keeps its bits.
func TestUntouchedCells(t *testing.T) {
	old := []float64{math.Copysign(0, -1), 0, math.NaN(), math.Inf(1), math.Inf(-1), 1, 2}
	for _, cells := range []int{7, 70, 20000} { // partial results, and lists
		for name := range models {
			y := slices.Repeat([]float64{5}, cells)
			copy(y, old)
			v := views.Must(views.Of1("y", y))
			want := slices.Clone(y)
			for k := range 3 { // nobody, one, and many
				require.NoError(t, exec.ParallelReduce(policy.Range(0, 100*k*k*k), func(i int, acc *scatter.Access[float64]) {
					acc.Combine1(6, 2)
				}, reducerOf(name, v)))
				want[6] = y[6]
				assert.Equal(t, bitsOf(want), bitsOf(y), name)
			}
		}
	}
}

// Signs of zero and NaNs are those of Go, in lists and in partial results.
func TestSpecialValues(t *testing.T) {
	negative, nan, inf := math.Copysign(0, -1), math.NaN(), math.Inf(1)
	x := []float64{negative, 0, nan, inf, -inf, 1}
	for _, cells := range []int{36, 20000} {
		for name, m := range models {
			y := slices.Repeat([]float64{negative}, cells)
			v := views.Must(views.Of1("y", y))
			require.NoError(t, exec.ParallelReduce(policy.Range(0, 36), func(i int, acc *scatter.Access[float64]) {
				acc.Combine1(i, x[i/6])
				acc.Combine1(i, x[i%6])
			}, reducerOf(name, v)))
			want := make([]float64, 36)
			for i := range want {
				want[i] = m.op(m.op(negative, x[i/6]), x[i%6])
			}
			assert.Equal(t, bitsOf(want), bitsOf(y[:36]), name)
		}
	}
}

// Integers, whose order does not matter, into millions of cells and into one.
func TestIntegers(t *testing.T) {
	for _, c := range []struct{ n, cells int }{{200000, 1}, {200000, 100}, {100000, 3000000}} {
		cell := make([]int, c.n)
		r := rand.New(rand.NewPCG(1, 2))
		sum, least, most, prod := make([]int32, c.cells), make([]int32, c.cells), make([]int32, c.cells), make([]int32, c.cells)
		for k := range prod {
			prod[k] = 1
		}
		for i := range cell {
			k := r.IntN(c.cells)
			cell[i] = k
			x := int32(i - c.n/2)
			sum[k] += x
			least[k], most[k] = min(least[k], x), max(most[k], x)
			prod[k] *= x | 1
		}
		s := exec.NewGoroutines(3)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		v := func() views.View1[int32] { return views.Must(views.New1[int32]("y", c.cells)) }
		ys, yl, ym, yp := v(), v(), v(), v()
		require.NoError(t, views.Fill(yp, 1))
		require.NoError(t, exec.ParallelReduce4(policy.Range(0, c.n).On(s), func(i int, a, b, m, p *scatter.Access[int32]) {
			x := int32(i - c.n/2)
			a.Combine1(cell[i], x)
			b.Combine1(cell[i], x)
			m.Combine1(cell[i], x)
			p.Combine1(cell[i], x|1)
		}, scatter.Sum(ys), scatter.Min(yl), scatter.Max(ym), scatter.Prod(yp)))
		for _, p := range []struct {
			want []int32
			got  views.View1[int32]
		}{{sum, ys}, {least, yl}, {most, ym}, {prod, yp}} {
			got, _ := p.got.Slice()
			assert.True(t, slices.Equal(p.want, got))
		}
	}
}

// Every rank and layout, with the indices of the cells, by each way to say them.
func TestShapes(t *testing.T) {
	big := views.Must(views.New[float64]("big", []int{6, 7, 8, 5}))
	part := views.Must(big.Sub(views.Range(1, 5), views.All(), views.Range(0, 7).By(2), views.Range(1, 4)))
	shapes := []views.View[float64]{
		views.Must(views.New[float64]("0", nil)),
		views.Must(views.New[float64]("1", []int{9})),
		views.Must(views.New[float64]("none", []int{3, 0})),
		views.Must(views.New[float64]("2", []int{9, 4})),
		views.Must(views.New[float64]("2 left", []int{9, 4}, views.Left)),
		views.Must(views.New[float64]("3", []int{9, 4, 5})),
		views.Must(views.New[float64]("3 left", []int{9, 4, 5}, views.Left)),
		views.Must(views.New[float64]("4", []int{3, 4, 5, 2})),
		part,
		part.Transpose(),
		views.Must(part.Permute(2, 0, 3, 1)),
		views.Must(views.New[float64]("5", []int{2, 3, 2, 3, 2})),
		views.Must(views.New[float64]("many", []int{150, 200}, views.Left)),
		views.Must(views.Must(views.New[float64]("between", []int{9, 4, 5})).Permute(0, 2, 1)),
		views.Must(views.Must(views.New[float64]("many between", []int{90, 4, 50})).Permute(2, 0, 1)),
		views.Must(part.Sub(views.Range(1, 3), views.Index(2), views.All(), views.All())),
		views.Must(part.Sub(views.Index(1), views.All(), views.Index(1), views.All())),
	}
	for _, v := range shapes {
		require.NoError(t, views.Fill(v, 1))
		var index [][]int
		for i := range v.All() {
			index = append(index, slices.Clone(i))
		}
		all := func(i int, acc *scatter.Access[float64]) {
			acc.Combine(index[i], float64(i))
		}
		require.NoError(t, exec.ParallelReduce(policy.Range(0, len(index)), all, scatter.Sum(v)))
		ranked := func(i int, acc *scatter.Access[float64]) {
			switch x := index[i]; len(x) {
			case 1:
				acc.Combine1(x[0], 0.5)
			case 2:
				acc.Combine2(x[0], x[1], 0.5)
			case 3:
				acc.Combine3(x[0], x[1], x[2], 0.5)
			case 4:
				acc.Combine4(x[0], x[1], x[2], x[3], 0.5)
			default:
				acc.Combine(x, 0.5)
			}
		}
		require.NoError(t, exec.ParallelReduce(policy.Range(0, len(index)), ranked, scatter.Sum(v)))
		var row []float64
		if v.Rank() == 2 || v.Rank() == 3 {
			for k := range v.Extents()[v.Rank()-1] {
				row = append(row, 0.25*float64(k))
			}
		}
		rows := func(i int, acc *scatter.Access[float64]) {
			switch x := index[i]; {
			case len(row) == 0 || x[len(x)-1] > 0:
			case len(x) == 2:
				acc.CombineRow2(x[0], row...)
			default:
				acc.CombineRow3(x[0], x[1], row...)
			}
		}
		require.NoError(t, exec.ParallelReduce(policy.Range(0, len(index)), rows, scatter.Sum(v)))
		k := 0
		for i, x := range v.All() {
			want := 1.5 + float64(k)
			if row != nil {
				want += row[i[len(i)-1]]
			}
			require.Equal(t, want, x, "%v at %v", v, i)
			k++
		}
	}
	others := 0.0
	for x := range big.Values() {
		others += x
	}
	mine := 0.0
	for x := range part.Values() {
		mine += x
	}
	assert.Equal(t, mine, others, "cells beside the view have changed")
}

// A wrong index panics as that of a view, whatever has been contributed before.
func TestWrongIndex(t *testing.T) {
	for _, size := range []int{2, 200} { // partial results, and lists
		v1 := views.Must(views.New1[float64]("v", size))
		v2 := views.Must(views.New2[float64]("v", size, size+1))
		v3 := views.Must(views.New3[float64]("v", 2, size, 2))
		for want, f := range map[string]func() error{
			fmt.Sprintf(`views: index %d of view "v" in dimension 0, expected 0 <= index < %d`, size, size): func() error {
				return combine(v1, func(acc *scatter.Access[float64]) { acc.Combine1(0, 1); acc.Combine1(size, 1) })
			},
			fmt.Sprintf(`views: index -1 of view "v" in dimension 0, expected 0 <= index < %d`, size): func() error {
				return combine(v1, func(acc *scatter.Access[float64]) { acc.Combine1(0, 1); acc.Combine1(-1, 1) })
			},
			fmt.Sprintf(`views: index %d of view "v" in dimension 1, expected 0 <= index < %d`, size+1, size+1): func() error {
				return combine(v2, func(acc *scatter.Access[float64]) { acc.Combine2(0, 0, 1); acc.Combine2(0, size+1, 1) })
			},
			`views: index 2 of view "v" in dimension 2, expected 0 <= index < 2`: func() error {
				return combine(v3, func(acc *scatter.Access[float64]) { acc.Combine3(0, 0, 2, 1) })
			},
			fmt.Sprintf(`views: index [0] of view "v" [%d %d], expected 2 numbers`, size, size+1): func() error {
				return combine(v2, func(acc *scatter.Access[float64]) {
					for range 100 { // more than a list has room for
						acc.Combine2(0, 0, 1)
					}
					acc.Combine1(0, 1)
				})
			},
			`views: index [] of a zero view, which has no elements`: func() error {
				return combine(views.View[float64]{}, func(acc *scatter.Access[float64]) { acc.Combine(nil, 1) })
			},
			`views: index [3] of a zero view, which has no elements`: func() error {
				return combine(views.View1[float64]{}, func(acc *scatter.Access[float64]) { acc.Combine1(3, 1) })
			},
			fmt.Sprintf(`views: index [0 0 0 0] of view "v" [%d %d], expected 2 numbers`, size, size+1): func() error {
				return combine(v2, func(acc *scatter.Access[float64]) { acc.Combine4(0, 0, 0, 0, 1) })
			},
		} {
			var got any
			func() {
				defer func() { got = recover() }()
				_ = f()
			}()
			p, ok := got.(*exec.Panic)
			require.True(t, ok, "%v", got)
			assert.Equal(t, want, fmt.Sprint(p.Value))
		}
		assert.Zero(t, v1.At(0))
		assert.Zero(t, v2.At(0, 0))
	}
}

// Each way to say an index refuses views of another rank, and checks each number.
func TestEveryNumberIsChecked(t *testing.T) {
	ways := []func(acc *scatter.Access[float64], i []int){
		1: func(acc *scatter.Access[float64], i []int) { acc.Combine1(i[0], 1) },
		2: func(acc *scatter.Access[float64], i []int) { acc.Combine2(i[0], i[1], 1) },
		3: func(acc *scatter.Access[float64], i []int) { acc.Combine3(i[0], i[1], i[2], 1) },
		4: func(acc *scatter.Access[float64], i []int) { acc.Combine4(i[0], i[1], i[2], i[3], 1) },
		5: func(acc *scatter.Access[float64], i []int) { acc.Combine(i, 1) },
	}
	extents := []int{2, 3, 4, 5, 6}
	for rank := 1; rank <= 5; rank++ {
		v := views.Must(views.New[float64]("v", extents[:rank]))
		refused := func(way int, index []int) (message string) {
			defer func() {
				if p, ok := recover().(*exec.Panic); ok {
					message = fmt.Sprint(p.Value)
				}
			}()
			require.NoError(t, combine(v, func(acc *scatter.Access[float64]) { ways[way](acc, index) }))
			return ""
		}
		for way := 1; way <= 5; way++ {
			index := make([]int, way)
			if way != rank {
				assert.Equal(t, fmt.Sprintf(`views: index %v of view "v" %v, expected %d numbers`, index, extents[:rank], rank), refused(way, index))
				continue
			}
			assert.Empty(t, refused(way, index))
			for d := range index {
				for _, i := range []int{-1, extents[d]} {
					index[d] = i
					assert.Equal(t, fmt.Sprintf(`views: index %d of view "v" in dimension %d, expected 0 <= index < %d`, i, d, extents[d]), refused(way, index))
					index[d] = 0
				}
			}
		}
	}
}

func combine(v views.Viewer[float64], f func(acc *scatter.Access[float64])) error {
	return exec.ParallelReduce(policy.Range(0, 1), func(_ int, acc *scatter.Access[float64]) { f(acc) }, scatter.Sum(v))
}

// A launch that fails leaves the view alone.
func TestFailures(t *testing.T) {
	s := exec.NewGoroutines(3)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for _, cells := range []int{10, 20000} {
		y := views.Must(views.New1[float64]("y", cells))
		run := func(p policy.RangePolicy, f func(i int)) error {
			return exec.ParallelReduce(p.On(s), func(i int, acc *scatter.Access[float64]) {
				acc.Combine1(i%cells, 1)
				f(i)
			}, scatter.Sum(y))
		}
		assert.Panics(t, func() {
			_ = run(policy.Range(0, 100000), func(i int) {
				if i == 77777 {
					panic("oh")
				}
			})
		})
		ctx, cancel := context.WithCancel(context.Background())
		err := run(policy.Range(0, 100000).WithContext(ctx), func(i int) {
			if i == 50000 {
				cancel()
			}
		})
		assert.ErrorIs(t, err, context.Canceled)
		assert.Error(t, run(policy.Range(5, 0), func(int) {}))
		other := reducers.New(new(int), func(dst, src *int) {}, reducers.Final(func(*int) { panic("final") }))
		assert.Panics(t, func() {
			_ = exec.ParallelReduce2(policy.Range(0, 1000), func(i int, acc *scatter.Access[float64], _ *int) {
				acc.Combine1(0, 1)
			}, scatter.Sum(y), reducers.Reducer[int](other))
		})
		for k := range cells {
			require.Zero(t, y.At(k))
		}
		require.NoError(t, run(policy.Range(0, 100000), func(int) {})) // what failed left nothing behind
		assert.Equal(t, math.Ceil(100000/float64(cells)), y.At(0))
	}
}

func TestErrors(t *testing.T) {
	y := views.Must(views.New1[int]("y", 1))
	for want, r := range map[string]reducers.Reducer[scatter.Access[int]]{
		"scatter: Sum into a nil view":                                     scatter.Duplicated(scatter.Sum[int](nil)),
		"scatter: Max into a nil view":                                     scatter.Max[int](nil),
		"scatter: Duplicated of AtomicSum, expected Sum, Prod, Min or Max": scatter.Duplicated(scatter.AtomicSum(y)),
		"scatter: Duplicated of <nil>, expected Sum, Prod, Min or Max":     scatter.Duplicated[int](nil),
	} {
		err := exec.ParallelReduce(policy.Range(0, 1), func(int, *scatter.Access[int]) { t.Error("the functor ran") }, r)
		assert.EqualError(t, err, want)
	}
}

// A scan would contribute twice, and every member of a team store the result of all.
func TestOnce(t *testing.T) {
	type acc struct{ hist scatter.Access[int] }
	for _, s := range spaces(t) {
		for _, of := range []func(views.Viewer[int]) reducers.Reducer[scatter.Access[int]]{
			func(v views.Viewer[int]) reducers.Reducer[scatter.Access[int]] { return scatter.Sum(v) },
			scatter.AtomicSum[int],
		} {
			y := make([]int, 3)
			r := of(views.Must(views.Of1("y", y)))
			field := reducers.Field(func(a *acc) *scatter.Access[int] { return &a.hist }, r)

			f := func(i int, a *scatter.Access[int], _ bool) { a.Combine1(i%3, 1) }
			const scans = "to which each item must contribute once"
			assert.ErrorContains(t, exec.ParallelScan(policy.Range(0, 9).On(s), f, r), scans)
			assert.ErrorContains(t, exec.ParallelScan(policy.Range(0, 9).On(s), f, reducers.WithInitial(r)), scans)
			assert.ErrorContains(t, exec.ParallelScan(policy.Range(0, 9).On(s), func(i int, a *acc, _ bool) { f(i, &a.hist, true) }, field), scans)
			assert.Equal(t, []int{0, 0, 0}, y)

			nested := func(size int) error {
				return exec.ParallelFor(policy.Team(1, size).On(s), func(m *team.Member) {
					team.Reduce(team.ThreadRange(m, 9), func(i int, a *acc) { f(i, &a.hist, true) }, field)
				})
			}
			assert.ErrorContains(t, nested(4), "must be stored once: each of 4 members would")
			assert.Equal(t, []int{0, 0, 0}, y)
			require.NoError(t, nested(1))
			assert.Equal(t, []int{3, 3, 3}, y)
		}
	}
}

// Two results that would be written to the same cells are an error.
func TestPlaces(t *testing.T) {
	x := make([]float64, 12)
	v := views.Must(views.Of1("x", x))
	left := views.Must(views.Of("left", x[6:], []int{2, 3}, views.Left))
	upper := views.Must(v.Sub(views.Range(0, 6)))
	type access = scatter.Access[float64]
	f := func(_ int, a, b *access) { a.Combine([]int{0}, 1); b.Combine([]int{1, 1}, 1) }
	for _, r := range []reducers.Reducer[access]{scatter.Sum(v), scatter.Max(v), scatter.AtomicMin(v)} {
		err := exec.ParallelReduce2(policy.Range(0, 4), f, r, scatter.Sum(left))
		assert.ErrorContains(t, err, "reducers 1 and 2 have the same result place")
		err = exec.ParallelReduce2(policy.Range(0, 4), func(int, *access, *float64) {}, r, builtin.Sum(&x[11]))
		assert.ErrorContains(t, err, "reducers 1 and 2 have the same result place")
	}
	assert.Equal(t, make([]float64, 12), x)
	between := views.Must(views.Must(views.Of("between", x, []int{2, 3, 2})).Permute(0, 2, 1))
	err := exec.ParallelReduce2(policy.Range(0, 4), func(int, *access, *float64) {}, scatter.Duplicated(scatter.Sum(between)), builtin.Sum(&x[0]))
	assert.ErrorContains(t, err, "reducers 1 and 2 have the same result place")
	require.NoError(t, exec.ParallelReduce2(policy.Range(0, 4), f, scatter.Sum(upper), scatter.Sum(left)))
	assert.Equal(t, []float64{4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0}, x)
}

// The result is written whole even if the space to write it on is closed.
func TestClosedSpace(t *testing.T) {
	s := exec.NewGoroutines(2)
	require.NoError(t, s.Close())
	for _, cells := range []int{10, 50000} {
		v := views.Must(views.New2[float64]("y", cells, 3))
		apart := views.Must(views.AsStrided1(v.Sub(views.All(), views.Index(1))))
		for _, n := range []int{10, 100000} {
			require.NoError(t, exec.ParallelReduce(policy.Range(0, n), func(i int, acc *scatter.Access[float64]) {
				acc.Combine1(i%cells, 1)
			}, scatter.Sum(apart, policy.On(s))))
		}
		sum := 0.0
		for x := range v.Values() {
			sum += x
		}
		assert.Equal(t, 100010.0, sum)
	}
}

// Launches add up, one after the other and several at a time into views of their own.
func TestLaunches(t *testing.T) {
	s := exec.NewGoroutines(3)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for _, cells := range []int{5, 1000, 20000} {
		const n = 50000
		items := random(n, cells, 4)
		launch := func(r reducers.Reducer[scatter.Access[float64]]) error {
			return exec.ParallelReduce(policy.Range(0, n).On(s), func(i int, acc *scatter.Access[float64]) {
				for _, c := range items[i] {
					acc.Combine1(c.cell, c.x)
				}
			}, r)
		}
		once, twice := make([]float64, cells), make([]float64, cells)
		require.NoError(t, launch(scatter.Sum(views.Must(views.Of1("once", once)))))
		copy(twice, once)
		for range 2 { // of which the second undoes the first
			r := scatter.Sum(views.Must(views.Of1("twice", twice)))
			require.NoError(t, launch(r))
			require.NoError(t, launch(r)) // a reducer can be used again
			require.NoError(t, exec.ParallelFor(policy.Range(0, cells), func(k int) { twice[k] = once[k] }))
		}
		results := make([][]float64, 6)
		var wg sync.WaitGroup
		errs := make([]error, len(results))
		for k := range results {
			results[k] = make([]float64, cells)
			v := views.Must(views.Of1("y", results[k]))
			wg.Go(func() { errs[k] = launch(scatter.Sum(v, policy.On(s))) })
		}
		wg.Wait()
		require.NoError(t, errors.Join(errs...))
		for _, y := range results {
			require.Equal(t, bitsOf(once), bitsOf(y))
		}
	}
}

// The other policies and patterns, and reducers beside and around a scatter.
func TestPatterns(t *testing.T) {
	type acc struct {
		count int
		hist  scatter.Access[float64]
	}
	const n, m = 70, 90
	want := make([]float64, 11)
	for i := range n {
		for j := range m {
			want[i*j%11] += float64(i + j)
		}
	}
	for _, s := range spaces(t) {
		check := func(err error, y views.View1[float64]) {
			t.Helper()
			require.NoError(t, err)
			got, _ := y.Slice()
			require.Equal(t, want, got, s.Name()) // whole numbers: every order is exact
		}
		y := views.Must(views.New1[float64]("y", 11))
		box := policy.MDRange2([2]int{0, 0}, [2]int{n, m}).Tile([2]int{8, 8}).On(s)
		check(exec.ParallelReduce(box, func(p policy.Index2, a *scatter.Access[float64]) {
			a.Combine1(p.I*p.J%11, float64(p.I+p.J))
		}, scatter.Sum(y)), y)

		y = views.Must(views.New1[float64]("y", 11))
		check(exec.ParallelReduce(policy.Team(n, 4).On(s), func(tm *team.Member, a *scatter.Access[float64]) {
			i := tm.LeagueRank()
			for j := tm.Rank(); j < m; j += tm.Size() {
				a.Combine1(i*j%11, float64(i+j))
			}
		}, scatter.Sum(y)), y)

		y = views.Must(views.New1[float64]("y", 11))
		count := 5
		check(exec.ParallelReduce(policy.Range(0, n).On(s), func(i int, a *acc) {
			for j := range m {
				a.count++
				a.hist.Combine1(i*j%11, float64(i+j))
			}
		}, reducers.WithInitial(reducers.Compose(
			reducers.Field(func(a *acc) *int { return &a.count }, builtin.Sum(&count)),
			reducers.Field(func(a *acc) *scatter.Access[float64] { return &a.hist }, scatter.Sum(y))))), y)
		assert.Equal(t, 5+n*m, count)
	}
}

// Asking for the initial value changes nothing: it counts once in any case.
func TestWithInitial(t *testing.T) {
	for _, cells := range []int{4, 20000} {
		y := slices.Repeat([]float64{10}, cells)
		v := views.Must(views.Of1("y", y))
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 100), func(i int, acc *scatter.Access[float64]) {
			acc.Combine1(3, 1)
		}, reducers.WithInitial(scatter.Sum(v))))
		assert.Equal(t, []float64{10, 10, 10, 110}, y[:4])
	}
}

func TestComplex(t *testing.T) {
	y := []complex128{complex(math.Copysign(0, -1), 1), 2}
	v := views.Must(views.Of1("y", y))
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 10), func(i int, acc *scatter.Access[complex128]) {
		acc.Combine1(1, complex(1, float64(i)))
	}, scatter.Sum(v)))
	assert.Equal(t, 12+45i, y[1])
	assert.True(t, math.Signbit(real(y[0])))
}

// A reducer may be launched again and again, and what an earlier launch has left behind is
// never in the way. Memory is used again within a launch and by the next one.
func TestMemory(t *testing.T) {
	const n, cells = 150000, 16000
	items := random(n, cells, 1)
	m := models["Sum"]
	m.cells, m.few = cells, scatter.FewOf(cells)
	for _, s := range []exec.Space{exec.Serial{}, spaces(t)[3]} {
		y := make([]float64, cells)
		r := scatter.Sum(views.Must(views.Of1("y", y)), policy.On(s))
		want := make([]float64, cells)
		var before, after runtime.MemStats
		for launch := range 4 {
			m.run(want, items, space.NewGrid(n, 0, false).Leaf)
			runtime.ReadMemStats(&before)
			require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(s), func(i int, acc *scatter.Access[float64]) {
				for _, x := range items[i] {
					acc.Combine1(x.cell, x.x)
				}
			}, r))
			runtime.ReadMemStats(&after)
			requireBits(t, want, y, "launch %d on %s", launch, s.Name())
			if s.Concurrency() == 1 && !raceEnabled { // the race detector drops some of what is pooled
				assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(12*n), "bytes of launch %d on %s", launch, s.Name())
			}
		}
	}
}
