package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
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
		Accs:    []ir.Acc{{Name: "acc", Type: ir.F64, GoType: "float64"}},
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
	k.Body = &ir.Block{}
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
body(v1 f64) {
  v2 i64 = item
  v3 i64 = uniform 0
  check v2, v3
  v5 f64 = load 0[v2]
  v6 f64 = const 0
  v7 bool = lt v6, v5
  v8 = if v7 {
    v9 i64 = const 0
    v10 = loop(v9, v1) head(v11 i64, v12 f64) {
      v13 i64 = uniform 1
      v14 bool = lt v11, v13
      yield v14
    } body {
      v15 i64 = const 1
      v16 i64 = add v11, v15
      v17 f64 = add v12, v5
      yield v16, v17
    }
    v18 f64 = result v10, 1
    store 0[v2], v6
    yield v18
  } else {
    yield v1
  }
  v20 f64 = result v8, 0
  yield v20
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
		"a value of a block within":       {func(_ *ir.Kernel, at map[string]*ir.Value) { at["out"].Args[0] = at["loop"] }, "uses v10, which is not computed before it"},
		"a value of the other branch":     {func(_ *ir.Kernel, at map[string]*ir.Value) { at["if"].Else().Yield[0] = at["sum"] }, "uses v18"},
		"a value of the body in the head": {func(_ *ir.Kernel, at map[string]*ir.Value) { at["more"].Args[0] = at["j2"] }, "uses v16"},
		"a value behind":                  {func(_ *ir.Kernel, at map[string]*ir.Value) { at["check"].Args[0] = at["load"] }, "uses v5"},
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
		"an array that is stored to":      {func(k *ir.Kernel, _ map[string]*ir.Value) { k.Mems[0].Array = true }, "stores to an array"},
		"a parameter too many":            {func(k *ir.Kernel, _ map[string]*ir.Value) { k.Scalars[1].Param = 2 }, "scalar 1 is part of parameter 2"},
		"a value in two places":           {func(k *ir.Kernel, at map[string]*ir.Value) { k.Body.Values = append(k.Body.Values, at["zero"]) }, "stands in two places"},
		"a number that is taken":          {func(_ *ir.Kernel, at map[string]*ir.Value) { at["zero"].ID = 2 }, "expected one of its own"},
		"a divisor that is no constant": {func(_ *ir.Kernel, at map[string]*ir.Value) {
			at["j2"].Op = ir.Div
			at["j2"].Args[1] = at["j"]
		}, "div v11, v11: has type"},
	} {
		t.Run(name, func(t *testing.T) {
			k, at := positives()
			c.spoil(k, at)
			assert.ErrorContains(t, k.Verify(), c.says)
		})
	}
}
