package brief

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestList(t *testing.T) {
	assert.Equal(t, "[]", List[int](nil))
	assert.Equal(t, "[3 -4]", List([]int{3, -4}))
	assert.Equal(t, "[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]", List(make([]int, 16)))
	assert.Equal(t, "[0 0 0 0 0 0 0 0 ... 17 in all]", List(make([]int, 17)))
	assert.Equal(t, "[a b]", List([]string{"a", "b"}))
}
