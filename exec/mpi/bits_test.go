package mpi

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

func noise(i int) float64 { return math.Sin(float64(i)) * math.Exp(float64(i%40-20)) }

// noises returns the first n of them, which ranks share: it takes long to compute them on thousands.
func noises(n int) []float64 {
	known.Lock()
	defer known.Unlock()
	for i := len(known.x); i < n; i++ {
		known.x = append(known.x, noise(i))
	}
	return known.x[:n:n]
}

var known struct {
	sync.Mutex
	x []float64
}

func bitsOf(values ...float64) (all []uint64) {
	for _, v := range values {
		all = append(all, math.Float64bits(v))
	}
	return all
}

// affine is an operation that is not commutative: x -> a*x + b, modulo 2^64.
type affine struct{ A, B uint64 }

func (m *affine) then(o affine) { m.A, m.B = o.A*m.A, o.A*m.B+o.B }

func affines(result *affine) reducers.Reducer[affine] {
	return reducers.New(result, func(dst, src *affine) { dst.then(*src) }, reducers.Init(func(m *affine) { *m = affine{1, 0} }))
}

// list is a reducer of lists, whose values have a form of their own and any length.
type list struct{ reducers.Func[[]int32] }

func listOf(result *[]int32) list {
	return list{reducers.New(result, func(dst, src *[]int32) { *dst = append(*dst, *src...) }, reducers.Init(func(x *[]int32) { *x = nil }))}
}

func (list) AppendValue(buf []byte, val *[]int32) ([]byte, error) {
	buf = appendInt(buf, len(*val))
	for _, x := range *val {
		buf = appendInt(buf, int(x))
	}
	return buf, nil
}

func (list) SetValue(val *[]int32, data []byte) (rest []byte, err error) {
	r := reader{data: data}
	for range r.count() {
		*val = append(*val, int32(r.int()))
	}
	if r.torn {
		return nil, errors.New("a list is cut off")
	}
	return r.data, nil
}

// patterns are launches, and the bits of their results.
var patterns = map[string]func(on exec.Space, n int) ([]uint64, error){
	"reduce": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelReduce(policy.Range(3, 3+n).On(on), func(i int, acc *float64) { *acc += noise(i) }, builtin.Sum(&sum))
		return bitsOf(sum), err
	},
	"an order": func(on exec.Space, n int) ([]uint64, error) {
		var m affine
		err := exec.ParallelReduce(policy.Range(0, n).Chunk(1).On(on), func(i int, acc *affine) { acc.then(affine{uint64(2*i + 3), uint64(i)}) }, affines(&m))
		return []uint64{m.A, m.B}, err
	},
	"two, the old values included": func(on exec.Space, n int) ([]uint64, error) {
		sum, least := 5.0, -3.0
		err := exec.ParallelReduce2(policy.Range(0, n).WithLabel("two").On(on), func(i int, a, b *float64) {
			*a += noise(i)
			*b = min(*b, noise(i))
		}, reducers.WithInitial(builtin.Sum(&sum)), reducers.WithInitial(builtin.Min(&least)))
		return bitsOf(sum, least), err
	},
	"three, with Final": func(on exec.Space, n int) ([]uint64, error) {
		var sum, product float64
		var where builtin.ValLoc[float64, int]
		root := reducers.New(&sum, func(dst, src *float64) { *dst += *src }, reducers.Final(func(x *float64) { *x = math.Sqrt(*x) }))
		err := exec.ParallelReduce3(policy.Range(0, n).On(on), func(i int, a, b *float64, c *builtin.ValLoc[float64, int]) {
			*a += float64(noise(i) * noise(i))
			*b *= 1 + noise(i)/1e9
			if v := noise(i); v < c.Val {
				*c = builtin.ValLoc[float64, int]{Val: v, Loc: i}
			}
		}, root, builtin.Prod(&product), builtin.MinLoc(&where))
		return append(bitsOf(sum, product, where.Val), uint64(where.Loc)), err
	},
	"four": func(on exec.Space, n int) ([]uint64, error) {
		var sum, least float64
		var count int
		var found []int32
		err := exec.ParallelReduce4(policy.Range(0, n).On(on), func(i int, a *float64, b *int, c *float64, d *[]int32) {
			*a += noise(i)
			*b += i
			*c = min(*c, noise(i))
			if i%100 == 7 {
				*d = append(*d, int32(i))
			}
		}, builtin.Sum(&sum), builtin.Sum(&count), builtin.Min(&least), listOf(&found))
		all := append(bitsOf(sum, least), uint64(count))
		for _, x := range found {
			all = append(all, uint64(x))
		}
		return all, err
	},
	"a slice": func(on exec.Space, n int) ([]uint64, error) {
		histogram := make([]float64, 50)
		err := exec.ParallelReduce(policy.Range(0, n).On(on), func(i int, acc *[]float64) { (*acc)[i%50] += noise(i) }, reducers.Slice(&histogram, builtin.Sum))
		return bitsOf(histogram...), err
	},
	"boxes": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		p := policy.MDRange2([2]int{0, 0}, [2]int{n, 3}).Tile([2]int{4, 2}).On(on)
		err := exec.ParallelReduce(p, func(i policy.Index2, acc *float64) { *acc += noise(3*i.I + i.J) }, builtin.Sum(&sum))
		return bitsOf(sum), err
	},
	"rows": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		p := policy.MDRange2([2]int{0, 0}, [2]int{3, n}).On(on).Rows()
		err := exec.ParallelReduce(p, func(r policy.Row[policy.Index2], acc *float64) {
			for j := range r.All() {
				*acc += noise(n*r.At.I + j)
			}
		}, builtin.Sum(&sum))
		return bitsOf(sum), err
	},
	"spans": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelReduce(policy.Spans(0, n).On(on), func(s policy.Span, acc *float64) {
			for i := range s.All() {
				*acc += noise(i)
			}
		}, builtin.Sum(&sum))
		return bitsOf(sum), err
	},
	"lanes": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelReduceLanes(policy.Spans(0, n).On(on), func(s exec.Lanes[float64]) {
			for i, acc := range s.Items() {
				*acc += noise(i)
			}
		}, builtin.Sum(&sum))
		return bitsOf(sum), err
	},
	"fold": func(on exec.Space, n int) ([]uint64, error) {
		x := noises(n)
		var sum, squares float64
		var least builtin.ValLoc[float64, int]
		err := exec.ParallelFold(exec.Slice(policy.Range(0, n).On(on), x), builtin.Sum(&sum), builtin.SumSq(&squares), builtin.MinLoc(&least))
		return append(bitsOf(sum, squares, least.Val), uint64(least.Loc)), err
	},
	"fold of products": func(on exec.Space, n int) ([]uint64, error) {
		x := noises(n + 5)
		var dot float64
		err := exec.ParallelFold(exec.Products(policy.Range(5, n+5).On(on), x, x), builtin.Sum(&dot))
		return bitsOf(dot), err
	},
	"fold of a map": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelFold(exec.Map(policy.Range(0, n).On(on), noise), builtin.Sum(&sum))
		return bitsOf(sum), err
	},
	"teams": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelReduce(policy.Team(n, 5).On(on), func(m *team.Member, acc *float64) {
			*acc += team.AllReduce(m, noise(m.LeagueRank()*5+m.Rank()), builtin.Sum)
		}, builtin.Sum(&sum))
		return bitsOf(sum), err
	},
}

// sizes are numbers of items: none, fewer than ranks, and leaves of several lengths.
var sizes = []int{0, 1, 2, 5, 16, 100, 1000, 20001}

// everywhere runs f on each rank of a world and returns the errors, by rank. A panic of a launch
// is one.
func everywhere(t testing.TB, n int, faults local.Faults, f func(c *Comm) error) []error {
	t.Helper()
	errs, err := localErrors(n, faults, func(c *Comm) (err error) {
		defer func() {
			switch p := recover().(type) {
			case nil:
			case *exec.Panic:
				err = fmt.Errorf("%v in items %d to %d of %q", p.Value, p.Begin, p.End, p.Label)
			default:
				panic(p)
			}
		}()
		return f(c)
	})
	require.NoError(t, err)
	return errs
}

// without makes ranks exchange nodes along the tree from the start, or by Allgather only,
// until the end of a test.
func exchangeBy(t *testing.T, way string) {
	ranks, short := tuning.GatherRanks, alwaysShort
	t.Cleanup(func() { tuning.GatherRanks, alwaysShort = ranks, short })
	tuning.GatherRanks = map[string]int{"tree": 0, "Allgather": math.MaxInt, "at once": math.MaxInt}[way]
	alwaysShort = way == "at once"
}

func bothWays(t *testing.T, f func(t *testing.T)) {
	for _, way := range []string{"Allgather", "at once", "tree"} {
		t.Run(way, func(t *testing.T) {
			exchangeBy(t, way)
			f(t)
		})
	}
}

// inner returns spaces of several kinds.
func inner(t *testing.T) []exec.Space {
	two := exec.NewGoroutines(2)
	sim := exec.NewSimGPU(gpu.Device{})
	t.Cleanup(func() {
		require.NoError(t, two.Close())
		require.NoError(t, sim.Close())
	})
	return []exec.Space{exec.Serial{}, two, sim.WithSchedule(1)}
}

// ranksOf is how many ranks tests run on.
func ranksOf() []int {
	if testing.Short() {
		return []int{1, 2, 3, 7}
	}
	return []int{1, 2, 3, 4, 5, 7, 8, 13, 33}
}

func TestPatternsHaveTheBitsOfSerial(t *testing.T) {
	spaces := inner(t)
	bothWays(t, func(t *testing.T) {
		for pattern, run := range patterns {
			for _, n := range sizes {
				want, err := run(exec.Serial{}, n)
				require.NoError(t, err)
				for _, ranks := range ranksOf() {
					got := make([][]uint64, ranks)
					errs := everywhere(t, ranks, local.Faults{}, func(c *Comm) (err error) {
						got[c.Rank()], err = run(On(c, spaces[c.Rank()%len(spaces)]), n)
						return err
					})
					for rank := range got {
						require.NoError(t, errs[rank], "%s of %d, rank %d of %d", pattern, n, rank, ranks)
						require.Equal(t, want, got[rank], "%s of %d, rank %d of %d", pattern, n, rank, ranks)
					}
				}
			}
		}
	})
}

// A rank has the prefixes of its own items, which are those that Part tells, and all have the
// total.
func TestScansHaveTheBitsOfSerial(t *testing.T) {
	spaces := inner(t)
	bothWays(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 3, 100, 1000, 20001, 40000} {
			for _, chunk := range []int{0, 1} { // 40000 leaves: several are a unit
				scan := func(on exec.Space, f func(i int, before affine)) (total affine, err error) {
					total = affine{5, 7}
					err = exec.ParallelScan(policy.Range(0, n).Chunk(chunk).On(on), func(i int, acc *affine, final bool) {
						if final {
							f(i, *acc)
						}
						acc.then(affine{uint64(2*i + 3), uint64(i)})
					}, reducers.WithInitial(affines(&total)))
					return total, err
				}
				want := make([]affine, n)
				sum, err := scan(exec.Serial{}, func(i int, before affine) { want[i] = before })
				require.NoError(t, err)
				for _, ranks := range ranksOf() {
					if n > 1000 && ranks > 8 {
						continue
					}
					got, times := make([]affine, n), make([]int, n)
					totals := make([]affine, ranks)
					errs := everywhere(t, ranks, local.Faults{}, func(c *Comm) (err error) {
						on := On(c, spaces[c.Rank()%len(spaces)])
						begin, end, err := Part(on, policy.Range(0, n).Chunk(chunk))
						if err != nil {
							return err
						}
						totals[c.Rank()], err = scan(on, func(i int, before affine) {
							if i < begin || i >= end {
								panic(fmt.Sprint("item ", i, " of ", begin, " to ", end))
							}
							got[i] = before
							times[i]++
						})
						return err
					})
					for rank := range totals {
						require.NoError(t, errs[rank], "scan of %d, chunk %d, rank %d of %d", n, chunk, rank, ranks)
						require.Equal(t, sum, totals[rank], "scan of %d, chunk %d, rank %d of %d", n, chunk, rank, ranks)
					}
					require.Equal(t, want, got, "scan of %d, chunk %d, %d ranks", n, chunk, ranks)
					require.False(t, slices.ContainsFunc(times, func(n int) bool { return n != 1 }), "each item ran on one rank, once")
				}
			}
		}
	})
}
