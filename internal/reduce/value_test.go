package reduce_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// A struct of several pointers may hold more than its result place, and one of none has it elsewhere.
func TestIsPlace(t *testing.T) {
	type within struct {
		_ struct{}
		reducers.Base[int]
	}
	for _, c := range []struct {
		value any
		want  bool
	}{
		{builtin.Sum[int](nil), true}, {builtin.Max[int](nil), true}, {reducers.Into[int](nil), true}, {within{}, true},
		{struct{ result, least *int }{}, false}, {struct {
			reducers.Base[int]
			within
		}{}, false}, {struct {
			reducers.Base[int]
			least int
		}{}, false}, {struct{}{}, false}, {struct{ *string }{}, false}, {new(int), false}, {[1]*int{}, false},
		{reducers.Ordered(builtin.Sum[int](nil)), false}, {nil, false},
	} {
		for range 2 { // found out, and remembered
			assert.Equal(t, c.want, reduce.IsPlace[int](reflect.TypeOf(c.value)), "%T", c.value)
		}
	}
}
