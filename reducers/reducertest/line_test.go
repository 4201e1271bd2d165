package reducertest_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

// A liner notes in which file a failure is, as package testing does: that of the first caller that is no helper.
type liner struct {
	helpers map[string]bool
	files   []string
}

func (l *liner) Helper() {
	var pc [1]uintptr
	runtime.Callers(2, pc[:])
	frame, _ := runtime.CallersFrames(pc[:]).Next()
	l.helpers[frame.Function] = true
}

func (l *liner) Errorf(string, ...any) {
	var pc [32]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc[:])])
	frame, more := frames.Next()
	for more && l.helpers[frame.Function] {
		frame, more = frames.Next()
	}
	l.files = append(l.files, filepath.Base(frame.File))
}

// A failure is where the test calls Check.
func TestFailuresAreInTheTest(t *testing.T) {
	var x float64
	l := &liner{helpers: map[string]bool{}}
	reducertest.Check(l, reducers.New(&x, func(dst, src *float64) { *dst = (*dst + *src) / 2 }), []float64{1, 2, 3})
	reducertest.Check(l, reducers.New(&x, func(_, _ *float64) { panic("stop") }), []float64{1})
	assert.Greater(t, len(l.files), 3)
	for _, file := range l.files {
		assert.Equal(t, "line_test.go", file)
	}
}
