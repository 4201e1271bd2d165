package tree

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// node is the node of some leaves, top down.
func node(first, last int) string {
	if last-first == 1 {
		return strconv.Itoa(first)
	}
	return joined(node(first, half(first, last)), node(half(first, last), last))
}

func TestStackFollowsTheTree(t *testing.T) {
	for leaves := 1; leaves <= 70; leaves++ {
		t.Run(fmt.Sprint(leaves), func(t *testing.T) {
			slots := make([]string, Slots(leaves))
			used := 0
			join := func(dst int) {
				slots[dst] = joined(slots[dst], slots[dst+1])
				slots[dst+1] = "?"
			}
			for leaf := range leaves {
				used = max(used, Slot(leaf)+1)
				slots[Slot(leaf)] = strconv.Itoa(leaf)
				Carry(leaf, join)
			}
			Collect(leaves, join)
			assert.Equal(t, node(0, leaves), slots[0])
			assert.LessOrEqual(t, used, len(slots))
			if leaves == CeilPow2(leaves) {
				assert.Len(t, slots, used, "no slot is for nothing")
			}
		})
	}
}
