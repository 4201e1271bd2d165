package mpi

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// Ranks that are many talk along a tree: rank r hears of r+1, r+2, r+4, ..., as long as that
// power of two divides r, each of which speaks for as many ranks from there on. So what a rank
// speaks for are neighbours, in their order.

const (
	upTag = iota
	downTag
)

// up calls take with what each of the ranks below says, in their order, and then say for what to
// tell the rank above. On rank 0 nothing is told. take is given how many ranks lie between.
func up(l link.Link, take func(distance int, message []byte) error, say func() []byte) error {
	rank, size := l.Rank(), l.Size()
	for d := 1; d < size; d *= 2 {
		if rank&d != 0 {
			return l.Send(rank-d, upTag, say())
		}
		if rank+d < size {
			message, err := receive(l, rank+d, upTag)
			if err == nil {
				err = take(d, message)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// down returns what the rank above says, and hear is to be called with that; message is what
// rank 0 says. say returns what to tell the rank that lies so far below, the farthest first.
func down(l link.Link, hear func(message []byte) error, say func(distance int) []byte) error {
	rank, size := l.Rank(), l.Size()
	d := 1
	for ; d < size && rank&d == 0; d *= 2 {
	}
	if rank > 0 {
		message, err := receive(l, rank-d, downTag)
		if err == nil {
			err = hear(message)
		}
		if err != nil {
			return err
		}
	}
	for d /= 2; d > 0; d /= 2 {
		if rank+d < size {
			if err := l.Send(rank+d, downTag, say(d)); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell gives all ranks what rank 0 says.
func tell(l link.Link, message []byte) ([]byte, error) {
	err := down(l, func(m []byte) error { message = m; return nil }, func(int) []byte { return message })
	return message, err
}

// receive returns a message, however long it is.
func receive(l link.Link, src, tag int) ([]byte, error) {
	s, err := l.Probe(src, tag)
	if err != nil {
		return nil, err
	}
	message := make([]byte, s.Bytes)
	if _, err = l.Recv(src, tag, message); err != nil {
		return nil, fmt.Errorf("a message of rank %d: %w", src, err)
	}
	return message, nil
}
