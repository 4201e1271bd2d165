package cuda_test

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// Functors with texts, as a generator writes them.

type axpyKernel struct {
	a    float64
	x, y views.View1[float64]
}

// Axpy adds a·x to y.
func Axpy(a float64, x, y views.View1[float64]) func(i int) { return (&axpyKernel{a, x, y}).at }

func (k *axpyKernel) at(i int) { k.y.Set(i, k.y.At(i)+float64(k.a*k.x.At(i))) }

type dotKernel struct{ x, y views.View1[float64] }

// Dot is Σ x[i]·y[i].
func Dot(x, y views.View1[float64]) func(i int, acc *float64) { return (&dotKernel{x, y}).at }

func (k *dotKernel) at(i int, acc *float64) { *acc += float64(k.x.At(i) * k.y.At(i)) }

type tableKernel struct {
	c [4]float64
	y views.View1[float64]
}

// Table sets y[i] to c[i mod 4].
func Table(c [4]float64, y views.View1[float64]) func(i int) { return (&tableKernel{c, y}).at }

func (k *tableKernel) at(i int) { k.y.Set(i, k.c[i&3]) }

type scratchKernel struct {
	bytes int
	y     views.View1[float64]
}

// Scratch sets y[team] to how many bytes of scratch memory of level 0 a team has.
func Scratch(bytes int, y views.View1[float64]) func(m *team.Member) {
	return (&scratchKernel{bytes, y}).at
}

func (k *scratchKernel) at(m *team.Member) {
	team.Single(m, func() { k.y.Set(m.LeagueRank(), float64(k.bytes)) })
}

type wildKernel struct{ y views.View1[float64] }

// Wild writes where nothing is.
func Wild(y views.View1[float64]) func(i int) { return (&wildKernel{y}).at }

func (k *wildKernel) at(int) {}

type sliceKernel struct{ x []float64 }

// OfSlice has captured a slice.
func OfSlice(x []float64) func(i int) { return (&sliceKernel{x}).at }

func (k *sliceKernel) at(i int) { k.x[i]++ }

type brokenKernel struct{ y views.View1[float64] }

// Broken has a text that is none.
func Broken(y views.View1[float64]) func(i int) { return (&brokenKernel{y}).at }

func (k *brokenKernel) at(int) {}

func from(name string, line int) kernel.Source {
	return kernel.Source{Name: "cuda_test." + name, File: "kernels_test.go", Line: line, Version: kernel.Version}
}

var (
	axpyText = kernel.Text{
		Source: from("axpy", 19), Form: kernel.TextForm, Entry: "axpy", PTX: axpyPTX,
		Stops:    []string{"kernels_test.go:21: index of x out of range", "kernels_test.go:21: index of y out of range"},
		Memories: []kernel.TextMemory{{Name: "x"}, {Name: "y", Stored: true}},
	}
	dotText = kernel.Text{
		Source: from("dot", 26), Form: kernel.TextForm, Entry: "dot", PTX: dotPTX, Accumulators: []string{"float64"},
		Stops:    []string{"kernels_test.go:28: index of x out of range", "kernels_test.go:28: index of y out of range"},
		Memories: []kernel.TextMemory{{Name: "x"}, {Name: "y"}},
	}
	tableText   = kernel.Text{Source: from("table", 36), Form: kernel.TextForm, Entry: "table", PTX: tablePTX, Memories: []kernel.TextMemory{{Name: "c", Array: true}, {Name: "y", Stored: true}}}
	scratchText = kernel.Text{Source: from("scratch", 46), Form: kernel.TextForm, Entry: "scratch", Lanes: "scratch", PTX: scratchPTX, Memories: []kernel.TextMemory{{Name: "y", Stored: true}}}
	wildText    = kernel.Text{Source: from("wild", 57), Form: kernel.TextForm, Entry: "wild", PTX: wildPTX, Memories: []kernel.TextMemory{{Name: "y", Stored: true}}}
	sliceText   = kernel.Text{Source: from("ofSlice", 64), Form: kernel.TextForm, Entry: "axpy", PTX: axpyPTX, Memories: []kernel.TextMemory{{Name: "x", Stored: true}}}
	brokenText  = kernel.Text{Source: from("broken", 71), Form: kernel.TextForm, Entry: "axpy", PTX: "no text", Memories: []kernel.TextMemory{{Name: "y"}}}
)

func memoryOf(v views.View1[float64]) kernel.CallMemory {
	return kernel.CallMemory{At: v.Address(), In: v.MemorySpace(), View: v}
}

func extent(v views.View1[float64]) uint64 { return uint64(v.Extent(0)) }

func init() {
	kernel.AttachPTX(axpyText.Source, func(k *axpyKernel) func(int) { return k.at }, func(k *axpyKernel) *kernel.Call {
		a := *(*uint64)(unsafe.Pointer(&k.a))
		return &kernel.Call{Text: &axpyText, Scalars: []uint64{a, extent(k.x), uint64(k.x.Stride(0)), extent(k.y), uint64(k.y.Stride(0))}, Memories: []kernel.CallMemory{memoryOf(k.x), memoryOf(k.y)}}
	})
	kernel.AttachPTX(dotText.Source, func(k *dotKernel) func(int, *float64) { return k.at }, func(k *dotKernel) *kernel.Call {
		return &kernel.Call{Text: &dotText, Scalars: []uint64{extent(k.x), extent(k.y)}, Memories: []kernel.CallMemory{memoryOf(k.x), memoryOf(k.y)}}
	})
	kernel.AttachPTX(tableText.Source, func(k *tableKernel) func(int) { return k.at }, func(k *tableKernel) *kernel.Call {
		return &kernel.Call{Text: &tableText, Scalars: []uint64{extent(k.y)}, Memories: []kernel.CallMemory{{At: unsafe.Pointer(&k.c), Bytes: 32}, memoryOf(k.y)}}
	})
	kernel.AttachPTX(scratchText.Source, func(k *scratchKernel) func(*team.Member) { return k.at }, func(k *scratchKernel) *kernel.Call {
		return &kernel.Call{Text: &scratchText, Memories: []kernel.CallMemory{memoryOf(k.y)}}
	})
	kernel.AttachPTX(wildText.Source, func(k *wildKernel) func(int) { return k.at }, func(k *wildKernel) *kernel.Call {
		return &kernel.Call{Text: &wildText, Memories: []kernel.CallMemory{memoryOf(k.y)}}
	})
	kernel.AttachPTX(sliceText.Source, func(k *sliceKernel) func(int) { return k.at }, func(k *sliceKernel) *kernel.Call {
		return &kernel.Call{Text: &sliceText, Memories: []kernel.CallMemory{{}}}
	})
	kernel.AttachPTX(brokenText.Source, func(k *brokenKernel) func(int) { return k.at }, func(k *brokenKernel) *kernel.Call {
		return &kernel.Call{Text: &brokenText, Memories: []kernel.CallMemory{memoryOf(k.y)}}
	})
}
