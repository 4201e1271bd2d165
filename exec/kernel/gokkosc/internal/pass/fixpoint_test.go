package pass_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// A fixpoint runs its passes once more than they change something, whatever that is.
func TestFixpoint(t *testing.T) {
	setup := func(k *ir.Kernel) []*ir.Value { return k.Setup.Values }
	for name, change := range map[string]func(k *ir.Kernel){
		"nothing":  func(k *ir.Kernel) {},
		"bits":     func(k *ir.Kernel) { setup(k)[0].Bits++ },
		"order":    func(k *ir.Kernel) { slices.Reverse(k.Setup.Values[:2]) },
		"argument": func(k *ir.Kernel) { setup(k)[3].Args[0] = setup(k)[1] },
		"removed":  func(k *ir.Kernel) { k.Setup.Values = setup(k)[:3] },
		"inner":    func(k *ir.Kernel) { k.Body.Values[0].Blocks[1].Values = nil },
		"check":    func(k *ir.Kernel) { k.Checks[0].Limit = setup(k)[1] },
	} {
		k := &ir.Kernel{Setup: &ir.Block{}, Body: &ir.Block{}}
		a, b, truth := k.NewValue(ir.Const, ir.I64), k.NewValue(ir.Const, ir.I64), k.NewValue(ir.Const, ir.Bool)
		k.Setup.Values = []*ir.Value{a, b, truth, k.NewValue(ir.Add, ir.I64, a, a)}
		k.Checks = []ir.SpanCheck{{Base: a, Step: a, Limit: a}}
		branch := k.NewValue(ir.If, ir.None, truth)
		branch.Blocks = []*ir.Block{{}, {Values: []*ir.Value{k.NewValue(ir.Const, ir.I64)}}}
		k.Body.Values = []*ir.Value{branch}
		rounds := 0
		count := func(k *ir.Kernel) {
			if rounds++; rounds == 1 {
				change(k)
			}
		}
		want := 2
		if name == "nothing" {
			want = 1
		}
		pass.Fixpoint(pass.Pass{Name: "count", Run: count}).Run(k)
		assert.Equal(t, want, rounds, name)
	}
}
