package cuda

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/foldtext"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

// FoldTensor implements [device.TensorFolder].
func (s *Space) FoldTensor(ctx context.Context, t device.Tensor) (columns [][]byte, err error) {
	if err := s.invalid(); err != nil {
		return nil, err
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	if columns, err = s.foldTensor(ctx, t); err != nil {
		return nil, fmt.Errorf("cuda: %w", err)
	}
	return columns, nil
}

// A tensorWork folds parts of an array.
type tensorWork struct {
	of      device.Tensor
	key     foldtext.TensorKey
	text    *foldtext.Tensor
	results int
	columns [][]byte
}

func (s *Space) foldTensor(ctx context.Context, t device.Tensor) ([][]byte, error) {
	w, err := s.tensorOf(t)
	if err != nil {
		return nil, err
	}
	all := w.stretches(s)
	if len(all) == 1 {
		if nodes := w.nodes(s); len(nodes) > 1 {
			err := onQueues(nodes, func(queues []*queue) error { return w.byNodes(ctx, nodes, queues) })
			return w.columns, err
		}
	}
	parts := make([]tensorWork, len(all))
	err = each(len(all), func(k int) error {
		parts[k] = *w
		parts[k].columns = make([][]byte, len(t.Columns))
		return all[k].on.onQueue(func(q *queue) error { return parts[k].all(ctx, all[k], q) })
	})
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		for k := range p.columns {
			w.columns[k] = append(w.columns[k], p.columns[k]...)
		}
	}
	return w.columns, nil
}

// stretches divides the results among cards, by the place of the first value of each.
func (w *tensorWork) stretches(s *Space) []stretch {
	x := reflect.ValueOf(w.of.X)
	unit, size := w.key.Results(), int(x.Type().Elem().Size())
	all := s.stretches(w.results/unit, w.results*w.of.Grid.Items*size, func(k int) driver.Address {
		return addressOf(x.UnsafePointer()) + driver.Address(place(w.of.Kept, k*unit)*size)
	})
	for k := range all {
		all[k].begin, all[k].end = all[k].begin*unit, all[k].end*unit
	}
	return all
}

// place returns how many elements behind the first one an item of loops is.
func place(loops []device.Loop, item int) (at int) {
	for _, l := range slices.Backward(loops) {
		at, item = at+item%l.Extent*l.Stride, item/l.Extent
	}
	return at
}

// all makes the results of a stretch.
func (w *tensorWork) all(ctx context.Context, of stretch, q *queue) error {
	c, err := w.load(of.on)
	for first := of.begin; first < of.end && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		last := min(first+w.most(), of.end)
		err = w.run(q, c, first, last)
		first = last
	}
	return err
}

// tensorOf returns the work of folding a tensor, if the device can do it.
func (s *Space) tensorOf(t device.Tensor) (*tensorWork, error) {
	if t.Memory != device.Memory(s.memory) {
		return nil, fmt.Errorf("a tensor in the memory of %v, expected that of %v", t.Memory, s.memory)
	}
	w := &tensorWork{of: t, results: 1, columns: make([][]byte, len(t.Columns))}
	for _, l := range t.Kept {
		w.results *= l.Extent
	}
	of := reflect.TypeOf(t.X).Elem()
	var ops []concept.Operation
	for k, c := range t.Columns {
		op := concept.Operation{Join: c.Operation.Join, Map: c.Operation.Map}
		switch {
		case !foldtext.KnowsFormat(of.Kind(), t.Format, op):
			return nil, fmt.Errorf("the device cannot fold values of type %v by reducer %d, a %s; expected one of package builtin, of integers, floats or bools", of, k+1, c.Reducer)
		case c.Lanes != t.Grid.Lanes:
			return nil, fmt.Errorf("the device cannot join values in order, as reducer %d, the %s, wants", k+1, c.Reducer)
		}
		ops = append(ops, op)
	}
	w.key = foldtext.TensorKey{
		Kind: of.Kind(), Format: t.Format, Operations: foldtext.KeyOf(of.Kind(), false, ops).Operations,
		Kept: len(t.Kept), Walked: len(t.Walked), Lanes: t.Grid.Lanes, Pairs: paired(t),
	}
	w.text = foldtext.TensorOf(w.key, ops)
	if most := 16; len(w.text.Bytes) > most {
		return nil, fmt.Errorf("the device folds up to %d numbers in a pass, and these %d reducers have %d: expected fewer of them", most, len(ops), len(w.text.Bytes))
	}
	return w, nil
}

// paired reports whether values of 16 bits can be loaded two at a time, of results 2*k and 2*k+1.
func paired(t device.Tensor) bool {
	last := t.Kept[len(t.Kept)-1]
	ok := (t.Format == device.Float16 || t.Format == device.BFloat16) && last.Stride == 1 && last.Extent%2 == 0 && reflect.ValueOf(t.X).Pointer()%4 == 0
	for _, l := range append(t.Kept[:len(t.Kept)-1:len(t.Kept)-1], t.Walked...) {
		ok = ok && (l.Stride%2 == 0 || l.Extent == 1)
	}
	return ok
}

// load returns the text as the device has it.
func (w *tensorWork) load(s *Space) (*code, error) {
	c, err := s.codes.of(w.key, func(x *code) error {
		return x.load(s.driver, w.text.PTX, entries{entry: w.text.Along, items: w.text.Across, nodes: w.text.Nodes})
	})
	if err != nil {
		return nil, fmt.Errorf("the folds %s of values of kind %v: %w", w.key.Operations, w.key.Kind, err)
	}
	return c, nil
}

// scratch is how many bytes the values of leaves may take, unless those of one result are more.
const scratch = 64 << 20

// most returns how many results are made at a time.
func (w *tensorWork) most() int {
	bytes := 8 * len(w.text.Bytes)
	most := min((argumentsAt-arraysEnd)/bytes, scratch/(bytes*w.of.Grid.Leaves))
	if w.of.Grid.Leaves*w.of.Grid.Lanes > blockThreads { // each has several blocks, which count themselves
		most = min(most, countsBytes/4)
	}
	each := w.key.Results() // of a thread
	return max(most/each*each, each)
}

// besides reports whether values of different results are nearer to each other than those of one.
func (w *tensorWork) besides() bool {
	kept, walked := w.of.Kept[len(w.of.Kept)-1], w.of.Walked[len(w.of.Walked)-1]
	return kept.Extent > 1 && (walked.Extent == 1 || kept.Stride < walked.Stride)
}

// run makes the results first to last-1, and appends them to the columns. The last blocks of results leave them on the host.
func (w *tensorWork) run(q *queue, c *code, first, last int) error {
	at, err := q.room(len(w.text.Bytes) * area(last-first, w.of.Grid.Leaves))
	if err != nil {
		return err
	}
	n := tensorNode{first: first, last: last, leaves: w.of.Grid.Leaves, at: uint64(at), roots: w.onHost(q, last-first)}
	f, blocks, threads, p := w.entry(q, c, n)
	if err := q.Run(f, blocks, threads, 0, q.host[argumentsAt:], p); err != nil {
		return err
	}
	w.text.Append(w.columns, q.host[arraysEnd:], last-first)
	return nil
}

// area returns the bytes of a part of so many values of each result.
func area(results, values int) int { return (8*results*values + natural - 1) &^ (natural - 1) }

// onHost returns the addresses of the values of results on the host, by part.
func (w *tensorWork) onHost(q *queue, results int) (roots []uint64) {
	for k := range w.text.Bytes {
		roots = append(roots, uint64(q.near(arraysEnd+8*results*k)))
	}
	return roots
}

// A tensorNode is some leaves of the results first to last-1. Their values are at an address, and what they come to is at
// roots, by part.
type tensorNode struct {
	first, last  int
	from, leaves int
	at           uint64
	roots        []uint64
}

// entry returns what makes the values of a node.
func (w *tensorWork) entry(q *queue, c *code, n tensorNode) (f driver.Function, blocks, threads int, p []uint64) {
	g, results := w.of.Grid, n.last-n.first
	f, threads = c.entry, min((n.leaves*g.Lanes+31)&^31, blockThreads)
	each := (n.leaves*g.Lanes-1)/threads + 1 // blocks of a result
	blocks = results * each
	result, next := n.leaves, 1 // from one to the next
	if w.besides() {
		f, threads = c.items, 32*(g.Lanes/w.text.Each)
		each = (results-1)/(32*w.key.Results()) + 1 // and of a leaf
		blocks = each * n.leaves
		result, next = 1, results
	}
	return f, blocks, threads, w.parameters(q, n, result, next, each)
}

// parameters returns those of all entries.
func (w *tensorWork) parameters(q *queue, n tensorNode, result, next, each int) []uint64 {
	g := w.of.Grid
	items := min(g.Items, (n.from+n.leaves)*g.Leaf)
	p := make([]uint64, 0, 64)
	p = append(p, uint64(items), uint64(g.Leaf), uint64(n.from), uint64(n.leaves), uint64(n.first), uint64(n.last), uint64(addressOf(reflect.ValueOf(w.of.X).UnsafePointer())))
	for _, loops := range [][]device.Loop{w.of.Kept, w.of.Walked} {
		for _, l := range loops {
			p = append(p, uint64(l.Extent), uint64(l.Stride))
		}
	}
	p = append(p, uint64(result), uint64(next), uint64(q.there+countsAt), uint64(each))
	for k, root := range n.roots {
		p = append(p, n.at+uint64(k*area(n.last-n.first, n.leaves)), root)
	}
	return p
}
