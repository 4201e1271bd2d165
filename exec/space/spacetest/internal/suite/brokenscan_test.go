package suite_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// A scanning space scans values in its memory by a plain loop, with flaws that are set.
type scanningSpace struct {
	*roomy
	flaw string
}

func (scanningSpace) ScansMemory() {}

func (s scanningSpace) Launch(g space.Grid, j space.Job) error {
	job, ok := j.(device.Job)
	if !ok {
		return s.roomy.Launch(g, j)
	}
	x, ok := job.Scan()
	if !ok {
		return s.roomy.Launch(g, j)
	}
	j.Open(1, 1)
	if g.Leaves == 0 {
		return nil
	}
	var value []byte
	if s.flaw == "a stride ignored" {
		x.SrcStride = 1
	}
	if s.flaw == "the kind ignored" {
		x.Inclusive = false
	}
	switch src := x.Src.(type) {
	case []float64:
		l := leavesOf[float64]{src, x.Dst.([]float64), x, g, s.flaw}
		value = binary.NativeEndian.AppendUint64(nil, math.Float64bits(l.scan(math.Float64frombits(binary.NativeEndian.Uint64(x.Initial)))))
	case []int32:
		l := leavesOf[int32]{src, x.Dst.([]int32), x, g, s.flaw}
		value = binary.NativeEndian.AppendUint32(nil, uint32(l.scan(int32(binary.NativeEndian.Uint32(x.Initial)))))
	}
	last := g.Leaves
	if s.flaw == "a part accepted" && last > 1 {
		last = 1
	}
	job.Accept(0, 0, last, 0, value)
	return nil
}

// leavesOf is a scan of sums.
type leavesOf[T float64 | int32] struct {
	src, dst []T
	of       device.Scan
	grid     space.Grid
	flaw     string
}

// scan scans all, and returns the total.
func (l leavesOf[T]) scan(initial T) T {
	width := 1
	for width < l.grid.Leaves {
		width *= 2
	}
	total := l.sum(0, width)
	if l.flaw == "an initial value forgotten" {
		initial = 0
	}
	l.down(0, width, initial)
	if l.flaw == "an initial value joined twice" {
		total += initial
	}
	return total
}

// sum returns that of a node.
func (l leavesOf[T]) sum(first, width int) (s T) {
	if width > 1 {
		if s = l.sum(first, width/2); first+width/2 < l.grid.Leaves {
			s += l.sum(first+width/2, width/2)
		}
		return s
	}
	for k := first * l.grid.Leaf; k < min((first+1)*l.grid.Leaf, l.grid.Items); k++ {
		s += l.src[k*l.of.SrcStride]
	}
	return s
}

// down scans a node from its prefix on, from the right: in place, sums are of what was there.
func (l leavesOf[T]) down(first, width int, prefix T) {
	if width > 1 {
		middle := first + width/2
		if middle < l.grid.Leaves {
			left := l.sum(first, width/2)
			if l.flaw == "leaves from left to right" {
				left = 0
				for leaf := range width / 2 {
					left += l.sum(first+leaf, 1)
				}
			}
			l.down(middle, width/2, prefix+left)
		}
		l.down(first, width/2, prefix)
		return
	}
	for k := first * l.grid.Leaf; k < min((first+1)*l.grid.Leaf, l.grid.Items); k++ {
		before := prefix
		if prefix += l.src[k*l.of.SrcStride]; l.of.Inclusive {
			before = prefix
		}
		l.dst[k*l.of.DstStride] = before
	}
}

// The case of scans finds every one of these out.
func TestBrokenScans(t *testing.T) {
	for flaw, want := range map[string]string{
		"":                              "",
		"a stride ignored":              "but",
		"the kind ignored":              "byte",
		"an initial value forgotten":    "byte",
		"an initial value joined twice": "the total is",
		"leaves from left to right":     "byte",
		"a part accepted":               "a part of a scan, expected all leaves",
	} {
		r, m := newRoomy()
		s := scanningSpace{r, flaw}
		m.owner = s
		o := outcomeOf(t, "parts/scans", s)
		if flaw == "" {
			assert.Empty(t, o.Failures)
			continue
		}
		require.NotEmpty(t, o.Failures, flaw)
		assert.Contains(t, strings.Join(o.Failures, "\n"), want, flaw)
	}
}
