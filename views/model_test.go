package views_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A model is the obvious view: a map from indices to elements.
type model struct {
	extents []int
	at      map[[12]int]int
}

func key(index []int) (k [12]int) {
	copy(k[:], index)
	return k
}

// indices returns all indices, the last number fastest.
func indices(extents []int) [][]int {
	all := [][]int{{}}
	for _, n := range extents {
		var next [][]int
		for _, x := range all {
			for i := range n {
				next = append(next, append(slices.Clone(x), i))
			}
		}
		all = next
	}
	return all
}

// remap returns the model with extents whose index i is the index from(i) of m.
func (m model) remap(extents []int, from func(i []int) []int) model {
	n := model{extents, map[[12]int]int{}}
	for _, i := range indices(extents) {
		n.at[key(i)] = m.at[key(from(i))]
	}
	return n
}

func (m model) values() []int {
	var x []int
	for _, i := range indices(m.extents) {
		x = append(x, m.at[key(i)])
	}
	return x
}

// layouts draws a layout that fits the extents, with gaps or without.
func layouts(t *rapid.T, extents []int) views.Layout {
	switch rapid.IntRange(0, 3).Draw(t, "layout") {
	case 0:
		return views.Right
	case 1:
		return views.Left
	}
	strides := make(views.Stride, len(extents))
	reach := 0
	for _, d := range rapid.Permutation(dims(len(extents))).Draw(t, "order") {
		strides[d] = reach + 1 + rapid.IntRange(0, 2).Draw(t, "gap")
		reach += max(extents[d]-1, 0) * strides[d]
	}
	return strides
}

func dims(n int) []int {
	d := make([]int, n)
	for k := range d {
		d[k] = k
	}
	return d
}

// seldom draws x one time in ten or so, and else y: most views should have elements.
func seldom(t *rapid.T, x, y int) int {
	return rapid.SampledFrom([]int{y, y, y, y, y, y, y, y, y, x}).Draw(t, "seldom")
}

// numbered draws a view of memory in which each element is its place, and its model.
func numbered(t *rapid.T) (views.View[int], model) {
	extents := rapid.SliceOfN(rapid.IntRange(seldom(t, 0, 1), 5), 0, 4).Draw(t, "extents")
	if seldom(t, 1, 0) == 1 {
		extents = rapid.SliceOfN(rapid.SampledFrom([]int{1, 1, 2}), 12, 12).Draw(t, "extents of rank 12")
	}
	v, err := views.New[int]("v", extents, layouts(t, extents))
	require.NoError(t, err)
	memory := slices.Collect(v.Runs())
	m := model{extents, map[[12]int]int{}}
	for _, i := range indices(extents) {
		place := 0
		for d := range i {
			place += i[d] * v.Stride(d)
		}
		v.Set(i, place)
		m.at[key(i)] = place
	}
	require.Equal(t, v.Len() == 0, len(memory) == 0)
	return v, m
}

// change applies a random change to both.
func change(t *rapid.T, v views.View[int], m model) (views.View[int], model) {
	rank := len(m.extents)
	switch rapid.SampledFrom([]string{"Sub", "Transpose", "Permute", "Reshape"}).Draw(t, "change") {
	case "Sub":
		return sub(t, v, m)
	case "Transpose":
		extents := slices.Clone(m.extents)
		slices.Reverse(extents)
		return v.Transpose(), m.remap(extents, func(i []int) []int {
			i = slices.Clone(i)
			slices.Reverse(i)
			return i
		})
	case "Permute":
		p := rapid.Permutation(dims(rank)).Draw(t, "permutation")
		extents := make([]int, rank)
		for k, d := range p {
			extents[k] = m.extents[d]
		}
		w, err := v.Permute(p...)
		require.NoError(t, err)
		return w, m.remap(extents, func(i []int) []int {
			j := make([]int, rank)
			for k, d := range p {
				j[d] = i[k]
			}
			return j
		})
	}
	return reshape(t, v, m)
}

func sub(t *rapid.T, v views.View[int], m model) (views.View[int], model) {
	var selectors []views.Selector
	var extents []int
	var kept [][]int // the indices kept, for each dimension of m
	var dropped []bool
	for _, n := range m.extents {
		s, keep, drop := views.All(), dims(n), false
		switch kind := rapid.IntRange(0, 2).Draw(t, "kind"); {
		case kind == 1:
			least := min(seldom(t, 0, 1), n) // that are kept
			begin := rapid.IntRange(0, n-least).Draw(t, "begin")
			end := rapid.IntRange(begin+least, n).Draw(t, "end")
			s, keep = views.Range(begin, end), keep[begin:end]
		case kind == 2 && n > 0:
			i := rapid.IntRange(0, n-1).Draw(t, "index")
			s, keep, drop = views.Index(i), keep[i:i+1], true
		}
		if !drop && rapid.Bool().Draw(t, "stepped") {
			step := rapid.IntRange(1, 3).Draw(t, "step")
			var every []int
			for k := 0; k < len(keep); k += step {
				every = append(every, keep[k])
			}
			s, keep = s.By(step), every
		}
		selectors, kept, dropped = append(selectors, s), append(kept, keep), append(dropped, drop)
		if !drop {
			extents = append(extents, len(keep))
		}
	}
	w, err := v.Sub(selectors...)
	require.NoError(t, err)
	return w, m.remap(extents, func(i []int) []int {
		var j []int
		for d, keep := range kept {
			if dropped[d] {
				j = append(j, keep[0])
				continue
			}
			j, i = append(j, keep[i[0]]), i[1:]
		}
		return j
	})
}

// reshape moves a factor or drops and adds dimensions. Reshape must succeed just if there
// are strides that do it.
func reshape(t *rapid.T, v views.View[int], m model) (views.View[int], model) {
	left := 1
	for _, n := range m.extents {
		left *= n
	}
	var extents []int
	for left > 1 && len(extents) < 6 {
		f := rapid.SampledFrom(divisors(left)).Draw(t, "factor")
		extents, left = append(extents, f), left/f
	}
	if left != 1 || rapid.Bool().Draw(t, "one more") {
		extents = append(extents, left)
	}
	places := m.values()
	possible := true
	for n, i := range indices(extents) {
		want := places[0]
		for d := range i {
			if i[d] > 0 {
				first := 1
				for _, e := range extents[d+1:] {
					first *= e
				}
				want += i[d] * (places[first] - places[0])
			}
		}
		possible = possible && want == places[n]
	}
	w, err := v.Reshape(extents...)
	if !possible {
		require.ErrorContains(t, err, "needs a copy")
		return v, m
	}
	require.NoError(t, err, "%v %v", m.extents, extents)
	old := indices(m.extents)
	number := map[[12]int]int{}
	for n, i := range indices(extents) {
		number[key(i)] = n
	}
	return w, m.remap(extents, func(i []int) []int { return old[number[key(i)]] })
}

func divisors(n int) (d []int) {
	for k := 1; k <= n; k++ {
		if n%k == 0 {
			d = append(d, k)
		}
	}
	return d
}

// same requires that the view is the model, seen in every way there is.
func same(t require.TestingT, v views.View[int], m model) {
	want := m.values()
	require.Equal(t, len(m.extents), v.Rank())
	require.Equal(t, append([]int{}, m.extents...), append([]int{}, v.Extents()...))
	require.Equal(t, len(want), v.Len())
	all := indices(m.extents)
	n := 0
	for i, x := range v.All() {
		require.Equal(t, all[n], append([]int{}, i...))
		require.Equal(t, want[n], x)
		require.Equal(t, want[n], v.At(i...))
		n++
	}
	require.Equal(t, len(want), n)
	require.Equal(t, want, slices.Collect(v.Values()))
	var runs []int
	pieces := 0
	for run := range v.Runs() {
		require.NotEmpty(t, run)
		runs = append(runs, run...)
		pieces++
	}
	require.True(t, slices.IsSorted(runs), "%v", runs) // elements are places
	require.Equal(t, slices.Sorted(slices.Values(want)), runs)
	gaps := 0
	for k := 1; k < len(runs); k++ {
		if runs[k] != runs[k-1]+1 {
			gaps++
		}
	}
	if l := v.Layout(); l == views.Right || l == views.Left {
		require.Zero(t, gaps)
	}
	require.Equal(t, min(gaps+1, len(runs)), pieces)
	if l := v.Layout(); l == views.Right || l == views.Left {
		require.Zero(t, gaps)
	}
	require.True(t, pieces > gaps || len(runs) == 0)
	if gaps == 0 && len(runs) > 0 || v.Rank() > 0 && v.Stride(v.Rank()-1) == 1 && v.Extent(v.Rank()-1) > 1 {
		require.Equal(t, min(gaps+1, len(runs)), pieces, "runs could be longer")
	}
	x, ok := v.Slice()
	require.Equal(t, ok, gaps == 0 && slices.IsSorted(want))
	if ok {
		require.Equal(t, want, append([]int(nil), x...))
	}
	sameTyped(t, v, want)
}

func sameTyped(t require.TestingT, v views.View[int], want []int) {
	var strided, packed []int
	var err error
	switch v.Rank() {
	case 1:
		s, _ := views.AsStrided1(v, nil)
		for i, x := range s.All() {
			require.Equal(t, x, s.At(i))
			strided = append(strided, x)
		}
		var p views.View1[int]
		p, err = views.As1(v, nil)
		for i, x := range p.All() {
			require.Equal(t, x, p.At(i))
			packed = append(packed, x)
		}
	case 2:
		s, _ := views.AsStrided2(v, nil)
		for i, x := range s.All() {
			require.Equal(t, x, s.At(i.I, i.J))
			require.Equal(t, x, s.Transpose().At(i.J, i.I))
			strided = append(strided, x)
		}
		var p views.View2[int]
		p, err = views.As2(v, nil)
		for i, x := range p.All() {
			require.Equal(t, x, p.At(i.I, i.J))
			require.Equal(t, x, p.Row(i.I)[i.J])
			require.Equal(t, x, p.Transpose().At(i.J, i.I))
			packed = append(packed, x)
		}
	case 3:
		s, _ := views.AsStrided3(v, nil)
		for i, x := range s.All() {
			require.Equal(t, x, s.At(i.I, i.J, i.K))
			strided = append(strided, x)
		}
		var p views.View3[int]
		p, err = views.As3(v, nil)
		for i, x := range p.All() {
			require.Equal(t, x, p.At(i.I, i.J, i.K))
			require.Equal(t, x, p.Row(i.I, i.J)[i.K])
			packed = append(packed, x)
		}
	case 4:
		s, _ := views.AsStrided4(v, nil)
		for i, x := range s.All() {
			require.Equal(t, x, s.At(i.I, i.J, i.K, i.L))
			strided = append(strided, x)
		}
		var p views.View4[int]
		p, err = views.As4(v, nil)
		for i, x := range p.All() {
			require.Equal(t, x, p.At(i.I, i.J, i.K, i.L))
			require.Equal(t, x, p.Row(i.I, i.J, i.K)[i.L])
			packed = append(packed, x)
		}
	default:
		return
	}
	require.Equal(t, want, strided)
	if last := v.Rank() - 1; v.Len() > 0 && v.Extent(last) > 1 && v.Stride(last) > 1 {
		require.ErrorContains(t, err, "expected 1; AsStrided")
		return
	}
	require.NoError(t, err)
	require.Equal(t, want, packed)
}

// A view of views of a view is the model.
func propertyChanges(t *rapid.T) {
	v, m := numbered(t)
	same(t, v, m)
	for range rapid.IntRange(1, 4).Draw(t, "changes") {
		v, m = change(t, v, m)
		same(t, v, m)
	}
}

// DeepCopy and Fill change the elements of dst, to those of src, and no others.
func propertyDeepCopy(t *rapid.T) {
	src, m := numbered(t)
	for range rapid.IntRange(0, 2).Draw(t, "changes") {
		src, m = change(t, src, m)
	}
	extents := src.Extents()
	layout := layouts(t, extents)
	whole := views.Must(views.New[int]("whole", extents, layout)) // for its strides alone
	span := 1
	strides := make(views.Stride, whole.Rank())
	for d := range extents {
		strides[d] = whole.Stride(d)
		span += max(extents[d]-1, 0) * strides[d]
	}
	memory := make([]int, span+3)
	for k := range memory {
		memory[k] = -1
	}
	dst := views.Must(views.Of("dst", memory, extents, strides))
	require.NoError(t, views.DeepCopy(dst, src))
	require.Equal(t, m.values(), slices.Collect(dst.Values()))
	written := 0
	for _, x := range memory {
		if x != -1 {
			written++
		}
	}
	require.Equal(t, src.Len(), written)
	same(t, src, m)
	acrossMemories(t, src, layout)

	require.NoError(t, views.Fill(dst, -2, policy.On(exec.Serial{})))
	written = 0
	for _, x := range memory {
		if x == -2 {
			written++
		}
	}
	require.Equal(t, dst.Len(), written)
	for x := range dst.Values() {
		require.Equal(t, -2, x)
	}
}

// acrossMemories copies a view to a device, there into another layout, and back.
func acrossMemories(t *rapid.T, src views.View[int], layout views.Layout) {
	sim, other := exec.NewSimGPU(gpu.Device{}), exec.NewSimGPU(gpu.Device{})
	x := views.Must(views.MirrorCopy(sim.Memory(), src))
	y := views.Must(views.NewIn[int](other.Memory(), "y", src.Extents(), layout))
	require.NoError(t, views.DeepCopy(y, x, policy.On(exec.Serial{})))
	back := views.Must(views.New[int]("back", src.Extents(), layouts(t, src.Extents())))
	require.NoError(t, views.DeepCopy(back, y))
	require.Equal(t, slices.Collect(src.Values()), slices.Collect(back.Values()))
}

func TestChangesOfViews(t *testing.T)  { rapid.Check(t, propertyChanges) }
func TestDeepCopyAndFill(t *testing.T) { rapid.Check(t, propertyDeepCopy) }
