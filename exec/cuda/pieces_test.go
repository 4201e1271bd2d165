package cuda

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
)

// joiner keeps what is in slots, and says what is wrong in a join.
type joiner struct {
	leaves int
	slots  [64][2]int // first, last
	wrong  []string
}

func (*joiner) Open(workers, slots int)                     {}
func (*joiner) Run(worker, first, last, slot int) (ok bool) { return false }

func (j *joiner) Join(dst, src int) bool {
	d, s := j.slots[dst], j.slots[src]
	half := 1 << bits.Len(uint(s[1]-d[0]-1)) / 2
	if d[1] != s[0] || d[0]%(2*half) != 0 || d[1]-d[0] != half {
		j.wrong = append(j.wrong, fmt.Sprint(d, " with ", s))
	}
	j.slots[dst] = [2]int{d[0], s[1]}
	return true
}

// Pieces of whatever widths are joined to the root, each join of the two halves of a node.
func TestStack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		j := &joiner{leaves: 1 + random.IntN(300)}
		s := stack{job: j}
		var widths []int
		most := 0
		for first := 0; first < j.leaves; {
			width := 1 << random.IntN(8)
			for first%width != 0 {
				width /= 2
			}
			widths = append(widths, width)
			last := min(first+width, j.leaves)
			most = max(most, s.slot())
			j.slots[s.slot()] = [2]int{first, last}
			require.True(t, s.push(first, width, j.leaves))
			first = last
		}
		require.Empty(t, j.wrong, "%d leaves in pieces of %v", j.leaves, widths)
		require.Equal(t, [2]int{0, j.leaves}, j.slots[0])
		require.LessOrEqual(t, most, bits.Len(uint(j.leaves)), "slots that run opens, less one")
	}
}

// The next piece takes about a quarter of a second, a power of two of leaves and at least one.
func TestPace(t *testing.T) {
	g := space.Grid{Leaf: 1024}
	var p pace
	assert.Equal(t, probeItems/1024, p.width(g), "of a kernel that nothing is known of")
	p.ran(10, 20*time.Microsecond)
	assert.Equal(t, probeItems/1024, p.width(g), "a launch takes as long without items")
	p.ran(1<<20, 1<<20*time.Nanosecond)
	assert.Equal(t, 1<<17, p.width(g), "250e6 ns, of 1024 ns each")
	p.ran(1<<20, 10*time.Second)
	assert.Equal(t, 16, p.width(g))
	p.ran(10, time.Minute)
	assert.Equal(t, 1, p.width(g))
	p.ran(1<<30, 0)
	assert.Equal(t, 1<<30, p.width(space.Grid{Leaf: 1}))
}

// Threads of long items have all of them between them, up to sixteen each, and are enough to keep a device busy.
func TestStrided(t *testing.T) {
	for _, items := range []int{1, 255, 1 << 22, 1<<23 - 1, 1 << 23, 1e8, 1 << 30} {
		threads := strided(items)
		each := (items + threads - 1) / threads
		assert.LessOrEqual(t, each, 16, "%d items", items)
		assert.GreaterOrEqual(t, threads, min(items, 1<<22), "%d items", items)
	}
	assert.Equal(t, 1<<26, strided(1<<30))
	assert.Equal(t, 1<<22, strided(1<<23))
}
