package ptx_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
)

// values are numbers that operations have rules for, and some others.
var values = map[ir.Type]any{
	ir.F64: []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, -5e-324, 0x1p-1022, math.MaxFloat64,
		0x1p31, -0x1p31, 0x1p31 - 1, -0x1p31 - 1, -0x1p31 - 0.5, 0x1p32, 0x1p32 + 5, 0x1p53, 0x1p63, -0x1p63, 0x1p63 - 1024, -0x1p63 - 2048, 0x1p64, 0x1p64 - 2048, -0x1p64, 1e19, 1e300, math.Pi, -1e-3, 0x1p127, 0x1p128, 0x1p-150},
	ir.F32: []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 2.5, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0x1p-149, -0x1p-149, 0x1p-126, math.MaxFloat32,
		0x1p31, -0x1p31, 0x1p31 - 128, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 1e19, math.Pi, -7},
	ir.I64:  []int64{0, 1, -1, 2, 7, -7, 31, 32, 33, 63, 64, 65, math.MaxInt32, math.MinInt32, 1 << 32, 1<<32 + 1, 1<<53 + 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1<<62 + 1, -1 << 40},
	ir.I32:  []int32{0, 1, -1, 2, 7, -7, 31, 32, 33, 63, 64, 1<<24 + 1, math.MaxInt32, math.MinInt32, math.MinInt32 + 1, -100},
	ir.Bool: []bool{false, true},
}

func count(t ir.Type) int {
	switch v := values[t].(type) {
	case []float64:
		return len(v)
	case []float32:
		return len(v)
	case []int64:
		return len(v)
	case []int32:
		return len(v)
	}
	return 2
}

// repeated returns the values of a type so that n arguments take all combinations: argument k has period each
// in the digit k.
func repeated(t ir.Type, each, all int) any {
	switch v := values[t].(type) {
	case []float64:
		return digits(v, each, all)
	case []float32:
		return digits(v, each, all)
	case []int64:
		return digits(v, each, all)
	case []int32:
		return digits(v, each, all)
	case []bool:
		return digits(v, each, all)
	}
	return nil
}

func digits[T any](v []T, each, all int) []T {
	x := make([]T, all)
	for i := range x {
		x[i] = v[i/each%len(v)]
	}
	return x
}

func empty(t ir.Type, n int) any {
	switch t {
	case ir.F64:
		return make([]float64, n)
	case ir.F32:
		return make([]float32, n)
	case ir.I64:
		return make([]int64, n)
	case ir.I32:
		return make([]int32, n)
	}
	return make([]bool, n)
}

// operation is the kernel that stores an operation of elements; the last argument is the constant, if there is one.
func operation(op ir.Op, t ir.Type, unsigned bool, args []ir.Type, last *uint64) *ir.Kernel {
	k := &ir.Kernel{Name: "operation", Setup: &ir.Block{}, Body: &ir.Block{}}
	put := func(op ir.Op, t ir.Type, index int, args ...*ir.Value) *ir.Value {
		v := k.NewValue(op, t, args...)
		v.Index = index
		k.Body.Values = append(k.Body.Values, v)
		return v
	}
	memory := func(t ir.Type) int {
		name := fmt.Sprintf("x%d", len(k.Mems))
		k.Params = append(k.Params, ir.Param{Name: name, Type: "[]" + t.Go()})
		k.Mems = append(k.Mems, ir.Mem{Param: len(k.Mems), Elem: t, GoElem: t.Go(), Name: name})
		return len(k.Mems) - 1
	}
	i := put(ir.Item, ir.I64, 0)
	var in []*ir.Value
	for n, a := range args {
		if n == len(args)-1 && last != nil {
			c := put(ir.Const, a, 0)
			c.Bits = *last
			in = append(in, c)
			continue
		}
		in = append(in, put(ir.Load, a, memory(a), i))
	}
	v := put(op, t, 0, in...)
	v.Unsigned = unsigned
	put(ir.Store, ir.None, memory(t), i, v)
	return k
}

var types = []ir.Type{ir.F64, ir.F32, ir.I64, ir.I32, ir.Bool}

// Each operation of the representation has the bits of the interpreter, for all types and for all
// combinations of numbers with special rules.
func TestOperations(t *testing.T) {
	tried := map[ir.Op]int{}
	for op := ir.Add; op <= ir.Select; op++ {
		for _, shape := range shapes(op) {
			for _, unsigned := range []bool{false, true} {
				for _, last := range constants(op, shape.args) {
					k := operation(op, shape.result, unsigned, shape.args, last)
					if k.Verify() != nil {
						continue
					}
					tried[op]++
					check(t, k, shape, last)
				}
			}
		}
		assert.NotZero(t, tried[op], "%v has not been tried", op)
	}
}

type shape struct {
	result ir.Type
	args   []ir.Type
}

// shapes are types that an operation may have: Verify says which it has.
func shapes(op ir.Op) (all []shape) {
	for _, r := range types {
		for _, x := range types {
			all = append(all, shape{r, []ir.Type{x}})
			for _, y := range types {
				all = append(all, shape{r, []ir.Type{x, y}})
			}
		}
		all = append(all, shape{r, []ir.Type{r, r, r}}, shape{r, []ir.Type{ir.Bool, r, r}})
	}
	return all
}

// constants are the values to try as the last argument; nil stands for an element.
func constants(op ir.Op, args []ir.Type) []*uint64 {
	if !args[len(args)-1].IsInt() {
		return []*uint64{nil}
	}
	var list []*uint64
	for _, c := range []uint64{0, 1, 2, 7, 31, 32, 63, 64, 1000, 1<<64 - 1, 1 << 63, 1<<64 - 10} {
		if args[len(args)-1] == ir.I32 {
			c = uint64(uint32(c))
		}
		list = append(list, &c)
	}
	return append(list, nil)
}

func check(t *testing.T, k *ir.Kernel, s shape, last *uint64) {
	t.Helper()
	all := 1
	for _, a := range s.args {
		all *= count(a)
	}
	params := func() (p []any) {
		each := 1
		for n, a := range s.args {
			if n < len(s.args)-1 || last == nil {
				p = append(p, repeated(a, each, all))
			}
			each *= count(a)
		}
		return append(p, empty(s.result, all))
	}
	x, err := trial.New(k, nil)
	require.NoError(t, err, "%s", k)
	_, err = x.Check(params, trial.Case{Items: all, Blocks: 2, Threads: 64})
	require.NoError(t, err)
}

// Minimum and maximum of an integer of 32 bits and its negation, in both orders and as 0 - x. The instruction
// must be one that ptxas compiles right: the machine refuses the other one.
func TestMagnitude(t *testing.T) {
	x := values[ir.I32].([]int32)
	for _, op := range []ir.Op{ir.Max, ir.Min} {
		for _, negation := range []ir.Op{ir.Neg, ir.Sub} {
			for _, first := range []bool{false, true} {
				k := operation(op, ir.I32, false, []ir.Type{ir.I32}, nil)
				v := k.Body.Values[2]
				of := v.Args[0]
				minus := k.NewValue(negation, ir.I32, of)
				before := []*ir.Value{minus}
				if negation == ir.Sub {
					zero := k.NewValue(ir.Const, ir.I32)
					minus.Args = []*ir.Value{zero, of}
					before = []*ir.Value{zero, minus}
				}
				if v.Args = []*ir.Value{of, minus}; first {
					v.Args = []*ir.Value{minus, of}
				}
				k.Body.Values = slices.Insert(k.Body.Values, 2, before...)
				require.NoError(t, k.Verify())
				made, err := trial.New(k, nil)
				require.NoError(t, err)
				_, err = made.Check(func() []any { return []any{x, make([]int32, len(x))} }, trial.Case{Items: len(x), Blocks: 1, Threads: 64})
				assert.NoError(t, err)
				assert.NotContains(t, made.Code.Text, op.String()+".s32")
			}
		}
	}
}

// Quotients by powers of two are products, where the inverse is a normal number.
func TestInverses(t *testing.T) {
	for x, product := range map[float64]bool{
		1: true, 4: true, -0.5: true, 0x1p32: true, 0x1p1022: true, 0x1p1023: false, -0x1p-1022: true, 0x1p-1023: false,
		3: false, 0: false, math.Inf(1): false, math.NaN(): false, 1.5: false, 0x1p126: true, 0x1p127: true, 0x1p-126: true, 0x1p-149: true,
	} {
		for _, typ := range []ir.Type{ir.F64, ir.F32} {
			bits := math.Float64bits(x)
			if typ == ir.F32 {
				bits = uint64(math.Float32bits(float32(x)))
				product = product && math.Abs(x) >= 0x1p-126 && math.Abs(x) < 0x1p127
			}
			args := []ir.Type{typ, typ}
			k := operation(ir.Div, typ, false, args, &bits)
			code, err := ptx.Compile(k, "quotient")
			require.NoError(t, err)
			assert.Equal(t, product, !strings.Contains(code.Text, "div.rn"), "%v of %v", x, typ)
			check(t, k, shape{typ, args[:1]}, nil)
		}
	}
}

// Texts of entries, and refusals.
func TestCompile(t *testing.T) {
	k := operation(ir.Add, ir.F64, false, []ir.Type{ir.F64, ir.F64}, nil)
	code, err := ptx.Compile(k, "größe")
	require.NoError(t, err)
	assert.Equal(t, "gokkos_gr$f6$dfe", code.Entry)
	assert.Contains(t, code.Text, "ld.global.f64", "memories of one type may overlap")
	assert.NotContains(t, code.Text, "ld.global.nc")
	k = operation(ir.Conv, ir.F64, false, []ir.Type{ir.I64}, nil)
	code, err = ptx.Compile(k, "conv")
	require.NoError(t, err)
	assert.Contains(t, code.Text, "ld.global.nc.u64")
	assert.NotContains(t, code.Text, ".approx")
}

// texts are all kernels of the tests as PTX.
func texts(t *testing.T) map[string]string {
	packages, err := front.Load(front.Config{}, "../kernels")
	require.NoError(t, err)
	all := map[string]string{}
	for _, k := range packages[0].Kernels {
		code, err := ptx.Compile(pass.Right(k.IR), k.Func)
		var refusal *ptx.Refusal
		if errors.As(err, &refusal) {
			continue
		}
		require.NoError(t, err)
		all[k.Func] = code.Text
	}
	require.Greater(t, len(all), 50)
	return all
}

// Nothing is rounded less than it should be, and nothing is fused that is not.
func TestRounding(t *testing.T) {
	for name, text := range texts(t) {
		for _, line := range strings.Split(text, "\n") {
			for _, bad := range []string{".ftz", ".approx", "mad.", ".full", ".sat"} {
				assert.NotContains(t, line, bad, name)
			}
			op, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			parts := strings.Split(op, ".")
			if last := parts[len(parts)-1]; (last == "f64" || last == "f32") && slices.Contains([]string{"add", "sub", "mul", "div", "sqrt", "fma"}, parts[0]) {
				assert.Equal(t, "rn", parts[1], "%s: %s", name, line)
			}
		}
	}
}

// The compiler of the toolkit, if it is installed, takes all texts. It compiles for a new device, and for the
// oldest known one that the texts allow.
func TestAssembles(t *testing.T) {
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("ptxas is not in the path")
	}
	for name, text := range texts(t) {
		file := filepath.Join(t.TempDir(), name+".ptx")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		for _, device := range []string{"sm_70", "sm_90"} {
			out, err := exec.Command(ptxas, "-arch="+device, "-o", filepath.Join(t.TempDir(), "out"), file).CombinedOutput()
			if strings.Contains(string(out), "not defined for option") { // a toolkit that has left that device behind
				continue
			}
			assert.NoError(t, err, "%s for %s\n%s", name, device, out)
		}
	}
}
