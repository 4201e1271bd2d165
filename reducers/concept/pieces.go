package concept

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"reflect"
	"unsafe"
)

// A piece copies a part of values to bytes and back. at is where the value begins.
type piece interface {
	append(buf []byte, at unsafe.Pointer) ([]byte, error)
	set(at unsafe.Pointer, data []byte) (rest []byte, err error)
}

type pieces []piece

func (ps pieces) append(buf []byte, at unsafe.Pointer) (_ []byte, err error) {
	for _, p := range ps {
		if buf, err = p.append(buf, at); err != nil {
			return buf, err
		}
	}
	return buf, nil
}

func (ps pieces) set(at unsafe.Pointer, data []byte) (_ []byte, err error) {
	for _, p := range ps {
		if data, err = p.set(at, data); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// cut takes n bytes from the beginning of data.
func cut(data []byte, n int) (head, rest []byte, err error) {
	if len(data) < n {
		return nil, nil, fmt.Errorf("%d bytes are left, expected %d", len(data), n)
	}
	return data[:n:n], data[n:], nil
}

// lengthBytes is the size of a length.
const lengthBytes = 8

// cutCounted takes what is behind its length from the beginning of data.
func cutCounted(data []byte) (body, rest []byte, err error) {
	head, rest, err := cut(data, lengthBytes)
	if err != nil {
		return nil, nil, err
	}
	n := binary.LittleEndian.Uint64(head)
	if n > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("%d bytes are left, expected %d", len(rest), n)
	}
	return cut(rest, int(n))
}

// memory is numbers side by side.
type memory struct{ offset, size uintptr }

func (m memory) of(at unsafe.Pointer) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(at, m.offset)), m.size)
}

func (m memory) append(buf []byte, at unsafe.Pointer) ([]byte, error) {
	return append(buf, m.of(at)...), nil
}

func (m memory) set(at unsafe.Pointer, data []byte) ([]byte, error) {
	from, rest, err := cut(data, int(m.size))
	copy(m.of(at), from)
	return rest, err
}

// bools is n of these, which may not hold anything but 0 and 1.
type bools struct {
	offset uintptr
	n      int
}

func (b bools) append(buf []byte, at unsafe.Pointer) ([]byte, error) {
	return memory{b.offset, uintptr(b.n)}.append(buf, at)
}

func (b bools) set(at unsafe.Pointer, data []byte) ([]byte, error) {
	from, rest, err := cut(data, b.n)
	if err == nil {
		err = checkBools(from)
	}
	if err != nil {
		return nil, err
	}
	copy(memory{b.offset, uintptr(b.n)}.of(at), from)
	return rest, nil
}

func checkBools(data []byte) error {
	for _, b := range data {
		if b > 1 {
			return fmt.Errorf("a bool is %d, expected 0 or 1", b)
		}
	}
	return nil
}

// text is a string.
type text struct{ offset uintptr }

func (s text) append(buf []byte, at unsafe.Pointer) ([]byte, error) {
	x := *(*string)(unsafe.Add(at, s.offset))
	return append(binary.LittleEndian.AppendUint64(buf, uint64(len(x))), x...), nil
}

func (s text) set(at unsafe.Pointer, data []byte) ([]byte, error) {
	body, rest, err := cutCounted(data)
	if err == nil {
		*(*string)(unsafe.Add(at, s.offset)) = string(body)
	}
	return rest, err
}

// array is n elements with more or less than memory in them.
type array struct {
	offset, stride uintptr
	n              int
	elem           pieces
}

func (a *array) append(buf []byte, at unsafe.Pointer) (_ []byte, err error) {
	for k := 0; k < a.n && err == nil; k++ {
		buf, err = a.elem.append(buf, unsafe.Add(at, a.offset+uintptr(k)*a.stride))
	}
	return buf, err
}

func (a *array) set(at unsafe.Pointer, data []byte) (_ []byte, err error) {
	for k := 0; k < a.n && err == nil; k++ {
		data, err = a.elem.set(unsafe.Add(at, a.offset+uintptr(k)*a.stride), data)
	}
	return data, err
}

// marshaled is a value of a type with a binary form of its own.
type marshaled struct {
	offset uintptr
	t      reflect.Type
}

func (m marshaled) of(at unsafe.Pointer) any {
	return reflect.NewAt(m.t, unsafe.Add(at, m.offset)).Interface()
}

func (m marshaled) append(buf []byte, at unsafe.Pointer) ([]byte, error) {
	begin := len(buf)
	buf = binary.LittleEndian.AppendUint64(buf, 0)
	longer, err := m.of(at).(encoding.BinaryAppender).AppendBinary(buf)
	switch {
	case err != nil:
		return buf, fmt.Errorf("AppendBinary of %v: %w", m.t, err)
	case len(longer) < len(buf):
		return buf, fmt.Errorf("AppendBinary of %v returned %d bytes, expected the %d it was given and more", m.t, len(longer), len(buf))
	}
	binary.LittleEndian.PutUint64(longer[begin:], uint64(len(longer)-len(buf)))
	return longer, nil
}

func (m marshaled) set(at unsafe.Pointer, data []byte) ([]byte, error) {
	body, rest, err := cutCounted(data)
	if err != nil {
		return nil, err
	}
	if err := m.of(at).(encoding.BinaryUnmarshaler).UnmarshalBinary(body); err != nil {
		return nil, fmt.Errorf("UnmarshalBinary of %v: %w", m.t, err)
	}
	return rest, nil
}
