package scan_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/internal/scan"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// shuffledSpace runs the leaves in a random order, on several goroutines, and then joins them. It uses
// only the required methods of a job.
type shuffledSpace struct {
	seed    uint64
	workers int
}

func (shuffledSpace) Name() string       { return "shuffled" }
func (s shuffledSpace) Concurrency() int { return s.workers }

func (s shuffledSpace) Launch(g space.Grid, j space.Job) error {
	j.Open(s.workers, max(g.Leaves, 1))
	order := rand.New(rand.NewPCG(s.seed, 1)).Perm(g.Leaves)
	ok := make([]bool, g.Leaves)
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range s.workers {
		all.Go(func() {
			for k := next.Add(1) - 1; k < int64(len(order)); k = next.Add(1) - 1 {
				leaf := order[k]
				ok[leaf] = j.Run(w, leaf, leaf+1, leaf)
			}
		})
	}
	all.Wait()
	for w := 1; w < g.Leaves; w *= 2 {
		for k := 0; k+w < g.Leaves; k += 2 * w {
			ok[k] = ok[k] && ok[k+w] && j.Join(k, k+w)
		}
	}
	return nil
}

// inUnits runs a test of scans with the usual number of units, and with a few units only.
func inUnits(t *testing.T, test func(t *testing.T)) {
	defer func(most int) { *scan.Units = most }(*scan.Units)
	for _, most := range []int{tree.MaxUnits, 15, 5, 1} {
		*scan.Units = most
		t.Run(fmt.Sprintf("%d units", most), test)
	}
}

// scanOracle is the rule of docs/determinism.md.
type scanOracle struct {
	leaf   int
	x      []float64
	before []float64
}

func (o scanOracle) sum(first, last int) float64 { // of leaves
	if last-first == 1 {
		sum := 0.0
		for _, v := range o.x[first*o.leaf : min(last*o.leaf, len(o.x))] {
			sum += v
		}
		return sum
	}
	middle := half(first, last)
	return 0 + o.sum(first, middle) + o.sum(middle, last)
}

// half returns the first leaf of the right half of a node.
func half(first, last int) int {
	w := 1
	for 2*w < last-first {
		w *= 2
	}
	return first + w
}

func (o scanOracle) down(first, last int, prefix float64) {
	if last-first == 1 {
		for i := first * o.leaf; i < min(last*o.leaf, len(o.x)); i++ {
			o.before[i] = prefix
			prefix += o.x[i]
		}
		return
	}
	middle := half(first, last)
	o.down(first, middle, prefix)
	o.down(middle, last, 0+prefix+o.sum(first, middle))
}

func TestScanFollowsTheTree(t *testing.T) { inUnits(t, testScanFollowsTheTree) }

func testScanFollowsTheTree(t *testing.T) {
	two, five := exec.NewGoroutines(2), exec.NewGoroutines(5)
	defer two.Close()
	defer five.Close()
	sim := exec.NewSimGPU(gpu.Device{Block: 4}).WithSchedule(7)
	defer sim.Close()
	type runner struct {
		name string
		scan func(p policy.RangePolicy, f func(i int, acc *float64, final bool), r reducers.Reducer[float64]) error
	}
	var runners []runner
	for _, space := range []exec.Space{exec.Serial{}, two, five, sim, shuffledSpace{3, 2}} {
		runners = append(runners, runner{space.Name(), func(p policy.RangePolicy, f func(i int, acc *float64, final bool), r reducers.Reducer[float64]) error {
			return exec.ParallelScan(p.On(space), f, r)
		}})
	}
	for seed := range uint64(4) {
		for _, fused := range []bool{false, true} {
			runners = append(runners, runner{fmt.Sprintf("shuffled %d, fused %v", seed, fused), func(p policy.RangePolicy, f func(i int, acc *float64, final bool), r reducers.Reducer[float64]) error {
				return scan.On(shuffledSpace{seed, 1 + int(seed)}, fused, p, f, r)
			}})
		}
	}
	for _, n := range []int{0, 1, 2, 3, 7, 31, 33, 100, 1000, 4097, 40000} {
		if n > 5000 && testing.Short() {
			continue // takes long
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = 1 / float64(i+1)
		}
		o := scanOracle{1, x, make([]float64, n)}
		total := 0.0
		if n > 0 {
			p := policy.Range(0, n)
			plan := p.Plan()
			g := space.NewGrid(plan.Items, plan.Chunk, plan.Whole)
			o.leaf = g.Leaf
			o.down(0, g.Leaves, 0)
			total = o.sum(0, g.Leaves)
		}
		for _, r := range runners {
			before, finals := make([]float64, n), make([]int, n)
			got := -1.0
			require.NoError(t, r.scan(policy.Range(0, n), func(i int, acc *float64, final bool) {
				if final {
					before[i] = *acc
					finals[i]++
				}
				*acc += x[i]
			}, reducers.New(&got, func(dst, src *float64) { *dst += *src })))
			require.Equal(t, o.before, before, "%s, n %d", r.name, n)
			require.Equal(t, total, got, "%s, n %d", r.name, n)
			for i, c := range finals {
				require.Equal(t, 1, c, "%s, n %d, item %d", r.name, n, i)
			}
		}
	}
}

// The number of leaves in a unit does not change the joins. The values record each join.
func TestScanUnitsChangeNoJoin(t *testing.T) {
	defer func(most int) { *scan.Units = most }(*scan.Units)
	type written struct{ text []string } // its memory is used again by Init
	for n := 1; n < 70; n += 1 + n/10 {
		var want []string
		for _, most := range []int{tree.MaxUnits, n, 9, 5, 2, 1} {
			*scan.Units = most
			for _, space := range []exec.Space{exec.Serial{}, nodeSpace{uint64(n), 2}} {
				var total written
				got := make([]string, n+1)
				require.NoError(t, exec.ParallelScan(policy.Range(0, n).Chunk(1).On(space), func(i int, acc *written, final bool) {
					if final {
						got[i] = strings.Join(acc.text, "")
					}
					acc.text = append(acc.text, strconv.Itoa(i))
				}, reducers.New(&total, func(dst, src *written) {
					dst.text = slices.Concat([]string{"("}, dst.text, src.text, []string{")"})
				}, reducers.Init(func(x *written) { x.text = append(x.text[:0], "e") }))))
				got[n] = strings.Join(total.text, "")
				if want == nil {
					want = got
				}
				require.Equal(t, want, got, "%d items in %d units on %s", n, most, space.Name())
			}
		}
	}
}

// Prefixes are joined in the order of the items, in whatever order the sums become known.
func TestScanKeepsTheOrder(t *testing.T) { inUnits(t, testScanKeepsTheOrder) }

func testScanKeepsTheOrder(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	sim := exec.NewSimGPU(gpu.Device{Block: 4}).WithSchedule(7)
	defer sim.Close()
	type pattern func(p policy.RangePolicy, f func(i int, acc *string, final bool), r reducers.Reducer[string]) error
	runners := map[string]pattern{}
	for _, space := range []exec.Space{exec.Serial{}, two, sim, shuffledSpace{3, 2}} {
		runners[space.Name()] = func(p policy.RangePolicy, f func(i int, acc *string, final bool), r reducers.Reducer[string]) error {
			return exec.ParallelScan(p.On(space), f, r)
		}
	}
	for _, fused := range []bool{false, true} {
		runners[fmt.Sprintf("shuffled, fused %t", fused)] = func(p policy.RangePolicy, f func(i int, acc *string, final bool), r reducers.Reducer[string]) error {
			return scan.On(shuffledSpace{5, 2}, fused, p, f, r)
		}
	}
	const n = 100
	for name, run := range runners {
		for _, leaf := range []int{1, 7} {
			want, before := "<", make([]string, n)
			total := want
			require.NoError(t, run(policy.Range(0, n).Chunk(leaf), func(i int, acc *string, final bool) {
				if final {
					before[i] = *acc
				}
				*acc += string(rune('!' + i))
			}, reducers.WithInitial(reducers.Ordered(reducers.New(&total, func(dst, src *string) { *dst += *src })))), name)
			for i := range n {
				require.Equal(t, want, before[i], "%s, leaves of %d: item %d", name, leaf, i)
				want += string(rune('!' + i))
			}
			require.Equal(t, want, total, "%s, leaves of %d", name, leaf)
		}
	}
}

// If several things go wrong in a scan, the report does not depend on the order of the leaves.
// Contributions come first, then joins, then results, and among these the lowest items.
func TestScanReportsTheSamePanicInAnyOrder(t *testing.T) {
	inUnits(t, testScanReportsTheSamePanicInAnyOrder)
}

func testScanReportsTheSamePanicInAnyOrder(t *testing.T) {
	const n = 100
	two := exec.NewGoroutines(2)
	defer two.Close()
	for name, c := range map[string]struct {
		contribution, result, join int // the item or the value that panics, or -1
		want                       int // the item, or -1 for the joins
	}{
		"contribution": {contribution: 71, result: -1, join: -1, want: 71},
		"result":       {contribution: -1, result: 23, join: -1, want: 23},
		"first item":   {contribution: -1, result: 0, join: -1, want: 0},
		"join":         {contribution: -1, result: -1, join: 16, want: -1},
		"both":         {contribution: 98, result: 2, join: -1, want: 98},
		"all":          {contribution: 55, result: 0, join: 1, want: 55},
		"no item":      {contribution: -1, result: 0, join: 8, want: -1},
	} {
		f := func(i int, acc *int, final bool) {
			if *acc++; i >= c.contribution && c.contribution >= 0 && !final || i >= c.result && c.result >= 0 && final {
				panic(i)
			}
		}
		total := 5
		r := reducers.New(&total, func(dst, src *int) {
			if *dst += *src; *dst == c.join {
				panic("join")
			}
		})
		try := func(run func() error) (p *exec.Panic) {
			defer func() { p, _ = recover().(*exec.Panic) }()
			_ = run()
			return nil
		}
		p := policy.Range(0, n).Chunk(1)
		got := []*exec.Panic{
			try(func() error { return exec.ParallelScan(p.On(exec.Serial{}), f, r) }),
			try(func() error { return exec.ParallelScan(p.On(two), f, r) }),
		}
		for seed := range uint64(10) {
			for _, fused := range []bool{false, true} {
				got = append(got, try(func() error { return scan.On(shuffledSpace{seed, 2}, fused, p, f, r) }))
			}
		}
		for k, g := range got {
			require.NotNil(t, g, "%s, %d", name, k)
			if c.want < 0 {
				assert.Equal(t, []any{"join", 0, n}, []any{g.Value, g.Begin, g.End}, "%s, %d", name, k)
			} else {
				assert.Equal(t, []any{c.want, c.want, c.want + 1}, []any{g.Value, g.Begin, g.End}, "%s, %d", name, k)
			}
		}
		assert.Equal(t, 5, total)
	}
}
