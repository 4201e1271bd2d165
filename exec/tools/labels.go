package tools

import (
	"cmp"
	"context"
	"runtime/pprof"
	"sync"
	"sync/atomic"
)

// labelling counts who wants labels.
var labelling atomic.Int32

// LabelProfiles labels what runs in launches until stop is called, for profiles of package runtime/pprof, so
// that
//
//	go tool pprof -tags cpu.prof
//	go tool pprof -tagfocus kernel=axpy cpu.prof
//
// tell launches apart. The label "kernel" is that of the policy, or where the functor is in the source; "region"
// has the open regions, if there are any. All workers have these labels while they run items. A goroutine that
// launches then has the labels of the context of its policy, or none: Go cannot tell which it had before.
func LabelProfiles() (stop func()) {
	labelling.Add(1)
	deaf := Listen(func(Event) func(error) { return nil }) // launches look at listeners first
	return sync.OnceFunc(func() {
		deaf()
		labelling.Add(-1)
	})
}

// Labels returns a context with the labels of an event, or nil if nobody wants any. It is for patterns.
func Labels(e Event) context.Context {
	if labelling.Load() == 0 {
		return nil
	}
	list := []string{"kernel", cmp.Or(e.Label, e.Code, e.Kind.String())}
	if region := path(); region != "" {
		list = append(list, "region", region)
	}
	return pprof.WithLabels(context.Background(), pprof.Labels(list...))
}
