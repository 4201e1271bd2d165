package lane

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine returns an engine that is closed when the test ends.
func engine(t testing.TB) *Engine {
	e := New()
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// run runs one block.
func run(t testing.TB, e *Engine, b Block, body func(*Lane)) (fault error) {
	require.NoError(t, e.Do(func() { fault = e.Run(b, body) }))
	return fault
}

// works checks that the engine runs blocks as if nothing had happened.
func works(t *testing.T, e *Engine) {
	t.Helper()
	for range 2 {
		got := make([]int, 65)
		require.NoError(t, run(t, e, Block{Lanes: 65}, func(l *Lane) {
			barrier(l)
			got[l.Rank()] = sum(l, l.All(), l.Rank()) + sum(l, l.Group(8), 1)
			barrier(l)
		}))
		for i, v := range got {
			require.Equal(t, 64*65/2+min(8, 65-i/8*8), v)
		}
	}
}

//go:noinline
func barrier(l *Lane) { l.Meet(l.All(), Site(), Op{Kind: "barrier"}, nil) }

//go:noinline
func groupBarrier(l *Lane, size int) { l.Meet(l.Group(size), Site(), Op{Kind: "barrier"}, nil) }

// sums is a buffer in which the lanes of a scope add up.
type sums struct {
	in    []int
	total int
	calls int
}

func (x *sums) Combine(s *Scope) {
	x.total = 0
	x.calls++
	for _, v := range x.in[:s.Size()] {
		x.total += v
	}
}

//go:noinline
func sum(l *Lane, s *Scope, v int) int {
	slot := s.Slot()
	x, ok := (*slot).(*sums)
	if !ok || len(x.in) < s.Size() {
		x = &sums{in: make([]int, s.Size())}
		*slot = x
	}
	x.in[l.Rank()-s.Begin()] = v
	l.Meet(s, Site(), Op{Kind: "sum"}, x)
	return x.total
}

// next returns the line after the one that it is called on.
func next() int {
	_, _, line, _ := runtime.Caller(1)
	return line + 1
}
