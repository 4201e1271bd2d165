// Package trial runs functors of random kernels on random data, as closures and as loops. It prints the
// outcomes as text that is equal if the bits are equal. Generated programs import the package.
package trial

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/scatter"
)

// A Point is a parameter that is a struct.
type Point struct {
	X, Y float64
	N    int
	W    [3]int32
}

// An Again is a parameter that is the []float64 before it again: a kernel stores to the one, and loads from the other.
type Again []float64

// A Row is a slice, with a number, in an array of these.
type Row struct {
	W float64
	X []float64
}

// A Node is the target of pointers in a slice. Next leads to one that nothing else does.
type Node struct {
	W    float64
	N    int32
	X    []float32
	Next *Node
}

// An Asked counts how often it is asked.
type Asked struct{ Times int }

// Again reports whether it was asked less often.
func (a *Asked) Again(than int) bool {
	a.Times++
	return a.Times < than
}

// Below counts, and reports whether the number is less than another one.
func Below(n *int, than int) bool {
	*n++
	return *n < than
}

// A Pair is an accumulator that is a struct.
type Pair struct {
	Sum   float64
	N     int
	Least float32
	Seen  bool
	Few   [2]int8
}

// A Two is one that has two numbers of a type.
type Two struct{ Most, Second float64 }

// Types are the parameters of random kernels, by their text.
var Types = map[string]reflect.Type{}

func init() {
	for _, x := range []any{
		float64(0), float32(0), 0, int32(0), uint64(0), uint32(0), false, int8(0), uint8(0), int16(0), uint16(0),
		complex128(0), complex64(0), []complex128(nil), []complex64(nil),
		[]float64(nil), []float32(nil), []int(nil), []int32(nil), []uint64(nil), []uint32(nil), []bool(nil), []int8(nil), []uint8(nil), []int16(nil), []uint16(nil),
		views.View1[float64]{}, views.View2[float64]{}, views.View2[float32]{}, views.Strided2[float64]{}, views.View3[float64]{},
		[3][]float64{}, [3][]float32{}, [3][]int{}, [3][]uint8{}, [2][]float64{}, [2][]int{}, [2]Row{}, [2]views.View1[float64]{}, [2]views.View2[float64]{},
		[][]float64(nil), [][]int32(nil), []*Node(nil), [4]float64{}, Point{}, Again(nil), Pair{}, Two{}, random.Pool{}, scatter.Access[float64]{}, scatter.Access[int]{}, builtin.ValLoc[float64, int]{}, builtin.MinMaxLocVal[float32, int32]{},
	} {
		t := reflect.TypeOf(x)
		Types[strings.ReplaceAll(t.String(), ",", ", ")] = t // as the compiler writes it
	}
}

// A Case is one launch.
type Case struct {
	Seed             uint64
	Begin, End, Item int
	Lanes            int
	Length           int // of slices, about
	Most             int // of points or rows, at most so many less one are run; 0 for all
}

// Cases returns the launches that a kernel is tried with.
func Cases(seed uint64) (cases []Case) {
	r := rand.New(rand.NewPCG(seed, 1))
	for n, length := range []int{40, 40, 23, 9, 1, 0, 170} { // the last one has rounds of several vectors, from any lane on
		begin := r.IntN(4)
		cases = append(cases, Case{seed*16 + uint64(n), begin, begin + r.IntN(length+4), r.IntN(64), 1 << r.IntN(6), length, 0})
	}
	return cases
}

// Params returns parameters of these types.
func (c Case) Params(types []reflect.Type) (params []any) {
	r := rand.New(rand.NewPCG(c.Seed, 7))
	var last []float64
	for _, t := range types {
		if t == reflect.TypeFor[Again]() {
			params = append(params, Again(last))
			continue
		}
		p := c.param(r, t)
		params = append(params, p)
		if x, ok := p.([]float64); ok {
			last = x
		}
	}
	return params
}

func (c Case) param(r *rand.Rand, t reflect.Type) any {
	switch t.Kind() {
	case reflect.Slice:
		n := 2*c.Length + 2
		if r.IntN(4) == 0 {
			n = r.IntN(n + 1)
		}
		s := reflect.MakeSlice(t, n, n+r.IntN(3))
		for k := range n {
			s.Index(k).Set(reflect.ValueOf(c.elem(r, t.Elem())))
		}
		return s.Interface()
	case reflect.Array:
		a := reflect.New(t).Elem()
		for k := range t.Len() {
			switch kind := t.Elem().Kind(); {
			case kind == reflect.Slice && k > 0 && r.IntN(6) == 0: // the same memory twice
				a.Index(k).Set(a.Index(k - 1))
			case kind == reflect.Slice || kind == reflect.Struct:
				a.Index(k).Set(reflect.ValueOf(c.param(r, t.Elem())))
			default:
				a.Index(k).Set(reflect.ValueOf(value(r, t.Elem())))
			}
		}
		return a.Interface()
	case reflect.Struct:
		if t == reflect.TypeFor[random.Pool]() {
			return random.New(r.Uint64())
		}
		if t == reflect.TypeFor[Row]() {
			return Row{double(r), c.param(r, reflect.TypeFor[[]float64]()).([]float64)}
		}
		if t == reflect.TypeFor[Point]() {
			return Point{double(r), double(r), r.IntN(9) - 2, [3]int32{int32(r.IntN(9)), -1, math.MinInt32}}
		}
		return view(r, c.Length, t)
	}
	if t.Kind() == reflect.Int { // bounds of loops, and indices
		return r.IntN(12) - 2
	}
	return value(r, t)
}

// elem returns an element of a slice: a number, and also a slice of at most 9 elements, or a pointer.
func (c Case) elem(r *rand.Rand, t reflect.Type) any {
	switch {
	case r.IntN(40) == 0:
		return reflect.Zero(t).Interface()
	case t.Kind() == reflect.Slice:
		c.Length = r.IntN(4)
		return c.param(r, t)
	case t == reflect.TypeFor[*Node]():
		next, _ := c.elem(r, reflect.TypeFor[[]float32]()).([]float32)
		x, _ := c.elem(r, reflect.TypeFor[[]float32]()).([]float32)
		return &Node{double(r), int32(r.IntN(9)), x, &Node{W: double(r), X: next}}
	}
	return value(r, t)
}

// view returns a view, some with gaps between rows.
func view(r *rand.Rand, n int, t reflect.Type) any {
	next := func() float64 { return double(r) }
	switch t {
	case reflect.TypeFor[views.View1[float64]](): // of lengths of their own, as one of several may be chosen
		if r.IntN(3) == 0 {
			n = r.IntN(n + 3)
		}
		return views.Must(views.Of1("v", fill(n, next)))
	case reflect.TypeFor[views.View2[float32]]():
		return views.Must(views.Of2("v", fill(n*6, func() float32 { return float32(double(r)) }), n, 6))
	case reflect.TypeFor[views.Strided2[float64]]():
		return views.Must(views.Of2("v", fill(n*6, next), 6, n)).Transpose()
	case reflect.TypeFor[views.View3[float64]]():
		return views.Must(views.Of3("v", fill(n*6, next), n, 2, 3))
	}
	if n == 0 {
		return views.Must(views.New2[float64]("v", 0, 6))
	}
	stride := 8 + r.IntN(3) // one of its own, as one of several may be chosen
	return views.Must(views.As2(views.Of("v", fill((n-1)*stride+6, next), []int{n, 6}, views.Stride{stride, 1})))
}

func fill[T any](n int, next func() T) []T {
	x := make([]T, n)
	for k := range x {
		x[k] = next()
	}
	return x
}

var special = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, -0x1p-1060, math.MaxFloat64, 1, -1, 0.5, 2.5, 0x1p53, 0x1p63, -0x1p31}

func double(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return math.Float64frombits(r.Uint64())
	case 2:
		return float64(r.IntN(7) - 3)
	}
	return r.NormFloat64()
}

func integer(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return r.Uint64()
	case 1:
		return []uint64{0, math.MaxUint64, 1 << 63, 1<<63 - 1, 1 << 31, 1<<31 - 1, 1 << 32}[r.IntN(7)]
	}
	return uint64(r.IntN(48) - 4)
}

func value(r *rand.Rand, t reflect.Type) any {
	switch t.Kind() {
	case reflect.Float64:
		return double(r)
	case reflect.Float32:
		return float32(double(r))
	case reflect.Complex128:
		return complex(double(r), double(r))
	case reflect.Complex64:
		return complex(float32(double(r)), float32(double(r)))
	case reflect.Bool:
		return r.IntN(2) == 0
	case reflect.Struct:
		if a, ok := access(t); ok {
			return a
		}
		switch t {
		case reflect.TypeFor[Two]():
			return Two{double(r), double(r)}
		case reflect.TypeFor[builtin.ValLoc[float64, int]]():
			return builtin.ValLoc[float64, int]{Val: double(r), Loc: int(integer(r))}
		case reflect.TypeFor[builtin.MinMaxLocVal[float32, int32]]():
			return builtin.MinMaxLocVal[float32, int32]{Min: float32(double(r)), MinLoc: int32(integer(r)), MaxLoc: int32(integer(r))}
		}
		return Pair{double(r), int(integer(r)), float32(double(r)), r.IntN(2) == 0, [2]int8{int8(r.Uint32()), int8(r.Uint32())}}
	}
	return reflect.ValueOf(integer(r)).Convert(t).Interface()
}

// Start returns the lanes of an accumulator before a launch, as a slice of the lanes of some number of
// leaves.
func (c Case) Start(t reflect.Type, leaves int) reflect.Value {
	r := rand.New(rand.NewPCG(c.Seed, 11))
	n := c.Lanes * leaves
	lanes := reflect.MakeSlice(reflect.SliceOf(t), n, n)
	for k := range n {
		lanes.Index(k).Set(reflect.ValueOf(value(r, t)))
	}
	return lanes
}
