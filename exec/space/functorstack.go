package space

import (
	"bytes"
	"reflect"
	"strings"
)

// A stackFrame is two lines of a stack: a function, and its place in a file.
type stackFrame struct{ function, place []byte }

var modulePath = strings.TrimSuffix(reflect.TypeFor[Grid]().PkgPath(), "exec/space")

// is reports whether the function has a name, in this module, that begins with one of some prefixes.
func (f stackFrame) is(prefixes ...string) bool {
	name, ours := bytes.CutPrefix(f.function, []byte(modulePath))
	for _, prefix := range prefixes {
		if ours && bytes.HasPrefix(name, []byte(prefix)) {
			return true
		}
	}
	return false
}

// ofLaunch reports whether a launch calls the function. Functors in tests of these packages are no such functions.
func (f stackFrame) ofLaunch() bool {
	return f.is("exec.", "exec/internal/", "team.", "team/", "internal/") && !bytes.Contains(f.place, []byte("_test.go:"))
}

// framesLeftOut stands below the frames of a functor.
const framesLeftOut = "(the frames of the launch are left out; Panic.Stack has them)\n"

// functorStack returns the frames of a stack from a panic down to the functor. It returns the whole stack if there is
// no such part.
func functorStack(stack []byte) []byte {
	lines := bytes.SplitAfter(stack, []byte("\n"))
	var frames []stackFrame
	for n := 1; n+1 < len(lines); n += 2 {
		frames = append(frames, stackFrame{lines[n], lines[n+1]})
	}
	begin := 0
	for begin < len(frames) && !bytes.HasPrefix(frames[begin].function, []byte("panic(")) {
		begin++
	}
	for begin++; begin < len(frames) && bytes.HasPrefix(frames[begin].function, []byte("runtime.")); begin++ {
	}
	end := begin
	for end < len(frames) && !frames[end].is("exec/internal/launch.(*Job).guarded(", "internal/lane.(*Lane).run(") {
		end++
	}
	for end < len(frames) && end > begin && frames[end-1].ofLaunch() {
		end--
	}
	if begin >= end || end == len(frames) {
		return stack
	}
	kept := bytes.Clone(lines[0])
	for _, f := range frames[begin:end] {
		kept = append(append(kept, f.function...), f.place...)
	}
	return append(kept, framesLeftOut...)
}
