package cuda

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/sorts"
	"github.com/gokkos/gokkos/exec/space/device"
)

// Rearrange implements [device.Rearranger].
func (s *Space) Rearrange(ctx context.Context, r device.Rearrangement) (kept int, err error) {
	if err := s.invalid(); err != nil {
		return 0, err
	}
	if err := s.enter(); err != nil {
		return 0, err
	}
	defer s.leave()
	w, err := s.rearrangementOf(ctx, r)
	if err == nil {
		if w.kept = w.keys.n; w.kept > 0 {
			err = s.onQueue(func(q *queue) error { return w.run(s, q) })
		}
	}
	if err != nil {
		return 0, fmt.Errorf("cuda: %w", err)
	}
	return w.kept, nil
}

// A rearrangement changes the order of items in the memory of the device.
type rearrangement struct {
	ctx    context.Context
	rule   string
	code   sorts.Code
	mark   sorts.Mark
	equal  uint64 // what keys are compared with
	keys   column
	values []column // none or one
	kept   int

	key       sorts.Key
	functions *code
	tiles     int
	counts    driver.Address
	buffers   [2]driver.Address // for keys
	ranks     [2]driver.Address
	spare     driver.Address // for items, in their new order
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

// rearrangementOf returns a rearrangement, if the device can do it.
func (s *Space) rearrangementOf(ctx context.Context, r device.Rearrangement) (w *rearrangement, err error) {
	w = &rearrangement{ctx: ctx, rule: r.Rule}
	if r.Memory != device.Memory(s.memory) {
		return nil, fmt.Errorf("items in the memory of %v, expected that of %v", r.Memory, s.memory)
	}
	var of reflect.Type
	if w.keys, of, err = columnOf(r.Keys, r.KeyStride); err != nil {
		return nil, err
	}
	if r.Values != nil {
		values, _, err := columnOf(r.Values, r.ValueStride)
		if err != nil {
			return nil, err
		}
		if values.n != w.keys.n {
			return nil, fmt.Errorf("%d keys and %d values, expected equal numbers", w.keys.n, values.n)
		}
		w.values = []column{values}
	}
	if uint64(w.keys.n) > math.MaxUint32 {
		return nil, fmt.Errorf("the device cannot %s %d items, expected up to %d", r.Rule, w.keys.n, uint32(math.MaxUint32))
	}
	w.tiles = (w.keys.n-1)/sorts.Tile + 1
	return w, w.choose(of, r.Key)
}

// choose sets what depends on the rule and on the type of keys.
func (w *rearrangement) choose(of reflect.Type, key any) error {
	number := true
	switch of.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.code = sorts.Signed(w.keys.bytes)
	case reflect.Float32, reflect.Float64:
		w.code, w.mark.Float = sorts.Float(w.keys.bytes), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
	default:
		number = false
	}
	switch w.rule {
	case "reverse":
		return nil
	case "sort":
		w.key = sorts.Key{Bytes: w.keys.bytes, Ranks: len(w.values) > 0}
	case "unique", "remove":
		w.key, w.mark.Bytes = sorts.Key{Bytes: 1, Ranks: true}, w.keys.bytes
		w.mark.Heads = w.rule == "unique"
	default:
		return fmt.Errorf("the rule %q, expected sort, reverse, unique or remove", w.rule)
	}
	if !number {
		return fmt.Errorf("the rule %s with keys of type %v, expected integers or floats", w.rule, of)
	}
	if w.rule == "remove" {
		if reflect.TypeOf(key) != of {
			return fmt.Errorf("keys of type %v are compared with a %T, expected the same type", of, key)
		}
		one := reflect.New(of)
		one.Elem().Set(reflect.ValueOf(key))
		w.equal = word(unsafe.Slice((*byte)(one.UnsafePointer()), of.Size()))
	}
	return nil
}

// run rearranges, and waits.
func (w *rearrangement) run(s *Space, q *queue) (err error) {
	if w.rule != "reverse" {
		if w.functions, err = s.codes.of(w.key, func(x *code) error { return x.loadSort(s.driver, w.key) }); err != nil {
			return fmt.Errorf("the sort of keys of %d bytes: %w", w.key.Bytes, err)
		}
	}
	var digits []int
	if w.rule == "sort" {
		if digits, err = w.survey(q); err != nil || len(digits) == 0 {
			return err
		}
	}
	back, err := w.room(s, q)
	if err != nil {
		return err
	}
	switch w.rule {
	case "sort":
		err = w.passes(s, q, digits)
	case "reverse":
		err = w.reverse(s, q)
	default:
		err = w.compact(s, q)
	}
	return errors.Join(err, q.Wait(), back())
}

// room takes the memory that is needed, and returns what gives it back.
func (w *rearrangement) room(s *Space, q *queue) (back func() error, err error) {
	n, most := w.keys.n, w.keys.bytes
	for _, c := range w.values {
		most = max(most, c.bytes)
	}
	parts, all := []*driver.Address{}, 0
	part := func(at *driver.Address, bytes int) {
		*at, parts = driver.Address(all), append(parts, at)
		all += (bytes + natural - 1) &^ (natural - 1)
	}
	if w.rule != "reverse" {
		part(&w.counts, 4*256*(w.tiles+1))
		part(&w.buffers[0], n*w.key.Bytes)
		part(&w.buffers[1], n*w.key.Bytes)
	}
	if w.key.Ranks {
		part(&w.ranks[0], 4*n)
		part(&w.ranks[1], 4*n)
	}
	if w.key.Ranks || w.rule == "reverse" {
		part(&w.spare, n*most)
	}
	at, back, err := s.lend(q, all)
	for _, p := range parts {
		*p += at
	}
	return back, err
}

// lend returns memory of the device for a launch, and what gives it back: the queue keeps as much as launches usually have.
func (s *Space) lend(q *queue, bytes int) (at driver.Address, back func() error, err error) {
	allocate, back := func() { at, err = s.driver.Allocate(uint64(bytes)) }, func() error { return s.driver.Free(at) }
	if bytes <= maxFar {
		allocate, back = func() { at, err = q.apart(bytes) }, func() error { return nil }
	}
	if allocate(); errors.Is(err, driver.ErrOutOfMemory) && s.memory.release() > 0 {
		allocate()
	}
	return at, back, s.memory.explain(bytes, err)
}
