package kernel

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
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

// Attach attaches a loop of a level to a functor, which must be returned as the value of a method
// of *R, not of a generic function: see space.AttachCode, which it calls with the level's name as the
// target. loop returns the loop for what the functor has captured, or nil for none. L is the interface for functors like
// F: [For] and [ForRuns] without accumulators, [Reduce] to [Reduce4] and [ReduceRuns] to [ReduceRuns4] with those of the same
// types, [Values], [ValuesRuns] and [Map] where it returns a value. Runs are for an index of several coordinates, or a row.
//
// A loop of another [Version] is not attached: the functor runs, and a line on standard error says
// for each package what to do. Anything else that is wrong is a mistake in the program: Attach
// panics. It is to be called from init.
func Attach[R, F, L any](level Level, from Source, functor func(k *R) F, loop func(k *R) L) {
	if level <= Closure || level >= levels || functor == nil || loop == nil {
		panic(fmt.Sprintf("kernel: a loop of the level %v attached to %s of a %v, expected the level go, avx2 or avx512 and two functions", level, from.Name, reflect.TypeFor[R]()))
	}
	if f, l := reflect.TypeFor[F](), reflect.TypeFor[L](); !fits(f, l) {
		panic(fmt.Sprintf("kernel: a loop that is a %v attached to %s, whose functor is a %v", l, from.Name, f))
	}
	if from.Version != Version {
		warn(from)
		return
	}
	attached.Add(packageOf(from))
	space.AttachCode(level.String(), functor, func(k *R) any { return loop(k) })
	some.Store(true)
}

// fits reports whether a type is the interface of loops for functors of a type, whatever their accumulators are.
func fits(functor, loop reflect.Type) bool {
	if functor.Kind() != reflect.Func || functor.NumIn() == 0 {
		return false
	}
	name, _, _ := strings.Cut(loop.Name(), "[")
	accumulators, index := functor.NumIn()-1, functor.In(0).Kind()
	want := "For"
	switch {
	case name == "Map":
		return accumulators == 0 && functor.NumOut() == 1
	case index != reflect.Int && index != reflect.Struct && index != reflect.Array:
		return false
	case functor.NumOut() == 1:
		want = "Values"
	case accumulators > 0:
		want = "Reduce"
	}
	if index != reflect.Int {
		want += "Runs"
	}
	if accumulators > 1 {
		want += strconv.Itoa(accumulators)
	}
	return name == want
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
