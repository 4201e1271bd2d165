//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// A card is a space that runs nothing but PTX, on the machine.
type card struct {
	mem      *machine.Memory
	launches int
	byPoints int // of these, rows whose points were run as rows
	plain    int // and boxes of one tile
	modules  map[*kernel.Text]*machine.Module
}

func newCard() *card {
	return &card{mem: &machine.Memory{}, modules: map[*kernel.Text]*machine.Module{}}
}

func (*card) Name() string     { return "card" }
func (*card) Concurrency() int { return 1 }

// mapped makes a slice the memory of a card.
func mapped[T any](c *card, x []T) []T {
	if cap(x) > 0 {
		c.mem.Map(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), cap(x)*int(unsafe.Sizeof(x[0]))))
	}
	return x
}

func (c *card) Launch(g space.Grid, j space.Job) error {
	caller := j.(device.Job)
	f := caller.Functor()
	call, ok := f.Code("ptx").(*kernel.Call)
	if !ok {
		return f.Without("ptx", c)
	}
	j.Open(1, 1)
	if g.Items == 0 {
		return nil
	}
	status := mapped(c, []uint64{math.MaxUint64, address(mapped(c, []uint64{0}))})
	if f.Box.LeftPoints && call.Left != nil {
		call = call.Left
	}
	entry := call.Text.Entry
	if call.ByPoints() {
		entry = call.Text.Rows.Points
		c.byPoints++
	}
	m, err := c.module(call.Text)
	if err != nil {
		return err
	}
	params, err := call.Text.Index(f.Box)
	if err != nil {
		return err
	}
	plain := call.IsPlain(params)
	if plain {
		entry = call.Text.Plain
		c.plain++
	}
	index := params
	params = append(params, 0, uint64(g.Items), address(status))
	var roots [][]byte
	if call.Text.Rows != nil || len(f.Columns) > 0 {
		params = append(params, uint64(g.Leaf))
	}
	if len(f.Columns) > 0 {
		params = append(params, uint64(g.Lanes), address(mapped(c, []uint64{0})))
	}
	for n, column := range f.Columns {
		join, ok := kernel.JoinOf(column.Operation.Join, call.Text.Accumulators[n])
		if !ok {
			return fmt.Errorf("card: %+v of %s is not joined", column.Operation, call.Text.Accumulators[n])
		}
		values := mapped(c, make([]uint64, g.Leaves)) // room for the largest ones
		root := mapped(c, make([]uint64, 1))
		roots = append(roots, unsafe.Slice((*byte)(unsafe.Pointer(&root[0])), join.Bytes))
		params = append(params, address(values), address(root), join.Identity, join.Op)
	}
	params = append(params, call.Scalars...)
	for n, m := range call.Memories {
		if call.Text.Memories[n].Array {
			c.mem.Map(unsafe.Slice((*byte)(m.At), m.Bytes))
		}
		params = append(params, uint64(uintptr(m.At)))
	}
	threads := 128
	c.launches++
	blocks := 1 + g.Items/1000
	if len(f.Columns) == 0 && !call.Text.Strides {
		blocks = (g.Items-1)/threads + 1
	}
	if plain {
		blocks, threads = call.Text.PlainBlocks(index, 0, g.Items), kernel.PlainThreads
	}
	if err := m.Run(c.mem, machine.Launch{Entry: entry, Blocks: blocks, Threads: threads, Params: params, Seed: uint64(g.Items)}); err != nil {
		return err
	}
	if status[0] != math.MaxUint64 {
		return fmt.Errorf("card: item %d stops: %s", status[0]>>16, call.Text.Stops[status[0]&0xffff])
	}
	var value []byte
	for _, root := range roots {
		value = append(value, root...)
	}
	caller.Accept(0, 0, g.Leaves, 0, value)
	return nil
}

func (c *card) module(t *kernel.Text) (*machine.Module, error) {
	if m := c.modules[t]; m != nil {
		return m, nil
	}
	m, err := machine.Parse(t.PTX)
	c.modules[t] = m
	return m, err
}

func address(x []uint64) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(x)))) }

// Launches on a card have the bits of closures on Serial, with any number of leaves.
func TestCard(t *testing.T) {
	c := newCard()
	r := rand.New(rand.NewPCG(2, 3))
	for _, n := range []int{0, 1, 2, 15, 16, 17, 63, 255, 300, 1000, 1023, 4097, 10007} {
		for _, chunk := range []int{0, 1, 7, 33, 1000} {
			if n > 1000*max(chunk, 10) || testing.Short() && n > 4097 {
				continue
			}
			begin := r.IntN(5)
			p := policy.Range(begin, begin+n)
			if chunk > 0 {
				p = p.Chunk(chunk)
			}
			x, y := mapped(c, positive(r, n+begin)), mapped(c, positive(r, n+begin))
			z, w := mapped(c, make([]float64, n+begin)), make([]float64, n+begin)
			singles, m, t1 := mapped(c, make([]float32, n+begin)), mapped(c, make([]int, n+begin)), mapped(c, make([]celsius, n+begin))
			for i := range x {
				singles[i], m[i], t1[i] = float32(y[i]), r.IntN(1000)-500, celsius(x[i]-1)
			}
			weights := [8]float64{1, 2, 3, 4, 5, 6, 7, 8}
			what := fmt.Sprintf("%d items, chunk %d", n, chunk)
			before := c.launches
			require.Equal(t,
				sums(t, p.On(exec.Serial{}), dot(x, y), smallest(x), roots(x), magnitude(singles), series(weights, x), steps(m), moments(singles), parity(t1)),
				sums(t, p.On(c), Dot(x, y), Smallest(x), Roots(x), Magnitude(singles), Series(weights, x), Steps(m), Moments(singles), Parity(t1)), what)
			require.NoError(t, exec.ParallelFor(p.On(c), Triad(1.5, x, y, z)), what)
			require.NoError(t, exec.ParallelFor(p.On(exec.Serial{}), triad(1.5, x, y, w)))
			require.Equal(t, w, z, what)
			if n > 0 {
				require.Equal(t, 9, c.launches-before, "the card has run all")
			}
			c.mem = &machine.Memory{}
		}
	}
}

func positive(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.ExpFloat64()
	}
	return x
}

// sums returns the bits of reductions.
func sums(t *testing.T, p policy.RangePolicy, dot, least, roots func(int, *float64), size func(int, *float32), series func(int, *float64),
	steps func(int, *int), moments func(int, *float64, *float64, *float32, *int64), parity func(int, *bool, *uint32),
) string {
	var a, b, c, d, e, f float64
	var s, u float32
	var i int
	var n int64
	var odd bool
	var all uint32
	require.NoError(t, exec.ParallelReduce(p, dot, builtin.Sum(&a)))
	require.NoError(t, exec.ParallelReduce(p, least, builtin.Min(&b)))
	require.NoError(t, exec.ParallelReduce(p, roots, builtin.Max(&c)))
	require.NoError(t, exec.ParallelReduce(p, size, builtin.Sum(&s)))
	require.NoError(t, exec.ParallelReduce(p, series, builtin.Prod(&d)))
	require.NoError(t, exec.ParallelReduce(p, steps, builtin.Sum(&i)))
	require.NoError(t, exec.ParallelReduce4(p, moments, builtin.Sum(&e), builtin.Sum(&f), builtin.Min(&u), builtin.Sum(&n)))
	require.NoError(t, exec.ParallelReduce2(p, parity, builtin.LOr(&odd), builtin.BOr(&all)))
	return fmt.Sprintf("%x %x %x %x %x %x %x %x %x %x %v %x", a, b, c, s, d, i, e, f, u, n, odd, all)
}

// An item that stops is the lowest one, with its place.
func TestCardStops(t *testing.T) {
	c := newCard()
	x, y := mapped(c, make([]float64, 100)), mapped(c, make([]float64, 70))
	err := exec.ParallelFor(policy.Range(0, 100).On(c), Axpy(2, x, y))
	assert.ErrorContains(t, err, "item 70 stops: kernels.go:17:")
	assert.ErrorContains(t, err, "index out of range")
	err = exec.ParallelFor(policy.Range(0, 3).On(c), axpy(2, x, y))
	assert.ErrorContains(t, err, "has no ptx code")
}
