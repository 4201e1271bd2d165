package algorithms

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
)

// A sum is recognized as one, whatever modifies it; for all else r joins by itself.
func TestSumsAreRecognized(t *testing.T) {
	type celsius float64
	var x float64
	sum := reducers.Reducer[float64](builtin.Sum(&x))
	assert.NotNil(t, summing(sum))
	assert.NotNil(t, summing[float64](reducers.WithInitial(sum)))
	assert.NotNil(t, summing[float64](reducers.Ordered(reducers.WithInitial(sum))))
	assert.Nil(t, summing[float64](builtin.Max(&x)))
	assert.Nil(t, summing[float64](reducers.WithInitial(builtin.Max(&x))))
	assert.Nil(t, summing[float64](reducers.New(&x, func(dst, src *float64) { *dst += *src })))
	assert.Nil(t, summing[celsius](builtin.Sum(new(celsius))), "no basic type")
}
