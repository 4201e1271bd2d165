package moments

import (
	"context"
	"encoding/binary"
	"fmt"
	gohash "hash"
	"hash/fnv"
	"iter"
	"math"
	"slices"
)

// resultName names results[k] of n reductions.
func resultName(k, n int) string {
	if k < n {
		return fmt.Sprintf("mean[%d]", k)
	}
	return fmt.Sprintf("mean of squares[%d]", k-n)
}

// bitsOf returns the bits of x.
func bitsOf[T real](x T) uint64 {
	if x, ok := any(x).(float32); ok {
		return uint64(math.Float32bits(x))
	}
	return math.Float64bits(float64(x))
}

// hashOf returns a hash of the bits of all results.
func hashOf[T real](ctx context.Context, results []T, t *terminal) (uint64, error) {
	ph := t.begin("hashing", len(results))
	defer ph.end()
	h := fnv.New64a()
	err := pieces(ctx, len(results), ph, func(begin, end int) { addBits(h, slices.Values(results[begin:end])) })
	return h.Sum64(), err
}

// Hash returns the hash that the program prints: of the bits of all of these, such as the means and then the means of squares.
func Hash[T real](all ...iter.Seq[T]) uint64 {
	h := fnv.New64a()
	for _, x := range all {
		addBits(h, x)
	}
	return h.Sum64()
}

func addBits[T real](h gohash.Hash64, all iter.Seq[T]) {
	var b [8]byte
	for x := range all {
		binary.LittleEndian.PutUint64(b[:], bitsOf(x))
		h.Write(b[:]) // never fails
	}
}

// comparison compares the results of every run with those of the first, bit by
// bit.
type comparison[T real] struct {
	runs       int
	first      []T
	space      string // that the first run was on
	difference string // the first one found
}

func (c *comparison[T]) add(ctx context.Context, space string, results []T, t *terminal) error {
	ph := t.begin("comparing", len(results))
	defer ph.end()
	c.runs++
	if c.runs == 1 {
		c.first, c.space = make([]T, len(results)), space
		return pieces(ctx, len(results), ph, func(begin, end int) {
			copy(c.first[begin:end], results[begin:end])
		})
	}
	return pieces(ctx, len(results), ph, func(begin, end int) {
		for k := begin; k < end; k++ {
			if a, b := bitsOf(c.first[k]), bitsOf(results[k]); a != b && c.difference == "" {
				c.difference = fmt.Sprintf("%s is %#x on %s and %#x on %s, run %d",
					resultName(k, len(results)/2), a, c.space, b, space, c.runs)
			}
		}
	})
}

// verify compares results with those of a plain loop, which shares no code with
// what it checks, and describes the first mismatch, if any.
func verify[T real](ctx context.Context, x nhwc[T], results []T, t *terminal) (mismatch string, err error) {
	ph := t.begin("verifying", len(x.data))
	defer ph.end()
	reductions := x.reductions()
	wrong := make([]string, 2) // the first mismatch of each kind
	var buf []T
	if !x.reduced.adjacent(x.lengths) {
		buf = make([]T, 0, x.items())
	}
	for n := range reductions {
		w, err := naive(ctx, x.block(n, buf), ph)
		if err != nil {
			return "", err
		}
		for kind, want := range []interval{w.mean, w.meanSq} {
			k := kind*reductions + n
			if got := float64(results[k]); wrong[kind] == "" && !contains[T](want, got) {
				wrong[kind] = fmt.Sprintf("%s is %v, expected %v", resultName(k, reductions), got, want)
			}
		}
	}
	if wrong[0] != "" {
		return wrong[0], nil
	}
	return wrong[1], nil
}

// interval is what a result may be, before it is rounded: value±radius. An
// infinite radius allows NaN as well.
type interval struct{ value, radius float64 }

func (i interval) String() string { return fmt.Sprintf("%v ± %.2g", i.value, i.radius) }

// contains reports whether got can be the rounding to T of a number in the
// interval: rounding is monotonic, so it lies between the rounded ends.
func contains[T real](i interval, got float64) bool {
	switch {
	case math.IsInf(i.radius, 1):
		return true
	case math.IsNaN(i.value):
		return math.IsNaN(got)
	}
	return float64(T(i.value-i.radius)) <= got && got <= float64(T(i.value+i.radius))
}

type expected struct{ mean, meanSq interval }

// naive computes the moments of a block in a plain loop, and how far those of
// any other order of summation may be away.
//
// The sum of m float64 numbers in any order is off by at most γ(m-1) Σ|x|, where
// γ(k) = k·u/(1-k·u) and u = 2^-53; the quotient adds one rounding. Both sides
// may be off, in opposite directions.
//
// Where the quotient underflows so far that the bound does too, the sums are
// exact.
//
// Items that are infinite or NaN make the results so in any order, and these
// are expected exactly.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
// section 4.2.
func naive[T real](ctx context.Context, block []T, ph *phase) (expected, error) {
	var sum, sumSq float64
	var size float64 // Σ|x| over the items that are finite
	for begin := 0; begin < len(block); begin += pieceItems {
		if ctx.Err() != nil {
			return expected{}, context.Cause(ctx)
		}
		x := block[begin:min(begin+pieceItems, len(block))]
		for _, v := range x {
			v := float64(v)
			sum += v
			sumSq += float64(v * v)
			if a := math.Abs(v); a <= math.MaxFloat64 {
				size += a
			}
		}
		ph.add(len(x))
	}
	items := float64(len(block))
	k := (items + 4) * 0x1p-53 // 4: quotients, and the roundings in this formula
	gamma := 2 * k / (1 - k)
	radius := func(sum, size float64) float64 {
		if math.IsInf(sum, 0) || math.IsNaN(sum) {
			return 0
		}
		return gamma * size / items
	}
	e := expected{
		mean:   interval{sum / items, radius(sum, size)},
		meanSq: interval{sumSq / items, radius(sumSq, sumSq)},
	}
	if math.IsInf(size, 1) {
		e.mean.radius = math.Inf(1) // the order decides whether and where the sum overflows
	}
	return e, nil
}
