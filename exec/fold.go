package exec

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// ParallelFold reduces the values of a source with every one of the reducers,
// in one pass: each value is read once and seen by all of them. The reducers may
// have any accumulator type as long as they take values of type T. Reducers in a
// slice rs are passed as rs[0], rs[1:]...
//
// A reducer that keeps a location is told the item's index if the policy is a
// policy.Range, and else the item's number.
//
// Order, errors and panics are those of [ParallelReduce]; each result has the
// bits it would have alone.
func ParallelFold[T any](s Source[T], r reducers.Folder[T], more ...reducers.Folder[T]) error {
	if !s.made {
		return errors.New("exec: ParallelFold of a zero Source, expected one made by Slice, Products, Map or Fill")
	}
	j, k := take[foldKernel[T]]()
	k.source = s
	if s.f != nil {
		k.code = codeOf(s.f)
	}
	var refused error
	prepare(&k.source.plan, func() {
		refused = k.take(j, r)
		for n := 0; refused == nil && n < len(more); n++ {
			refused = k.take(j, more[n])
		}
	})
	if refused != nil {
		return fmt.Errorf("exec: reducer %d of %d%w", len(k.folds)+1, len(more)+1, refused)
	}
	return j.launch(&k.source.plan, k)
}

var errNoFolder = errors.New(" is nil")

// take adds a reducer to the launch, or returns what is said of one that cannot be used.
func (k *foldKernel[T]) take(j *job, r reducers.Folder[T]) error {
	if r == nil {
		return errNoFolder
	}
	f, err := reduce.SinkOf[T](r.Fold())
	if err != nil {
		return fmt.Errorf(", a %T: %w", r, err)
	}
	k.code += codeOf(reflect.TypeOf(r))
	k.folds = append(k.folds, f)
	j.columns = append(j.columns, f.Column())
	return nil
}

type foldKernel[T any] struct {
	source Source[T]
	code   uintptr
	folds  []reduce.Sink[T]
	values values[T]
	poll   *poller
}

func (k *foldKernel[T]) key() uintptr { return k.code }

func (k *foldKernel[T]) release() {
	for n, f := range k.folds {
		f.Release()
		k.folds[n] = nil
	}
	*k = foldKernel[T]{folds: k.folds[:0]}
}

func (k *foldKernel[T]) open(workers int, g space.Grid, p *poller) {
	k.poll = p
	if k.source.values != nil {
		k.values = k.source.values.open(workers, g, p)
	}
}

func (k *foldKernel[T]) span(g space.Grid) int {
	if k.values != nil {
		return 0
	}
	for _, f := range k.folds {
		if !f.TakesNodes() {
			return 0
		}
	}
	if len(k.folds) == 1 {
		return min(max(nodeItems/g.Leaf, 1), tree.NodeLeaves)
	}
	return min(nodeBytes/(g.Leaf*max(int(unsafe.Sizeof(*new(T))), 1)), tree.NodeLeaves)
}

func (k *foldKernel[T]) runNode(worker, slot, begin, end, leaf int, _ *node) {
	if k.poll.cancelled() {
		return
	}
	x := k.source.slice[begin:end]
	for _, f := range k.folds {
		f.Node(worker, slot, k.source.first+begin, x, leaf)
	}
}

func (k *foldKernel[T]) run(worker, _, begin, end int) {
	for _, f := range k.folds {
		f.Start(worker, end-begin)
	}
	if k.source.dot != nil && len(k.folds) == 1 && (k.poll.cancelled() || k.addProducts(worker, begin, end)) {
		return
	}
	piece := foldItems
	if k.values == nil && len(k.folds) == 1 {
		piece = end - begin // nobody else waits for the values
	}
	for begin < end {
		next := min(begin+piece, end)
		var x []T
		if k.values == nil {
			x = k.source.slice[begin:k.poll.rows(worker, begin, next)]
		} else {
			x = k.values(worker, begin, next)
		}
		if len(x) == 0 {
			return // cancelled
		}
		for _, f := range k.folds {
			f.Add(worker, k.source.first+begin, x)
		}
		begin += len(x)
	}
}

// addProducts adds the products of items begin to end to the only fold, if that can
// multiply by itself: the products are then in no memory.
func (k *foldKernel[T]) addProducts(worker, begin, end int) bool {
	return k.folds[0].AddProducts(worker, k.source.dot.x[begin:end], k.source.dot.y[begin:end])
}

// fold implements folder: values of a function have to be asked for.
func (k *foldKernel[T]) fold(f *space.Fold) bool {
	n := k.source.plan.Items
	switch dot := k.source.dot; {
	case dot != nil:
		f.X, f.Y = dot.x, dot.y
	case k.source.values == nil:
		f.X = k.source.slice[:n:n]
	default:
		return false
	}
	f.First = k.source.first
	f.Columns = make([]space.Result, len(k.folds))
	for c, fold := range k.folds {
		f.Columns[c].Operation = fold.Operation()
	}
	return true
}

// functor implements caller: products have a function of ours.
func (k *foldKernel[T]) functor() any {
	if k.source.dot != nil {
		return nil
	}
	return k.source.f
}
