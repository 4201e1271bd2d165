package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/sorts"
)

// A permutation makes item k of dst item ranks[k] of src, or item k if ranks is 0.
type permutation struct {
	dst, src column
	ranks    driver.Address
}

// gather puts the items that are kept into the order of their ranks, or the last one first, beside and then in their places.
// No item moves before all code is loaded.
func (w *rearrangement) gather(s *Space, q *queue, ranks driver.Address) error {
	var steps []permutation
	for _, c := range append([]column{w.keys}, w.values...) {
		if c.bytes == 0 || w.kept == 0 {
			continue
		}
		from := c
		if w.rule == "reverse" {
			from.at, from.step = c.at+driver.Address((c.n-1)*c.step), -c.step
		}
		beside := column{c.n, c.bytes, w.spare, c.bytes}
		steps = append(steps, permutation{beside, from, ranks}, permutation{c, beside, 0})
	}
	for _, p := range steps {
		if _, _, err := p.code(s); err != nil {
			return err
		}
	}
	for _, p := range steps {
		if err := w.permute(s, q, p); err != nil {
			return err
		}
	}
	return nil
}

// reverse puts the last item first.
func (w *rearrangement) reverse(s *Space, q *queue) error {
	if err := w.heard(q); err != nil {
		return err
	}
	return w.gather(s, q, 0)
}

// compact sorts items by whether they are dropped.
func (w *rearrangement) compact(s *Space, q *queue) error {
	f, err := s.codes.of(w.mark, func(x *code) error { return x.load(s.driver, w.mark.Text(), entries{entry: sorts.Marks}) })
	if err != nil {
		return fmt.Errorf("the comparison of keys of %d bytes: %w", w.keys.bytes, err)
	}
	p := []uint64{uint64(w.keys.n), uint64(w.keys.at), uint64(w.keys.step), w.equal, uint64(w.buffers[0])}
	if err := w.launch(q, f.entry, w.blocks(), p); err != nil {
		return err
	}
	totals, err := w.pass(q, 0, w.source(w.buffers[0], 1, sorts.Code{}), w.buffers[1], 1, sorts.Code{}, 0, w.ranks[0])
	if err == nil {
		err = errors.Join(q.ToHost(q.host[rootsAt:rootsAt+4], totals), q.Wait(), w.ctx.Err())
	}
	if err != nil {
		return err
	}
	if w.kept = int(binary.NativeEndian.Uint32(q.host[rootsAt:])); w.kept == w.keys.n {
		return nil
	}
	return w.gather(s, q, w.ranks[0])
}

// A gatherKey tells texts apart that copy items of units of so many bytes.
type gatherKey int

// code returns the code of a permutation, and the bytes that it copies at a time.
func (p permutation) code(s *Space) (f *code, unit int, err error) {
	all := uint64(p.dst.at) | uint64(p.src.at) | uint64(p.dst.step) | uint64(p.src.step) | uint64(p.dst.bytes) | 8
	unit = int(all & -all)
	f, err = s.codes.of(gatherKey(unit), func(x *code) error {
		entry, text := sorts.Gather(unit)
		return x.load(s.driver, text, entries{entry: entry})
	})
	if err != nil {
		err = fmt.Errorf("the copy of items of %d bytes: %w", p.dst.bytes, err)
	}
	return f, unit, err
}

// permute runs a permutation of the items that are kept.
func (w *rearrangement) permute(s *Space, q *queue, p permutation) error {
	f, unit, err := p.code(s)
	if err != nil {
		return err
	}
	return w.launch(q, f.entry, w.blocks(), []uint64{uint64(w.kept), uint64(p.src.at), uint64(p.src.step), uint64(p.ranks), uint64(p.dst.at), uint64(p.dst.step), uint64(p.dst.bytes / unit)})
}
