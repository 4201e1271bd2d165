package suite

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/gokkos/gokkos/reducers"
)

// op is an operation and the values that items have for it.
type op[A any] struct {
	name    string
	init    func(val *A)        // nil if the identity is the zero value
	join    func(dst, src *A)   //
	add     func(acc *A, k int) // joins the value of item k
	same    func(a, b A) bool   // bit by bit
	ordered bool
	most    int                            // largest number of items it is used for
	near    func(got, plain A, n int) bool // instead of same, if rounding is involved
}

// reducer returns the operation as a reducer.
func (o op[A]) reducer(result *A) reducers.Reducer[A] {
	var identity []reducers.Option[A]
	if o.init != nil {
		identity = append(identity, reducers.Init(o.init))
	}
	var r reducers.Reducer[A] = reducers.New(result, o.join, identity...)
	if o.ordered {
		r = reducers.Ordered(r)
	}
	return r
}

// plain joins the values of items 0 to n-1 in a loop.
func (o op[A]) plain(n int) A {
	var acc A
	if o.init != nil {
		o.init(&acc)
	}
	for k := range n {
		o.add(&acc, k)
	}
	return acc
}

// right reports whether got is the result of a plain loop over n items, up to
// rounding if the operation rounds.
func (o op[A]) right(got, plain A, n int) bool {
	if o.near != nil {
		return o.near(got, plain, n)
	}
	return o.same(got, plain)
}

const anySize = math.MaxInt

// noise returns bits that look random.
func noise(k int) uint64 {
	z := uint64(k)*0x9e3779b97f4a7c15 + 0x5eed
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// magnitudes spread the values so that sums round differently in every order.
var magnitudes = [8]float64{1, 1e-3, 1e3, 7, 1e-6, 1e6, 0.1, 33}

func real64(k int) float64 {
	h := noise(k)
	return float64(int64(h)) / (1 << 63) * magnitudes[h&7]
}

func equal[A comparable](a, b A) bool { return a == b }

func sameReal(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// within reports whether two sums of n values differ by no more than rounding
// to the given unit can do.
func within(difference, unit float64, n int) bool {
	size := 0.0
	for k := range n {
		size += math.Abs(real64(k))
	}
	return difference <= 2*unit*float64(n)*size
}

var (
	ints = op[int64]{
		name: "int64", most: anySize,
		join: func(dst, src *int64) { *dst += *src },
		add:  func(acc *int64, k int) { *acc += int64(noise(k)) },
		same: equal[int64],
	}
	floats = op[float64]{
		name: "float64", most: anySize,
		join: func(dst, src *float64) { *dst += *src },
		add:  func(acc *float64, k int) { *acc += real64(k) },
		same: sameReal,
		near: func(got, plain float64, n int) bool { return within(math.Abs(got-plain), 1.0/(1<<53), n) },
	}
	floats32 = op[float32]{
		name: "float32", most: anySize,
		join: func(dst, src *float32) { *dst += *src },
		add:  func(acc *float32, k int) { *acc += float32(real64(k)) },
		same: func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) },
		near: func(got, plain float32, n int) bool {
			return within(math.Abs(float64(got)-float64(plain)), 1.0/(1<<24), n)
		},
	}
	complexes = op[complex128]{
		name: "complex128", most: anySize,
		join: func(dst, src *complex128) { *dst += *src },
		add:  func(acc *complex128, k int) { *acc += complex(real64(k), -real64(k)) },
		same: func(a, b complex128) bool { return sameReal(real(a), real(b)) && sameReal(imag(a), imag(b)) },
		near: func(got, plain complex128, n int) bool { return within(cmplx.Abs(got-plain), 2.0/(1<<53), n) },
	}
	// maps are x -> m*x+b, joined by composition, which does not commute.
	maps = op[affine]{
		name: "ordered map", most: anySize, ordered: true,
		init: func(val *affine) { *val = affine{1, 0} },
		join: func(dst, src *affine) { *dst = dst.then(*src) },
		add:  func(acc *affine, k int) { *acc = acc.then(affine{noise(k) | 1, noise(-k)}) },
		same: equal[affine],
	}
	texts = op[string]{
		name: "ordered string", most: 1000, ordered: true,
		join: func(dst, src *string) { *dst += *src },
		add:  func(acc *string, k int) { *acc += string(rune('a' + noise(k)%26)) },
		same: equal[string],
	}
	// vectors refer to memory, which partial results must not share.
	vectors = op[[]int64]{
		name: "slice", most: 5000,
		init: func(val *[]int64) { *val = make([]int64, 5) },
		join: func(dst, src *[]int64) {
			for k, x := range *src {
				(*dst)[k] += x
			}
		},
		add:  func(acc *[]int64, k int) { (*acc)[k%5] += int64(noise(k)) },
		same: func(a, b []int64) bool { return slices.Equal(a, b) },
	}
	// blocks are too large to be reduced in lanes.
	blocks = op[[9]float64]{
		name: "72 bytes", most: 5000,
		join: func(dst, src *[9]float64) {
			for k, x := range src {
				dst[k] += x
			}
		},
		add: func(acc *[9]float64, k int) { acc[k%9] += real64(k) },
		same: func(a, b [9]float64) bool {
			return slices.EqualFunc(a[:], b[:], sameReal)
		},
		near: func(got, plain [9]float64, n int) bool {
			return slices.EqualFunc(got[:], plain[:], func(x, y float64) bool { return within(math.Abs(x-y), 1.0/(1<<53), n) })
		},
	}
)

// affine is the map x -> m*x+b.
type affine struct{ m, b uint64 }

// then returns f followed by g.
func (f affine) then(g affine) affine { return affine{g.m * f.m, g.m*f.b + g.b} }
