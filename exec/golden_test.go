package exec_test

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
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
	{"float32", 1000, 0, 4, "bfc80000"},
	{"float32", 300007, 0, 32, "49779d38"},
	{"complex128", 100003, 0, 32, "412344e71969c8ac c12037a11969c8ac"},
	{"complex128", 777, 64, 8, "c10c0b942dd3aff8 410c23dc2dd3aff8"},
	{"ordered", 100003, 0, 1, "412344e71969caa8"},
	{"large", 100003, 0, 1, "412344e71969caa8"},
	{"spans", 100003, 0, 1, "412344e71969caa8"},
	{"scan", 100003, 0, 1, "412344e71969caa8"},
	{"md", 1001, 0, 32, "c1026b607f0fc580"},
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
		t.Run(fmt.Sprintf("%s/n=%d/chunk=%d", pin.kind, pin.n, pin.chunk), func(t *testing.T) {
			for _, space := range spaces {
				assert.Equal(t, pin.want, sumOf(t, space, pin.kind, pin.n, pin.chunk), "%s, %d workers", space.Name(), space.Concurrency())
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
	least := ceil((n + 4095) / 4096)
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
	for _, n := range []int{1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 127, 255, 256, 257, 1000, 4095, 4097, 16384, 20001, 65536, 100003, 300007} {
		for _, chunk := range []int{0, 1, 3, 8, 20, 64, 100, 300, 5000} {
			want := oracle(n, chunk)
			for _, s := range []exec.Space{exec.Serial{}, space} {
				got := sum[float64](t, s, n, chunk)
				assert.Equal(t, math.Float64bits(want), math.Float64bits(got), "n %d, chunk %d, %s", n, chunk, s.Name())
			}
		}
	}
}
