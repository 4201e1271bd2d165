package launch

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// added is a value that jobs keep, of many types.
type added[T any] struct{ _ T }

func (*added[T]) Release() {}

// A job with no room keeps all that a launch has added: the next one like it makes nothing.
func TestFullJobsKeepWhatALaunchAdds(t *testing.T) {
	j := new(Job)
	for range 2 * maxKept {
		j.add(new(added[bool]))
	}
	a, b := Keep[added[int]](j), Keep[added[string]](j)
	for range 3 {
		assert.Same(t, a, Keep[added[int]](j))
		assert.Same(t, b, Keep[added[string]](j))
	}
	assert.Len(t, j.kept, maxKept)
}
