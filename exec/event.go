package exec

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/exec/tools"
)

// teller is a kernel that tells listeners more of its launch than that it is a for or a reduction.
type teller interface{ tell(e *tools.Event) }

// event is what listeners are told of the launch of a job.
func (j *job) event(on Space) tools.Event {
	e := tools.Event{Kind: tools.For, Label: j.label, Code: sourceOf(j.kernel.key()), Space: on.Name(), Items: j.grid.Items}
	if len(j.columns) > 0 {
		e.Kind = tools.Reduce
	}
	if k, ok := j.kernel.(teller); ok {
		k.tell(&e)
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
