package exec

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// A Policy numbers the items of a launch and says which index each has. I is
// the index type that the functor receives.
type Policy[I any] interface {
	// Plan returns how many items there are, and all else that is known before
	// the launch.
	Plan() policy.Plan
	// Next writes the indices of items begin, begin+1, ... below end into dst
	// and returns how many it wrote and the first item that it did not cover.
	// It must fill dst unless end comes first; a policy whose plan is Whole
	// writes one index for all the items of a leaf. Next is called by several
	// workers at a time.
	Next(begin, end int, dst []I) (n, next int)
}

// planOf returns a policy's plan, which is an error for no policy.
func planOf[I any, P Policy[I]](p P) policy.Plan {
	if any(p) == nil {
		return policy.Plan{Err: errors.New("exec: the policy is nil")}
	}
	return p.Plan()
}

// indices walks a policy, for several workers: block by block, or, where item k has the
// index first+k, without asking the policy.
type indices[I any, P Policy[I]] struct {
	p     P
	walk  Policy[I] // &p as a Policy[I], so that p is not copied to the heap at each launch
	whole bool      // one index stands for a leaf
	first int
	plain bool // item k has the index first+k
	buf   buffers[I]
	poll  *poller

	order []int // in which the lanes of a leaf take their items, or nil
	row   []I
}

// schedule permutes the rows of items of the next leaf: row[k] holds the item of lane
// order[k]. The kernel still joins row[k] into lanes[k], so lanes[k] ends with the result of
// lane order[k], whose items come in their order. It returns true: lanes have moved.
func (x *indices[I, P]) schedule(order []int) (moved bool) {
	x.order, x.plain = order, false
	return true
}

// of makes x the indices of a policy with that plan.
func (x *indices[I, P]) of(p P, plan *policy.Plan) {
	x.p, x.whole = p, plan.Whole
	var ok bool
	if x.walk, ok = any(&x.p).(Policy[I]); !ok {
		x.walk = p
	}
	x.first, x.plain = firstIndex(p)
}

func (x *indices[I, P]) open(workers int, g space.Grid, p *poller) {
	x.buf.open(workers, min(blockItems, g.Leaf))
	x.poll = p
}

// release lets go of the policy and its indices.
func (x *indices[I, P]) release() {
	x.buf.release()
	*x = indices[I, P]{buf: x.buf}
}

// next returns the next block of indices of items begin to end, and the first item that is
// not in it: none and end if the launch is cancelled. Blocks do not reach over multiples of
// their size, so they begin at lane 0 unless they go on with a part of a row.
func (x *indices[I, P]) next(worker, begin, end int) (block []I, rest int) {
	if x.whole {
		if x.poll.cancelled() {
			return nil, end
		}
		return x.fetch(worker, begin, end), end
	}
	rest = x.poll.upTo(worker, begin, min(begin&^(x.buf.size-1)+x.buf.size, end))
	switch {
	case rest == begin:
		return nil, end
	case x.order == nil:
		return x.fetch(worker, begin, rest), rest
	}
	lanes := len(x.order)
	row := begin &^ (lanes - 1)
	block = x.fetch(worker, row, min(roundUp(rest, lanes), end))
	x.permute(block)
	return block[begin-row : rest-row], rest
}

// fetch returns the indices of items begin to end, which are a block or less, or the one
// that stands for them all.
func (x *indices[I, P]) fetch(worker, begin, end int) []I {
	want := end - begin
	if x.whole {
		want = 1
	}
	dst := x.buf.room(worker, want)
	n, rest := x.walk.Next(begin, end, dst)
	if n != want || rest != end { // fewer would put items into other lanes
		panic(breach{fmt.Errorf("exec: Next of a %T returned %d indices and item %d, expected %d and %d", x.p, n, rest, want, end)})
	}
	return dst
}

// permute puts the items of a block, which begins at lane 0, into the order of the lanes.
func (x *indices[I, P]) permute(block []I) {
	lanes := len(x.order)
	x.row = append(x.row[:0], block...)
	for begin := 0; begin < len(block); begin += lanes {
		for k, l := range x.order[:min(lanes, len(block)-begin)] {
			block[begin+k] = x.row[begin+l]
		}
	}
}
