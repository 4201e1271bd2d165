package kernels

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// These kernels have accumulators that are structs, or load structs.

// ends is the least and the largest of x.
//
//gokkos:kernel
func ends(x views.View1[float64]) func(i int, acc *builtin.MinMaxVal[float64]) {
	return func(i int, acc *builtin.MinMaxVal[float64]) { acc.Add(x.At(i)) }
}

// lowest is the least of x and its first place, and outer both extremes with their places.
//
//gokkos:kernel
func lowest(x views.View1[float64]) func(i int, acc *builtin.ValLoc[float64, int]) {
	return func(i int, acc *builtin.ValLoc[float64, int]) { acc.Min(x.At(i), i) }
}

//gokkos:kernel
func outer(x views.View1[float32]) func(i int, acc *builtin.MinMaxLocVal[float32, int32]) {
	return func(i int, acc *builtin.MinMaxLocVal[float32, int32]) { acc.Add(x.At(i), int32(i)) }
}

// variance is the variance of x, and average its mean.
//
//gokkos:kernel
func variance(x views.View1[float64]) func(i int, acc *builtin.Moments[float64]) {
	return func(i int, acc *builtin.Moments[float64]) { acc.Add(x.At(i)) }
}

//gokkos:kernel
func average(x views.View1[float32]) func(i int, acc *builtin.Average[float32]) {
	return func(i int, acc *builtin.Average[float32]) { acc.Add(x.At(i)) }
}

// A Celsius is a temperature.
type Celsius float32

// A Particle has numbers of several sizes.
type Particle struct {
	At     [3]float64
	Heat   Celsius
	Kind   uint8
	Fixed  bool
	Memory struct{ Hits, Last int16 }
}

// A Span is what numbers of a type have reached.
type Span[T float32 | float64] struct {
	Low, High T
	N         uint32
}

// Add takes a number.
func (s *Span[T]) Add(x T) { s.Low, s.High, s.N = min(s.Low, x), max(s.High, x), s.N+1 }

// A Swarm is a tally of particles.
type Swarm struct {
	Hits   [4]int16
	_      int8
	Any    bool
	Heat   Celsius
	Inner  struct{ Weight float64 }
	Height Span[float32]
}

// Add takes a particle.
func (s *Swarm) Add(p *Particle) {
	s.Hits[p.Kind&3] += p.Memory.Hits
	s.Any = s.Any || p.Fixed
	s.Heat -= p.Heat
	s.Inner.Weight += float64(p.At[0] * p.At[2])
	s.Height.Add(float32(p.At[1]))
}

// tallied is the tally of particles, the sum of a coordinate, and whether all are fixed.
//
//gokkos:kernel
func tallied(p views.View1[Particle]) func(i int, all *Swarm, sum *float64, fixed *bool) {
	return func(i int, all *Swarm, sum *float64, fixed *bool) {
		one := p.At(i)
		all.Add(&one)
		*sum += one.At[1]
		*fixed = *fixed && one.Fixed
	}
}

// Nine is nine numbers, which are reduced in one lane as they take more than 64 bytes.
type Nine struct {
	Sums [8]float64
	N    int64
}

// ninefold weighs x in several ways, by the order of the items.
//
//gokkos:kernel
func ninefold(x views.View1[float64]) func(i int, acc *Nine) {
	return func(i int, acc *Nine) {
		acc.Sums[0] = x.At(i) - acc.Sums[0]/3
		acc.Sums[7] = acc.Sums[7]/2 + x.At(i)
		acc.N = 3*acc.N + 1
	}
}

// moved moves particles, of which some are fixed.
//
//gokkos:kernel
func moved(dt float64, p, q views.View1[Particle]) func(i int) {
	return func(i int) {
		one := p.At(i)
		if !one.Fixed {
			for d := range one.At {
				one.At[d] += float64(dt * float64(d+1))
			}
		}
		one.Heat /= 3
		one.Kind++
		one.Memory.Last = one.Memory.Hits - 7
		q.Set(i, one)
	}
}

// lowestPoint is the least of u, and its first point.
//
//gokkos:kernel
func lowestPoint(u views.View2[float64]) func(at policy.Index2, acc *builtin.ValLoc[float64, policy.Index2]) {
	return func(at policy.Index2, acc *builtin.ValLoc[float64, policy.Index2]) { acc.Min(u.At(at.I, at.J), at) }
}

// rowSpans is the span of rows, and the row whose sum is the largest.
//
//gokkos:kernel
func rowSpans(u views.View2[float64]) func(r policy.Row[policy.Index2], span *Span[float64], most *builtin.ValLoc[float64, int]) {
	return func(r policy.Row[policy.Index2], span *Span[float64], most *builtin.ValLoc[float64, int]) {
		s := 0.0
		for j := range r.All() {
			s += u.At(r.At.I, j)
			span.Add(u.At(r.At.I, j))
		}
		most.Max(s, r.At.I)
	}
}

// spread3 is the span of numbers of the points of boxes.
//
//gokkos:kernel
func spread3(a float64) func(at policy.Index3, acc *Span[float64]) {
	return func(at policy.Index3, acc *Span[float64]) { acc.Add(float64(a*float64(at.I)) - float64(at.J*at.K)) }
}

//gokkos:kernel
func spread4(a float64) func(at policy.Index4, acc *Span[float64]) {
	return func(at policy.Index4, acc *Span[float64]) {
		acc.Add(float64(a*float64(at.I*at.L)) - float64(at.J*at.K))
	}
}
