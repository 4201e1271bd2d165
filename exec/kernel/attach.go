package kernel

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/attached"
)

// Version is what generated files and this package agree on: the interfaces of loops, and what the
// compiler of kernels takes the operations of Go to mean.
const Version = 1

// A Source is where a kernel is from.
type Source struct {
	Name    string // of the constructor, with its package: "example.com/solver.axpy"
	File    string // that has it: "solver.go"
	Line    int
	Version int // [Version] when the loop was generated
}

// AttachFor attaches a loop of a level to a functor, which must be returned as the value of a method
// of *R, not of a generic function: see space.AttachCode, which it calls with the level's name as the
// target. loop returns the loop for what the functor has captured, or nil for none.
//
// A loop of another [Version] is not attached: the functor runs, and a line on standard error says
// for each package what to do. Anything else that is wrong is a mistake in the program: AttachFor
// panics. It is to be called from init.
func AttachFor[R any](level Level, from Source, functor func(k *R) func(i int), loop func(k *R) For) {
	attach(level, from, functor, loop)
}

// AttachReduce is [AttachFor] for a functor with an accumulator.
func AttachReduce[R, A any](level Level, from Source, functor func(k *R) func(i int, acc *A), loop func(k *R) Reduce[A]) {
	attach(level, from, functor, loop)
}

// AttachReduce2 is [AttachFor] for a functor with two accumulators.
func AttachReduce2[R, A, B any](level Level, from Source, functor func(k *R) func(i int, a *A, b *B), loop func(k *R) Reduce2[A, B]) {
	attach(level, from, functor, loop)
}

// AttachReduce3 is [AttachFor] for a functor with three accumulators.
func AttachReduce3[R, A, B, C any](level Level, from Source, functor func(k *R) func(i int, a *A, b *B, c *C), loop func(k *R) Reduce3[A, B, C]) {
	attach(level, from, functor, loop)
}

// AttachReduce4 is [AttachFor] for a functor with four accumulators.
func AttachReduce4[R, A, B, C, D any](level Level, from Source, functor func(k *R) func(i int, a *A, b *B, c *C, d *D), loop func(k *R) Reduce4[A, B, C, D]) {
	attach(level, from, functor, loop)
}

func attach[R, F, L any](level Level, from Source, functor func(k *R) F, loop func(k *R) L) {
	if level <= Closure || level >= levels || functor == nil || loop == nil {
		panic(fmt.Sprintf("kernel: a loop of the level %v attached to %s of a %v, expected the level go, avx2 or avx512 and two functions", level, from.Name, reflect.TypeFor[R]()))
	}
	if from.Version != Version {
		warn(from)
		return
	}
	attached.Add(packageOf(from))
	space.AttachCode(level.String(), functor, func(k *R) any { return loop(k) })
	some.Store(true)
}

// packageOf returns the path of the package of a kernel.
func packageOf(from Source) string { return from.Name[:max(strings.LastIndexByte(from.Name, '.'), 0)] }

// stale has the packages that were warned of.
var stale struct {
	sync.Mutex
	packages map[string]bool
	to       io.Writer // os.Stderr if nil
}

// warn says of the package of a kernel that its generated files are of another version.
func warn(from Source) {
	stale.Lock()
	defer stale.Unlock()
	of := packageOf(from)
	if stale.packages[of] {
		return
	}
	if stale.packages == nil {
		stale.packages = map[string]bool{}
	}
	stale.packages[of] = true
	to := stale.to
	if to == nil {
		to = os.Stderr
	}
	fmt.Fprintf(to, "gokkos: the generated kernels of package %s, such as %s (%s:%d), are of version %d, expected %d: they run as closures; go generate %s makes them anew\n",
		of, from.Name[len(of)+min(len(of), 1):], from.File, from.Line, from.Version, Version, of)
}
