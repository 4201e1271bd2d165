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

// Version is the version of the contract between generated files and this package: the interfaces of
// loops, and the meaning that the compiler of kernels gives to Go's operations.
const Version = 1

// A Source is the place in source code that a kernel comes from.
type Source struct {
	Name    string // constructor with its package: "example.com/solver.axpy"
	File    string // file with the constructor: "solver.go"
	Line    int
	Version int // [Version] when the loop was generated
}

// Attach attaches a loop of a level to a functor. functor must return a method of *R as a value, made
// outside of generic functions. Attach calls space.AttachCode with the level's name as the target.
//
// loop returns the loop for the functor's captured values, or nil for none. L is the interface for
// functors like F. Without accumulators, L is [For] or [ForRuns]; with accumulators, [Reduce] to
// [Reduce4] or [ReduceRuns] to [ReduceRuns4] of the same types; with a result, [Values], [ValuesRuns] or
// [Map]. The interfaces with Runs are for an index of several coordinates, or a row.
//
// A loop of another [Version] is not attached: the functor runs, and a line on standard error says for
// each package what to do. Any other mismatch is a mistake in the program: Attach panics. It must be
// called from init.
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

// fits reports whether a type is the interface of loops for functors of a type, whatever the types of
// the accumulators.
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

// packageOf returns the package path of a kernel.
func packageOf(from Source) string { return from.Name[:max(strings.LastIndexByte(from.Name, '.'), 0)] }

// stale holds the packages that warn has reported.
var stale struct {
	sync.Mutex
	packages map[string]bool
	to       io.Writer // destination of warnings; nil: os.Stderr
}

// warn reports, once per package, that the package's generated files are of another version.
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
