package device_test

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// lender is a space with a memory of its own. For want of a card, that is on the host; a real one
// calls its driver where this one calls make and copy.
type lender struct {
	exec.Serial
	blocks map[unsafe.Pointer][]uint64
}

func (*lender) Name() string                 { return "lender" }
func (c *lender) Memory() device.Memory      { return c }
func (*lender) String() string               { return "my lender" }
func (c *lender) Owner() space.Space         { return c }
func (c *lender) Guard() *device.Guard       { return nil } // functors never touch it
func bytesAt(p unsafe.Pointer, n int) []byte { return unsafe.Slice((*byte)(p), n) }

func (c *lender) Allocate(bytes, align int) (unsafe.Pointer, error) {
	switch {
	case bytes < 0 || align < 1 || align&(align-1) != 0:
		return nil, fmt.Errorf("%d bytes at multiples of %d", bytes, align)
	case align > 8 || bytes > 1<<20:
		return nil, fmt.Errorf("%d bytes at multiples of %d: %w", bytes, align, device.ErrOutOfMemory)
	}
	block := make([]uint64, bytes/8+1)
	c.blocks[unsafe.Pointer(&block[0])] = block
	return unsafe.Pointer(&block[0]), nil
}

func (c *lender) Free(address unsafe.Pointer) error {
	if c.blocks[address] == nil {
		return errors.New("not allocated")
	}
	delete(c.blocks, address)
	return nil
}

// Copy copies a run of bytes at a time.
func (c *lender) Copy(all device.Copy) error {
	for run := range all.Each(0) {
		copy(bytesAt(run.Dst.Address, run.Bytes), bytesAt(run.Src.Address, run.Bytes))
	}
	return nil
}

// Fill writes a pattern at a time.
func (c *lender) Fill(all device.Fill) error {
	for one := range all.Each(0) {
		copy(bytesAt(one.Dst.Address, len(one.Pattern)), one.Pattern)
	}
	return nil
}

// spacetest.TestSpace checks a memory, too.
func ExampleMemory() {
	on := &lender{blocks: map[unsafe.Pointer][]uint64{}}
	h := views.Must(views.Of1("h", []float64{1, 2, 3}))
	d, err := views.MirrorCopy(views.MemoryOf(on), h)
	fmt.Println(d.MemorySpace(), err)

	var sum float64
	fmt.Println(exec.ParallelFold(views.Source(d), builtin.Sum(&sum)))

	fmt.Println(views.Fill(d, 7), views.DeepCopy(h, d), h.At(0))
	fmt.Println(views.Free(d), len(on.blocks))
	// Output:
	// my lender <nil>
	// views: Source of "h" [3] in the memory of my lender, which functors cannot touch from the host; views.MirrorCopy or views.DeepCopy copies it
	// <nil> <nil> 7
	// <nil> 0
}

func ExampleMemoryOf() {
	on := &lender{}
	fmt.Println(device.MemoryOf(on), device.MemoryOf(exec.Serial{}))
	// Output: my lender <nil>
}

// A space whose memory functors may touch opens it in Launch.
func ExampleGuard() {
	var g device.Guard
	launch := func(functor func()) {
		g.Enter()
		defer g.Leave()
		functor()
	}
	fmt.Println(g.Open())
	launch(func() { fmt.Println(g.Open()) })
	fmt.Println(g.Open())
	// Output:
	// false
	// true
	// false
}

// A memory that copies rows, as cudaMemcpy2D does, splits a copy of more extents.
func ExampleCopy_Each() {
	var from, to [24]byte
	all := device.Copy{
		Dst:     device.Side{Address: unsafe.Pointer(&to), Strides: []int{12, 4}},
		Src:     device.Side{Address: unsafe.Pointer(&from), Strides: []int{4, 8}},
		Extents: []int{2, 3},
		Bytes:   4,
	}
	for rows := range all.Each(1) {
		begin := uintptr(rows.Dst.Address) - uintptr(unsafe.Pointer(&to))
		fmt.Println(rows.Extents[0], "rows of", rows.Bytes, "bytes to byte", begin, "and every", rows.Dst.Strides[0], "from every", rows.Src.Strides[0])
	}
	// Output:
	// 3 rows of 4 bytes to byte 0 and every 4 from every 8
	// 3 rows of 4 bytes to byte 12 and every 4 from every 8
}

func ExampleFill_Each() {
	var to [24]byte
	all := device.Fill{
		Dst:     device.Side{Address: unsafe.Pointer(&to), Strides: []int{12, 4}},
		Extents: []int{2, 3},
		Pattern: []byte{1, 2},
	}
	for row := range all.Each(1) {
		for one := range row.Each(0) {
			copy(bytesAt(one.Dst.Address, 2), one.Pattern)
		}
	}
	fmt.Println(to)
	// Output: [1 2 0 0 1 2 0 0 1 2 0 0 1 2 0 0 1 2 0 0 1 2 0 0]
}

// Another space may run where the memory is: a policy says so, and without one the owner does.
func ExampleMemoryOwner() {
	on := &lender{blocks: map[unsafe.Pointer][]uint64{}}
	d := views.Must(views.NewIn[int32](on.Memory(), "d", []int{2}))
	fmt.Println(views.Fill(d, 1, policy.On(exec.Serial{})))
	fmt.Println(views.Fill(d, 1), views.Free(d))
	// Output:
	// views: Fill of "d" [2] in the memory of my lender on the space serial, which cannot touch it; views.MirrorCopy or views.DeepCopy copies it
	// <nil> <nil>
}

// reader is a device that reads its memory without the host.
type reader struct{ device.MemoryOwner }

func (reader) FoldsMemory() {}

// Only a device that says so is given folds of values that the host cannot touch.
func ExampleMemoryFolder() {
	var on any = reader{}
	_, folds := on.(device.MemoryFolder)
	fmt.Println(folds)
	// Output: true
}
