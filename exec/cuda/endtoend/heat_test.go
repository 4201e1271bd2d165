//go:build linux && (amd64 || arm64)

package endtoend

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/endtoend/internal/executor"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A plate lets heat spread over n x m points, twice as many steps: the second half is timed.
type plate struct {
	steps int
	start views.View2[float64]
}

func newPlate(n, m, steps int) plate {
	p := plate{steps, views.Must(views.New2[float64]("start", n, m))}
	for i := range n {
		for j := range m {
			p.start.Set(i, j, float64((i*7919+j*31)%1013))
		}
	}
	return p
}

// timed calls step for all steps and returns how long one of the second half takes.
func (p plate) timed(step func() error) (each time.Duration, err error) {
	begin := time.Now()
	for k := range 2 * p.steps {
		if k == p.steps {
			begin = time.Now()
		}
		if err := step(); err != nil {
			return 0, err
		}
	}
	return time.Since(begin) / time.Duration(p.steps), nil
}

// on runs it on a space, and returns the points.
func (p plate) on(s exec.Space) (points []float64, each time.Duration, err error) {
	var u, v views.View2[float64]
	for _, x := range []*views.View2[float64]{&u, &v} {
		if *x, err = views.MirrorCopy(views.MemoryOf(s), p.start); err != nil {
			return nil, 0, err
		}
	}
	if views.MemoryOf(s) == views.Host { // or both would be the start
		u, v = clone(p.start), clone(p.start)
	}
	inner := policy.MDRange2([2]int{1, 1}, [2]int{u.Extent(0) - 1, u.Extent(1) - 1}).On(s)
	each, err = p.timed(func() error {
		err := exec.ParallelFor(inner, kernels.Stencil(u, v))
		u, v = v, u
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	h, err := views.MirrorCopy(views.Host, u)
	return slices.Collect(h.Values()), each, err
}

func clone(x views.View2[float64]) views.View2[float64] {
	y := views.Must(views.New2[float64]("clone", x.Extent(0), x.Extent(1)))
	_ = views.DeepCopy(y, x)
	return y
}

// overRanks runs it over ranks, each of which has a card and some rows.
func (p plate) overRanks(cards int) (points []float64, each time.Duration, err error) {
	err = mpi.Local(cards, func(c *mpi.Comm) error {
		s, err := cuda.Open(c.Rank())
		if err != nil {
			return err
		}
		defer s.Close()
		n, m := p.start.Extent(0), p.start.Extent(1)
		rows := policy.Range(0, n).Chunk(1).On(mpi.On(c, s))
		var a [2]*mpi.Array[float64]
		for k := range a {
			if a[k], err = mpi.NewArray[float64](rows, "u", []int{m}, 1); err != nil {
				return err
			}
			if err := a[k].Scatter(p.start, 0); err != nil {
				return err
			}
		}
		begin, end := a[0].Rows()
		first := a[0].First()
		inner := policy.MDRange2([2]int{max(begin, 1) - first, 1}, [2]int{min(end, n-1) - first, m - 1}).On(s)
		took, err := p.timed(func() error {
			if err := a[0].Exchange(); err != nil {
				return err
			}
			u, v := views.Must(views.As2(a[0].Local(), nil)), views.Must(views.As2(a[1].Local(), nil))
			a[0], a[1] = a[1], a[0]
			return exec.ParallelFor(inner, kernels.Stencil(u, v))
		})
		if err != nil {
			return err
		}
		whole := views.Must(views.New2[float64]("whole", n, m))
		if err := a[0].Gather(whole, 0); err != nil || c.Rank() > 0 {
			return err
		}
		points, each = slices.Collect(whole.Values()), took
		return nil
	})
	return points, each, err
}

// heat runs a plate on one card, on several ones as one space, and on as many ranks. It prints how long a step takes, and
// compares all points.
func heat(t *testing.T, one, all exec.Space, cards int, p plate) []float64 {
	fmt.Fprintf(os.Stdout, "\nheat, %v\n\n| on | ms a step |\n|---|---|\n", p.start.View)
	want, each, err := p.on(one)
	require.NoError(t, err)
	fmt.Fprintf(os.Stdout, "| one card | %.4f |\n", each.Seconds()*1e3)
	got, each, err := p.on(all)
	require.NoError(t, err)
	fmt.Fprintf(os.Stdout, "| %d cards as one space | %.4f |\n", cards, each.Seconds()*1e3)
	assert.True(t, slices.Equal(want, got), "the points of %d cards are others", cards)
	got, each, err = p.overRanks(cards)
	require.NoError(t, err)
	fmt.Fprintf(os.Stdout, "| %d ranks with a card each | %.4f |\n\n", cards, each.Seconds()*1e3)
	assert.True(t, slices.Equal(want, got), "the points of %d ranks are others", cards)
	return want
}

func TestHeat(t *testing.T) {
	for cards := 2; cards <= 4; cards++ {
		t.Run(fmt.Sprint(cards, " cards"), func(t *testing.T) {
			all := (&executor.Executor{Cards: cards}).Open(t)
			one, err := cuda.Open(0)
			require.NoError(t, err)
			p := newPlate(41, 37, 3)
			got := heat(t, one, all, cards, p)
			require.NoError(t, one.Close())
			want, _, err := p.on(exec.Serial{})
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

// The cards of the machine, if it has several.
func TestCardHeat(t *testing.T) {
	t.Setenv(driver.Variable, "")
	cards, err := cuda.Devices()
	if err != nil || cards < 2 {
		t.Skip("no two cards: ", err)
	}
	all, err := cuda.Together()
	require.NoError(t, err)
	defer func() { assert.NoError(t, all.Close()) }()
	one, err := cuda.Open(0)
	require.NoError(t, err)
	defer func() { assert.NoError(t, one.Close()) }()
	for _, side := range []int{100, 1000, 8192, 16384} {
		heat(t, one, all, cards, newPlate(side, side, 100))
	}
}
