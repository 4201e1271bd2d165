package suite

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/gokkos/gokkos/exec"
)

// A Case is one named demand on a space.
type Case struct {
	Name string
	run  func(t *report, s exec.Space)
}

// An Outcome is how a case went: it passed if there are no failures.
type Outcome struct {
	Failures []string
	Hung     bool
}

// Try runs the case on its own goroutine, so that whatever the space does to
// that goroutine (panic, end it, block it) is a failure of the case.
func (c Case) Try(s exec.Space, limit time.Duration) Outcome {
	t := new(report)
	done := make(chan struct{})
	go func() {
		defer close(done)
		returned := false
		defer func() {
			if v := recover(); v != nil {
				t.errorf("panic: %v\n%s", v, debug.Stack())
			} else if !returned && len(t.list()) == 0 {
				t.errorf("the calling goroutine was ended")
			}
		}()
		c.run(t, s)
		returned = true
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return Outcome{Failures: t.list()}
	case <-timer.C:
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		return Outcome{append(t.list(), fmt.Sprintf("not finished after %v\n%s", limit, stacks)), true}
	}
}

// report collects the failures of one case. It takes the place of a testing.T,
// which could not tell the tests of this package that a broken space failed.
type report struct {
	mu       sync.Mutex
	failures []string
}

// maxFailures is the number of failures kept of a case: the first ones tell.
const maxFailures = 5

// errorf notes a failure. It may be called on any goroutine.
func (t *report) errorf(format string, args ...any) {
	_, file, line, _ := runtime.Caller(1)
	t.note(file, line, fmt.Sprintf(format, args...))
}

// fatalf notes a failure and ends the goroutine: the case, if that is the one of the case.
func (t *report) fatalf(format string, args ...any) {
	_, file, line, _ := runtime.Caller(1)
	t.note(file, line, fmt.Sprintf(format, args...))
	runtime.Goexit()
}

func (t *report) note(file string, line int, message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.failures) < maxFailures {
		t.failures = append(t.failures, fmt.Sprintf("%s:%d: %s", filepath.Base(file), line, message))
	}
}

func (t *report) list() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.failures...)
}
