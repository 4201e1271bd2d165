package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// positives is the kernel of
//
//	func(i int, acc *float64) { if x[i] > 0 { *acc += x[i]; y[i] = 0 } }
//
// with the sum of x[i] over a loop of n rounds.
func positives() (*ir.Kernel, map[string]*ir.Value) {
	k := &ir.Kernel{
		Name:    "positives",
		Params:  []ir.Param{{Name: "x", Type: "[]float64"}, {Name: "n", Type: "int"}},
		Scalars: []ir.Scalar{{Param: 0, Path: []ir.Step{{Kind: ir.Len}}, Type: ir.I64, GoType: "int"}, {Param: 1, Type: ir.I64, GoType: "int"}},
		Mems:    []ir.Mem{{Param: 0, Elem: ir.F64, GoElem: "float64", Name: "x"}},
		Lanes:   []ir.Lanes{{Name: "acc", GoType: "float64", Size: 8}},
		Accs:    []ir.Acc{{Name: "acc", Type: ir.F64, Elem: ir.F64, GoType: "float64"}},
	}
	at := map[string]*ir.Value{}
	add := func(b *ir.Block, name string, op ir.Op, t ir.Type, args ...*ir.Value) *ir.Value {
		v := k.NewValue(op, t, args...)
		at[name] = v
		if op == ir.Arg {
			v.Index = len(b.Params)
			b.Params = append(b.Params, v)
		} else {
			b.Values = append(b.Values, v)
		}
		return v
	}
	k.Setup, k.Body = &ir.Block{}, &ir.Block{}
	add(k.Setup, "base", ir.Const, ir.I64)
	add(k.Setup, "on", ir.Const, ir.Bool)
	k.Checks = []ir.SpanCheck{{Base: at["base"], Step: at["base"], Limit: at["base"], When: at["on"]}}
	acc := add(k.Body, "acc", ir.Arg, ir.F64)
	i := add(k.Body, "item", ir.Item, ir.I64)
	length := add(k.Body, "len", ir.Uniform, ir.I64)
	add(k.Body, "check", ir.Check, ir.None, i, length)
	x := add(k.Body, "load", ir.Load, ir.F64, i)
	zero := add(k.Body, "zero", ir.Const, ir.F64)
	positive := add(k.Body, "lt", ir.Lt, ir.Bool, zero, x)
	branch := add(k.Body, "if", ir.If, ir.None, positive)
	branch.Blocks = []*ir.Block{{}, {}}
	j0 := add(branch.Then(), "j0", ir.Const, ir.I64)
	loop := add(branch.Then(), "loop", ir.Loop, ir.None, j0, acc)
	loop.Blocks = []*ir.Block{{}, {}}
	j := add(loop.Head(), "j", ir.Arg, ir.I64)
	s := add(loop.Head(), "s", ir.Arg, ir.F64)
	n := add(loop.Head(), "n", ir.Uniform, ir.I64)
	n.Index = 1
	more := add(loop.Head(), "more", ir.Lt, ir.Bool, j, n)
	loop.Head().Yield = []*ir.Value{more}
	one := add(loop.LoopBody(), "one", ir.Const, ir.I64)
	one.Bits = 1
	j2 := add(loop.LoopBody(), "j2", ir.Add, ir.I64, j, one)
	s2 := add(loop.LoopBody(), "s2", ir.Add, ir.F64, s, x)
	loop.LoopBody().Yield = []*ir.Value{j2, s2}
	sum := add(branch.Then(), "sum", ir.Result, ir.F64, loop)
	sum.Index = 1
	add(branch.Then(), "store", ir.Store, ir.None, i, zero)
	branch.Then().Yield = []*ir.Value{sum}
	branch.Else().Yield = []*ir.Value{acc}
	out := add(k.Body, "out", ir.Result, ir.F64, branch)
	k.Body.Yield = []*ir.Value{out}
	return k, at
}

const text = `kernel positives(x []float64, n int)
  scalar 0 i64 = len(x)
  scalar 1 i64 = n
  mem 0 []f64 = x
setup {
  v1 i64 = const 0
  v2 bool = const false
}
items with v1 + v1*item < v1 if v2
body(v3 f64) {
  v4 i64 = item
  v5 i64 = uniform 0
  check v4, v5
  v7 f64 = load 0[v4]
  v8 f64 = const 0
  v9 bool = lt v8, v7
  v10 = if v9 {
    v11 i64 = const 0
    v12 = loop(v11, v3) head(v13 i64, v14 f64) {
      v15 i64 = uniform 1
      v16 bool = lt v13, v15
      yield v16
    } body {
      v17 i64 = const 1
      v18 i64 = add v13, v17
      v19 f64 = add v14, v7
      yield v18, v19
    }
    v20 f64 = result v12, 1
    store 0[v4], v8
    yield v20
  } else {
    yield v3
  }
  v22 f64 = result v10, 0
  yield v22
}
`

func TestText(t *testing.T) {
	k, _ := positives()
	require.NoError(t, k.Verify())
	assert.Equal(t, text, k.String())
}

// Each broken rule is an error that names the value.
func TestVerify(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(k *ir.Kernel, at map[string]*ir.Value)
		says  string
	}{
		"a value of a block within":       {func(_ *ir.Kernel, at map[string]*ir.Value) { at["out"].Args[0] = at["loop"] }, "uses v12, which is not computed before it"},
		"a value of the other branch":     {func(_ *ir.Kernel, at map[string]*ir.Value) { at["if"].Else().Yield[0] = at["sum"] }, "uses v20"},
		"a value of the body in the head": {func(_ *ir.Kernel, at map[string]*ir.Value) { at["more"].Args[0] = at["j2"] }, "uses v18"},
		"a value behind":                  {func(_ *ir.Kernel, at map[string]*ir.Value) { at["check"].Args[0] = at["load"] }, "uses v7"},
		"no value":                        {func(_ *ir.Kernel, at map[string]*ir.Value) { at["lt"].Args[0] = nil }, "an argument that is nil"},
		"types that differ":               {func(_ *ir.Kernel, at map[string]*ir.Value) { at["lt"].Args[0] = at["item"] }, "has type bool of arguments of types [i64 f64]"},
		"too few arguments":               {func(_ *ir.Kernel, at map[string]*ir.Value) { at["lt"].Args = at["lt"].Args[:1] }, "has 1 arguments, expected 2"},
		"a result too many":               {func(_ *ir.Kernel, at map[string]*ir.Value) { at["out"].Index = 1 }, "expected one of the results [f64]"},
		"a result of another type":        {func(_ *ir.Kernel, at map[string]*ir.Value) { at["sum"].Index = 0 }, "expected one of the results [i64 f64]"},
		"branches that differ":            {func(_ *ir.Kernel, at map[string]*ir.Value) { at["if"].Else().Yield = nil }, "else yields [], expected [f64]"},
		"a loop that yields too little":   {func(_ *ir.Kernel, at map[string]*ir.Value) { l := at["loop"].LoopBody(); l.Yield = l.Yield[:1] }, "yields [i64], expected [i64 f64]"},
		"a head that yields a number":     {func(_ *ir.Kernel, at map[string]*ir.Value) { at["loop"].Head().Yield[0] = at["j"] }, "head yields [i64], expected [bool]"},
		"an accumulator that is not left": {func(k *ir.Kernel, _ map[string]*ir.Value) { k.Body.Yield = nil }, "body yields [], expected [f64]"},
		"a memory too many":               {func(_ *ir.Kernel, at map[string]*ir.Value) { at["load"].Index = 1 }, "is of memory 1, expected one of 1"},
		"another element":                 {func(k *ir.Kernel, _ map[string]*ir.Value) { k.Mems[0].Elem = ir.F32 }, "is of a f64, expected a f32"},
		"constants that are a parameter":  {func(k *ir.Kernel, _ map[string]*ir.Value) { k.Mems[0].Table = []uint64{1} }, "memory 0 of constants is part of parameter 0, expected -1, an array and a type"},
		"a memory behind constants": {func(k *ir.Kernel, _ map[string]*ir.Value) {
			k.Mems = append([]ir.Mem{{Param: -1, Array: true, Elem: ir.F64, Table: []uint64{1}}}, k.Mems...)
		}, "memory 1 stands behind one that is no part of a parameter, expected it before all of these"},
		"an array that is stored to":      {func(k *ir.Kernel, _ map[string]*ir.Value) { k.Mems[0].Array = true }, "stores to an array"},
		"a parameter too many":            {func(k *ir.Kernel, _ map[string]*ir.Value) { k.Scalars[1].Param = 2 }, "scalar 1 is part of parameter 2"},
		"a value in two places":           {func(k *ir.Kernel, at map[string]*ir.Value) { k.Body.Values = append(k.Body.Values, at["zero"]) }, "stands in two places"},
		"a number that is taken":          {func(_ *ir.Kernel, at map[string]*ir.Value) { at["zero"].ID = 4 }, "expected one of its own"},
		"a condition of an item's values": {func(k *ir.Kernel, at map[string]*ir.Value) { k.Checks[0].Step = at["item"] }, "is part of condition 0 on the index"},
		"a condition of numbers":          {func(k *ir.Kernel, at map[string]*ir.Value) { k.Checks[0].When = at["base"] }, "expected a bool of the setup"},
		"an item in the setup":            {func(k *ir.Kernel, at map[string]*ir.Value) { at["base"].Op = ir.Item }, "which no item runs"},
		"half of a float's bits": {func(_ *ir.Kernel, at map[string]*ir.Value) {
			at["j2"].Op = ir.MulHigh
			at["j2"].Type = ir.F64
		}, "has type f64 of arguments of types [i64 i64]"},
	} {
		t.Run(name, func(t *testing.T) {
			k, at := positives()
			c.spoil(k, at)
			assert.ErrorContains(t, k.Verify(), c.says)
		})
	}
}
