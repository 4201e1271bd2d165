package cuda

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/sorts"
)

// loadSort loads the text of a sort.
func (x *code) loadSort(d *driver.Device, key sorts.Key) error {
	return x.load(d, key.Text(), entries{entry: sorts.Survey, points: sorts.Count, nodes: sorts.Places, items: sorts.Move, plain: sorts.Restore})
}

// source returns the parameters of keys at an address.
func (w *rearrangement) source(at driver.Address, step int, of sorts.Code) []uint64 {
	return append([]uint64{uint64(w.keys.n), uint64(at), uint64(step)}, of.Parameters()...)
}

// survey returns the bits at which digits begin that are not the same in all keys, none if the keys are in order.
func (w *rearrangement) survey(q *queue) (digits []int, err error) {
	const words, most = 12, 512
	out := q.there + valuesAt
	p := append(w.source(w.keys.at, w.keys.step, w.code), uint64(out))
	err = errors.Join(q.Set(out, 0, words),
		q.Launch(w.functions.entry, min(w.tiles, most), sorts.Threads, 0, q.host[argumentsAt:], p),
		q.ToHost(q.host[rootsAt:rootsAt+words], out), q.Wait())
	found := q.host[rootsAt : rootsAt+words]
	if err != nil || binary.NativeEndian.Uint32(found[8:]) == 0 {
		return nil, err
	}
	differ := binary.LittleEndian.Uint64(found)
	for shift := 0; shift < 8*w.key.Bytes; shift += 8 {
		if uint8(differ>>shift) != 0 {
			digits = append(digits, shift)
		}
	}
	return digits, nil
}

// passes sorts by each digit, from the keys into one buffer, from there into the other, and so on, and from the last back.
func (w *rearrangement) passes(s *Space, q *queue, digits []int) error {
	src := w.source(w.keys.at, w.keys.step, w.code)
	ranks := driver.Address(0)
	for k, shift := range digits {
		if err := w.heard(q); err != nil {
			return err
		}
		dst, step, out := w.buffers[k%2], w.keys.bytes, sorts.Code{}
		if last := k == len(digits)-1; last && k > 0 && !w.key.Ranks {
			dst, step, out = w.keys.at, w.keys.step, w.code
		}
		if _, err := w.pass(q, shift, src, dst, step, out, ranks, w.ranks[k%2]); err != nil {
			return err
		}
		src, ranks = w.source(dst, w.keys.bytes, sorts.Code{}), w.ranks[k%2]
	}
	if !w.key.Ranks && len(digits) > 1 {
		return nil
	}
	if err := w.heard(q); err != nil {
		return err
	}
	if w.key.Ranks {
		return w.gather(s, q, ranks)
	}
	p := []uint64{uint64(w.keys.n), uint64(w.buffers[0]), uint64(w.keys.at), uint64(w.keys.step)}
	return w.launch(q, w.functions.plain, w.blocks(), append(p, w.code.Parameters()...))
}

// pass sorts by one digit, and words along with the keys if there are ranks. It returns where the numbers of keys are by digit.
func (w *rearrangement) pass(q *queue, shift int, src []uint64, dst driver.Address, step int, out sorts.Code, ranks, toRanks driver.Address) (totals driver.Address, err error) {
	totals = w.counts + driver.Address(4*256*w.tiles)
	count := append(slices.Clone(src), uint64(shift), uint64(w.tiles), uint64(w.counts))
	move := append(append(slices.Clone(count), uint64(totals), uint64(dst), uint64(step)), out.Parameters()...)
	if w.key.Ranks {
		move = append(move, uint64(ranks), uint64(toRanks))
	}
	if err = w.launch(q, w.functions.points, w.tiles, count); err == nil {
		err = w.launch(q, w.functions.nodes, 256, []uint64{uint64(w.tiles), uint64(w.counts), uint64(totals)})
	}
	if err == nil { // else keys would go anywhere
		err = w.launch(q, w.functions.items, w.tiles, move)
	}
	return totals, err
}

// heard returns why the context is done, if it is. A context that may end is asked before each pass, and so before the keys
// change.
func (w *rearrangement) heard(q *queue) error {
	if w.ctx.Done() == nil {
		return nil
	}
	return errors.Join(q.Wait(), w.ctx.Err())
}

func (w *rearrangement) launch(q *queue, f driver.Function, blocks int, p []uint64) error {
	return q.Launch(f, blocks, sorts.Threads, 0, q.host[argumentsAt:], p)
}

// blocks returns how many blocks have a thread for each key.
func (w *rearrangement) blocks() int { return (w.keys.n-1)/sorts.Threads + 1 }
