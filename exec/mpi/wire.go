package mpi

import (
	"encoding/binary"
	"errors"
)

// Messages are made of integers of as few bytes as they need, and of texts after their length.

func appendInt(buf []byte, n int) []byte { return binary.AppendVarint(buf, int64(n)) }

func appendText[T ~string | ~[]byte](buf []byte, text T) []byte {
	return append(appendInt(buf, len(text)), text...)
}

// reader reads what these have written. It is torn once there was less than asked for.
type reader struct {
	data []byte
	torn bool
}

var errTorn = errors.New("a message of another rank is cut off or none of this program")

func (r *reader) int() int {
	n, size := binary.Varint(r.data)
	if size <= 0 || int64(int(n)) != n {
		r.torn, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// count returns the length of a list, each element of which takes a byte at least.
func (r *reader) count() int {
	n := r.int()
	if n < 0 || n > len(r.data) {
		r.torn, r.data = true, nil
		return 0
	}
	return n
}

// bytes returns a text, in the memory of the message.
func (r *reader) bytes() []byte {
	n := r.count()
	taken := r.data[:n:n]
	r.data = r.data[n:]
	return taken
}

// end returns an error unless all has been read.
func (r *reader) end() error {
	if r.torn || len(r.data) > 0 {
		return errTorn
	}
	return nil
}
