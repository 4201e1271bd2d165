package ops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
)

// kernels are constructors of closures and of compiled functors.
var kernels = map[string][2]any{
	"doubles": {doubles, Doubles}, "least": {least, Least}, "most": {most, Most}, "rounds": {rounds, Rounds}, "switched": {switched, Switched},
	"singles": {singles, Singles}, "leastSingle": {leastSingle, LeastSingle}, "mostSingle": {mostSingle, MostSingle},
	"longs": {longs, Longs}, "unsignedLongs": {unsignedLongs, UnsignedLongs}, "ints": {ints, Ints}, "unsignedInts": {unsignedInts, UnsignedInts},
	"shiftLongs": {shiftLongs, ShiftLongs}, "shiftUnsigned": {shiftUnsigned, ShiftUnsigned}, "shiftInts": {shiftInts, ShiftInts},
	"shiftIntsByLongs": {shiftIntsByLongs, ShiftIntsByLongs}, "shiftConstant": {shiftConstant, ShiftConstant},
	"divide": {divide, Divide}, "divideUnsigned": {divideUnsigned, DivideUnsigned}, "divideInts": {divideInts, DivideInts}, "divideUnsignedInts": {divideUnsignedInts, DivideUnsignedInts},
	"converted": {converted, Converted}, "convertedLong": {convertedLong, ConvertedLong}, "convertedUnsigned": {convertedUnsigned, ConvertedUnsigned}, "convertedSingles": {convertedSingles, ConvertedSingles}, "bits": {bits, Bits},
	"truths": {truths, Truths}, "truthsOfSingles": {truthsOfSingles, TruthsOfSingles}, "maskedTruths": {maskedTruths, MaskedTruths}, "truthsIf": {truthsIf, TruthsIf},
	"indexed": {indexed, Indexed}, "branches": {branches, Branches}, "early": {early, Early}, "masked": {masked, Masked},
	"gathered": {gathered, Gathered}, "checkedGather": {checkedGather, CheckedGather}, "maskedGather": {maskedGather, MaskedGather},
	"stored": {stored, Stored}, "scattered": {scattered, Scattered}, "maskedScatter": {maskedScatter, MaskedScatter}, "strided": {strided, Strided}, "maskedStride": {maskedStride, MaskedStride}, "reversed": {reversed, Reversed},
	"loops": {loops, Loops}, "lastOf": {lastOf, LastOf}, "ten": {ten, Ten}, "heavy": {heavy, Heavy}, "carried": {carried, Carried}, "outer": {outer, Outer}, "scaledRows": {scaledRows, ScaledRows}, "smeared": {smeared, Smeared}, "uniform": {uniform, Uniform},
	"sums": {sums, Sums}, "sums32": {sums32, Sums32}, "four": {four, Four}, "count": {count, Count}, "indices": {indices, Indices},
	"divideBy": {divideBy, DivideBy}, "divideByLanes": {divideByLanes, DivideByLanes}, "divideUnsignedByLanes": {divideUnsignedByLanes, DivideUnsignedByLanes},
	"bytes": {bytes, Bytes}, "bytesOfLongs": {bytesOfLongs, BytesOfLongs}, "bytesSummed": {bytesSummed, BytesSummed},
	"singlesOfLongs": {singlesOfLongs, SinglesOfLongs},
	"leaving":        {leaving, Leaving}, "leavingNested": {leavingNested, LeavingNested}, "leavingGather": {leavingGather, LeavingGather}, "leavingRows": {leavingRows, LeavingRows},
}

var special = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, -0x1p-1060, math.MaxFloat64, 1, -1, 0x1p53 + 1, 0x1p63, -0x1p63, 0x1p31, -0x1p31, 2147483647.5, 0.5, 1.5, 2.5, -2.5, 0.49999999999999994}

// random returns a number of a type, or an array of them.
func random(r *rand.Rand, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(random(r, t.Elem()))
		}
	case reflect.Float64, reflect.Float32:
		x := r.NormFloat64()
		switch r.IntN(4) {
		case 0:
			x = special[r.IntN(len(special))]
		case 1:
			x = math.Float64frombits(r.Uint64())
			if t.Kind() == reflect.Float32 {
				x = float64(math.Float32frombits(r.Uint32()))
			}
		}
		v.SetFloat(x)
	case reflect.Int, reflect.Int32, reflect.Int16, reflect.Int8:
		x := []int64{r.Int64N(20) - 5, int64(r.Uint64()), math.MinInt64, math.MaxInt64, -1, math.MinInt32, math.MaxInt32, int64(r.Uint32())}[r.IntN(8)]
		v.SetInt(x)
	case reflect.Uint64, reflect.Uint32, reflect.Uint, reflect.Uint16, reflect.Uint8:
		v.SetUint([]uint64{r.Uint64N(70), r.Uint64(), 1 << 63, math.MaxUint64, 1 << 31, math.MaxUint32, 1<<63 + 1, uint64(r.Uint32())}[r.IntN(8)])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	}
	return v
}

// arguments returns the arguments of a constructor, with slices of n elements that have no memory around
// them. Scalars are small: they are extents and strides.
func arguments(t *testing.T, r *rand.Rand, f reflect.Type, n int) (args []reflect.Value, release func()) {
	var all []func()
	atEnd := r.IntN(2) == 0
	for i := range f.NumIn() {
		of := f.In(i)
		if of.Kind() != reflect.Slice {
			v := random(r, of)
			if of.Kind() == reflect.Int {
				v.SetInt(int64(r.IntN(7)))
			}
			args = append(args, v)
			continue
		}
		v, free := fenced(t, of, n, atEnd)
		all = append(all, free)
		inRange := of == reflect.TypeFor[[]int]() && f.NumIn() == 3 && i == 0 && r.IntN(3) > 0 // these are indices
		for k := range v.Len() {
			if v.Index(k).Set(random(r, of.Elem())); inRange {
				v.Index(k).SetInt(int64(r.IntN(n)))
			}
		}
		args = append(args, v)
	}
	return args, func() {
		for _, free := range all {
			free()
		}
	}
}

// A result is the outcome of a run: the place and the reason of its end, accumulators and memory.
func result(next int, message any, accs []reflect.Value, args []reflect.Value) string {
	var b strings.Builder
	fmt.Fprintln(&b, next, message)
	for _, list := range [][]reflect.Value{accs, args} {
		for _, v := range list {
			if truths, ok := v.Interface().([]bool); ok { // are bytes that must be 0 or 1
				fmt.Fprintf(&b, "%x\n", unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(truths))), len(truths)))
				continue
			}
			fmt.Fprintf(&b, "%x\n", v.Interface())
		}
	}
	return b.String()
}

// lanes are the accumulators of a functor.
func lanes(f reflect.Type, n int) (accs []reflect.Value) {
	for i := 1; i < f.NumIn(); i++ {
		v := reflect.MakeSlice(reflect.SliceOf(f.In(i).Elem()), n, n)
		for l := range n {
			v.Index(l).Set(reflect.ValueOf(l).Convert(f.In(i).Elem()))
		}
		accs = append(accs, v)
	}
	return accs
}

// item calls a functor.
func item(f reflect.Value, i, number int, accs []reflect.Value) {
	args := []reflect.Value{reflect.ValueOf(i)}
	for _, a := range accs {
		args = append(args, a.Index(number&(a.Len()-1)).Addr())
	}
	f.Call(args)
}

// run runs items by a functor, or by its loop and the functor where that stops.
func run(f reflect.Value, loop reflect.Value, begin, end, number int, accs []reflect.Value) (next int, message any) {
	defer func() { message = recover() }()
	for next = begin; next < end; next++ {
		if loop.IsValid() {
			args := []reflect.Value{reflect.ValueOf(next), reflect.ValueOf(end)}
			if len(accs) > 0 {
				args = append(append(args, reflect.ValueOf(number+next-begin)), accs...)
			}
			if next = int(loop.MethodByName("Span").Call(args)[0].Int()); next >= end {
				return next, nil
			}
		}
		item(f, next, number+next-begin, accs)
	}
	return next, nil
}

func TestOperations(t *testing.T) {
	if kernel.Of(Least(nil, nil, nil)) == nil {
		t.Skip("loops are off in this build")
	}
	for name, k := range kernels {
		for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
			t.Run(name+"/"+level.String(), func(t *testing.T) {
				use, undo := kernel.Limit(level)
				defer undo()
				if use < level {
					t.Skip("this processor has no " + level.String())
				}
				test(t, name, k, level)
			})
		}
	}
}

func test(t *testing.T, name string, k [2]any, level kernel.Level) {
	plain, compiled := reflect.ValueOf(k[0]), reflect.ValueOf(k[1])
	for n := range 60 {
		if n > 13 && n%9 != 0 {
			continue
		}
		for seed := range uint64(3) {
			begin := int(seed) + n%3
			if n < 3 {
				begin = 0
			}
			number := int(seed) * 7 // of the first item: its lane may be any
			size := begin + n       // arguments of most kernels
			if seed == 1 {
				size = 5*n + 40 // for kernels with strides
			}
			args := func() ([]reflect.Value, func()) {
				return arguments(t, rand.New(rand.NewPCG(uint64(n), seed)), plain.Type(), size)
			}
			width := []int{1, 4, 8, 32, 16, 2}[n%6]
			a, freeA := args()
			b, freeB := args()
			f := plain.Call(a)[0]
			accsA := lanes(f.Type(), width)
			next, message := run(f, reflect.Value{}, begin, begin+n, number, accsA)
			want := result(next, message, accsA, a)

			g := compiled.Call(b)[0]
			loop := reflect.ValueOf(kernel.Of(g.Interface()))
			require.True(t, loop.IsValid())
			suffix := map[kernel.Level]string{kernel.Go: "Go", kernel.AVX2: "AVX2", kernel.AVX512: "AVX512"}[level]
			require.Contains(t, loop.Type().String(), suffix)
			accsB := lanes(f.Type(), width)
			next, message = run(g, loop, begin, begin+n, number, accsB)
			got := result(next, message, accsB, b)
			freeA()
			freeB()
			if !assert.Equal(t, want, got, "%s of %d items from %d, seed %d, %d lanes", name, n, begin, seed, width) {
				return
			}
		}
	}
}

// Loops run all that they can: none of these stops.
func TestLoopsRunToTheEnd(t *testing.T) {
	x, y, z := make([]float64, 300), make([]float64, 300), make([]float64, 300)
	least, ok := kernel.Of(Least(x, y, z)).(kernel.For)
	if !ok {
		t.Skip("loops are off in this build")
	}
	count := kernel.Of(Count(x)).(kernel.Reduce[int])
	for n := range 300 {
		assert.Equal(t, n, least.Span(0, n+1)-1)
		for lanes := 1; lanes <= 32; lanes *= 2 {
			assert.Equal(t, 300, count.Span(n, 300, n, make([]int, lanes)), "from %d on, %d lanes", n, lanes)
		}
	}
}
