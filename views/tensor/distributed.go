package tensor

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// On a space of several processes a unit leaves what it comes to in one of them, and all need
// it. So the launch over the units is a reduction there: of the bytes of what they leave, one
// after another.

// processes returns the space of this process where there are several, or nil.
func (c *call[T]) processes() exec.Space {
	if d, ok := c.on.Space().(ranks.Space); ok && d.Processes() > 1 {
		return d.Inner()
	}
	return nil
}

// runDistributed runs the units on several processes.
func (c *call[T]) runDistributed() error {
	for _, col := range c.columns {
		if err := col.carry(); err != nil {
			return err
		}
	}
	var all left
	p := policy.Range(0, c.part.units).Chunk(1).With(c.on)
	err := exec.ParallelReduce(p, func(n int, acc *left) {
		c.unit(n)
		c.eachLeft(n, func(col column[T], k, s int) { *acc = col.appendRoot(*acc, k, s) })
	}, leftOf(&all))
	if err != nil {
		return err
	}
	for n := range c.part.units {
		c.eachLeft(n, func(col column[T], k, s int) { all = col.setRoot(all, k, s) })
	}
	return nil
}

// eachLeft calls f for what a unit leaves: subtree s of result k of a column.
func (c *call[T]) eachLeft(n int, f func(col column[T], k, s int)) {
	s := n % c.part.subtrees
	first := n / c.part.subtrees * c.part.each
	for k := first; k < min(first+c.part.each, c.part.blocks); k++ {
		b := c.block(&c.part, k)
		for j := range b.n {
			for _, col := range c.columns {
				f(col, b.number+j*b.b, s)
			}
		}
	}
}

// left is what units next to each other leave, as bytes.
type left []byte

// leftReducer appends what later units leave.
type leftReducer struct{ reducers.Func[left] }

func leftOf(result *left) leftReducer {
	return leftReducer{reducers.New(result, func(dst, src *left) { *dst = append(*dst, *src...) }, reducers.Init(func(val *left) { *val = (*val)[:0] }))}
}

// AppendValue and SetValue are the form of a value, which is all that a node has.
func (leftReducer) AppendValue(buf []byte, val *left) ([]byte, error) {
	return append(buf, *val...), nil
}

func (leftReducer) SetValue(val *left, data []byte) (rest []byte, err error) {
	*val = append((*val)[:0], data...)
	return nil, nil
}

// carry makes units leave roots, which can leave the process.
func (f *folding[T, V, A]) carry() error {
	f.form = concept.FormOf(f.reducer)
	if f.form.Err != nil {
		return fmt.Errorf("tensor: a reduction whose results are elsewhere: %w", f.form.Err)
	}
	f.carried = true
	f.roots = reuse.Resize(f.roots, f.shape.outputs*max(f.subtrees, 1))
	return nil
}

// appendRoot appends subtree s of result k. What cannot be appended is a panic of the unit.
func (f *folding[T, V, A]) appendRoot(buf []byte, k, s int) []byte {
	longer, err := f.form.Append(buf, &f.roots[s*f.shape.outputs+k])
	if err != nil {
		panic(err)
	}
	return longer
}

// setRoot is the other way round.
func (f *folding[T, V, A]) setRoot(data []byte, k, s int) (rest []byte) {
	root := &f.roots[s*f.shape.outputs+k]
	f.reducer.Init(root)
	rest, err := f.form.Set(root, data)
	if err != nil {
		panic(err)
	}
	return rest
}

// setRoots sets the roots of neighbouring results, in one copy if that is what their form does.
func (f *folding[T, V, A]) setRoots(data []byte, k, n int) (rest []byte) {
	rest, err := concept.SetElements(f.form, f.roots[k:k+n], f.reducer.Init, data)
	if err != nil {
		panic(err)
	}
	return rest
}
