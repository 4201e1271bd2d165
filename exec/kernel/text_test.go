package kernel_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/views"
)

// Halve divides x by two. The functor and its text are what a generator writes.
func Halve(x views.View1[float32]) func(i int) {
	return (&halve{x: x, f: func(i int) { x.Set(i, x.At(i)/2) }}).at
}

type halve struct {
	x views.View1[float32]
	f func(i int)
}

func (k *halve) at(i int)   { k.f(i) }
func (k *halve) none(i int) { k.f(i) }
func (k *halve) old(i int)  { k.f(i) }

var halveText = kernel.Text{
	Source:   kernel.Source{Name: "example.com/solver.halve", File: "solver.go", Line: 7, Version: kernel.Version},
	Form:     kernel.TextForm,
	Entry:    "halve",
	PTX:      ".version 7.0\n...",
	Stops:    []string{"solver.go:9: index out of range"},
	Scalars:  []string{"x.Extent(0)", "x.Stride(0)"},
	Memories: []kernel.TextMemory{{Name: "x", Stored: true}},
}

func (k *halve) call() *kernel.Call {
	return &kernel.Call{
		Text:     &halveText,
		Scalars:  []uint64{uint64(k.x.Extent(0)), uint64(k.x.Stride(0))},
		Memories: []kernel.CallMemory{{At: k.x.Address(), In: k.x.MemorySpace(), View: k.x}},
	}
}

func init() {
	kernel.AttachPTX(halveText.Source, func(k *halve) func(int) { return k.at }, (*halve).call)
	kernel.AttachPTX(halveText.Source, func(k *halve) func(int) { return k.none }, func(*halve) *kernel.Call { return nil })
}

func ExampleAttachPTX() {
	x := views.Must(views.New1[float32]("x", 10))
	call := device.Functor{Func: Halve(x)}.Code("ptx").(*kernel.Call) // as a device asks
	fmt.Println(call.Text.Entry, call.Scalars, call.Memories[0].At == x.Address())
	// Output: halve [10 1] true
}

func ExampleCall_Check() {
	card := exec.NewSimGPU(gpu.H200())
	defer card.Close()
	call := device.Functor{Func: Halve(views.Must(views.New1[float32]("x", 10)))}.Code("ptx").(*kernel.Call)
	fmt.Println(call.Check(card.Memory()))
	there := views.Must(views.As1(views.NewIn[float32](card.Memory(), "x", []int{10})))
	call = device.Functor{Func: Halve(there)}.Code("ptx").(*kernel.Call)
	fmt.Println(call.Check(card.Memory()))
	// Output:
	// the parameter x of example.com/solver.halve (solver.go:7) is the view "x" [10] in the memory of Host, expected one in that of SimGPU H200; views.MirrorCopy or views.DeepCopy copies it
	// <nil>
}

func ExampleJoinOf() {
	join, ok := kernel.JoinOf(concept.OpProd, "int16")
	fmt.Printf("%+v %v\n", join, ok)
	_, ok = kernel.JoinOf(concept.OpXor, "float64")
	fmt.Println(ok)
	// Output:
	// {Op:1 Identity:1 Bytes:2} true
	// false
}

func TestTextOfFunctors(t *testing.T) {
	k := &halve{}
	assert.Nil(t, device.Functor{Func: k.none}.Code("ptx"), "and no nil pointer in an interface")
	assert.Nil(t, kernel.Of(k.at), "a text is no loop")
	stale := halveText.Source
	stale.Version++
	kernel.AttachPTX(stale, func(k *halve) func(int) { return k.old }, (*halve).call)
	assert.Nil(t, device.Functor{Func: k.old}.Code("ptx"))
	assert.PanicsWithValue(t, "kernel: a text attached to example.com/solver.halve of a kernel_test.halve, expected two functions",
		func() { kernel.AttachPTX(halveText.Source, func(k *halve) func(int) { return k.at }, nil) })
}

func TestCheckOfCalls(t *testing.T) {
	a, b := exec.NewSimGPU(gpu.Device{}), exec.NewSimGPU(gpu.Device{Name: "other"})
	defer a.Close()
	defer b.Close()
	var array [3]float64
	text := halveText
	text.Memories = []kernel.TextMemory{{Name: "c", Array: true}, {Name: "x"}, {Name: "y"}}
	freed := views.Must(views.NewIn[float64](a.Memory(), "freed", []int{3}))
	require.NoError(t, views.Free(freed))
	for says, c := range map[string]kernel.CallMemory{
		`is the view "freed" [3], whose memory was freed`: {In: a.Memory(), At: freed.Address(), View: freed},
		"":                               {In: a.Memory(), At: unsafe.Pointer(&array)},
		"the parameter y of example.com": {At: unsafe.Pointer(&array)},
		"(solver.go:7) is a slice, whose memory is the host's; expected a view in the memory of SimGPU GPU: views.MirrorCopy copies one there": {},
		"in the memory of SimGPU other, expected one in that of SimGPU GPU; views.MirrorCopy":                                                  {In: b.Memory(), At: unsafe.Pointer(&array)},
	} {
		call := &kernel.Call{Text: &text, Scalars: []uint64{1, 2}, Memories: []kernel.CallMemory{{At: unsafe.Pointer(&array), Bytes: 24}, {In: b.Memory()}, c}}
		if err := call.Check(a.Memory()); says == "" {
			assert.NoError(t, err, "an empty view may be anywhere")
		} else {
			assert.ErrorContains(t, err, says)
		}
	}
	for _, c := range []*kernel.Call{{}, {Text: &kernel.Text{}}, {Text: &text}, {Text: &text, Scalars: []uint64{1}, Memories: make([]kernel.CallMemory, 3)}} {
		assert.ErrorContains(t, c.Check(a.Memory()), "expected what its text has")
	}
}

// The identities are those of the reducers.
func TestIdentities(t *testing.T) {
	identities[int](t)
	identities[int8](t)
	identities[int16](t)
	identities[int32](t)
	identities[int64](t)
	identities[uint](t)
	identities[uint8](t)
	identities[uint16](t)
	identities[uint32](t)
	identities[uint64](t)
	identities[uintptr](t)
	sameIdentity[float64](t, nil, concept.OpSum, concept.OpProd, concept.OpMin, concept.OpMax)
	sameIdentity[float32](t, nil, concept.OpSum, concept.OpProd, concept.OpMin, concept.OpMax)
	for _, op := range []concept.Op{concept.OpAnd, concept.OpOr} {
		j, ok := kernel.JoinOf(op, "bool")
		require.True(t, ok)
		var value bool
		r := builtin.LAnd(&value)
		if op == concept.OpOr {
			r = builtin.LOr(&value)
		}
		unit, _ := concept.IdentityOf(r)
		assert.Equal(t, unit, j.Identity == 1)
		assert.Equal(t, 1, j.Bytes)
	}
	for _, c := range []struct {
		op concept.Op
		of string
	}{{"", "int"}, {concept.OpMoments, "float64"}, {concept.OpAnd, "float32"}, {concept.OpXor, "bool"}, {concept.OpMin, "bool"}, {concept.OpSum, "bool"}, {concept.OpSum, "complex128"}, {concept.OpSum, ""}} {
		_, ok := kernel.JoinOf(c.op, c.of)
		assert.False(t, ok, c)
	}
}

func identities[T builtin.Integer](t *testing.T) {
	var value T
	sameIdentity(t, map[concept.Op]concept.Reducer[T]{concept.OpAnd: builtin.BAnd(&value), concept.OpOr: builtin.BOr(&value), concept.OpXor: builtin.BXor(&value)},
		concept.OpSum, concept.OpProd, concept.OpMin, concept.OpMax, concept.OpAnd, concept.OpOr, concept.OpXor)
}

func sameIdentity[T builtin.Real](t *testing.T, more map[concept.Op]concept.Reducer[T], ops ...concept.Op) {
	var value T
	all := map[concept.Op]concept.Reducer[T]{concept.OpSum: builtin.Sum(&value), concept.OpProd: builtin.Prod(&value), concept.OpMin: builtin.Min(&value), concept.OpMax: builtin.Max(&value)}
	for op, r := range more {
		all[op] = r
	}
	for _, op := range ops {
		j, ok := kernel.JoinOf(op, fmt.Sprintf("%T", value))
		require.True(t, ok, "%s of %T", op, value)
		unit, known := concept.IdentityOf(all[op])
		require.True(t, known)
		assert.Equal(t, int(unsafe.Sizeof(value)), j.Bytes)
		assert.Equal(t, unit, *(*T)(unsafe.Pointer(&j.Identity)), "%s of %T", op, value)
	}
}
