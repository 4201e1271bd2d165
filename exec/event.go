package exec

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
)

// event is what listeners are told of the launch of a job.
func (j *job) event(on space.Space) tools.Event {
	a := &j.about
	e := tools.Event{Kind: a.kind, Label: j.label, Code: sourceOf(a.source), Space: on.Name(), Items: j.grid.Items, Bytes: a.bytes}
	if e.Kind == tools.For && len(j.columns) > 0 {
		e.Kind = tools.Reduce
	}
	if a.items != nil {
		e.Policy = a.items.policyName()
	}
	return e
}

// sourceOf returns where the function at an address is, "file.go:41", or its name if the compiler has
// made it, as it makes the function of a method value.
func sourceOf(pc uintptr) string {
	f := runtime.FuncForPC(pc)
	if f == nil || f.Entry() != pc {
		return ""
	}
	file, line := f.FileLine(pc)
	if strings.HasPrefix(file, "<") {
		return strings.TrimSuffix(filepath.Base(f.Name()), "-fm")
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}
