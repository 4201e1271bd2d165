package hugepage

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

func TestWholePages(t *testing.T) {
	const page = 4096
	memory := make([]byte, 8*page)
	base := int(-uintptr(unsafe.Pointer(&memory[0])) & (page - 1)) // of the first whole page
	for _, begin := range []int{0, 1, 8, page - 1} {
		for _, size := range []int{0, 1, page - 1, page, page + 1, 2 * page, 3*page - 1, 3 * page} {
			x := memory[base+begin:][:size]
			whole := wholePages(x, page)
			first := (begin + page - 1) / page
			want := max((begin+size)/page-first, 0) * page
			assert.Equal(t, want, len(whole), "%d bytes from %d on", size, begin)
			if want > 0 {
				assert.Same(t, &memory[base+first*page], &whole[0], "%d bytes from %d on", size, begin)
			}
		}
	}
}

func TestAdviseKeepsValues(t *testing.T) {
	x := make([]int32, 5<<20)
	for k := range x {
		x[k] = int32(k)
	}
	bytes := Advise(x)
	assert.LessOrEqual(t, bytes, 4*len(x))
	for k, v := range x {
		if v != int32(k) {
			t.Fatalf("x[%d] is %d", k, v)
		}
	}
}

func TestAdviseLeavesSmallSlices(t *testing.T) {
	assert.Zero(t, Advise([]float64(nil)))
	assert.Zero(t, Advise(make([]byte, Least-1)))
	assert.Zero(t, Advise(make([]struct{}, 1<<30)), "no bytes")
}
