package kernel

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/attached"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// Version is the version of the contract between generated files and this package: the interfaces of
// loops, and the meaning that the compiler of kernels gives to Go's operations.
const Version = 2

// A Source is the place in source code that a kernel comes from.
type Source struct {
	Name    string // constructor with its package: "example.com/solver.axpy"
	File    string // file with the constructor: "solver.go"
	Line    int
	Version int // [Version] when the loop was generated
}

// Attach attaches a loop of a level to a functor. functor must return a method of *R as a value, made
// outside of generic functions. Attach calls device.AttachCode with the level's name as the target.
// loop returns the loop for the functor's captured values, or nil for none. The functor's form decides L:
//
//	func(i int)                   [For]
//	func(i int, a *A)             [Reduce], or [Reduce2] to [Reduce4] for more accumulators
//	func(i int, a *A, final bool) [Scan]
//	func(i int) V                 [Values]
//	func(s exec.Lanes[A])         [Reduce], which runs any part of the integers
//	func(r exec.RowLanes[I, A])   [ReduceRuns], which runs any part of the points
//	func(s policy.Span)           [For], of all integers of the span or none
//	func(s policy.Span, a *A)     [Reduce], or [Reduce2] to [Reduce4], the same
//	func(at I)                    [ForRuns]; I is policy.Index2 or the like, or a policy.Row of one
//	func(at I, a *A)              [ReduceRuns], or [ReduceRuns2] to [ReduceRuns4]
//	func(at I) V                  [ValuesRuns]
//	func(x T) V                   [Map]
//	func(m *team.Member)          [Teams], with accumulators too
//
// A loop of another [Version] is not attached: the functor runs, and a line on standard error says for
// each package what to do. Any other mismatch is a mistake in the program: Attach panics. It must be
// called from init.
func Attach[R, F, L any](level Level, from Source, functor func(k *R) F, loop func(k *R) L) {
	if level <= Closure || level >= levels || functor == nil || loop == nil {
		panic(fmt.Sprintf("kernel: a loop of the level %v attached to %s of a %v, expected the level go, avx2 or avx512 and two functions", level, from.Name, reflect.TypeFor[R]()))
	}
	if from.Version != Version {
		warn(from)
		return
	}
	if f, l := reflect.TypeFor[F](), reflect.TypeFor[L](); !fits(f, l) {
		panic(fmt.Sprintf("kernel: a loop that is a %v attached to %s, whose functor is a %v", l, from.Name, f))
	}
	attached.Add(packageOf(from))
	device.AttachCode(level.String(), functor, func(k *R) any { return loop(k) })
	some.Store(true)
}

// fits reports whether a type is the interface of loops for functors of a type.
func fits(functor, loop reflect.Type) bool {
	name, of, _ := strings.Cut(strings.TrimSuffix(loop.Name(), "]"), "[")
	if loop.PkgPath() != reflect.TypeFor[Source]().PkgPath() || functor.Kind() != reflect.Func || functor.NumIn() == 0 || functor.IsVariadic() {
		return false
	}
	if name == "Map" && functor.NumIn() == 1 && functor.NumOut() == 1 {
		return sameTypes(of, functor.In(0), functor.Out(0))
	}
	want, index := "For", functor.In(0)
	if index == reflect.TypeFor[*team.Member]() {
		return name == "Teams" && functor.NumOut() == 0
	}
	if name == "Scan" || functor.NumIn() == 3 && functor.In(2).Kind() == reflect.Bool {
		return name == "Scan" && functor.NumIn() == 3 && functor.NumOut() == 0 && index == reflect.TypeFor[int]() &&
			functor.In(1).Kind() == reflect.Pointer && functor.In(2) == reflect.TypeFor[bool]() && sameTypes(of, functor.In(1).Elem())
	}
	var types []reflect.Type
	for k := 1; k < functor.NumIn(); k++ {
		if want = "Reduce"; functor.In(k).Kind() != reflect.Pointer {
			return false
		}
		types = append(types, functor.In(k).Elem())
	}
	switch {
	case functor.NumOut() > 1 || functor.NumOut() == 1 && len(types) > 0:
		return false
	case functor.NumOut() == 1:
		want, types = "Values", append(types, functor.Out(0))
	}
	also := map[string]string{"Reduce": "ReduceLeaves", "ForRuns": "ForPlanes"} // which are more than these
	lane, isLanes := accOfLanes(index)
	switch {
	case isLanes:
		if len(types) > 0 || functor.NumOut() > 0 {
			return false
		}
		if want, types = "Reduce", append(types, lane); strings.HasPrefix(index.Name(), "Row") {
			want += "Runs"
		}
	case index == reflect.TypeFor[policy.Span]():
		also = nil
	case index.Kind() == reflect.Struct || index.Kind() == reflect.Array:
		want += "Runs"
	case index != reflect.TypeFor[int]():
		return false
	}
	if len(types) > 1 {
		want += strconv.Itoa(len(types))
	}
	return (name == want || name == also[want]) && sameTypes(of, types...)
}

// accOfLanes reports whether a type is an exec.Lanes or an exec.RowLanes, and returns the type of its accumulators.
func accOfLanes(index reflect.Type) (acc reflect.Type, ok bool) {
	if index.PkgPath()+"/kernel" != reflect.TypeFor[Source]().PkgPath() || !strings.HasPrefix(strings.TrimPrefix(index.Name(), "Row"), "Lanes[") {
		return nil, false
	}
	return index.Field(1).Type.Elem(), true
}

// sameTypes reports whether arguments of a generic type, as its name lists them, may be these types: the name of a type that
// has none itself, or is generic or local, is not always that of reflection.
func sameTypes(list string, types ...reflect.Type) bool {
	if strings.ContainsAny(list, "[]()·") {
		return true
	}
	var names []string
	for _, t := range types {
		name := t.Name()
		if name == "" {
			return true
		}
		if t.PkgPath() != "" {
			name = t.PkgPath() + "." + name
		}
		names = append(names, name)
	}
	return list == strings.Join(names, ",")
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
