package pass_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// lower returns the kernel of a functor of these parameters.
func lower(t *testing.T, params, functor string) *ir.Kernel {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	imports := ""
	if strings.Contains(functor, "policy.") {
		imports = "import \"github.com/gokkos/gokkos/policy\"\n"
	}
	if strings.Contains(functor, "builtin.") {
		imports = "import \"github.com/gokkos/gokkos/builtin\"\n"
	}
	body := "package made\n\nimport \"math\"\n" + imports + "\nvar _ = math.Pi\n\n//gokkos:kernel\nfunc f(" + params + ") " + functor[:strings.Index(functor, " {")] + " {\n\treturn " + functor + "\n}\n"
	file := filepath.Join(root, "pass", "made", "made.go")
	packages, err := front.Load(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(body)}}, "./pass/made")
	require.NoError(t, err)
	k := packages[0].Kernels[0]
	require.Nil(t, k.Refused)
	return k.IR
}

// count returns the number of operations of a kind in a block and in the blocks within it.
func count(b *ir.Block, op ir.Op) (n int) {
	b.Walk(func(v *ir.Value) {
		if v.Op == op {
			n++
		}
	})
	return n
}

// top returns the number of operations of a kind in a block itself.
func top(b *ir.Block, op ir.Op) (n int) {
	for _, v := range b.Values {
		if v.Op == op {
			n++
		}
	}
	return n
}

func run(t *testing.T, k *ir.Kernel, passes ...func(k *ir.Kernel)) {
	t.Helper()
	for _, p := range passes {
		p(k)
		require.NoError(t, k.Verify(), k.String())
	}
}

func TestSimplify(t *testing.T) {
	for functor, want := range map[string]string{
		"func(i int) { y[i+1-1] = 2 }":                              "store 0[v3.i]",
		"func(i int) { y[i*0+i*1] = 2 }":                            "store 0[v3.i]",
		"func(i int) { y[(i+5)-(i+5)+i] = 2 }":                      "store 0[v3.i]",
		"func(i int) { z := 3; y[i] = math.Sqrt(float64(z*3)) }":    "const 3\n",
		"func(i int) { z := 3; y[i] = float64(z >> 1 << 70) }":      "const 0\n",
		"func(i int) { on := true; if !on { y[i] = 1 }; y[i] = 2 }": "body() {\n  v3.i i64 = item\n  check",
		"func(i int) { y[i-n+n] = 2 }":                              "store 0[v3.i]",
		"func(i int) { y[n+i-n] = 2 }":                              "store 0[v3.i]",
	} {
		k := lower(t, "y []float64, n int", functor)
		run(t, k, pass.Simplify, pass.Common, pass.Dead, pass.Simplify, pass.Common, pass.Dead)
		assert.Contains(t, k.String(), want, functor)
		assert.Zero(t, count(k.Body, ir.If), functor)
	}
	k := lower(t, "y []float64", "func(i int) { s := 2.0; u := 3.0; for j := 3; j < 3; j++ { s = y[j-7]; u = u }; y[i] = s; y[i] = u }")
	run(t, k, pass.Simplify, pass.Dead)
	assert.Zero(t, count(k.Body, ir.Loop))
	assert.Contains(t, k.String(), "const 2\n")
	// -0 + 0 is 0, and NaN - NaN is not 0.
	k = lower(t, "x, y []float64", "func(i int) { z := 0.0; y[i] = x[i] + z; y[i] = x[i] - x[i] }")
	run(t, k, pass.Simplify)
	assert.Equal(t, 1, count(k.Body, ir.Add))
	assert.Equal(t, 1, count(k.Body, ir.Sub))
	// The machine decides the result for a float outside of an integer's range.
	k = lower(t, "y []int", "func(i int) { z := 1e300; y[i] = int(z) }")
	run(t, k, pass.Simplify)
	assert.Equal(t, 1, count(k.Body, ir.Conv))
}

// A value that becomes constant once equal values of the setup are one value has its constant there.
func TestSimplifySetup(t *testing.T) {
	for _, functor := range []string{
		"func(i int) { y[i] = float64((n >> 1) ^ (n >> 1)) }",
		"func(i int) { y[i] = float64(n / ((n >> 1) - (n >> 1))) }",
	} {
		k := lower(t, "y []float64, n int", functor)
		require.NotPanics(t, func() { pass.Run(k, pass.All) }, functor)
		assert.Positive(t, top(k.Setup, ir.Const), functor)
	}
}

func TestCommon(t *testing.T) {
	for functor, loads := range map[string]int{
		"func(i int) { y[i] = x[i] + x[i] }":                                         1,
		"func(i int) { y[i] = x[i]; y[i] = x[i] }":                                   2, // may be the same memory
		"func(i int) { n[i] = 3; y[i] = x[i] + x[i] }":                               1,
		"func(i int) { if i > 3 { y[i] = x[i] }; y[i] = x[i] }":                      2,
		"func(i int) { s := x[i]; for j := range 3 { y[j] = s + x[i]; } }":           2,
		"func(i int) { s := x[i]; for j := range 3 { s += x[i]; _ = j }; y[i] = s }": 1,
	} {
		k := lower(t, "x, y []float64, n []int", functor)
		run(t, k, pass.Common)
		assert.Equal(t, loads, count(k.Body, ir.Load), functor)
	}
}

// An index made of counters of loops has no check if it is below the length of an array in all rounds.
func TestHoldsOfCounters(t *testing.T) {
	for loop, checks := range map[string]int{
		"for r := range 3 { for c := range 3 { y[i] += w[r*3+c] } }":        0,
		"for r := range 3 { for c := range 4 { y[i] += w[r*3+c] } }":        1,
		"for r := range 3 { for c := r; c < 3; c++ { y[i] += w[2*c+r] } }":  1, // no counter begins at r plainly
		"for r := 1; r < 4; r++ { for c := range r { y[i] += w[2*c+r] } }":  0,
		"for r := -1; r < 4; r++ { for c := range 2 { y[i] += w[2*c+r] } }": 1,
		"for r := range n { y[i] += w[r] }":                                 1,
		"for r := range n & 7 { y[i] += w[r+2] }":                           0,
		"for r := range n & 7 { y[i] += w[r+3] }":                           1,
		"for r := 0; r < n-8; r++ { y[i] += w[r] }":                         1,
		"for r := uint(0); r < 9; r++ { y[i] += w[r] }":                     1, // its comparison has no sign
	} {
		k := lower(t, "w [9]float64, y []float64, n int", "func(i int) {"+loop+"}")
		run(t, k, pass.Simplify, pass.Common)
		of := 0
		k.Body.Walk(func(v *ir.Value) {
			if v.Op == ir.Check && v.Args[1].Op == ir.Const {
				of++
			}
		})
		assert.Equal(t, checks, of, loop)
	}
}

// An index that is below the length of an array for all operands has no check.
func TestHolds(t *testing.T) {
	for index, checks := range map[string]int{
		"n & 7": 0, "n & 8": 1, "-3 & n & 7": 0, "n & 7 & -1": 0, "uint(n) % 8": 0, "uint(n) % 9": 1, "n % 8": 1, "b[i] % 8": 0,
		"(n & 15) % 8": 0, "uint(n) >> 61": 0, "uint(n) >> 60": 1, "n >> 61": 1, "(n & 63) >> 3": 0, "b[i] >> 5": 0, "b[i]": 1, "b[i] & 7": 0,
		"uint32(n) >> 29": 0, "uint32(n) >> 28": 1, "int32(n) & 7": 0, "int8(n)": 1, "uint8(n) >> 5": 0, "min(n & 3, 2)": 0, "min(n & 3, -2)": 1,
		"max(n & 3, 7)": 0, "max(n & 3, 8)": 1, "n & 3 + 4": 0, "n & 3 + 5": 1, "n & 3 - 1": 1, "n & 3 * 2": 0, "n & 3 * 3": 1, "(n & 3) << 1": 0,
		"(n & 3) << 2": 1, "7 - n & 7": 0, "7 - n & 15": 1, "(n & 1 - 1) * 2": 1,
		"k": 1, "m": 1, "k >> 1": 0, "m >> 1": 0, "n & 5 ^ i & 3": 0, "n & 5 | i & 2": 0, "n & 5 ^ i & 11": 1, "n | 7": 1,
	} {
		k := lower(t, "w [8]float64, b []uint8, y []float64, n int", "func(i int) { k, m := n&7, n&15; if n > 9 { k, m = i&15, i&7 }; y[i] = float64(k+m) + w["+index+"] }")
		run(t, k, pass.Common, pass.Choose, pass.Simplify, pass.Common)
		of := 0
		k.Body.Walk(func(v *ir.Value) {
			if v.Op == ir.Check && v.Args[1].Op == ir.Const {
				of++
			}
		})
		assert.Equal(t, checks, of, index)
	}
}

// Shifts, and numbers that are compared, are others where integers have no sign.
func TestCommonSigns(t *testing.T) {
	k := lower(t, "x, y []int", "func(i int) { y[i] = x[i]>>3 + int(uint(x[i])>>3) }")
	run(t, k, pass.Common)
	assert.Equal(t, 2, count(k.Body, ir.Shr))
}

func TestHoist(t *testing.T) {
	k := lower(t, "x, y []float64, n, m int", "func(i int) { s := 0.0; for j := range n { s += x[i] / float64(m+j*m) }; y[i] = s + float64(n*m) }")
	run(t, k, pass.Common, pass.Hoist)
	assert.Equal(t, 1, top(k.Body, ir.Load), "x[i] is loaded once")
	assert.Equal(t, 1, count(k.Setup, ir.Mul), "n*m is the same for all items")
	k = lower(t, "x, y []float64, n int", "func(i int) { for j := range n { y[j] = x[i] } }")
	run(t, k, pass.Common, pass.Hoist)
	assert.Zero(t, top(k.Body, ir.Load), "y may be x")
	k = lower(t, "x, y []float64, n int", "func(i int) { s := 0.0; for j := range n { if j > 2 { s += x[i] } }; y[i] = s }")
	run(t, k, pass.Common, pass.Hoist)
	assert.Zero(t, top(k.Body, ir.Load), "x[i] need not be there")
	k = lower(t, "x, y []float64, n int", "func(i int) { s := 0.0; for j := range n { s += x[:j][0] }; y[i] = s }")
	run(t, k, pass.Common, pass.Hoist)
	assert.Zero(t, top(k.Body, ir.Load), "x[0] is there if j is above 0")
	k = lower(t, "y []float64, n int", "func(i int) { for j := range n { if j > 2 { y[i] = 1 } } }")
	run(t, k, pass.Common, pass.Hoist)
	assert.Equal(t, 1, top(k.Body, ir.Check), "what is stored in a round could not be undone")
	k = lower(t, "y []float64, n int", "func(i int) { for j := range n { y[j] = 1; if j < i { panic(i) } } }")
	run(t, k, pass.Common, pass.Hoist)
	assert.Zero(t, top(k.Body, ir.Check), "each item would stop")
}

func TestChoose(t *testing.T) {
	k := lower(t, "x, y []float64", "func(i int) { a := x[i]; if a < 0 || a > 3 && a < 5 { a = -a }; y[i] = a }")
	run(t, k, pass.Common, pass.Choose)
	assert.Zero(t, count(k.Body, ir.If))
	assert.Equal(t, 1, count(k.Body, ir.Select))
	assert.Equal(t, 1, count(k.Body, ir.Or))
	assert.Equal(t, 1, count(k.Body, ir.And))
	k = lower(t, "x, y []float64", "func(i int) { v := y[i]; on := true; if x[i] < 0 { on = v > 3 }; if on { y[i] = 1 } }")
	run(t, k, pass.Choose)
	assert.Zero(t, count(k.Body, ir.And), "x < 0 ? y > 3 : true is no conjunction")
	k = lower(t, "x, y []float64", "func(i int) { a := x[i]; if a < 0 { a = math.Sqrt(a) / (a + 1) / (a + 2) }; y[i] = a }")
	run(t, k, pass.Choose)
	assert.Equal(t, 1, count(k.Body, ir.If), "it costs too much to be computed in vain")
}

// A branch on data loads neighbours in vain, and no other elements. A branch on the index may keep items in
// range.
func TestChooseNeighbours(t *testing.T) {
	for condition, branches := range map[string]int{
		"x[i] > 0 && y[i] > 0": 0, "x[i] > 0 && y[i-1] > 0": 0, "x[i] > 0 && y[n-1+i] > x[i]": 0, "c[i]*c[i] > n && y[i] > 0": 0,
		"i > 0 && y[i-1] > 0": 1, "x[i] > 0 && i > 0 && y[i-1] > 0": 1, "n > 0 && y[i] > 0": 1, "x[i] > 0 && y[n] > 0": 1,
		"x[i] > 0 && y[2*i] > 0": 1, "x[i] > 0 && y[c[i]] > 0": 1, "x[i] > 0 && y[:i][i-1] > 0": 1, "x[i] > ys[uint(c[i])%2][i]": 1,
	} {
		functor := "func(i int) { v := z[i]; if " + condition + " { v = 1 }; z[i] = v }"
		k := lower(t, "x, y, z []float64, ys [2][]float64, c []int, n int", functor)
		run(t, k, pass.Common, pass.Hoist, pass.Choose, pass.Common)
		assert.Equal(t, branches, count(k.Body, ir.If), "%s\n%v", condition, k)
		k = lower(t, "x, y, z []float64, ys [2][]float64, c []int, n int", functor)
		run(t, k, pass.Common, pass.Invariants, pass.ChooseExactly, pass.Common)
		assert.Equal(t, 1, count(k.Body, ir.If), "%s: no other item stops", condition)
	}
}

func TestDead(t *testing.T) {
	k := lower(t, "x, y []float64, n int, w [3]float64", "func(i int) { s, u := 0.0, 0.0; for j := range n { s += float64(j); u += s }; if i > 3 { u = 2 }; y[i] = s }")
	run(t, k, pass.Dead)
	assert.Len(t, k.Scalars, 2, "%v", k)
	assert.Len(t, k.Mems, 1)
	assert.Zero(t, count(k.Body, ir.If))
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Loop {
			assert.Equal(t, 2, v.Carries())
		}
	})
	k = lower(t, "x []float64, n int", "func(i int) { for j := range n { _ = x[j] } }")
	run(t, k, pass.Dead)
	assert.Equal(t, 1, count(k.Body, ir.Check), "it may be out of range")
}

// Checks of indices that count up with a loop, or with items, are asked before these.
func TestRanges(t *testing.T) {
	for functor, want := range map[string]struct{ inBody, conditions int }{
		"func(i int) { y[i] = x[i+1] }":                                                               {0, 2},
		"func(i int) { y[i] = x[n*i+3] }":                                                             {0, 2},
		"func(i int) { y[i] = x[i*i] }":                                                               {1, 1},
		"func(i int) { y[i] = x[c[i]] }":                                                              {1, 2},
		"func(i int) { if n > 3 { y[i] = x[i] } }":                                                    {0, 2},
		"func(i int) { if i > 3 { y[i] = x[i] } }":                                                    {2, 0},
		"func(i int) { s := 0.0; for j := range n { s += x[j] }; y[i] = s }":                          {0, 2},
		"func(i int) { s := 0.0; for j := range n { s += x[3*j] }; y[i] = s }":                        {0, 4},
		"func(i int) { s := 0.0; for j := range c[i] { s += x[j] }; y[i] = s }":                       {1, 2},
		"func(i int) { s := 0.0; for j := c[i]; j < c[i+1]; j++ { s += x[j] - y[j] }; y[i] = s }":     {3, 3},
		"func(i int) { s := 0.0; for j := c[i]; j < c[i+1]; j++ { s += x[j+1] }; y[i] = s }":          {3, 3},
		"func(i int) { s := 0.0; for j := range n { if j > i { s += x[j] } }; y[i] = s }":             {1, 1},
		"func(i int) { s := 0.0; for j := 0; j < n; j += 2 { s += x[j] }; y[i] = s }":                 {1, 1},
		"func(i int) { s := 0.0; for j := 0; j < n && s < 3; j++ { s += x[j] }; y[i] = s }":           {1, 1},
		"func(i int) { s := 0.0; for _, v := range x[n*i : n*i+n] { s += v }; y[i] = s }":             {0, 5},
		"func(i int) { s := 0.0; for j := range n { for k := range n { s += x[j*n+k] } }; y[i] = s }": {0, 7},
	} {
		k := lower(t, "x, y []float64, c []int, n int", functor)
		pass.Run(k, pass.All)
		assert.Equal(t, want.inBody, count(k.Body, ir.Check), "%s\n%v", functor, k)
		assert.Len(t, k.Checks, want.conditions, "%s\n%v", functor, k)
	}
}

// Checks move before stores, unless they depend on the stored values.
func TestEarly(t *testing.T) {
	first := func(k *ir.Kernel) (last ir.Op) {
		for _, v := range k.Body.Values {
			if v.Op == ir.Check || v.Op == ir.Store {
				last = v.Op
			}
		}
		return last
	}
	k := lower(t, "x, y []float64, c []int", "func(i int) { y[i] = 1; y[c[i]] = x[c[i]*c[i]] }")
	run(t, k, pass.Common, pass.HoistChecks)
	assert.Equal(t, ir.Store, first(k))
	assert.Equal(t, 2, count(k.Body, ir.Store))
	k = lower(t, "x, y []float64, c []int", "func(i int) { c[i] = 1; y[i] = x[c[3]] }")
	run(t, k, pass.Common, pass.HoistChecks)
	at := -1
	for n, v := range k.Body.Values {
		if v.Op == ir.Store && at < 0 {
			at = n
		}
		if v.Op == ir.Load && v.Type == ir.I64 {
			assert.GreaterOrEqual(t, at, 0, "c[3] is loaded behind the store")
		}
	}
	// A load that is in range because of a check which stays behind the store stays there, too.
	k = lower(t, "x, y []float64, c []int", "func(i int) { c[i] = 1; w := x[i:c[3]]; y[int(w[2])] = 5 }")
	run(t, k, pass.Common, pass.HoistChecks)
	stored := false
	for _, v := range k.Body.Values {
		stored = stored || v.Op == ir.Store
		if v.Op == ir.Load && v.Type == ir.F64 {
			assert.True(t, stored, k.String())
		}
	}
}

func TestShapes(t *testing.T) {
	k := lower(t, "x, y []float64, n int, u bool", `func(i int) {
	affine := 3*i - n
	varying := affine * i
	uniform := n * 7
	if u { uniform++ }
	either := uniform
	if i > 3 { either = n }
	loop, rounds := 0, 0
	for j := range n { loop += i; rounds += j }
	data := 0
	for k := 0; x[k] < x[i]; k++ { data++ }
	y[affine+varying+uniform+either+loop+rounds+data] = 1
}`)
	shapes := pass.Shapes(k)
	got := map[string]pass.Shape{}
	k.Body.Walk(func(v *ir.Value) {
		if v.Name != "" {
			got[v.Name] = max(got[v.Name], shapes[v.ID])
		}
	})
	for name, want := range map[string]pass.Shape{
		"i": pass.Affine, "affine": pass.Affine, "varying": pass.Varying, "uniform": pass.Uniform, "either": pass.Varying,
		"rounds": pass.Uniform, "j": pass.Uniform, "data": pass.Varying, "k": pass.Varying,
	} {
		assert.Equal(t, want, got[name], "%s is %v", name, got[name])
	}
	assert.GreaterOrEqual(t, got["loop"], pass.Affine)
}

func TestEstimate(t *testing.T) {
	k := lower(t, "x, y []float64, c []int, n int", "func(i int) { s := 0.0; for j := range n { s += x[j] }; y[c[i]] = x[c[i]] + s / x[i] }")
	pass.Run(k, pass.All)
	c := pass.Estimate(k)
	assert.Equal(t, pass.Rounds+2, c.Loads)
	assert.Equal(t, 1, c.Gathers)
	assert.Equal(t, 1, c.Scatters)
	assert.Zero(t, c.Stores)
}

// Parts of accumulators that the functor cannot touch are none of its kernel, unless methods of the accumulator do.
func TestUntouched(t *testing.T) {
	parts := func(functor string) (names []string) {
		k := lower(t, "x []float64", functor)
		require.Len(t, k.Accs, 3)
		pass.Run(k, pass.All)
		require.NoError(t, k.Verify())
		for n, a := range k.Accs {
			assert.Equal(t, n, k.Body.Params[n].Index)
			names = append(names, ir.PartString(a.Path))
		}
		return names
	}
	const of = "func(i int, acc *builtin.ValLoc[float64, int]) { "
	assert.Equal(t, []string{".Val", ".Loc"}, parts(of+"if x[i] < acc.Val { acc.Val, acc.Loc = x[i], i } }"))
	assert.Equal(t, []string{".Val", ".Loc"}, parts(of+"acc.Val = x[i] }"))
	assert.Equal(t, []string{".Val", ".Loc", ".none"}, parts(of+"acc.Min(x[i], i) }"))
}

// A number equals itself, unless it is NaN.
func TestSameNumber(t *testing.T) {
	for typ, left := range map[string]int{"float64": 2, "float32": 2, "int": 0, "uint8": 0, "bool": 0} {
		k := lower(t, "x []"+typ+", y []bool", "func(i int) { v := x[i]; y[i] = v != v || !(v == v) }")
		pass.Run(k, pass.All)
		assert.Equal(t, left, count(k.Body, ir.Eq)+count(k.Body, ir.Ne), typ)
	}
}

// The header of a slice in memory is loaded in front of a loop: its own index was checked.
func TestHoistHeaders(t *testing.T) {
	for functor, loads := range map[string]int{
		"func(i int) { for j := range m { y[j] += rows[i][j] } }":      3, // y[j], and rows[i][j] in both
		"func(i int) { for j := range m { y[j] += rows[3][j] } }":      3,
		"func(i int) { for j := range m { y[j] += rows[j][i] } }":      6,
		"func(i int) { for j := range m { y[j] += float64(n[1].b) } }": 1,
	} {
		k := lower(t, "y []float64, rows [][]float64, n []struct{ a, b int }, m int", functor)
		pass.Run(k, pass.All)
		assert.LessOrEqual(t, inLoops(k.Body, ir.Load), loads, "%s\n%s", functor, k)
	}
	k := lower(t, "n []struct{ a, b int }, m int", "func(i int) { for j := range m { if n[j].a > n[2*m].b { n[j].a = 1 } } }")
	pass.Run(k, pass.All)
	assert.GreaterOrEqual(t, inLoops(k.Body, ir.Load), 2, "n[j].a may be n[2*m].b\n%s", k)
}

// What all items load is loaded once, behind the check of its index, unless an item may store there.
func TestSetupLoads(t *testing.T) {
	for functor, want := range map[string]struct{ setup, body int }{
		"func(i int) { y[i] = float64(n[1].a) }":            {1, 0},
		"func(i int) { y[i] = rows[2][i] }":                 {2, 1},
		"func(i int) { y[i] = y[3] }":                       {0, 1},
		"func(i int) { rows[1][i] = rows[2][i] }":           {4, 1},
		"func(i int) { n[i].a = n[3].b }":                   {0, 1},
		"func(i int) { if i > m { y[i] = rows[2][i] } }":    {0, 3},
		"func(i int) { if m > 3 { y[i] = rows[2][i] } }":    {0, 3},
		"func(i int) { for range m { y[i] = rows[2][i] } }": {2, 1},
	} {
		k := lower(t, "y []float64, rows [][]float64, n []struct{ a, b int }, m int", functor)
		pass.Run(k, pass.All)
		assert.Equal(t, want.setup, count(k.Setup, ir.Load), "setup of %s\n%s", functor, k)
		assert.Equal(t, want.body, count(k.Body, ir.Load), "body of %s\n%s", functor, k)
		exact := lower(t, "y []float64, rows [][]float64, n []struct{ a, b int }, m int", functor)
		pass.Run(exact, pass.Exact)
		assert.Zero(t, count(exact.Setup, ir.Load), functor)
	}
	k := lower(t, "y []float64, rows [][]float64, m int", "func(i int) { y[i] = rows[2][i] }")
	pass.Run(k, pass.All)
	for n := range 4 {
		args, err := interp.Bind(k, make([]float64, 3), [][]float64{nil, nil, {1, 2, 3}, nil}[:n:n], 0)
		require.NoError(t, err)
		assert.Equal(t, 3*(n/3), interp.Span(k, args, 0, 3, 0, nil), "%d rows", n)
	}
}
