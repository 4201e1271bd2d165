package views

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// part returns a random view of some of the memory.
func part(r *rand.Rand, x []int) View[int] {
	n, m, l := 1+r.IntN(6), 1+r.IntN(4), 1+r.IntN(5)
	v := Must(Of("v", x[r.IntN(30):], []int{n, m, l}, Stride{20, 5, 1}))
	cut := func(n int) Selector {
		begin := r.IntN(n)
		return Range(begin, begin+1+r.IntN(n-begin)).By(1 + r.IntN(3))
	}
	v = Must(v.Sub(cut(n), cut(m), cut(l)))
	return Must(v.Permute(r.Perm(3)...))
}

// overlap is the intersection of sets of addresses.
func TestOverlap(t *testing.T) {
	memory := make([]int, 150)
	r := rand.New(rand.NewPCG(1, 2))
	met := map[bool]int{}
	for range 3000 {
		v, w := part(r, memory), part(r, memory)
		seen := map[*int]bool{}
		for run := range v.Runs() {
			for k := range run {
				seen[&run[k]] = true
			}
		}
		want := false
		for run := range w.Runs() {
			for k := range run {
				want = want || seen[&run[k]]
			}
		}
		require.Equal(t, want, overlap(v, w))
		require.Equal(t, want, overlap(w, v))
		require.True(t, overlap(v, v))
		met[want]++
	}
	assert.Greater(t, met[true], 50)
	assert.Greater(t, met[false], 300)
}

func TestOverlapOfNothing(t *testing.T) {
	x := Must(New1[struct{}]("x", 10)).View
	assert.False(t, overlap(x, x))
	assert.False(t, overlap(View[int]{}, View[int]{}))
}

// Parts of a large matrix are told apart without a look at every element.
func TestOverlapIsFast(t *testing.T) {
	const n = 1 << 13
	v := Must(New2[byte]("v", n, n)).View
	left := Must(v.Sub(All(), Range(0, n/2)))
	right := Must(v.Sub(All(), Range(n/2, n)))
	even := Must(v.Sub(All(), All().By(2)))
	odd := Must(v.Sub(All(), Range(1, n).By(2)))
	fastest := time.Hour
	for range 5 {
		start := time.Now()
		require.False(t, overlap(left, right))
		require.False(t, overlap(even, odd))
		fastest = min(fastest, time.Since(start))
	}
	t.Log(fastest)
	assert.Less(t, fastest, 50*time.Millisecond)
}
