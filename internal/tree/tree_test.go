package tree

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLeafSize(t *testing.T) {
	type leafTest struct {
		name           string
		n, chunk, want int
	}
	tests := []leafTest{
		{"nothing", 0, 0, 1},
		{"one item", 1, 0, 1},
		{"below two items a leaf", 31, 0, 1},
		{"two items a leaf", 32, 0, 2},
		{"a few hundred", 300, 0, 16},
		{"a thousand", 1000, 0, 32},
		{"first full leaf", 1 << 14, 0, 1024},
		{"a leaf stays", 1<<17 - 1, 0, 1024},
		{"64 leaves of 2048", 1 << 17, 0, 2048},
		{"64 leaves of 4096", 1 << 18, 0, 4096},
		{"leaves of 4096 go on", 1<<24 + 1, 0, 4096},
		{"chunk of one", 100, 1, 1},
		{"chunk rounded up", 100, 3, 4},
		{"chunk beyond the range", 100, 1000, 128},
		{"chunk of everything", 5, math.MaxInt, 8},
		{"chunk beyond 2^30", math.MaxInt32, math.MaxInt, 1 << 30},
		{"chunk of one, 2^20 leaves", 1 << 20, 1, 1},
		{"chunk of one, too many leaves", 1<<20 + 1, 1, 2},
		{"chunk of nothing", 0, 7, 1},
	}
	if most := uint64(1 << 32); most < math.MaxInt { // more than 32 bits count
		tests = append(tests,
			leafTest{"2^20 leaves of 4096", int(most), 0, 4096},
			leafTest{"one item more", int(most + 1), 0, 8192})
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, LeafSize(test.n, test.chunk))
		})
	}
}
