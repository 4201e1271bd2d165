package workers

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gokkos/gokkos/exec/space"
)

// clocked is a job whose leaves take a microsecond each. It keeps when each worker began.
type clocked struct {
	noJob
	workers []struct {
		began time.Duration
		_     line
	}
}

func (c *clocked) Run(worker, first, last, _ int) bool {
	if c.workers[worker].began == 0 {
		c.workers[worker].began = Now()
	}
	for until := Now() + time.Duration(last-first)*time.Microsecond; Now() < until; {
	}
	return true
}

// How long after the beginning of a launch the caller begins to work, and the last helper, and
// how much longer than its share of the work the launch takes, if helpers are awake: medians.
func BenchmarkHelpers(b *testing.B) {
	for _, workers := range []int{2, 4, 8, 16} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			p := New(workers)
			p.Enter()
			defer p.Close()
			defer p.Leave()
			var j clocked
			var caller, last, over []float64
			g := space.NewGrid(16*workers, 1, false)
			j.workers = slices.Grow(j.workers, workers)[:workers]
			for b.Loop() {
				clear(j.workers)
				start := Now()
				p.share(g, &j, &space.Hints{}, evenly(g.Leaves, workers, &space.Hints{}))
				took := Now() - start
				came := start
				for k := range j.workers {
					came = max(came, j.workers[k].began)
				}
				caller = append(caller, float64(j.workers[0].began-start))
				last = append(last, float64(came-start))
				over = append(over, float64(took-16*time.Microsecond))
			}
			for unit, x := range map[string][]float64{"ns-caller": caller, "ns-last": last, "ns-over": over} {
				slices.Sort(x)
				b.ReportMetric(x[len(x)/2], unit)
			}
		})
	}
}
