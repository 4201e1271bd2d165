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

// A Version is compared by its methods.
type Version struct{ Major, Minor int }

// Less reports whether v is older.
func (v Version) Less(w Version) bool { return v.Major < w.Major }

// Compare compares v with w.
func (v Version) Compare(w Version) int { return v.Major - w.Major }

// None reports whether there is no version.
func (v Version) None() bool { return v == Version{} }

// Less reports whether v is older.
func Less(v, w Version) bool { return v.Less(w) }
