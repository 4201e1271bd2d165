//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/crs"
)

// constructors are those of all kernels of the package: of closures, and of compiled functors.
var constructors = map[string][2]any{
	"rowOf": {rowOf, RowOf}, "rowsInTurn": {rowsInTurn, RowsInTurn}, "rowsAt": {rowsAt, RowsAt},
	"rowsAdded": {rowsAdded, RowsAdded}, "rowsStored": {rowsStored, RowsStored},
	"rowsWalked": {rowsWalked, RowsWalked}, "viewsAt": {viewsAt, ViewsAt}, "scaledAt": {scaledAt, ScaledAt},
	"rowsOfRows": {rowsOfRows, RowsOfRows}, "rowsSummed": {rowsSummed, RowsSummed},
	"placesInOrder": {placesInOrder, PlacesInOrder}, "storedInOrder": {storedInOrder, StoredInOrder},
	"bitsOfExtremes":       {bitsOfExtremes, BitsOfExtremes},
	"bitsOfExtremesSingly": {bitsOfExtremesSingly, BitsOfExtremesSingly},
	"parts":                {parts, Parts}, "nonzero": {nonzero, Nonzero}, "symmetric": {symmetric, Symmetric}, "quotients": {quotients, Quotients}, "behind": {behind, Behind},
	"ahead": {ahead, Ahead}, "drained": {drained, Drained}, "checksum": {checksum, Checksum},
	"axpy": {axpy, Axpy}, "triad": {triad, Triad}, "dot": {dot, Dot}, "smallest": {smallest, Smallest},
	"roots": {roots, Roots}, "relax": {relax, Relax}, "gemv": {gemv, Gemv}, "hash": {hash, Hash},
	"nearest": {nearest, Nearest}, "spmv": {spmv, Spmv}, "inlined": {inlined, Inlined}, "captured": {captured, Captured},
	"setUp": {setUp, SetUp}, "labels": {labels, Labels}, "search": {search, Search}, "moments": {moments, Moments},
	"parity": {parity, Parity}, "planes": {planes, Planes}, "windows": {windows, Windows},
	"scattered": {scattered, Scattered}, "mixed": {mixed, Mixed}, "extents": {extents, Extents},
	"swapped": {swapped, Swapped}, "restored": {restored, Restored}, "exponentials": {exponentials, Exponentials},
	"logarithms": {logarithms, Logarithms}, "powers": {powers, Powers}, "angles": {angles, Angles},
	"edges": {edges, Edges}, "singly": {singly, Singly}, "decay": {decay, Decay}, "entropy": {entropy, Entropy},
	"waves": {waves, Waves}, "ripples": {ripples, Ripples}, "bytewise": {bytewise, Bytewise}, "cell": {cell, Cell},
	"histogram": {histogram, Histogram}, "permuted": {permuted, Permuted}, "weighted": {weighted, Weighted},
	"picked": {picked, Picked}, "columns": {columns, Columns}, "put": {put, Put}, "inside": {inside, Inside},
	"gains": {gains, Gains}, "shortened": {shortened, Shortened}, "walk": {walk, Walk}, "bell": {bell, Bell}, "third": {third, Third},
	"first": {first, First}, "crossed": {crossed, Crossed}, "strides": {strides, Strides}, "far": {far, Far},
	"apart": {apart, Apart}, "damped": {damped, Damped}, "beyond": {beyond, Beyond},
	"mandelbrot": {mandelbrot, Mandelbrot}, "collatz": {collatz, Collatz}, "cutoff": {cutoff, Cutoff},
	"roots3": {roots3, Roots3}, "gcd": {gcd, Gcd}, "ends": {ends, Ends}, "lowest": {lowest, Lowest},
	"between": {between, Between}, "average": {average, Average}, "variance": {variance, Variance},
	"around": {around, Around}, "digits": {digits, Digits}, "magnitude": {magnitude, Magnitude},
	"series": {series, Series}, "steps": {steps, Steps}, "attracted": {attracted, Attracted}, "mass": {mass, Mass}, "flags": {flags, Flags}, "narrow": {narrow, Narrow},
	"least": {least, Least}, "largest": {largest, Largest}, "lastLeast": {lastLeast, LastLeast}, "firstLargest": {firstLargest, FirstLargest},
	"outer": {outer, Outer}, "outermost": {outermost, Outermost},
	"tabled": {tabled, Tabled}, "lifted": {lifted, Lifted}, "pressed": {pressed, Pressed}, "together": {together, Together}, "errors": {errors, Errors}, "errorsSingly": {errorsSingly, ErrorsSingly},
	"ragged": {ragged, Ragged}, "orbits": {orbits, Orbits}, "settled": {settled, Settled}, "gathered": {gathered, Gathered},
	"escaped": {escaped, Escaped}, "nested": {nested, Nested}, "doubled": {doubled, Doubled}, "closed": {closed, Closed},
	"exceeds": {exceeds, Exceeds}, "crossing": {crossing, Crossing}, "diagonal": {diagonal, Diagonal}, "factor": {factor, Factor},
	"flanked": {flanked, Flanked}, "turned": {turned, Turned}, "counted": {counted, Counted}, "ended": {ended, Ended}, "window": {window, Window}, "laid": {laid, Laid},
	"walked": {walked, Walked}, "rooted": {rooted, Rooted}, "eliminated": {eliminated, Eliminated}, "cholesky": {cholesky, Cholesky},
	"substituted": {substituted, Substituted}, "mirrored": {mirrored, Mirrored}, "eased": {eased, Eased},
	"rowSums": {rowSums, RowSums}, "sign": {sign, Sign}, "peak": {peak, Peak}, "bottom": {bottom, Bottom},
	"spaced": {spaced, Spaced}, "spacedBy9": {spacedBy9, SpacedBy9}, "fromBelow": {fromBelow, FromBelow},
	"drifted": {drifted, Drifted}, "heaviest": {heaviest, Heaviest}, "marked": {marked, Marked}, "flips": {flips, Flips}, "shared": {shared, Shared}, "deficit": {deficit, Deficit}, "ordered": {ordered, Ordered},
}

// All kernels have the bits of their closures as PTX, with any number of items, blocks, threads and leaves.
func TestPTX(t *testing.T) {
	packages, err := front.Load(front.Config{}, ".")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, k := range packages[0].Kernels {
		if !ofInts(k) {
			continue
		}
		found[k.Func] = true
		t.Run(k.Func, func(t *testing.T) {
			require.Contains(t, constructors, k.Func)
			require.Nil(t, k.Refused)
			x, err := trial.New(k.IR, constructors[k.Func][0])
			require.NoError(t, err)
			ran := 0
			for n := range 301 {
				if testing.Short() && n%17 > 1 && n%32 > 1 || n%5 > 2 {
					continue
				}
				r := rand.New(rand.NewPCG(uint64(n), 7))
				c := ptxCase(r, k.IR, n)
				if k.Func == "scattered" { // whose items store to elements of others
					c.Items = min(n, 1)
				}
				seed, length := r.Uint64(), n+c.Begin+2
				if r.IntN(6) == 0 {
					length = r.IntN(length + 1) // some item has no element
				}
				params := func() []any {
					p := ptxParams(rand.New(rand.NewPCG(seed, 1)), constructors[k.Func][0], length)
					if k.Func == "cutoff" { // as many rounds as its numbers are large
						for _, x := range p {
							if x, ok := x.([]float64); ok {
								for i := range x {
									x[i] = math.Mod(x[i], 8)
								}
							}
						}
					}
					if k.Func == "orbits" || k.Func == "doubled" || k.Func == "closed" || k.Func == "nested" { // numbers of rounds
						for _, x := range p {
							switch x := x.(type) {
							case int:
								p[0] = 20
							case []int:
								for i := range x {
									x[i] %= 8 // rows of 20 do not overlap
								}
							}
						}
					}
					if k.Func == "windows" || k.Func == "spmv" || k.Func == "ragged" || k.Func == "diagonal" || k.Func == "rooted" { // ends of rows
						for _, x := range p {
							if ends, ok := x.([]int); ok {
								slices.Sort(ends)
								break
							}
						}
					}
					return p
				}
				stopped, err := x.Check(params, c)
				require.NoError(t, err)
				if !stopped {
					ran++
				}
			}
			assert.Positive(t, ran, "launches without an item that stops")
		})
	}
	for name := range constructors {
		assert.True(t, found[name], "%s is no kernel", name)
	}
}

// What is attached to a compiled functor is the text that is tested, with what the functor has captured.
func TestPTXCalls(t *testing.T) {
	packages, err := front.Load(front.Config{}, ".")
	require.NoError(t, err)
	for _, k := range packages[0].Kernels {
		if !ofInts(k) {
			continue
		}
		code, err := ptx.Compile(k.IR, k.Func)
		require.NoError(t, err)
		params := ptxParams(rand.New(rand.NewPCG(1, 1)), constructors[k.Func][0], 9)
		var in []reflect.Value
		for _, p := range params {
			in = append(in, reflect.ValueOf(p))
		}
		functor := reflect.ValueOf(constructors[k.Func][1]).Call(in)[0].Interface()
		call, ok := device.Functor{Func: functor}.Code("ptx").(*kernel.Call)
		require.True(t, ok, k.Func)
		assert.Equal(t, code.Text, call.Text.PTX, k.Func)
		assert.Equal(t, code.Entry, call.Text.Entry)
		assert.Len(t, call.Text.Stops, len(code.Stops))
		for n, a := range call.Text.Accumulators {
			assert.Equal(t, numbersOf(reflect.TypeOf(functor).In(n+1).Elem()), a, k.Func)
		}
		args, err := interp.Bind(code.IR, params...)
		require.NoError(t, err)
		require.Len(t, call.Scalars, len(args.Scalars()), k.Func)
		for n, bits := range args.Scalars() {
			got := call.Scalars[n]
			if code.IR.Scalars[n].Type.Bytes() == 4 {
				got = uint64(uint32(got))
			}
			assert.Equal(t, bits, got, "%s of %s", call.Text.Scalars[n], k.Func)
		}
		require.Len(t, call.Memories, len(code.IR.Captured()))
		for n, m := range call.Memories {
			is, of := code.IR.Mems[n], call.Text.Memories[n]
			assert.Equal(t, is.Array, of.Array, k.Func)
			assert.Equal(t, is.Rank > 0, m.In != nil && m.View != nil, k.Func)
			assert.Equal(t, ptxStores(code.IR, n), of.Stored, "%s of %s", of.Name, k.Func)
			if is.Array {
				assert.Equal(t, args.Memory(n), unsafe.Slice((*byte)(m.At), m.Bytes), "%s of %s", of.Name, k.Func)
			} else {
				assert.Equal(t, unsafe.SliceData(args.Memory(n)), (*byte)(m.At), "%s of %s", of.Name, k.Func)
			}
		}
	}
}

func ptxStores(k *ir.Kernel, mem int) (stores bool) {
	k.Body.Walk(func(v *ir.Value) { stores = stores || v.Op == ir.Store && v.Index == mem })
	return stores
}

// A zero view has no extents: its functor has no text.
func TestPTXOfZeroViews(t *testing.T) {
	assert.Nil(t, device.Functor{Func: Relax(views.View2[float64]{}, views.View2[float64]{})}.Code("ptx"))
}

// ofInts reports whether the items of a kernel are integers, whose functor returns nothing.
func ofInts(k *front.Kernel) bool { return k.Value == nil && intFunctor.MatchString(k.Result) }

var intFunctor = regexp.MustCompile(`^func\(\w+ int\b`)

// numbersOf returns the types of the numbers in a value.
func numbersOf(t reflect.Type) (list string) {
	switch t.Kind() {
	case reflect.Struct:
		for f := range t.Fields() {
			list += " " + numbersOf(f.Type)
		}
	case reflect.Array:
		list = strings.Repeat(" "+numbersOf(t.Elem()), t.Len())
	default:
		return t.Kind().String()
	}
	return list[1:]
}

// ptxCase returns a launch of n items.
func ptxCase(r *rand.Rand, k *ir.Kernel, n int) trial.Case {
	c := trial.Case{Begin: r.IntN(4), Items: n, Blocks: 1 + r.IntN(3), Threads: 32 << r.IntN(3), Seed: r.Uint64(), Leaf: 1 << r.IntN(9)}
	c.Lanes = min(32, max(1, c.Leaf/8))
	if r.IntN(3) == 0 {
		c.Lanes = min(32, c.Leaf) // more lanes than the rule has
	}
	if r.IntN(3) == 0 {
		c.First = min(r.IntN(3)*c.Leaf, n/c.Leaf*c.Leaf)
	}
	for _, a := range k.Accs {
		joins := trial.Joins(a.Type)
		c.Joins = append(c.Joins, joins[r.IntN(len(joins))])
		bits := uint64(r.IntN(2))
		if a.Type == ir.F64 {
			bits <<= 62
		}
		c.Identities = append(c.Identities, bits)
	}
	if k.Structured() || r.IntN(4) == 0 {
		c.Joins = trial.Apart(len(k.Accs))
	}
	return c
}

// ptxParams returns parameters of a constructor with slices and views of about that length.
func ptxParams(r *rand.Rand, constructor any, length int) (params []any) {
	f := reflect.TypeOf(constructor)
	for n := range f.NumIn() {
		params = append(params, ptxParam(r, f.In(n), length).Interface())
	}
	return params
}

func ptxParam(r *rand.Rand, t reflect.Type, length int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Float64:
		v.SetFloat(float(r))
	case reflect.Float32:
		v.SetFloat(float64(float32(float(r))))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int32, reflect.Int16, reflect.Int8:
		v.SetInt(int64(r.IntN(min(length+1, 6)))) // extents and places, most of all
	case reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		v.SetUint(r.Uint64() >> (64 - t.Bits()))
	case reflect.Array:
		for n := range t.Len() {
			v.Index(n).Set(ptxParam(r, t.Elem(), length))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, length, length+r.IntN(2)))
		places := r.Perm(length) // items store at places of their own
		for n := range length {
			if k := t.Elem().Kind(); k == reflect.Int {
				v.Index(n).SetInt(int64(places[n]))
			} else {
				v.Index(n).Set(ptxParam(r, t.Elem(), length))
			}
		}
	case reflect.Struct:
		if made := ptxView(r, t, length); made != nil {
			return reflect.ValueOf(made)
		}
		for n := range t.NumField() {
			reflect.NewAt(t.Field(n).Type, v.Field(n).Addr().UnsafePointer()).Elem().Set(ptxParam(r, t.Field(n).Type, length))
		}
	default:
		panic(fmt.Sprintf("no parameter of type %v", t))
	}
	return v
}

// ptxView returns a view, nil if the type is none.
func ptxView(r *rand.Rand, t reflect.Type, n int) any {
	n = max(n, 1)
	doubles := func(n int) []float64 { return floats(r, n) }
	switch t {
	case reflect.TypeFor[views.View1[float64]]():
		return views.Must(views.Of1("v", doubles(n)))
	case reflect.TypeFor[views.Strided1[float64]]():
		return views.Must(views.AsStrided1(views.Of("v", doubles(n*3), []int{n}, views.Stride{3})))
	case reflect.TypeFor[crs.Graph]():
		from, to := anywhere(r, n), anywhere(r, n)
		return views.Must(crs.FromEdges("g", n, views.Must(views.Of1("from", from)), views.Must(views.Of1("to", to))))
	case reflect.TypeFor[views.View1[star]]():
		return views.Must(views.Of1("v", ptxParam(r, reflect.TypeFor[[]star](), n).Interface().([]star)[:n]))
	case reflect.TypeFor[views.View2[star]]():
		return views.Must(views.As2(views.Of("v", ptxParam(r, reflect.TypeFor[[]star](), n*4).Interface().([]star)[:n*4], []int{n, 3}, views.Stride{4, 1})))
	case reflect.TypeFor[views.View2[float64]]():
		return views.Must(views.As2(views.Of("v", doubles(n*9), []int{n, 7}, views.Stride{9, 1})))
	case reflect.TypeFor[views.View2[float32]]():
		x := make([]float32, n*5)
		for i := range x {
			x[i] = float32(float(r))
		}
		return views.Must(views.Of2("v", x, n, 5))
	case reflect.TypeFor[views.Strided2[float64]]():
		return views.Must(views.Of2("v", doubles(n*7), 7, n)).Transpose()
	case reflect.TypeFor[views.View3[float64]]():
		return views.Must(views.Of3("v", doubles(n*6), n, 2, 3))
	case reflect.TypeFor[views.View4[float32]]():
		x := make([]float32, n*12)
		for i := range x {
			x[i] = float32(float(r))
		}
		return views.Must(views.Of4("v", x, n, 2, 3, 2))
	}
	return nil
}
