package mpi

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// NoColor is the color of a rank that wants no part of a [Comm.Split].
const NoColor = link.NoColor

// Split returns a communicator of the ranks that give the same color, which is 0 or more, in the
// order of key, and of rank where keys are equal. Ranks that give [NoColor] get nil. Both are
// numbers of 32 bits. All ranks call it. What is sent by one communicator is received by the same
// one.
//
// Where the library does not allow calls of several threads at one time, ranks that make
// communicators of different ones make them in one order: by Split, or by the first [NewArray] on
// one.
func (c *Comm) Split(color, key int) (*Comm, error) {
	if err := c.usable("Split"); err != nil {
		return nil, err
	}
	if color < 0 && color != NoColor || color > math.MaxInt32 {
		return nil, fmt.Errorf("mpi: Split of %s with color %d, expected 0 to %d, or NoColor", c.Name(), color, math.MaxInt32)
	}
	if int(int32(key)) != key {
		return nil, fmt.Errorf("mpi: Split of %s with key %d, expected %d to %d", c.Name(), key, math.MinInt32, math.MaxInt32)
	}
	l, err := c.link.Split(color, key)
	if err != nil || l == nil {
		return nil, err
	}
	return newComm(l)
}

// Close gives up a communicator of [Comm.Split]. All of its ranks call it, when none of its
// messages is on the way. It is an error for that of [Init] and [Local], which ends by itself.
func (c *Comm) Close() error {
	if err := c.usable("Close"); err != nil {
		return err
	}
	if err := c.link.Close(); err != nil {
		return err
	}
	if c.arrays.comm != nil {
		if err := c.arrays.comm.link.Close(); err != nil {
			return err
		}
	}
	return c.launch.link.Close()
}

// Abort ends the job, all ranks of it, with an exit status from 1 to 255, and tells the user
// why on standard error. It does not return, but in [Local], where calls of all ranks fail then.
func (c *Comm) Abort(status int, why error) {
	if why == nil {
		why = errors.New("no reason was given")
	}
	c.link.Abort(status, why.Error())
}
