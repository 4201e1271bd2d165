// Package folds defines sources of values, in memory or from a function, and the kernel that folds them.
package folds

import (
	"errors"
	"fmt"
	"strconv"
	"unsafe"

	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers"
)

type foldKernel[T any] struct {
	source Source[T]
	code   uintptr
	folds  []*reduce.Fold
	values values[T]

	multiplies bool             // the only fold multiplies by itself
	products   items.Buffers[T] // products for the folds, unless multiplies

	moments foldsOfMoments // folds that are computed at once, if atOnce
	atOnce  bool
	leaves  items.Buffers[T] // sums of the leaves of these folds
}

// take adds a reducer to the launch, or returns the end of an error message if the reducer cannot be
// used.
func (k *foldKernel[T]) take(j *launch.Job, r reducers.Folder[T]) error {
	if r == nil {
		return errNoFolder
	}
	f, err := reduce.FoldOf(r.Fold())
	if err != nil {
		return fmt.Errorf(", a %T: %w", r, err)
	}
	k.code += typed.Of(r)
	k.folds = append(k.folds, f)
	j.Columns = append(j.Columns, f.Column())
	return nil
}

var errNoFolder = errors.New(" is nil")

func (k *foldKernel[T]) Key() uintptr { return k.code }

func (k *foldKernel[T]) About(a *launch.About) {
	s := &k.source
	a.Kind, a.Items = tools.Fold, k
	a.Bytes = (len(s.slice) + len(s.other)) * int(unsafe.Sizeof(*new(T)))
	if s.f != nil {
		a.Functor = s.f
	}
	if s.values == nil { // else a function has to be asked for them
		a.Folds = k
	}
}

func (k *foldKernel[T]) Release() {
	for n, f := range k.folds {
		f.Release()
		k.folds[n] = nil
	}
	k.folds = k.folds[:0]
	k.products.Release()
	k.leaves.Release()
	k.source = Source[T]{}
	k.code, k.values = 0, nil
	k.multiplies, k.atOnce = false, false
}

func (k *foldKernel[T]) Open(workers int, g space.Grid) {
	if k.source.values != nil {
		k.values = k.source.values.Open(workers, g)
	}
	if k.source.times != nil {
		k.multiplies = len(k.folds) == 1 && k.folds[0].TakesProducts()
		k.products.Open(workers, launch.FoldItems)
	}
	if k.moments, k.atOnce = momentsOf[T](k.folds, g); k.atOnce {
		k.leaves.Open(workers, 2*tree.NodeLeaves)
	}
}

func (k *foldKernel[T]) Span(g space.Grid) int {
	if k.values != nil {
		return 0
	}
	for _, f := range k.folds {
		if !f.TakesNodes() {
			return 0
		}
	}
	if k.source.times != nil && !k.multiplies {
		return min(launch.FoldItems/g.Leaf, tree.NodeLeaves)
	}
	if len(k.folds) == 1 || k.atOnce && len(k.folds) == 4 {
		return min(max(launch.NodeItems/g.Leaf, 1), tree.NodeLeaves)
	}
	return min(launch.NodeBytes/(g.Leaf*max(int(unsafe.Sizeof(*new(T))), 1)), tree.NodeLeaves)
}

func (k *foldKernel[T]) RunNode(w *launch.Walk, slot, begin, end, leaf int) {
	if slot != launch.InLanes && w.Cancelled() {
		return
	}
	if k.source.memory != nil {
		k.source.far()
	}
	if k.source.part {
		k.source.here(begin, end)
	}
	if slot == launch.InLanes {
		k.runLeaf(w, begin, end)
	} else {
		k.runNode(w.Worker, slot, begin, end, leaf)
	}
}

// runNode reduces whole leaves in vector instructions.
func (k *foldKernel[T]) runNode(worker, slot, begin, end, leaf int) {
	from, to := begin-k.source.before, end-k.source.before
	if k.multiplies {
		x, y := reduce.ValuesOf(k.source.slice[from:to]), reduce.ValuesOf(k.source.other[from:to])
		k.folds[0].NodeOfProducts(worker, slot, x, y, leaf)
		return
	}
	x := k.source.slice[from:to]
	if k.source.times != nil {
		x = k.product(worker, begin, end)
	}
	done := k.runMoments(worker, slot, k.source.first+begin, x, leaf)
	for n, f := range k.folds {
		if !done || !k.moments.has(n) {
			f.Node(worker, slot, k.source.first+begin, reduce.ValuesOf(x), leaf)
		}
	}
}

// runLeaf adds the values of a leaf to the lanes of the worker.
func (k *foldKernel[T]) runLeaf(w *launch.Walk, begin, end int) {
	worker := w.Worker
	for _, f := range k.folds {
		f.Start(worker, end-begin)
	}
	piece := launch.FoldItems
	if k.values == nil && k.source.times == nil && len(k.folds) == 1 {
		piece = end - begin // nobody else waits for the values
	}
	for begin < end {
		next := min(begin+piece, end)
		var x []T
		switch {
		case k.values != nil:
			x = k.values(w, begin, next)
		case k.source.times == nil:
			x = k.source.slice[begin-k.source.before : w.Rows(begin, next)-k.source.before]
		case !w.Cancelled():
			x = k.product(worker, begin, next)
		}
		if len(x) == 0 {
			return // cancelled
		}
		for _, f := range k.folds {
			f.Add(worker, k.source.first+begin, reduce.ValuesOf(x))
		}
		begin += len(x)
	}
}

// product returns the products of items begin to end-1, which are valid until the same worker calls it
// again.
func (k *foldKernel[T]) product(worker, begin, end int) []T {
	dst := k.products.Room(worker, end-begin)
	begin, end = begin-k.source.before, end-k.source.before
	k.source.times.mul(dst, k.source.slice[begin:end], k.source.other[begin:end])
	return dst
}

// Fold implements launch.Folder. It returns false if a part lacks the values of some items.
func (k *foldKernel[T]) Fold(f *device.Fold, begin, end int) bool {
	s := &k.source
	if s.part && !s.has(begin, end) {
		return false
	}
	from, to := begin-s.before, end-s.before
	f.X = s.slice[from:to:to]
	if s.times != nil {
		f.Y = s.other[from:to:to]
	}
	f.First, f.Memory = s.first+begin, s.memory
	f.Columns = make([]device.Result, len(k.folds))
	for c, fold := range k.folds {
		f.Columns[c].Operation = fold.Operation()
	}
	return true
}

func (*foldKernel[T]) PolicyName() string { return "" }

// AppendItems appends the location of the first value, and the origin of the values. The key of a fold
// is not the address of its function alone, so the text has the name of the function.
func (k *foldKernel[T]) AppendItems(buf []byte) []byte {
	s := &k.source
	buf = strconv.AppendInt(buf, int64(s.first), 10)
	switch {
	case s.times != nil:
		return append(buf, " products"...)
	case s.values == nil:
		return buf
	}
	buf = s.values.AppendItems(append(buf, ' '))
	return append(append(buf, " by "...), launch.NameAt(launch.CodeOf(s.f))...)
}

func (k *foldKernel[T]) IndexOf(item int) string {
	if v, ok := k.source.values.(interface{ IndexOf(item int) string }); ok {
		return v.IndexOf(item)
	}
	return strconv.Itoa(k.source.first + item)
}

func (*foldKernel[T]) Box() *device.Box { return nil }

// Fold is exec.ParallelFold.
func Fold[T any](s Source[T], r reducers.Folder[T], more []reducers.Folder[T]) error {
	if !s.made {
		return errors.New("exec: ParallelFold of a zero Source, expected one made by Slice, Products, Map or Fill")
	}
	j, k := launch.Take[foldKernel[T]]()
	k.source = s
	switch {
	case s.f != nil:
		k.code = launch.CodeOf(s.f)
	case s.times != nil:
		k.code = typed.Of(s.times)
	}
	var refused error
	launch.Prepare(&k.source.plan, func() {
		refused = k.take(j, r)
		for n := 0; refused == nil && n < len(more); n++ {
			refused = k.take(j, more[n])
		}
	})
	if refused != nil {
		return launch.Refuse(&k.source.plan, fmt.Errorf("exec: reducer %d of %d%w", len(k.folds)+1, len(more)+1, refused))
	}
	return j.Launch(&k.source.plan, k)
}

// runMoments reduces a node by the four folds at once, as reduce.Fold.Node does by each. It returns
// false unless atOnce. A node with less than one full leaf is left to the single folds.
func (k *foldKernel[T]) runMoments(worker, slot, first int, x []T, leaf int) bool {
	if !k.atOnce || len(x) < leaf {
		return false
	}
	room := k.leaves.Room(worker, 2*tree.NodeLeaves)
	switch x := any(x).(type) {
	case []float64:
		runMoments(&k.moments, k.folds, any(room).([]float64), worker, slot, first, x, leaf)
	case []float32:
		runMoments(&k.moments, k.folds, any(room).([]float32), worker, slot, first, x, leaf)
	}
	return true
}
