package cuda

import (
	"context"
	"reflect"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/foldtext"
)

// width returns how many leaves a node has, of up to eight of each result.
func (w *tensorWork) width() int { return max(widthOf(0, w.of.Grid.Leaves)/foldtext.MostNodes, 1) }

// nodes divides the nodes of all results among cards, by the place of the first item of each.
func (w *tensorWork) nodes(s *Space) []stretch {
	x, g := reflect.ValueOf(w.of.X), w.of.Grid
	size := int(x.Type().Elem().Size())
	return s.stretches((g.Leaves-1)/w.width()+1, w.results*g.Items*size, func(k int) driver.Address {
		return addressOf(x.UnsafePointer()) + driver.Address(place(w.of.Walked, k*w.width()*g.Leaf)*size)
	})
}

// byNodes makes all results on several cards, each of which has some nodes of all of them. The first card joins the nodes.
func (w *tensorWork) byNodes(ctx context.Context, all []stretch, queues []*queue) error {
	codes := make([]*code, len(all))
	err := each(len(all), func(k int) (err error) {
		codes[k], err = w.load(all[k].on)
		return err
	})
	for first := 0; first < w.results && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		last := min(first+w.most(), w.results)
		err = w.runNodes(all, queues, codes, first, last)
		first = last
	}
	return err
}

// runNodes makes the results first to last-1.
func (w *tensorWork) runNodes(all []stretch, queues []*queue, codes []*code, first, last int) error {
	g, results, parts := w.of.Grid, last-first, len(w.text.Bytes)
	count := 0
	for _, p := range all {
		count = max(count, p.end)
	}
	leaves, values := parts*area(results, w.width()), area(results, count)
	at, err := queues[0].room(leaves + parts*values)
	if err != nil {
		return err
	}
	joined := tensorNode{first: first, last: last, leaves: count, at: uint64(at) + uint64(leaves), roots: w.onHost(queues[0], results)}
	err = each(len(all), func(k int) error {
		q, mine := queues[k], at
		if k > 0 {
			var err error
			if mine, err = q.room(leaves); err != nil {
				return err
			}
		}
		for node := all[k].begin; node < all[k].end; node++ {
			n := tensorNode{first: first, last: last, from: node * w.width(), at: uint64(mine)}
			n.leaves = min(w.width(), g.Leaves-n.from)
			for part, bytes := range w.text.Bytes {
				n.roots = append(n.roots, joined.at+uint64(part*values+node*results*bytes))
			}
			f, blocks, threads, p := w.entry(q, codes[k], n)
			if err := q.Launch(f, blocks, threads, 0, q.host[argumentsAt:], p); err != nil {
				return err
			}
		}
		return q.Wait()
	})
	if err != nil {
		return err
	}
	q := queues[0]
	p := w.parameters(q, joined, 1, results, 0)
	if err := q.Run(codes[0].nodes, (results-1)/blockThreads+1, blockThreads, 0, q.host[argumentsAt:], p); err != nil {
		return err
	}
	w.text.Append(w.columns, q.host[arraysEnd:], results)
	return nil
}
