package tensor

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// whole reduces all of a tensor at once, as a fold over the slice that it is, and reports whether
// it can. A fold is one launch that allocates nothing and has the rule's own leaves to hand
// out; units are for results of which there are many, or whose elements are apart.
func (c *call[T]) whole() (done bool, err error) {
	if c.outputs != 1 || c.items == 0 || c.strategy == Threadwise || c.in != views.Host || c.inner.Rank != 1 || c.inner.A[0] != 1 {
		return false, nil
	}
	memory, ok := c.source.open().(direct[T])
	if !ok {
		return false, nil
	}
	var backing [4]reducers.Folder[T]
	folders := backing[:0]
	for _, col := range c.columns {
		f := col.whole()
		if f == nil {
			return false, nil
		}
		folders = append(folders, f)
	}
	p := policy.Range(0, c.items).Chunk(c.chunk).With(c.on)
	if err := exec.ParallelFold(exec.Slice(p, memory[:c.items]), folders[0], folders[1:]...); err != nil {
		return true, err
	}
	// A launch, for its panic is that of a functor.
	return true, exec.ParallelFor(policy.Range(0, 1).With(c.on).On(exec.Serial{}), func(int) {
		for _, col := range c.columns {
			col.folded()
		}
	})
}

// whole returns the reducer, if it reduces values as they are and its result goes to f.acc.
func (f *folding[T, V, A]) whole() reducers.Folder[T] {
	if f.before.f != nil || f.stores || f.reducer.Reference() != &f.acc || unsafe.Sizeof(f.acc) == 0 {
		return nil
	}
	x, _ := f.folder.(reducers.Folder[T])
	return x
}

// folded makes the one result of f.acc, to which Final was applied.
func (f *folding[T, V, A]) folded() {
	for _, r := range f.to {
		r.put(0, 1, unsafe.Slice(&f.acc, 1), f.shape.items)
	}
}
