// Package claims has what kernels of other packages choose one item by.
package claims

import "sync/atomic"

// An Owner is what one item may have.
type Owner struct {
	taken   atomic.Bool
	Verbose bool
}

func (o *Owner) Claim() bool { return o.taken.CompareAndSwap(false, true) }

// A Claimer is what one item may have.
type Claimer interface{ Claim() bool }

// Next returns the next number.
func Next(n *atomic.Int64) int64 { return n.Add(1) }

// IsFirst reports whether an item is the first.
func IsFirst(i int) bool { return i == 0 }

// Loud reports whether a mode says so.
func Loud(mode string) bool { return mode == "loud" }
