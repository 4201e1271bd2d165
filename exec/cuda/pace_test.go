package cuda

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Cards share a launch that is long enough, as long as that has been faster, and now and then try it again.
func TestPaceOfSeveralCards(t *testing.T) {
	const items = 1 << 20
	var p pace
	assert.False(t, p.pays(items, false), "nothing is known")
	p.ran(items, time.Second)
	assert.False(t, p.pays(items, false), "the driver may have loaded code")
	p.ran(items, 50*time.Microsecond)
	assert.False(t, p.pays(items, false))
	assert.True(t, p.pays(items, true), "half of the elements come over the link")
	assert.False(t, p.pays(items/4, true))
	p.ran(items, 200*time.Microsecond)
	assert.True(t, p.pays(items, false))
	p.sharedBy(items, time.Second) // which makes queues
	assert.True(t, p.pays(items, false))
	p.sharedBy(items, 120*time.Microsecond)
	assert.True(t, p.pays(items, false))
	p.sharedBy(items, 300*time.Microsecond)
	tries := 0
	for !p.pays(items, false) {
		tries++
	}
	assert.InDelta(t, 41, tries, 2, "0.99 to that power is 2/3")
}
