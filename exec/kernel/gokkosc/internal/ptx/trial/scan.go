package trial

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
)

// CheckScan runs both passes of a scan in the interpreter and as PTX, and returns how they differ. The last
// pass begins leaves with the results of the first pass. params returns the functor's parameters.
func (k *Kernel) CheckScan(params func() []any, c Case) error {
	elem := k.IR.Accs[0].Elem
	sums := make(column, max(c.Items-1, -1)/c.Leaf+1)
	for n := range sums {
		sums[n] = c.Identities[0]
	}
	for n := range uint64(2) {
		args, err := interp.Bind(k.IR, append(params(), n == 1)...)
		if err != nil {
			return err
		}
		given := append(column(nil), sums...)
		want := &outcome{args: args, status: none, leaves: []column{given}, root: column{0}}
		for item := range c.Items {
			leaf := item / c.Leaf
			if i := c.Begin + item; interp.Span(k.IR, args, i, i+1, 0, interp.Lanes{given[leaf : leaf+1]}) == i {
				want.status = min(want.status, uint64(item))
			}
		}
		p := params()
		bound, err := interp.Bind(k.Code.IR, append(p, n == 1)...)
		if err != nil {
			return err
		}
		got := &outcome{status: none, root: column{0}}
		if got.args, err = interp.Bind(k.IR, append(p, n == 1)...); err != nil {
			return err
		}
		mem, room := &machine.Memory{}, make([]uint64, len(sums)+1)
		size := max(elem.Value().Bytes(), 4)
		for l, x := range sums {
			if n == 1 {
				copy(bytesOf(room)[l*size:][:size], bytesOf([]uint64{x}))
			}
		}
		status := []uint64{none, mem.Map(bytesOf(make([]uint64, 1)))}
		values := []uint64{uint64(c.Begin), 0, uint64(c.Items), mem.Map(bytesOf(status)), uint64(c.Leaf), mem.Map(bytesOf(room)), c.Identities[0], n}
		for m, s := range k.Code.IR.Scalars {
			if s.Param < len(p) {
				values = append(values, bound.Scalars()[m])
			}
		}
		for m := range k.Code.IR.Captured() {
			values = append(values, mem.Map(bound.Memory(m)))
		}
		blocks := len(sums)/c.Threads + 1
		if err := k.Module.Run(mem, machine.Launch{Entry: k.Code.Entry, Blocks: blocks, Threads: c.Threads, Params: values, Seed: c.Seed}); err != nil {
			return fmt.Errorf("%+v: %w\n%s", c, err, k.Code.Text)
		}
		if status[0] != none {
			got.status = status[0] >> 16
		}
		var left column
		for l := range sums {
			left = append(left, load(bytesOf(room)[l*size:], size))
		}
		if n == 1 { // nobody asks for them
			left = given
		}
		got.leaves = []column{left}
		if err := k.compare("pass "+fmt.Sprint(n+1), got, want, c, true); err != nil {
			return fmt.Errorf("%+v: %w\n%s\n%s", c, err, k.IR, k.Code.Text)
		}
		if sums = given; want.status != none {
			return nil
		}
	}
	return nil
}
