package random

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/views/random/draw"
)

// A stream is what its counters say, from its first place to the last ones.
func TestGeneratorCounter(t *testing.T) {
	p := New(7)
	g := p.At(-3)
	for block := range uint64(3) {
		w0, w1, w2, w3 := draw.Philox(block, 1<<64-3, 0, 0, 7, 0)
		for _, want := range []uint64{w0, w1, w2, w3} {
			assert.Equal(t, want, g.Uint64())
		}
	}
	g.next = 1 << 62
	w0, _, _, _ := draw.Philox(1<<60, 1<<64-3, 0, 0, 7, 0)
	assert.Equal(t, w0, g.Uint64())
}

// Keys of pools and words of streams come of different counters, so no key is ever a word.
func TestSplitKeys(t *testing.T) {
	p := New(1)
	keys := map[key]bool{p.key: true}
	for k := range 100 {
		a := p.Split(k - 50)
		keys[a.key] = true
		for l := range 10 {
			keys[a.Split(l).key] = true
		}
		g := p.At(k - 50)
		assert.NotEqual(t, a.key, key{g.Uint64(), g.Uint64()})
	}
	assert.Len(t, keys, 1+100+1000)
	ones := 0
	a, b := p.Split(0).key, p.Split(1).key
	for k := range a {
		ones += bits.OnesCount64(a[k] ^ b[k])
	}
	assert.InDelta(t, 64, ones, 24) // 4 standard deviations
}
