package launch

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIsNode(t *testing.T) {
	for leaves := 0; leaves <= 40; leaves++ {
		want := map[Node]bool{}
		for w := 1; ; w *= 2 {
			for first := 0; first < leaves; first += w {
				want[Node{first, min(first+w, leaves)}] = true
			}
			if w >= leaves {
				break
			}
		}
		for first := -1; first <= leaves+1; first++ {
			for last := -1; last <= leaves+2; last++ {
				n := Node{first, last}
				assert.Equal(t, want[n], n.isNode(leaves), "%v of %d leaves", n, leaves)
			}
		}
	}
}
