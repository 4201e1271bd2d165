package launch

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
)

// Event returns the description of the launch for listeners.
func (j *Job) Event(on space.Space) tools.Event {
	a := j.ask()
	e := tools.Event{Kind: a.Kind, Label: j.label, Code: sourceOf(a.Functor), Space: on.Name(), Items: j.Grid.Items, Bytes: a.Bytes}
	if e.Kind == tools.For && len(j.Columns) > 0 {
		e.Kind = tools.Reduce
	}
	if a.Items != nil {
		e.Policy = a.Items.PolicyName()
	}
	return e
}

// sourceOf returns the place of a functor's source, as "file.go:41". It returns the name of a function that
// the compiler made, as for a method value, and "" if there is no functor.
func sourceOf(functor any) string {
	if functor == nil {
		return ""
	}
	pc := CodeOf(functor)
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
