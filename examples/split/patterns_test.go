package split

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

func noise(i int) float64 { return math.Sin(float64(i)) * math.Exp(float64(i%40-20)) }

func bits(values ...float64) (all []uint64) {
	for _, v := range values {
		all = append(all, math.Float64bits(v))
	}
	return all
}

// patterns are launches, and what they give on a space.
var patterns = map[string]func(on exec.Space, n int) ([]uint64, error){
	"reduce": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelReduce(policy.Range(3, 3+n).On(on), func(i int, acc *float64) { *acc += noise(i) }, builtin.Sum(&sum))
		return bits(sum), err
	},
	"reduce 4": func(on exec.Space, n int) ([]uint64, error) {
		sum, count, least, words := 5.0, 0, 0.0, []string{}
		join := func(dst, src *[]string) { *dst = append(*dst, *src...) }
		err := exec.ParallelReduce4(policy.Range(0, n).On(on), func(i int, a *float64, b *int, c *float64, d *[]string) {
			*a += noise(i)
			*b += i
			*c = min(*c, noise(i))
			if i%100 == 7 {
				*d = append(*d, fmt.Sprint(i))
			}
		}, reducers.WithInitial(builtin.Sum(&sum)), builtin.Sum(&count), builtin.Min(&least), listOf(&words, join))
		return append(bits(sum, least), uint64(count), uint64(len(words))), err
	},
	"boxes": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		p := policy.MDRange2([2]int{0, 0}, [2]int{n, 3}).Tile([2]int{4, 2}).On(on)
		err := exec.ParallelReduce(p, func(i policy.Index2, acc *float64) { *acc += noise(3*i.I + i.J) }, builtin.Sum(&sum))
		return bits(sum), err
	},
	"lanes": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelReduceLanes(policy.Spans(0, n).On(on), func(s exec.Lanes[float64]) {
			for i, acc := range s.Items() {
				*acc += noise(i)
			}
		}, builtin.Sum(&sum))
		return bits(sum), err
	},
	"fold": func(on exec.Space, n int) ([]uint64, error) {
		x := make([]float64, n)
		for i := range x {
			x[i] = noise(i)
		}
		var sum float64
		var least builtin.ValLoc[float64, int]
		err := exec.ParallelFold(exec.Slice(policy.Range(0, n).On(on), x), builtin.Sum(&sum), builtin.MinLoc(&least))
		return append(bits(sum, least.Val), uint64(least.Loc)), err
	},
	"teams": func(on exec.Space, n int) ([]uint64, error) {
		var sum float64
		err := exec.ParallelReduce(policy.Team(n, 5).On(on), func(m *team.Member, acc *float64) {
			*acc += team.AllReduce(m, noise(m.LeagueRank()*5+m.Rank()), builtin.Sum)
		}, builtin.Sum(&sum))
		return bits(sum), err
	},
}

// list is a reducer of lists whose form is that of its words.
type list struct{ reducers.Func[[]string] }

func listOf(result *[]string, join func(dst, src *[]string)) list {
	return list{reducers.New(result, join, reducers.Init(func(x *[]string) { *x = nil }))}
}

// AppendValue appends the words, one on a line.
func (list) AppendValue(buf []byte, val *[]string) ([]byte, error) {
	for _, word := range *val {
		buf = append(append(buf, word...), '\n')
	}
	return append(buf, 0), nil
}

// SetValue reads what AppendValue has written.
func (list) SetValue(val *[]string, data []byte) (rest []byte, err error) {
	word := 0
	for k, b := range data {
		switch b {
		case 0:
			return data[k+1:], nil
		case '\n':
			*val = append(*val, string(data[word:k]))
			word = k + 1
		}
	}
	return nil, fmt.Errorf("a list of %d bytes has no end", len(data))
}

func worlds(t *testing.T) map[string]*World {
	two := exec.NewGoroutines(2)
	sim := exec.NewSimGPU(gpu.Device{})
	t.Cleanup(func() {
		require.NoError(t, two.Close())
		require.NoError(t, sim.Close())
	})
	serial := exec.Serial{}
	return map[string]*World{
		"1":       NewWorld(serial),
		"2":       NewWorld(serial, serial),
		"3 mixed": NewWorld(two, sim.WithSchedule(1), serial),
		"7":       NewWorld(serial, two, serial, two, serial, two, serial),
	}
}

func TestPatternsHaveTheBitsOfSerial(t *testing.T) {
	for name, w := range worlds(t) {
		for pattern, run := range patterns {
			for _, n := range []int{0, 1, 2, 5, 16, 100, 1000, 20001} {
				want, err := run(exec.Serial{}, n)
				require.NoError(t, err)
				got := make([][]uint64, w.Size())
				errs := everywhere(w, func(rank int, on exec.Space) (err error) {
					got[rank], err = run(on, n)
					return err
				})
				for rank := range got {
					require.NoError(t, errs[rank], "%s, %s of %d, rank %d", name, pattern, n, rank)
					require.Equal(t, want, got[rank], "%s, %s of %d, rank %d", name, pattern, n, rank)
				}
			}
		}
	}
}

// A rank has the prefixes of its own items, and all have the total.
func TestScansHaveTheBitsOfSerial(t *testing.T) {
	for name, w := range worlds(t) {
		for _, n := range []int{0, 1, 3, 100, 1000, 20001, 40000} {
			for _, chunk := range []int{0, 1} { // 40000 leaves: several are a unit
				scan := func(on exec.Space, before []float64, times []int) (total float64, err error) {
					total = 3
					err = exec.ParallelScan(policy.Range(0, n).Chunk(chunk).On(on), func(i int, acc *float64, final bool) {
						if final {
							before[i] = *acc
							times[i]++
						}
						*acc += noise(i)
					}, reducers.WithInitial(builtin.Sum(&total)))
					return total, err
				}
				want, got := make([]float64, n), make([]float64, n)
				times := make([]int, n)
				sum, err := scan(exec.Serial{}, want, make([]int, n))
				require.NoError(t, err)
				totals := make([]float64, w.Size())
				errs := everywhere(w, func(rank int, on exec.Space) (err error) {
					totals[rank], err = scan(on, got, times)
					return err
				})
				for rank := range totals {
					require.NoError(t, errs[rank], "%s, scan of %d, rank %d", name, n, rank)
					require.Equal(t, bits(sum), bits(totals[rank]), "%s, scan of %d, rank %d", name, n, rank)
				}
				require.Equal(t, bits(want...), bits(got...), "%s, scan of %d", name, n)
				for i := range times {
					require.Equal(t, 1, times[i], "%s, scan of %d: item %d ran on one rank once", name, n, i)
				}
			}
		}
	}
}

// Each item of a For runs on one rank.
func TestRanksShareTheItems(t *testing.T) {
	for name, w := range worlds(t) {
		const n = 12345
		times := make([]int32, n)
		errs := everywhere(w, func(rank int, on exec.Space) error {
			return exec.ParallelFor(policy.Range(0, n).On(on), func(i int) { times[i]++ })
		})
		for rank := range errs {
			require.NoError(t, errs[rank], "%s, rank %d", name, rank)
		}
		for i := range times {
			require.Equal(t, int32(1), times[i], "%s, item %d", name, i)
		}
	}
}
