// Package link is the contract between package mpi and what carries its messages: one
// communicator, of bytes. A real MPI library is one implementation, goroutines of one process
// are another. Both behave alike in all that is said here.
//
// # Goroutines
//
// The methods may be called by any goroutine, by several at once, and whoever calls need not
// lock a thread. Collectives of one link are the exception: they must be called one at a time,
// in one order on all ranks. Different links do not disturb each other: each has an order of
// its own, and a message that is sent by one is received by the same one.
//
// # Memory
//
// Buffers belong to the link from the call until it returns, or until Wait or a true Test
// of the request returns. They are ordinary Go memory: a link pins what it has to. They must not
// overlap, and may be nil where they have no bytes. A recv buffer that is longer than what
// arrives keeps its rest; what it holds after an error is arbitrary.
//
// # Errors
//
// No method panics and none ends the process, except [Link.Abort]. A wrong argument is an error
// before anything is sent, so on this rank only: "link: Send to rank 7 of 4". Whatever the
// library says is an error with its text. A rank that has died is an error that wraps [ErrDead]
// in every call of a link that it belongs to, those that wait included, unless the library ends
// the whole job by then, as most do. A call that waits for a rank that has ended fails as well: with an error that names
// the rank and wraps [ErrEnded], or with the end of the job and that text. Other calls go on. A message that a rank sends to itself does not
// count once all other ranks have ended. After ErrDead or [ErrClosed] a link is of no more use.
package link

import "errors"

// AnySource and AnyTag are what Recv, Irecv and Probe take for a message of whichever rank, and
// with whichever tag. Implementations translate them.
const (
	AnySource = -1
	AnyTag    = -1
)

// MaxTag is the largest tag that every link knows, the least upper bound in the MPI standard.
const MaxTag = 1<<15 - 1

// NoColor is the color of a rank that wants no part of a [Link.Split].
const NoColor = -1

// Errors that callers look for. They are wrapped in errors that say which rank and which call.
var (
	ErrDead     = errors.New("a rank has died")
	ErrEnded    = errors.New("expected each rank to do its part before it ends")
	ErrClosed   = errors.New("the communicator is closed")
	ErrTruncate = errors.New("the message is longer than the buffer")
)

// A Link is a communicator: a number of ranks that exchange bytes.
type Link interface {
	// Rank returns the number of this rank, from 0. It does not change.
	Rank() int
	// Size returns the number of ranks, at least 1. It does not change.
	Size() int
	// Name names the communicator in messages, such as "world". It is not empty. Dup and Split
	// derive the names of theirs from it.
	Name() string

	// Send sends b to a rank, with a tag from 0 to MaxTag. It may return before the message is
	// received, and may wait for that: a program is right if it works either way. A rank may
	// send to itself if a receive is posted.
	Send(dst, tag int, b []byte) error
	// Recv waits for the next message of src with that tag and puts it at the beginning of b.
	// Messages of one rank that match are received in the order in which they were sent. If b is
	// too short the error wraps ErrTruncate, and the message is gone.
	Recv(src, tag int, b []byte) (Status, error)
	// Isend and Irecv begin a Send and a Recv. Messages of one rank overtake neither those of
	// Send nor those of Isend. The requests that are returned must be waited for, or tested
	// until done, else they are leaked.
	Isend(dst, tag int, b []byte) (Request, error)
	Irecv(src, tag int, b []byte) (Request, error)
	// Probe waits until Recv would find a message and describes it, and leaves it there. If
	// several goroutines receive what matches, that message may be gone.
	Probe(src, tag int) (Status, error)

	// Barrier waits until all ranks have called it.
	Barrier() error
	// Bcast copies b of the rank root into b of all others. All have the same length.
	Bcast(b []byte, root int) error
	// Allgather copies send of rank k to recv[k*len(send):] on all ranks. send has the same
	// length everywhere, and recv that times Size.
	Allgather(send, recv []byte) error
	// Allgatherv is Allgather of different lengths: counts[k] is that of rank k, the same counts
	// everywhere. Rank k's bytes follow those of rank k-1.
	Allgatherv(send, recv []byte, counts []int) error
	// Gatherv is Allgatherv to the rank root only; elsewhere recv and counts do not matter and
	// may be nil.
	Gatherv(send, recv []byte, counts []int, root int) error
	// Scatterv gives rank k counts[k] bytes of send, which follow those of rank k-1. recv has
	// that length. send and counts matter on the rank root only.
	Scatterv(send []byte, counts []int, recv []byte, root int) error
	// Alltoallv gives rank k sendCounts[k] bytes of send, which follow those for rank k-1, and
	// gets recvCounts[k] from it.
	Alltoallv(send []byte, sendCounts []int, recv []byte, recvCounts []int) error

	// Split returns a link of the ranks that give the same color, in the order of key, and of
	// rank where keys are equal. It is nil, without an error, for those that give NoColor.
	// A color is 0 or more. It is a collective.
	Split(color, key int) (Link, error)
	// Dup returns a link of the same ranks, whose messages are apart from this one's. It is a
	// collective.
	Dup() (Link, error)
	// Abort ends the job, all ranks of it, with an exit code from 1 to 255, and tells the user
	// why. It returns only where ranks are no processes: each call then fails, everywhere.
	Abort(code int, why string)
	// Close frees the link. It is a collective, and waits for nothing. It is an error, and closes
	// nothing, if a request of this rank is not done. It is an error to close twice; the link of
	// the whole world is not closed.
	Close() error
}

// Near is a [Link] that may be one of goroutines of one process, which can touch the memory of each other.
type Near interface {
	Link
	Near() bool
}

// A Status describes a message.
type Status struct {
	Source, Tag, Bytes int
	Cancelled          bool // there was none: the request was cancelled in time
}

// A Request is a Send or a Recv that goes on. One goroutine at a time may use it.
type Request interface {
	// Wait waits until the call is done. Bytes of a Send's status are what was sent.
	Wait() (Status, error)
	// Test reports whether it is done, as Wait does then. After that Test and Wait return the
	// same again.
	Test() (done bool, s Status, err error)
	// Cancel asks the library to give the call up. Whether it has is in the status, once the
	// call is done, and done it must be: by Wait or Test, as ever. Many libraries never cancel a
	// Send.
	Cancel() error
}
