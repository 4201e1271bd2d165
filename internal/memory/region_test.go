package memory_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/views"
)

func regionOf(view any) memory.Region {
	return memory.Located(view)
}

func overlap(v, w any) bool { return regionOf(v).Overlaps(regionOf(w)) }

// part returns a random view of some of the bytes, as elements of type T.
func part[T any](r *rand.Rand, bytes []byte) views.View[T] {
	bytes = bytes[r.IntN(30):]
	x := unsafe.Slice((*T)(unsafe.Pointer(&bytes[0])), len(bytes)/int(unsafe.Sizeof(*new(T))))
	n, m, l := 1+r.IntN(6), 1+r.IntN(4), 1+r.IntN(5)
	v := views.Must(views.Of("v", x, []int{n, m, l}, views.Stride{20, 5, 1}))
	cut := func(n int) views.Selector {
		begin := r.IntN(n)
		return views.Range(begin, begin+1+r.IntN(n-begin)).By(1 + r.IntN(3))
	}
	v = views.Must(v.Sub(cut(n), cut(m), cut(l)))
	return views.Must(v.Permute(r.Perm(3)...))
}

// bytesOf returns the addresses of the bytes of a view.
func bytesOf[T any](v views.View[T]) map[uintptr]bool {
	at := map[uintptr]bool{}
	for run := range v.Runs() {
		for k := range run {
			for b := range unsafe.Sizeof(run[k]) {
				at[uintptr(unsafe.Pointer(&run[k]))+b] = true
			}
		}
	}
	return at
}

// Regions overlap as the sets of addresses do, which are those of elements of one type, or
// of two that share bytes in any way.
func checkOverlap[T, U any](t *testing.T, leastMet, leastApart int) {
	bytes := make([]byte, 150*unsafe.Sizeof(*new(T))+150*unsafe.Sizeof(*new(U)))
	r := rand.New(rand.NewPCG(1, 2))
	met := map[bool]int{}
	for range 3000 {
		v, w := part[T](r, bytes), part[U](r, bytes)
		seen, want := bytesOf(v), false
		for b := range bytesOf(w) {
			want = want || seen[b]
		}
		require.Equal(t, want, overlap(v, w), "%v %v %v %v", v, v.Layout(), w, w.Layout())
		require.Equal(t, want, overlap(w, v))
		require.True(t, overlap(v, v))
		met[want]++
	}
	assert.Greater(t, met[true], leastMet)
	assert.Greater(t, met[false], leastApart)
}

func TestOverlap(t *testing.T) {
	checkOverlap[byte, byte](t, 50, 300)
	checkOverlap[[8]byte, [8]byte](t, 50, 300)
	checkOverlap[byte, [3]byte](t, 50, 300)
	checkOverlap[[3]byte, [2]byte](t, 50, 300)
	checkOverlap[[2]byte, [16]byte](t, 50, 300)
}

func TestOverlapOfNothing(t *testing.T) {
	x := views.Must(views.New1[struct{}]("x", 10)).View
	assert.False(t, overlap(x, x))
	assert.False(t, overlap(views.View[int]{}, views.View[int]{}))
	y := views.Must(views.New1[int]("y", 10)).View
	none := views.Must(views.Must(y.Sub(views.Range(3, 9))).Sub(views.Range(5, 5)))
	assert.False(t, overlap(y, none))
	assert.False(t, overlap(none, y))
	elements := memory.Elements[int](none)
	assert.Equal(t, []int(nil), elements)
}

// A dimension of one index has any stride.
func TestOverlapOfSingle(t *testing.T) {
	x := make([]int, 4)
	v := views.Must(views.Of("v", x, []int{1, 2}, views.Stride{0, 2}))
	w := views.Must(views.Of("w", x[1:], []int{1, 2}, views.Stride{math.MaxInt, 2}))
	assert.True(t, overlap(v, v))
	assert.True(t, overlap(w, w))
	assert.False(t, overlap(v, w))
	assert.False(t, overlap(w, v))
}

// Regions are the same if each index has the same element, not if they are the same bytes.
func TestSame(t *testing.T) {
	x := views.Must(views.New2[int]("x", 3, 3)).View
	row := views.Must(x.Sub(views.Range(0, 1), views.All()))
	same := func(v, w any) bool { return regionOf(v).Same(regionOf(w)) }
	assert.True(t, same(x, x))
	assert.False(t, same(x, x.Transpose()))
	assert.False(t, same(x, views.Must(views.New2[int]("y", 3, 3)).View))
	assert.False(t, same(row, views.Must(x.Sub(views.Range(1, 2), views.All()))))
	data, _ := row.Slice()
	assert.True(t, same(row, views.Must(views.Of("of", data, []int{1, 3}, views.Stride{7, 1}))))
	pairs := make([][2]int, 4)
	numbers := views.Must(views.OfArrays[int]("numbers", pairs[:2]))
	assert.False(t, same(views.Must(views.Of1("pairs", pairs)), views.Must(numbers.Reshape(4))))
	assert.False(t, same(views.View[int]{}, views.View[int]{}))
}
