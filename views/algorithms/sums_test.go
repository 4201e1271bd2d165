package algorithms

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers"
)

// A sum is recognized as one, whatever modifies it; for all else r joins by itself.
func TestSumsAreRecognized(t *testing.T) {
	type celsius float64
	var x float64
	sum := reducers.Reducer[float64](builtin.Sum(&x))
	s := summingOf[float64]()
	assert.True(t, s.takes(sum))
	assert.True(t, s.takes(reducers.WithInitial(sum)))
	assert.True(t, s.takes(reducers.Ordered(reducers.WithInitial(sum))))
	assert.False(t, s.takes(builtin.Max(&x)))
	assert.False(t, s.takes(reducers.WithInitial(builtin.Max(&x))))
	assert.False(t, s.takes(reducers.New(&x, func(dst, src *float64) { *dst += *src })))
	none := summingOf[celsius]()
	assert.False(t, none.takes(builtin.Sum(new(celsius))), "no basic type")
}

// checkTogether compares leaves that are scanned together, some in step, with each of them alone, at all
// places of dst and src in a cache line.
func checkTogether[T builtin.Number](t *testing.T, from func(i int) T) {
	const leaves, most = 8 + 4 + 1, 100
	room, out := make([]T, leaves*most+16), make([]T, leaves*most+16)
	for _, leaf := range []int{1, 7, 8, 15, 16, 17, 31, 32, 48, 64, most} {
		for offset := range 16 {
			for _, how := range []scanning{{false, false}, {false, true}, {true, false}, {true, true}} {
				for i := range room {
					room[i], out[i] = from(i), from(-i)
				}
				src, dst := room[offset*3%16:][:leaves*leaf], out[offset:][:leaves*leaf]
				wantAll := slices.Clone(out)
				want, wantAccs := wantAll[offset:], [leaves]T{}
				for k := range wantAccs {
					wantAccs[k] = from(k)
				}
				accs, sums := wantAccs, wantAccs
				for k := range wantAccs {
					sumOne(want[k*leaf:], src[k*leaf:][:leaf], &wantAccs[k], how.inclusive)
				}
				name := fmt.Sprintf("%T, leaves of %d from %d, %+v", room[0], leaf, offset, how)
				sumLeaves(nil, src, leaf, sums[:], how)
				require.Equal(t, wantAccs, sums, name)
				inPlace, placeAccs := slices.Clone(src), accs
				sumLeaves(dst, src, leaf, accs[:], how)
				require.Equal(t, wantAccs, accs, name)
				require.Equal(t, wantAll, out, name)
				sumLeaves(inPlace, inPlace, leaf, placeAccs[:], how)
				require.Equal(t, wantAccs, placeAccs, name)
				require.Equal(t, want[:leaves*leaf], inPlace, name)
			}
		}
	}
}

// Results that go past the cache are those of the loop, at the ends of lines too.
func TestLeavesTogetherAreAsOne(t *testing.T) {
	for _, l := range []simd.Level{simd.None, simd.AVX2} {
		_, undo := simd.Limit(l)
		checkTogether(t, func(i int) float64 { return 1 / (float64(i) + .5) })
		checkTogether(t, func(i int) float32 { return 1 / (float32(i) + .5) })
		checkTogether(t, func(i int) int { return i * i })
		checkTogether(t, func(i int) int32 { return int32(i) << 20 })
		checkTogether(t, func(i int) int64 { return int64(i) << 50 })
		checkTogether(t, func(i int) uint32 { return uint32(i) << 20 })
		checkTogether(t, func(i int) uint64 { return uint64(i) << 50 })
		undo()
	}
}
