package exec

import (
	"iter"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// Lanes is a span together with the accumulators of its items, what the functor
// of [ParallelReduceLanes] gets.
type Lanes[A any] struct {
	policy.Span
	acc []A
}

// Items yields each integer of the span with the accumulator of its lane, in
// ascending order. The compiler inlines it.
func (l Lanes[A]) Items() iter.Seq2[int, *A] {
	return func(yield func(int, *A) bool) {
		// Row by row, one item for each lane: no lane is then checked against their number.
		for k := 0; k < l.Len(); k += len(l.acc) {
			row := l.acc[:min(len(l.acc), l.Len()-k)]
			_ = row[0]
			for lane := range row {
				if !yield(l.Begin+k+lane, &row[lane]) {
					return
				}
			}
		}
	}
}

// ParallelReduceLanes is [ParallelReduce] for a functor that owns its loop and
// still joins item by item, in the order of the canonical tree:
//
//	exec.ParallelReduceLanes(policy.Spans(0, n), func(s exec.Lanes[float64]) {
//		for i, acc := range s.Items() {
//			*acc += float64(x[i] * y[i])
//		}
//	}, builtin.Sum(&dot))
//
// It gives the bits of ParallelReduce over a Range, without a call per item.
func ParallelReduceLanes[A any](p policy.SpansPolicy, f func(s Lanes[A]), r reducers.Reducer[A], more ...reducers.Reducer[A]) error {
	if f == nil {
		return errNilFunctor
	}
	plan := p.Plan()
	plan.Whole = false // the lanes are those of a Range
	j, k := take[lanesKernel[A]]()
	k.p, k.f = p, f
	prepare(&plan, func() { k.a.Reset(compose(r, more)) })
	j.columns = append(j.columns, &k.a)
	return j.launch(&plan, k)
}

type lanesKernel[A any] struct {
	p policy.SpansPolicy
	f func(s Lanes[A])
	a reducers.Slots[A]

	poll *poller
}

func (k *lanesKernel[A]) open(_ int, _ space.Grid, p *poller) { k.poll = p }

func (k *lanesKernel[A]) key() uintptr { return codeOf(k.f) }

func (k *lanesKernel[A]) release() {
	k.p, k.f, k.poll = policy.SpansPolicy{}, nil, nil
	k.a.Release()
}

func (k *lanesKernel[A]) run(worker, _, begin, end int) {
	lanes := k.a.Begin(worker, end-begin)
	if k.poll.cancelled() {
		return
	}
	var span [1]policy.Span
	k.p.Next(begin, end, span[:])
	k.f(Lanes[A]{span[0], lanes})
}
