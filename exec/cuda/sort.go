package cuda

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/sorts"
	"github.com/gokkos/gokkos/exec/space/device"
)

// Sort implements [device.Sorter].
func (s *Space) Sort(ctx context.Context, x device.Sort) error {
	if err := s.invalid(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	w, err := s.sortOf(ctx, x)
	if err == nil && w.keys.n > 1 {
		err = s.onQueue(func(q *queue) error { return w.run(s, q) })
	}
	if err != nil {
		return fmt.Errorf("cuda: %w", err)
	}
	return nil
}

// A sortWork sorts numbers in the memory of the device.
type sortWork struct {
	ctx    context.Context
	key    sorts.Key
	code   sorts.Code
	keys   column
	values column // with ranks

	functions *code
	tiles     int
	counts    driver.Address
	buffers   [2]driver.Address // for keys
	ranks     [2]driver.Address
	spare     driver.Address // for values
}

// A column is items in the memory of the device, with the bytes of each and from one to the next.
type column struct {
	n, bytes int
	at       driver.Address
	step     int
}

// columnOf returns the items of a slice.
func columnOf(x any, stride int) (c column, of reflect.Type, err error) {
	v := reflect.ValueOf(x)
	if v.Kind() != reflect.Slice || stride < 1 {
		return c, nil, fmt.Errorf("%T with a stride of %d elements, expected a slice and at least 1", x, stride)
	}
	bytes := int(v.Type().Elem().Size())
	return column{(v.Len() + stride - 1) / stride, bytes, addressOf(v.UnsafePointer()), stride * bytes}, v.Type().Elem(), nil
}

// sortOf returns the work of a sort, if the device can do it.
func (s *Space) sortOf(ctx context.Context, x device.Sort) (w *sortWork, err error) {
	w = &sortWork{ctx: ctx}
	if x.Memory != device.Memory(s.memory) {
		return nil, fmt.Errorf("it sorts keys in the memory of %v, expected that of %v", x.Memory, s.memory)
	}
	var of reflect.Type
	if w.keys, of, err = columnOf(x.Keys, x.KeyStride); err != nil {
		return nil, err
	}
	w.key = sorts.Key{Bytes: w.keys.bytes, Ranks: x.Values != nil}
	switch k := of.Kind(); k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.code = sorts.Signed(w.keys.bytes)
	case reflect.Float32, reflect.Float64:
		w.code = sorts.Float(w.keys.bytes)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
	default:
		return nil, fmt.Errorf("the device sorts no keys of type %v, expected integers or floats", of)
	}
	if x.Values != nil {
		if w.values, _, err = columnOf(x.Values, x.ValueStride); err != nil {
			return nil, err
		}
		if w.values.n != w.keys.n {
			return nil, fmt.Errorf("%d keys and %d values, expected equal numbers", w.keys.n, w.values.n)
		}
	}
	if uint64(w.keys.n) > math.MaxUint32 {
		return nil, fmt.Errorf("the device cannot sort %d keys, expected up to %d", w.keys.n, uint32(math.MaxUint32))
	}
	w.tiles = (w.keys.n-1)/sorts.Tile + 1
	return w, nil
}

// run sorts: a survey with a wait, three launches for each digit in which keys differ, and a wait at the end.
func (w *sortWork) run(s *Space, q *queue) (err error) {
	if w.functions, err = s.codes.of(w.key, func(x *code) error { return x.loadSort(s.driver, w.key) }); err != nil {
		return fmt.Errorf("the sort of keys of %d bytes: %w", w.key.Bytes, err)
	}
	digits, err := w.survey(q)
	if err != nil || len(digits) == 0 {
		return err
	}
	back, err := w.room(s, q)
	if err != nil {
		return err
	}
	err = w.passes(s, q, digits)
	return errors.Join(err, q.Wait(), back())
}

// loadSort loads the text of a sort.
func (x *code) loadSort(d *driver.Device, key sorts.Key) error {
	return x.load(d, key.Text(), entries{entry: sorts.Survey, points: sorts.Count, nodes: sorts.Places, items: sorts.Move, plain: sorts.Restore})
}

// source returns the parameters of keys at an address.
func (w *sortWork) source(at driver.Address, step int, of sorts.Code) []uint64 {
	return append([]uint64{uint64(w.keys.n), uint64(at), uint64(step)}, of.Parameters()...)
}

// survey returns the bits at which digits begin that are not the same in all keys, none if the keys are in order.
func (w *sortWork) survey(q *queue) (digits []int, err error) {
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

// room takes the memory that the sort needs, and returns what gives it back.
func (w *sortWork) room(s *Space, q *queue) (back func() error, err error) {
	n := w.keys.n
	sizes := []int{4 * 256 * (w.tiles + 1), n * w.keys.bytes, n * w.keys.bytes}
	parts := []*driver.Address{&w.counts, &w.buffers[0], &w.buffers[1]}
	if w.key.Ranks {
		sizes = append(sizes, 4*n, 4*n, n*w.values.bytes)
		parts = append(parts, &w.ranks[0], &w.ranks[1], &w.spare)
	}
	all := 0
	for k, bytes := range sizes {
		*parts[k] = driver.Address(all)
		all += (bytes + natural - 1) &^ (natural - 1)
	}
	at, back, err := s.lend(q, all)
	for _, p := range parts {
		*p += at
	}
	return back, err
}

// lend returns memory of the device for a launch, and what gives it back: the queue keeps as much as launches usually have.
func (s *Space) lend(q *queue, bytes int) (at driver.Address, back func() error, err error) {
	if bytes <= maxFar {
		at, err = q.apart(bytes)
		return at, func() error { return nil }, err
	}
	at, err = s.driver.Allocate(uint64(bytes))
	if errors.Is(err, driver.ErrOutOfMemory) && s.memory.release() > 0 {
		at, err = s.driver.Allocate(uint64(bytes))
	}
	return at, func() error { return s.driver.Free(at) }, s.memory.explain(bytes, err)
}

// passes sorts by each digit, from the keys into one buffer, from there into the other, and so on, and from the last back.
func (w *sortWork) passes(s *Space, q *queue, digits []int) error {
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
		p := append(append([]uint64{}, src...), uint64(shift), uint64(w.tiles), uint64(w.counts))
		totals := w.counts + driver.Address(4*256*w.tiles)
		move := append(append([]uint64{}, p...), uint64(totals), uint64(dst), uint64(step))
		move = append(move, out.Parameters()...)
		if w.key.Ranks {
			move = append(move, uint64(ranks), uint64(w.ranks[k%2]))
			ranks = w.ranks[k%2]
		}
		if err := errors.Join(w.launch(q, w.functions.points, w.tiles, p),
			w.launch(q, w.functions.nodes, 256, []uint64{uint64(w.tiles), uint64(w.counts), uint64(totals)}),
			w.launch(q, w.functions.items, w.tiles, move)); err != nil {
			return err
		}
		src = w.source(dst, w.keys.bytes, sorts.Code{})
	}
	if !w.key.Ranks && len(digits) > 1 {
		return nil
	}
	if err := w.heard(q); err != nil {
		return err
	}
	if !w.key.Ranks {
		p := []uint64{uint64(w.keys.n), uint64(w.buffers[0]), uint64(w.keys.at), uint64(w.keys.step)}
		return w.launch(q, w.functions.plain, w.blocks(), append(p, w.code.Parameters()...))
	}
	return w.gather(s, q, ranks)
}

// heard returns why the context is done, if it is. A context that may end is asked before each pass, and so before the keys
// change.
func (w *sortWork) heard(q *queue) error {
	if w.ctx.Done() == nil {
		return nil
	}
	return errors.Join(q.Wait(), w.ctx.Err())
}

func (w *sortWork) launch(q *queue, f driver.Function, blocks int, p []uint64) error {
	return q.Launch(f, blocks, sorts.Threads, 0, q.host[argumentsAt:], p)
}

// blocks returns how many blocks have a thread for each key.
func (w *sortWork) blocks() int { return (w.keys.n-1)/sorts.Threads + 1 }

// gather puts keys and values into the order of their ranks, beside and then in their places.
func (w *sortWork) gather(s *Space, q *queue, ranks driver.Address) error {
	for _, c := range []struct {
		column
		spare driver.Address
	}{{w.keys, w.buffers[0]}, {w.values, w.spare}} {
		if c.bytes == 0 {
			continue
		}
		beside := column{c.n, c.bytes, c.spare, c.bytes}
		if err := errors.Join(w.permute(s, q, beside, c.column, ranks), w.permute(s, q, c.column, beside, 0)); err != nil {
			return err
		}
	}
	return nil
}

// A gatherKey tells texts apart that copy items of units of so many bytes.
type gatherKey int

// permute makes item k of dst item ranks[k] of src, or item k if ranks is 0.
func (w *sortWork) permute(s *Space, q *queue, dst, src column, ranks driver.Address) error {
	all := uint64(dst.at) | uint64(src.at) | uint64(dst.step) | uint64(src.step) | uint64(dst.bytes) | 8
	unit := int(all & -all)
	f, err := s.codes.of(gatherKey(unit), func(x *code) error {
		entry, text := sorts.Gather(unit)
		return x.load(s.driver, text, entries{entry: entry})
	})
	if err != nil {
		return fmt.Errorf("the copy of items of %d bytes: %w", dst.bytes, err)
	}
	return w.launch(q, f.entry, w.blocks(), []uint64{uint64(dst.n), uint64(src.at), uint64(src.step), uint64(ranks), uint64(dst.at), uint64(dst.step), uint64(dst.bytes / unit)})
}
