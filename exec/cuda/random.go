package cuda

import (
	"context"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/randoms"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space/device"
)

// FillRandom implements [device.RandomFiller].
func (s *Space) FillRandom(ctx context.Context, r device.Random) error {
	if err := s.invalid(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	if err := s.fillRandom(ctx, r); err != nil {
		return fmt.Errorf("cuda: %w", err)
	}
	return nil
}

// fourths is how many items of package randoms a launch runs at most: a cancel is heard in some milliseconds.
const fourths = 1 << 26

func (s *Space) fillRandom(ctx context.Context, r device.Random) error {
	if r.Memory != device.Memory(s.memory) {
		return fmt.Errorf("random numbers in the memory of %v, expected that of %v", r.Memory, s.memory)
	}
	f, n, ok := drawing(r)
	if !ok {
		return fmt.Errorf("the device makes no numbers %T of type %T, expected integers for device.UniformInts, and floats for device.UniformFloats and device.NormalFloats", r.Law, r.X)
	}
	call, ok := device.Functor{Func: f}.Code("ptx").(*kernel.Call)
	if !ok {
		return fmt.Errorf("the kernel of numbers %T is of another version of gokkos", r.Law)
	}
	call.Memories[0].In = s.memory
	w := &kernelWork{call: call, index: []uint64{0}}
	x := reflect.ValueOf(r.X)
	size := int(x.Type().Elem().Size())
	all := s.stretches((n+3)/4, n*size, func(k int) driver.Address { return addressOf(x.UnsafePointer()) + driver.Address(4*k*size) })
	return each(len(all), func(k int) error {
		mine := *w
		return all[k].on.onQueue(func(q *queue) error { return mine.fill(ctx, all[k], q) })
	})
}

// fill runs items of a functor of package randoms.
func (w *kernelWork) fill(ctx context.Context, p stretch, q *queue) error {
	c, err := w.load(p.on)
	if err == nil {
		err = w.place(q)
	}
	for first := p.begin; first < p.end && err == nil; first += fourths {
		if err = ctx.Err(); err != nil {
			break
		}
		last := min(first+fourths, p.end)
		f, p := w.entry(c, first, last, places{status: q.there + statusAt})
		err = run(q, f, last-first, blockThreads, p)
	}
	return err
}

// drawing returns the functor that makes numbers, four to an item, and how many they are. It is not ok if there is none.
func drawing(r device.Random) (f func(i int), n int, ok bool) {
	x := reflect.ValueOf(r.X)
	if x.Kind() != reflect.Slice {
		return nil, 0, false
	}
	at, kind, k0, k1 := x.UnsafePointer(), x.Type().Elem().Kind(), r.Key[0], r.Key[1]
	n = x.Len()
	switch l := r.Law.(type) {
	case device.UniformFloats:
		switch kind {
		case reflect.Float64:
			f = randoms.Uniform64(slice[float64](at, n), k0, k1, l.From, l.Width, l.Last)
		case reflect.Float32:
			f = randoms.Uniform32(slice[float32](at, n), k0, k1, l.From, l.Width, float32(l.Last))
		}
	case device.NormalFloats:
		switch kind {
		case reflect.Float64:
			f = randoms.Normal64(slice[float64](at, n), k0, k1, l.Mean, l.Deviation)
		case reflect.Float32:
			f = randoms.Normal32(slice[float32](at, n), k0, k1, l.Mean, l.Deviation)
		}
	case device.UniformInts:
		switch kind {
		case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
			f = randoms.Whole64(slice[uint64](at, n), k0, k1, l.From, l.Count)
		case reflect.Int32, reflect.Uint32:
			f = randoms.Whole32(slice[uint32](at, n), k0, k1, l.From, l.Count)
		case reflect.Int16, reflect.Uint16:
			f = randoms.Whole16(slice[uint16](at, n), k0, k1, l.From, l.Count)
		case reflect.Int8, reflect.Uint8:
			f = randoms.Whole8(slice[uint8](at, n), k0, k1, l.From, l.Count)
		}
	}
	return f, n, f != nil
}

// slice returns elements in the memory of a device, which nobody here can touch.
func slice[T any](at unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(at), n) }
