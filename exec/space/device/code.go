package device

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/attached"
)

// A Functor is what a job calls for its items, and all that code in its place has to know.
type Functor struct {
	Label     string          // of the policy
	Func      any             // such as a func(i int); nil if there is none, as in a fold of a slice
	Teams     space.TeamShape // of the items, which are teams; its Size is 0 if they are none
	FirstTeam int             // the number, among all teams, of item 0: not 0 for a part of a launch
	Box       *Box            // which index an item has; nil if only Run knows, as of teams and tiles along a curve
	Columns   []Result        // what the functor joins into; their operations have no Map
	Scan      *Scan           // of the functor of a scan: Src and Dst are nil slices, as it makes the values; else nil
}

// A Box is which index each item has, where these are the points of a box. A range of integers
// has one dimension; where the functor takes a span, that has the integers of a leaf.
//
// Items are numbered tile by tile, the points of a tile one after the other; tiles at the upper
// edges are cut off there. The last dimension varies fastest, or the first one. A box that is
// one tile has its own extents as the tile.
type Box struct {
	Lower, Extent, Tile []int // by dimension
	LeftTiles           bool  // the first dimension varies fastest from tile to tile
	LeftPoints          bool  // and from point to point in a tile
	First               int   // the number, among the points, of item 0: not 0 for a part of a launch
}

// Source returns the name of the functor, and where it begins. A method value has a name, and
// no file.
func (f Functor) Source() (name, file string, line int) {
	pc := codeOf(f.Func)
	name = nameOf(pc)
	if method, ok := strings.CutSuffix(name, methodValue); ok || name == "" {
		return method, "", 0
	}
	file, line = runtime.FuncForPC(pc).FileLine(pc)
	return name, file, line
}

// String returns the functor's name and line as messages say it:
// "the functor at solver.go:41 (main.step.func1)".
func (f Functor) String() string {
	switch name, file, line := f.Source(); {
	case name == "":
		return "no functor"
	case file == "":
		return "the functor " + name
	default:
		return fmt.Sprintf("the functor at %s:%d (%s)", filepath.Base(file), line, name)
	}
}

// Without returns the error of a space that runs nothing but code of its own, and finds none
// of that target:
//
//	exec: launch of "axpy" on cuda device 0: the functor at solver.go:41 (main.step.func1) has no ptx code
func (f Functor) Without(target string, on space.Space) error {
	of := ""
	if f.Label != "" {
		of = fmt.Sprintf(" of %q", f.Label)
	}
	if f.Func == nil {
		return fmt.Errorf("exec: launch%s on %s: it calls no functor, expected one with %s code", of, on.Name(), target)
	}
	return fmt.Errorf("exec: launch%s on %s: %v has no %s code", of, on.Name(), f, target)
}

// Code returns the code that is attached to the functor, for the first of these targets that
// there is some for, or nil.
func (f Functor) Code(targets ...string) any {
	all := codes.Load()
	if all == nil {
		return nil
	}
	list := all.Of(codeOf(f.Func))
	for _, target := range targets {
		for k := range list {
			if list[k].target != target {
				continue
			}
			if code := list[k].of(receiverOf(f.Func)); code != nil {
				return code
			}
		}
	}
	return nil
}

// codes has the code that is attached, by the address of the functor; nil if there is none. Launches
// look into it without a lock: AttachCode replaces the table.
var (
	codes     atomic.Pointer[attached.Table[[]attachment]]
	attaching sync.Mutex
)

// attachment is code for a target, as a function of the receiver.
type attachment struct {
	target string
	of     func(receiver unsafe.Pointer) any
}

// AttachCode attaches code for a target, such as "ptx" or "amd64", to a method, so that spaces
// which know the target can run that in its place:
//
//	type axpy struct { a float64; x, y []float64 }
//
//	func (k *axpy) at(i int) { k.y[i] += float64(k.a * k.x[i]) }
//
//	func Axpy(a float64, x, y []float64) func(i int) { return (&axpy{a, x, y}).at }
//
//	func init() {
//		device.AttachCode("ptx", func(k *axpy) func(int) { return k.at }, func(k *axpy) any { ... })
//	}
//
// What Axpy returns is a func(i int) like any other, to be called, passed on and tested. A
// space finds the code by [Functor.Code], which calls code with the receiver: the values that
// the functor has captured. What code returns is between the space and whoever attaches it; it
// is nil where there is none for this receiver, after all.
//
// functor must return the method as a value, of a type that is no type parameter. Method values
// that generic functions make are functions of their own, whose code is not found. A function
// literal would not be found again where the compiler inlines the function that it is in.
// Anything else, or code that is there already, is a mistake in the program: AttachCode panics.
// It is to be called from init.
func AttachCode[R, F any](target string, functor func(receiver *R) F, code func(receiver *R) any) {
	if target == "" || functor == nil || code == nil {
		panic(fmt.Sprintf("device: AttachCode(%q) of a %v, expected a target and two functions", target, reflect.TypeFor[R]()))
	}
	a, b := new(R), new(R)
	f, g := any(functor(a)), any(functor(b))
	name := nameOf(codeOf(f))
	if !isMethodOf[R](name) || codeOf(f) != codeOf(g) || receiverOf(f) != unsafe.Pointer(a) || receiverOf(g) != unsafe.Pointer(b) {
		panic(fmt.Sprintf("device: AttachCode(%q) to %s, a %T, expected a function that returns a method of its %v as a value", target, name, f, reflect.TypeOf(a)))
	}
	attaching.Lock()
	defer attaching.Unlock()
	all := map[uintptr][]attachment{}
	if before := codes.Load(); before != nil {
		maps.Insert(all, before.All())
	}
	list := all[codeOf(f)]
	if slices.ContainsFunc(list, func(a attachment) bool { return a.target == target }) {
		panic(fmt.Sprintf("device: AttachCode(%q) to %s, which has such code already", target, name))
	}
	all[codeOf(f)] = append(slices.Clip(list), attachment{target, func(receiver unsafe.Pointer) any { return code((*R)(receiver)) }})
	codes.Store(attached.NewTable(all))
}

// codeOf returns the address of a function's code, 0 if f is no function.
func codeOf(f any) uintptr {
	if v := reflect.ValueOf(f); v.Kind() == reflect.Func {
		return v.Pointer()
	}
	return 0
}

// nameOf returns the name of a function, as the linker has it.
func nameOf(pc uintptr) string {
	if code := runtime.FuncForPC(pc); code != nil {
		return code.Name()
	}
	return ""
}

// isMethodOf reports whether the name is what the compiler calls the value of a method of *R,
// and not of its first field, say, which has the same address.
func isMethodOf[R any](name string) bool {
	t := reflect.TypeFor[R]()
	of, _, _ := strings.Cut(t.Name(), "[")
	last := strings.LastIndexByte(t.PkgPath(), '/') + 1
	path := t.PkgPath()[:last] + strings.ReplaceAll(t.PkgPath()[last:], ".", "%2e") // as the linker has it
	name = strings.Replace(name, "[...])", ")", 1)
	return of != "" && strings.HasSuffix(name, methodValue) && strings.HasPrefix(name, path+".(*"+of+").")
}

// methodValue is what the compiler appends to the name of a method for its value.
const methodValue = "-fm"

// receiverOf returns the receiver of a method value, a pointer. It lies behind the address of
// the code: AttachCode checks that it does, and codes has method values only.
func receiverOf(f any) unsafe.Pointer {
	closure := (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]
	return *(*unsafe.Pointer)(unsafe.Add(closure, unsafe.Sizeof(closure)))
}
