package scan_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/internal/scan"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// nodeSpace runs nodes of one to four leaves in a random order, on several goroutines.
type nodeSpace struct {
	seed    uint64
	workers int
}

func (nodeSpace) Name() string       { return "nodes" }
func (s nodeSpace) Concurrency() int { return 1 }

func (s nodeSpace) Launch(g space.Grid, j space.Job) error {
	j.Open(s.workers, max(g.Leaves, 1))
	s.seed += uint64(rand.Uint32())
	rng := rand.New(rand.NewPCG(s.seed, 1))
	type part struct{ first, last int }
	var parts []part
	for k := 0; k < g.Leaves; k += 4 {
		end := min(k+4, g.Leaves)
		switch rng.IntN(3) {
		case 0:
			parts = append(parts, part{k, end})
		case 1:
			for l := k; l < end; l += 2 {
				parts = append(parts, part{l, min(l+2, end)})
			}
		default:
			for l := k; l < end; l++ {
				parts = append(parts, part{l, l + 1})
			}
		}
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	ok := make([]bool, g.Leaves+1)
	ends := make([]int, g.Leaves+1)
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range s.workers {
		all.Go(func() {
			for k := next.Add(1) - 1; k < int64(len(parts)); k = next.Add(1) - 1 {
				p := parts[k]
				ok[p.first] = j.Run(w, p.first, p.last, p.first)
				ends[p.first] = p.last
			}
		})
	}
	all.Wait()
	for w := 1; w < g.Leaves; w *= 2 {
		for k := 0; k+w < g.Leaves; k += 2 * w {
			if ends[k] == k+w {
				ok[k] = ok[k] && ok[k+w] && j.Join(k, k+w)
				ends[k] = ends[k+w]
			}
		}
	}
	return nil
}

func TestScanOnNodesOfAnySize(t *testing.T) { inUnits(t, testScanOnNodesOfAnySize) }

func testScanOnNodesOfAnySize(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	seven := exec.NewGoroutines(7)
	defer seven.Close()
	spaces := []exec.Space{exec.Serial{}, two, seven, nodeSpace{1, 1}, nodeSpace{2, 3}, nodeSpace{3, 8}, exec.NewSimGPU(gpu.Device{Block: 4}).WithSchedule(3)}
	for round := range 2 {
		for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 63, 64, 65, 127, 255, 257, 999, 20001} {
			if n > 5000 && (round > 0 || *scan.Units < tree.MaxUnits || testing.Short()) {
				continue // takes long
			}
			for _, chunk := range []int{0, 1, 3} {
				x, numbers := make([]float64, n), make([]int, n)
				for i := range x {
					x[i], numbers[i] = 1/float64(i+1+round), i
				}
				var want []float64
				var sum float64
				for _, space := range spaces {
					got, finals := make([]float64, n), make([]int, n)
					total := -1.0
					require.NoError(t, exec.ParallelScan(chunked(policy.Range(5, 5+n), chunk).On(space), func(i int, acc *float64, final bool) {
						i -= 5
						if final {
							got[i] = *acc
							finals[i]++
						}
						*acc += x[i]
					}, reducers.New(&total, func(d, s *float64) { *d += *s })))
					if want == nil {
						want, sum = got, total
					}
					require.Equal(t, want, got, "%s %d %d", space.Name(), n, chunk)
					require.Equal(t, sum, total)
					require.Equal(t, slices.Repeat([]int{1}, n), finals)
					// slices
					type acc = []int
					var res acc
					lens := make([]int, n)
					require.NoError(t, exec.ParallelScan(chunked(policy.Range(0, n), chunk).On(space), func(i int, a *acc, final bool) {
						if final {
							s := 0
							for _, v := range *a {
								s += v
							}
							lens[i] = s
						}
						if len(*a) == 0 {
							*a = make([]int, 2)
						}
						(*a)[i%2]++
					}, reducers.New(&res, func(d, s *acc) {
						if *s == nil {
							return
						}
						if *d == nil {
							*d = make([]int, 2)
						}
						for k := range *s {
							(*d)[k] += (*s)[k]
						}
					})))
					require.Equal(t, numbers, lens, "%s %d %d", space.Name(), n, chunk)
					// maps and pointers
					var m map[int]int
					require.NoError(t, exec.ParallelScan(chunked(policy.Range(0, n), chunk).On(space), func(i int, a *map[int]int, final bool) {
						if final {
							lens[i] = (*a)[0]
						}
						(*a)[0]++
					}, reducers.New(&m, func(d, s *map[int]int) { (*d)[0] += (*s)[0] }, reducers.Init(func(v *map[int]int) { *v = map[int]int{} }))))
					require.Equal(t, numbers, lens, "%s %d %d", space.Name(), n, chunk)
				}
			}
		}
	}
}

// Random panics are reported as on Serial, leaf by leaf.
func TestScanPanicsFuzz(t *testing.T) { inUnits(t, testScanPanicsFuzz) }

func testScanPanicsFuzz(t *testing.T) {
	two, four := exec.NewGoroutines(2), exec.NewGoroutines(4)
	defer two.Close()
	defer four.Close()
	rng := rand.New(rand.NewPCG(7, 7))
	rounds := 300
	if testing.Short() {
		rounds = 100
	}
	for round := range rounds {
		n := 1 + rng.IntN(600)
		chunk := []int{0, 1, 2, 4}[rng.IntN(4)]
		con, res, jn := -1, -1, -1
		if rng.IntN(2) == 0 {
			con = rng.IntN(n)
		}
		if rng.IntN(2) == 0 {
			res = rng.IntN(n)
		}
		if rng.IntN(3) == 0 {
			jn = 1 + rng.IntN(n) // divides what some joins give
		}
		bad := func(i, at int) bool { return at >= 0 && (i == at || i > at && (i-at)%7 == 3) }
		run := func(space exec.Space) (out [3]any) {
			total := 0
			f := func(i int, acc *int, final bool) {
				if !final && bad(i, con) || final && bad(i, res) {
					panic(i)
				}
				*acc += i
			}
			p := scanPanic(func() error {
				return exec.ParallelScan(chunked(policy.Range(0, n), chunk).On(space), f, reducers.New(&total, func(d, s *int) {
					if *d += *s; jn > 0 && *d > 0 && *d%jn == 0 {
						panic(-*d)
					}
				}))
			})
			if p != nil {
				out = [3]any{p.Value, p.Begin, p.End}
			} else {
				require.Equal(t, n*(n-1)/2, total)
			}
			return out
		}
		many := many{}
		want := run(many) // leaf by leaf
		for _, s := range []exec.Space{exec.Serial{}, two, four, nodeSpace{uint64(round), 3}} {
			require.Equal(t, want, run(s), "%s n %d chunk %d: %d %d %d", s.Name(), n, chunk, con, res, jn)
		}
	}
}

// many is Serial under another type, with so many workers that no leaves run in groups.
type many struct{}

func (many) Name() string                           { return "many" }
func (many) Concurrency() int                       { return 1 << 20 }
func (many) Launch(g space.Grid, j space.Job) error { return exec.Serial{}.Launch(g, j) }

func TestManyWorkers(t *testing.T) {
	workers := 4096
	if testing.Short() {
		workers = 512
	}
	s := exec.NewGoroutines(workers)
	defer s.Close()
	for range 2 {
		for _, n := range []int{2, 31, 512, 4096, 5000, 100000} {
			if n > workers && testing.Short() {
				continue
			}
			total := 0
			require.NoError(t, exec.ParallelReduce(policy.Range(0, n).Chunk(1).On(s), func(i int, a *int) { *a++ }, reducers.New(&total, func(d, s *int) { *d += *s })))
			require.Equal(t, n, total)
			require.NoError(t, exec.ParallelScan(policy.Range(0, n).Chunk(1).On(s), func(i int, a *int, final bool) {
				if final && *a != i {
					panic(i)
				}
				*a++
			}, reducers.New(&total, func(d, s *int) { *d += *s })))
		}
	}
}

func chunked(p policy.RangePolicy, chunk int) policy.RangePolicy {
	if chunk == 0 {
		return p
	}
	return p.Chunk(chunk)
}
