package algorithms_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// A change is an algorithm that writes views of ints, and what must come out of it.
type change struct {
	name string
	want []int // of v, which has the elements x before
	n    int   // what it returns
	run  func(w world, v views.View[int]) (int, error)
}

func none(err error) (int, error) { return 0, err }

// after returns x with front in place of its first elements.
func after(x, front []int) []int { return append(slices.Clone(front), x[len(front):]...) }

// filter returns the elements for which pred returns want.
func filter(x []int, pred func(int) bool, want bool) []int {
	return slices.DeleteFunc(slices.Clone(x), func(e int) bool { return pred(e) != want })
}

// each returns f of all elements.
func each(x []int, f func(i, e int) int) []int {
	y := slices.Clone(x)
	for i, e := range x {
		y[i] = f(i, e)
	}
	return y
}

func reversed(x []int) []int {
	y := slices.Clone(x)
	slices.Reverse(y)
	return y
}

func TestChanges(t *testing.T) {
	all := worlds(t)
	rapid.Check(t, func(t *rapid.T) {
		x := small(t, "x")
		n := len(x)
		y := each(x, func(i, e int) int { return 100 + i })
		k, shift := rapid.IntRange(0, 4).Draw(t, "k"), rapid.IntRange(0, n+2).Draw(t, "shift")
		at := min(shift, n)
		below := func(e int) bool { return e < k }
		is := func(e int) bool { return e == k }
		yes, no := filter(x, below, true), filter(x, below, false)
		moved := max(n-shift, 0)
		right := slices.Clone(x)
		copy(right[at:], x[:moved])
		if moved == 0 {
			right = x
		}
		rotated := append(slices.Clone(x[at:]), x[:at]...)
		sum := func(i, e int) int { return e + y[i] }
		for _, c := range []change{
			{"ForEach", each(x, func(i, e int) int { return e + 2*i }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.ForEach(v, func(i int, x *int) { *x += 2 * i }, w.on))
			}},
			{"Generate", each(x, func(i, _ int) int { return i * i }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.Generate(v, func(i int) int { return i * i }, w.on))
			}},
			{"Transform in place", each(x, func(_, e int) int { return -e }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.Transform(v, v, func(e int) int { return -e }, w.on))
			}},
			{"Transform", each(y, func(_, e int) int { return -e }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.Transform(v, on(w, y), func(e int) int { return -e }, w.on))
			}},
			{"Transform2", each(x, sum), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.Transform2(v, v, on(w, y), func(a, b int) int { return a + b }, w.on))
			}},
			{"Replace", each(x, func(_, e int) int { return e + bit(e == k)*50 }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.Replace(v, k, k+50, w.on))
			}},
			{"ReplaceIf", each(x, func(_, e int) int { return e*bit(e >= k) - bit(e < k) }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.ReplaceIf(v, below, -1, w.on))
			}},
			{"ReplaceCopy", each(y, func(i, e int) int { return e + bit(i == k) }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.ReplaceCopy(v, on(w, y), 100+k, 101+k, w.on))
			}},
			{"ReplaceCopyIf", each(y, func(i, e int) int { return e + bit(i == k) }), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.ReplaceCopyIf(v, on(w, y), func(e int) bool { return e == 100+k }, 101+k, w.on))
			}},
			{"Reverse", reversed(x), 0, func(w world, v views.View[int]) (int, error) { return none(algorithms.Reverse(v, w.on)) }},
			{"ReverseCopy", reversed(y), 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.ReverseCopy(v, on(w, y), w.on))
			}},
			{"Rotate", rotated, 0, func(w world, v views.View[int]) (int, error) { return none(algorithms.Rotate(v, at, w.on)) }},
			{"RotateCopy", rotated, 0, func(w world, v views.View[int]) (int, error) {
				return none(algorithms.RotateCopy(v, on(w, x), at, w.on))
			}},
			{"ShiftLeft", after(x, x[n-moved:]), moved, func(w world, v views.View[int]) (int, error) { return algorithms.ShiftLeft(v, shift, w.on) }},
			{"ShiftRight", right, moved, func(w world, v views.View[int]) (int, error) { return algorithms.ShiftRight(v, shift, w.on) }},
			{"CopyIf", after(x, filter(y, func(e int) bool { return e%3 == k%3 }, true)), len(filter(y, func(e int) bool { return e%3 == k%3 }, true)), func(w world, v views.View[int]) (int, error) {
				return algorithms.CopyIf(v, on(w, y), func(e int) bool { return e%3 == k%3 }, w.on)
			}},
			{"RemoveCopyIf", after(x, no), len(no), func(w world, v views.View[int]) (int, error) {
				return algorithms.RemoveCopyIf(v, on(w, x), below, w.on)
			}},
			{"RemoveCopy", after(x, filter(x, is, false)), len(filter(x, is, false)), func(w world, v views.View[int]) (int, error) {
				return algorithms.RemoveCopy(v, on(w, x), k, w.on)
			}},
			{"Remove", after(x, filter(x, is, false)), len(filter(x, is, false)), func(w world, v views.View[int]) (int, error) {
				return algorithms.Remove(v, k, w.on)
			}},
			{"RemoveIf", after(x, no), len(no), func(w world, v views.View[int]) (int, error) { return algorithms.RemoveIf(v, below, w.on) }},
			{"StablePartition", append(slices.Clone(yes), no...), len(yes), func(w world, v views.View[int]) (int, error) {
				return algorithms.StablePartition(v, below, w.on)
			}},
			{"PartitionCopy, yes", after(x, yes), len(yes), func(w world, v views.View[int]) (int, error) {
				return algorithms.PartitionCopy(v, on(w, x), on(w, x), below, w.on)
			}},
			{"PartitionCopy, no", after(x, no), len(yes), func(w world, v views.View[int]) (int, error) {
				return algorithms.PartitionCopy(on(w, x), v, on(w, x), below, w.on)
			}},
			{"SwapRanges", y, 0, func(w world, v views.View[int]) (int, error) {
				other := on(w, y)
				err := algorithms.SwapRanges(v, other, w.on)
				require.Equal(t, x, values(other))
				return 0, err
			}},
		} {
			for _, w := range few(t, all) {
				v := on(w, x)
				got, err := c.run(w, v)
				require.NoError(t, err, "%s on %s", c.name, w.name)
				require.Equal(t, c.n, got, "%s on %s", c.name, w.name)
				require.Equal(t, c.want, values(v), "%s on %s", c.name, w.name)
			}
		}
	})
}

// Compaction over many whole leaves, with and without what is kept, in order.
func TestChangesOfManyElements(t *testing.T) {
	x := make([]int, large)
	for i := range x {
		x[i] = int(uint32(i)*2654435761>>7) % 10
	}
	for _, limit := range []int{0, 1, 5, 10} {
		below := func(e int) bool { return e < limit }
		yes, no := filter(x, below, true), filter(x, below, false)
		for _, w := range worlds(t) {
			v := on(w, x)
			n, err := algorithms.StablePartition(v, below, w.on)
			require.NoError(t, err)
			require.Equal(t, len(yes), n)
			require.True(t, slices.Equal(append(slices.Clone(yes), no...), values(v)), w.name)
		}
	}
}

// Memory between the elements of a view, and on either side, stays as it is.
func TestGapsStay(t *testing.T) {
	space := exec.NewGoroutines(2)
	defer space.Close()
	w := policy.On(space)
	for name, run := range map[string]func(v views.View[int]) error{
		"Sort":      func(v views.View[int]) error { return algorithms.Sort(v, w) },
		"Reverse":   func(v views.View[int]) error { return algorithms.Reverse(v, w) },
		"Rotate":    func(v views.View[int]) error { return algorithms.Rotate(v, 7, w) },
		"Partition": func(v views.View[int]) error { _, err := algorithms.StablePartition(v, odd, w); return err },
		"Shift":     func(v views.View[int]) error { _, err := algorithms.ShiftRight(v, 3, w); return err },
		"Generate":  func(v views.View[int]) error { return algorithms.Generate(v, func(i int) int { return i }, w) },
	} {
		memory := make([]int, 3000)
		for i := range memory {
			memory[i] = -i
		}
		v := views.Must(views.Of("v", memory[100:2900], []int{700}, views.Stride{4}))
		require.NoError(t, run(v))
		for i := range memory {
			if i < 100 || i >= 2900 || i%4 != 0 {
				require.Equal(t, -i, memory[i], name)
			}
		}
	}
}

func odd(x int) bool { return x&1 == 1 }
