package draw

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// The known answers of file kat_vectors of Random123 1.14, by the authors of the paper.
func TestPhiloxKnownAnswers(t *testing.T) {
	const all = math.MaxUint64
	for _, c := range []struct {
		counter [4]uint64
		key     [2]uint64
		want    [4]uint64
	}{
		{
			want: [4]uint64{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b},
		},
		{
			[4]uint64{all, all, all, all}, [2]uint64{all, all},
			[4]uint64{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0},
		},
		{
			[4]uint64{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}, [2]uint64{0x452821e638d01377, 0xbe5466cf34e90c6c},
			[4]uint64{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6},
		},
	} {
		var got [4]uint64
		got[0], got[1], got[2], got[3] = Philox(c.counter[0], c.counter[1], c.counter[2], c.counter[3], c.key[0], c.key[1])
		assert.Equal(t, c.want, got)
	}
}

// A number below n is the upper half of w·n, unless its lower half is one of the 2⁶⁴ mod n
// that would be too many.
func TestBelow(t *testing.T) {
	two64 := new(big.Int).Lsh(big.NewInt(1), 64)
	number := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 9), rapid.Uint64Range(1<<63-5, 1<<63+5), rapid.Uint64Min(math.MaxUint64-9))
	rapid.Check(t, func(t *rapid.T) {
		w, n := number.Draw(t, "w"), max(number.Draw(t, "n"), 1)
		big64 := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
		many := new(big.Int).Mod(two64, big64(n))
		want, low := new(big.Int).DivMod(new(big.Int).Mul(big64(w), big64(n)), two64, new(big.Int))
		x, ok := Below(w, n)
		assert.Equal(t, low.Cmp(many) >= 0, ok)
		assert.Equal(t, want.Uint64(), x)
	})
	rejected := 0
	for w := range uint64(6) { // 0 and 1 of 3 numbers, and again above 2⁶³
		if _, ok := Below(w<<63|w>>1, 3<<62); !ok {
			rejected++
		}
	}
	assert.Positive(t, rejected)
}

// q returns places all over (-1/2, 1/2), the ends among them.
func q() []float64 {
	var x []float64
	for k := 2; k <= 54; k++ {
		d := math.Ldexp(1, -k)
		x = append(x, 0.5-d, 0.5-1.5*d, d)
	}
	for k := range 2000 {
		x = append(x, (float64(k)+0.5)/4000)
	}
	return append(x, 0.425, math.Nextafter(0.425, 1))
}

func TestQuantile(t *testing.T) {
	for _, q := range q() {
		x := quantile(q)
		assert.Equal(t, -x, quantile(-q))
		// The part of the distribution above x, as far as that says something about x:
		// erfc multiplies the relative error of x by x² and more.
		tail := 0.5 * math.Erfc(x/math.Sqrt2)
		assert.InEpsilon(t, 0.5-q, tail, 1e-15*(4+2*x*x), "q %v, x %v", q, x)
		if q < 0.25 {
			assert.InEpsilon(t, math.Sqrt2*math.Erfinv(2*q), x, 1e-15, "q %v", q)
		}
	}
	assert.InDelta(t, 1.9599639845400545, quantile(0.475), 1e-15) // tables have 1.95996 39845 40054
	assert.InDelta(t, 8.2, Normal(1<<63-1), 0.1)
	assert.Equal(t, -Normal(1<<63-1), Normal(1<<63))
}

func TestLog(t *testing.T) {
	worst := 0.0
	try := func(x float64) {
		if want := math.Log(x); want != 0 {
			worst = max(worst, math.Abs(Log(x)/want-1))
		}
	}
	for _, q := range q() {
		try(q)
		try(0.5 - q)
		try(1 - q/1e3)
	}
	for k := range 5000 {
		try(math.Exp(-float64(k) / 100))
	}
	assert.Less(t, worst, 4.5e-16)
	assert.Zero(t, Log(1))
	assert.Equal(t, -math.Ln2, Log(0.5))
}
