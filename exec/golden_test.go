package exec_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// value is a fixed sequence of numbers that nearly cancel, every even
// one with the odd one behind it, so any change of order shows in a sum's bits.
func value(i int) float64 {
	big := noise(i&^1) * (1 << 20)
	if i%2 == 1 {
		return noise(i) - big
	}
	return big
}

// noise is a fixed number in [-1, 1).
func noise(i int) float64 {
	z := uint64(i)*0x9e3779b97f4a7c15 + 0x1234567
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64(int64(z^z>>31)>>11) / (1 << 52)
}

type number interface{ float32 | float64 | complex128 }

func convert[T number](x float64) T {
	var t T
	switch any(t).(type) {
	case float32:
		return any(float32(x)).(T)
	case float64:
		return any(x).(T)
	}
	return any(complex(x, 1-x)).(T)
}

func add[T number](dst, src *T) { *dst += *src }

// pinned are sums of value(i) whose bits must never change. If one does, the
// rule of docs/determinism.md is broken, not the test out of date.
var pinned = []struct {
	kind     string
	n, chunk int
	lanes    int // for the reader: what the rule gives
	want     string
}{
	{"float64", 1, 0, 1, "4100127f95d5aca0"},
	{"float64", 100, 0, 1, "bff3629cbc304000"},
	{"float64", 1000, 0, 4, "bff10456e1400000"},
	{"float64", 5000, 0, 32, "400e8a9242500000"},
	{"float64", 100003, 0, 32, "412344e71969c8ac"},
	{"float64", 1000003, 0, 32, "c120ec132ea33f2e"},
	{"float64", 1000, 1, 1, "bff10456e1f8dc00"},
	{"float64", 1000, 64, 8, "bff10456e1600000"},
	{"float64", 100003, 4096, 32, "412344e71969cc80"},
	{"float64", 300007, 1, 1, "412ef4ad4dc46807"},
	{"float64", 1<<24 + 5, 0, 32, "c1127503f7ac5a02"},
	{"float64", 1<<20 + 7, 1, 1, "c1260482214dad9f"},
	{"float32", 1000, 0, 4, "bfc80000"},
	{"float32", 300007, 0, 32, "49779d38"},
	{"complex128", 100003, 0, 32, "412344e71969c8ac c12037a11969c8ac"},
	{"complex128", 777, 64, 8, "c10c0b942dd3aff8 410c23dc2dd3aff8"},
	{"ordered", 100003, 0, 1, "412344e71969caa8"},
	{"large", 100003, 0, 1, "412344e71969caa8"},
	{"spans", 100003, 0, 1, "412344e71969caa8"},
	{"scan", 100003, 0, 1, "412344e71969caa8"},
	{"scan", 1<<24 + 5, 0, 1, "c1127503f7ac592f"},
	{"md", 1001, 0, 32, "c1026b607f0fc580"},
	{"hilbert", 1001, 0, 32, "c1026b607f0fc648"},
}

// sum reduces value(0) to value(n-1) on a space.
func sum[T number](t *testing.T, space exec.Space, n, chunk int) T {
	var total T
	p := policy.Range(0, n).On(space)
	if chunk > 0 {
		p = p.Chunk(chunk)
	}
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *T) { *acc += convert[T](value(i)) }, reducers.New(&total, add[T])))
	return total
}

// large is an accumulator of more than 64 bytes, which is reduced in one lane.
type large struct {
	sum float64
	_   [8]float64
}

func sumOf(t *testing.T, space exec.Space, kind string, n, chunk int) string {
	hex := func(x float64) string { return fmt.Sprintf("%016x", math.Float64bits(x)) }
	var total float64
	plain := reducers.New(&total, add[float64])
	switch kind {
	case "float32":
		return fmt.Sprintf("%08x", math.Float32bits(sum[float32](t, space, n, chunk)))
	case "float64":
		return hex(sum[float64](t, space, n, chunk))
	case "complex128":
		c := sum[complex128](t, space, n, chunk)
		return hex(real(c)) + " " + hex(imag(c))
	case "ordered":
		p := policy.Range(0, n).On(space)
		require.NoError(t, exec.ParallelReduce(p, func(i int, acc *float64) { *acc += value(i) }, reducers.Ordered(plain)))
	case "large":
		var result large
		r := reducers.New(&result, func(dst, src *large) { dst.sum += src.sum })
		require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(space), func(i int, acc *large) { acc.sum += value(i) }, r))
		return hex(result.sum)
	case "spans":
		p := policy.Spans(0, n).On(space)
		require.NoError(t, exec.ParallelReduce(p, func(s policy.Span, acc *float64) {
			for i := range s.All() {
				*acc += value(i)
			}
		}, plain))
	case "scan":
		require.NoError(t, exec.ParallelScan(policy.Range(0, n).On(space), func(i int, acc *float64, _ bool) { *acc += value(i) }, plain))
	case "md":
		p := policy.MDRange2([2]int{-3, 5}, [2]int{-3 + n, 5 + 7}).Tile([2]int{16, 4}).Iterate(policy.Left, policy.Right).On(space)
		require.NoError(t, exec.ParallelReduce(p, func(i policy.Index2, acc *float64) { *acc += value(7*(i.I+3) + i.J - 5) }, plain))
	case "hilbert":
		p := policy.MDRange2([2]int{-3, 5}, [2]int{-3 + n, 5 + 7}).Tile([2]int{5, 2}).Iterate(policy.Hilbert, policy.Right).On(space)
		require.NoError(t, exec.ParallelReduce(p, func(i policy.Index2, acc *float64) { *acc += value(7*(i.I+3) + i.J - 5) }, plain))
	}
	return hex(total)
}

func TestGoldenBits(t *testing.T) {
	spaces := []exec.Space{exec.Serial{}}
	for _, workers := range []int{1, 2, 3, 5, 7, 16, 61} {
		space := exec.NewGoroutines(workers)
		defer space.Close()
		spaces = append(spaces, space)
	}
	for _, pin := range pinned {
		if raceEnabled && pin.n > 200_000 {
			continue // takes long, and meets in no other way than the others
		}
		t.Run(fmt.Sprintf("%s/n=%d/chunk=%d", pin.kind, pin.n, pin.chunk), func(t *testing.T) {
			for _, space := range spaces {
				assert.Equal(t, pin.want, sumOf(t, space, pin.kind, pin.n, pin.chunk), "%s, %d workers", space.Name(), space.Concurrency())
			}
		})
	}
}

// pinnedTeams are the bits of what teams compute of value(i), in float64 and float32:
// those of the one result, or a hash of those of every member or item. They must never
// change either.
var pinnedTeams = []struct {
	kind             string
	float64, float32 string
}{
	{"reduce 100 x 7", "bfe23c527f100000", "bfc50000"},
	{"reduce 33 x 32", "c0079373dd32de00", "c05d8600"},
	{"reduce 5 x 1", "c1262268c005ce66", "c9311346"},
	{"all reduce", "411c0ab1696f34db", "48e0558c"},
	{"inclusive scan", "hash b19fd8cb78b849dd", "hash 1b43a1b2a7ac2bd3"},
	{"sub-groups", "hash c7b99d51a18fd374", "hash f49efcebefee2e26"},
	{"threads", "bff10456dfc00000", "3fc00000"},
	{"vector", "bff10456e1c00000", "c0f80000"},
	{"threads and vector", "bff10456e1680000", "40930000"},
	{"joint reduce", "400e8a9240400000", "41000000"},
	{"nested scan", "hash ee25e28f5b3be541", "hash 1f7e5886a22b990d"},
}

// teamValues returns what teams compute on a space: one value, or one of each member or
// item.
func teamValues[T float32 | float64](t *testing.T, space exec.Space, kind string) (list []T) {
	var total T
	at := func(i int) T { return convert[T](value(i)) }
	reduce := func(league, size int) []T {
		p := policy.Team(league, size).On(space)
		require.NoError(t, exec.ParallelReduce(p, func(m *team.Member, acc *T) { *acc += at(m.LeagueRank()*size + m.Rank()) }, reducers.New(&total, add[T])))
		return []T{total}
	}
	each := func(p policy.TeamPolicy, f func(m *team.Member) T) []T {
		list := make([]T, p.Plan().Team.Size)
		require.NoError(t, exec.ParallelFor(p.On(space), func(m *team.Member) { list[m.Rank()] = f(m) })) //gokkosvet:ignore one team
		return list
	}
	nested := func(r func(m *team.Member, n int) team.Range[int]) []T {
		return each(policy.Team(1, 6).Vector(4), func(m *team.Member) (sum T) {
			team.Reduce(r(m, 1000), func(i int, acc *T) { *acc += at(i) }, builtin.Sum(&sum))
			return sum
		})
	}
	switch kind {
	case "reduce 100 x 7":
		return reduce(100, 7)
	case "reduce 33 x 32":
		return reduce(33, 32)
	case "reduce 5 x 1":
		return reduce(5, 1)
	case "all reduce":
		return each(policy.Team(1, 33), func(m *team.Member) T { return team.AllReduce(m, at(m.Rank()), builtin.Sum) })
	case "inclusive scan":
		return each(policy.Team(1, 33), func(m *team.Member) T { return group.InclusiveScan(m, at(m.Rank()), builtin.Sum) })
	case "sub-groups":
		return each(policy.Team(1, 33).SubGroup(8), func(m *team.Member) T { return team.AllReduce(m.SubGroup(), at(m.Rank()), builtin.Sum) })
	case "threads":
		return nested(team.ThreadRange)
	case "vector":
		return nested(team.VectorRange)
	case "threads and vector":
		return nested(team.TeamVectorRange)
	case "joint reduce":
		x := make([]T, 5000)
		for i := range x {
			x[i] = at(i)
		}
		return each(policy.Team(1, 5), func(m *team.Member) T { return group.JointReduce(m, x, builtin.Sum) })
	case "nested scan":
		prefixes := make([]T, 1000)
		totals := each(policy.Team(1, 6), func(m *team.Member) (sum T) {
			team.Scan(team.ThreadRange(m, len(prefixes)), func(i int, acc *T, final bool) {
				*acc += at(i)
				if final {
					prefixes[i] = *acc
				}
			}, builtin.Sum(&sum))
			return sum
		})
		return append(prefixes, totals...)
	}
	return nil
}

// bitsOf returns the bits of the one value in the list, or else a hash of all.
func bitsOf[T float32 | float64](list []T) string {
	var text string
	same, hash := true, fnv.New64a()
	for _, x := range list {
		if y, ok := any(x).(float32); ok {
			text = fmt.Sprintf("%08x", math.Float32bits(y))
		} else {
			text = fmt.Sprintf("%016x", math.Float64bits(float64(x)))
		}
		same = same && x == list[0]
		hash.Write([]byte(text))
	}
	if same {
		return text
	}
	return fmt.Sprintf("hash %016x", hash.Sum64())
}

func TestGoldenBitsOfTeams(t *testing.T) {
	workers := exec.NewGoroutines(3)
	defer workers.Close()
	sim := exec.NewSimGPU(gpu.Device{SubGroup: 8})
	defer sim.Close()
	for _, pin := range pinnedTeams {
		t.Run(pin.kind, func(t *testing.T) {
			for k, space := range []exec.Space{exec.Serial{}, workers, sim.WithSchedule(1), sim.WithSchedule(77)} {
				got := []string{bitsOf(teamValues[float64](t, space, pin.kind)), bitsOf(teamValues[float32](t, space, pin.kind))}
				assert.Equal(t, []string{pin.float64, pin.float32}, got, "%s, space %d", space.Name(), k)
			}
		})
	}
}

// oracle sums by the text of docs/determinism.md, in the most literal way.
func oracle(n, chunk int) float64 {
	floor := func(x int) int {
		if x < 1 {
			return 1
		}
		return 1 << (bits.Len(uint(x)) - 1)
	}
	ceil := func(x int) int {
		p := 1
		for p < x {
			p *= 2
		}
		return p
	}
	least := ceil((n + 1<<20 - 1) >> 20)
	b := max(min(floor(n/16), 1024), min(floor(n/64), 4096), least)
	if chunk > 0 {
		b = max(ceil(min(chunk, n)), least)
	}
	l := min(32, max(1, b/8))

	var level []float64
	for first := 0; first < n; first += b {
		lanes := make([]float64, l)
		used := make([]bool, l)
		for k := 0; k < b && first+k < n; k++ {
			lanes[k%l] += value(first + k)
			used[k%l] = true
		}
		for h := l / 2; h >= 1; h /= 2 {
			for i := range h {
				if used[i+h] {
					lanes[i] += lanes[i+h]
				}
			}
		}
		level = append(level, lanes[0])
	}
	for len(level) > 1 {
		var next []float64
		for k := 0; k < len(level); k += 2 {
			if k+1 < len(level) {
				next = append(next, level[k]+level[k+1])
			} else {
				next = append(next, level[k])
			}
		}
		level = next
	}
	return level[0]
}

func TestDocumentedRule(t *testing.T) {
	space := exec.NewGoroutines(3)
	defer space.Close()
	for _, n := range []int{1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 127, 255, 256, 257, 1000, 4095, 4097, 16384, 20001, 65536, 100003, 300007, 1<<20 + 1} {
		if raceEnabled && n > 20001 {
			continue // as above
		}
		for _, chunk := range []int{0, 1, 3, 8, 20, 64, 100, 300, 5000} {
			want := oracle(n, chunk)
			for _, s := range []exec.Space{exec.Serial{}, space} {
				got := sum[float64](t, s, n, chunk)
				assert.Equal(t, math.Float64bits(want), math.Float64bits(got), "n %d, chunk %d, %s", n, chunk, s.Name())
			}
		}
	}
}
