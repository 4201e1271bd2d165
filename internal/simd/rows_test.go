package simd_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/simd"
)

// checkRows compares Add, of rows that are stride apart, and Join with the loop in Go.
func checkRows[T number](t *testing.T, o operation[T], dst, x []T, stride, rows int) {
	t.Helper()
	want, before := append([]T(nil), dst...), append([]T(nil), x...)
	for r := range rows {
		for j := range want {
			want[j] = o.join(want[j], x[r*stride+j])
		}
	}
	simd.RowsOf[T](o.op, o.op).Add(dst, x, stride, rows)
	if !same(want, dst) {
		t.Fatalf("%s: got\n%v, expected\n%v, of\n%v", o.name, dst, want, x)
	}
	for j := range want {
		want[j] = o.join(want[j], x[j])
	}
	simd.RowsOf[T](simd.Sum, o.op).Join(dst, x)
	if !same(want, dst) {
		t.Fatalf("%s: joined\n%v, expected\n%v, of\n%v", o.name, dst, want, x)
	}
	if string(bytes(x)) != string(bytes(before)) {
		t.Fatal("the values were changed")
	}
}

func checkAllRows[T number](t *testing.T, operations []operation[T]) {
	rng, offsets := rand.New(rand.NewPCG(3, 4)), []int{0, 1, 3, 8, 15}
	if testing.Short() {
		offsets = offsets[1:2]
	}
	for _, o := range operations {
		t.Run(fmt.Sprintf("%s/%T", o.name, T(0)), func(t *testing.T) {
			at(t, func(t *testing.T, l simd.Level) {
				for n := range 150 {
					for k, offset := range offsets {
						rows, stride := 1+k, n+rng.IntN(3)
						x := make([]T, offset+rows*stride+2)[offset:] // longer than need be
						data(rng, x)
						guarded := make([]T, 5+offset+n+5)
						data(rng, guarded)
						dst := guarded[5+offset : 5+offset+n]
						if o.unsigned {
							for j, v := range dst {
								dst[j] = max(v, -v)
							}
						}
						front, back := string(bytes(guarded[:5+offset])), string(bytes(guarded[5+offset+n:]))
						checkRows(t, o, dst, x, stride, rows)
						require.Equal(t, front, string(bytes(guarded[:5+offset])))
						require.Equal(t, back, string(bytes(guarded[5+offset+n:])))
					}
				}
			})
		})
	}
}

func TestRows(t *testing.T) {
	checkAllRows(t, floats[float64]())
	checkAllRows(t, floats[float32]())
	checkAllRows(t, floats[celsius]())
	checkAllRows(t, integers[int64]())
	checkAllRows(t, integers[int32]())
	checkAllRows(t, integers[int]())
	for _, o := range integers[uint64]() {
		if o.op != simd.Min && o.op != simd.Max {
			checkAllRows(t, []operation[uint64]{o})
		}
	}
	for _, o := range integers[id]() {
		if o.op != simd.Min && o.op != simd.Max {
			checkAllRows(t, []operation[id]{o})
		}
	}
}

// Types and operations without rows have none, and none by half.
func TestRowsOfOthers(t *testing.T) {
	for _, add := range []any{
		simd.RowsOf[int16](simd.Sum, simd.Sum).Add, simd.RowsOf[uint8](simd.Sum, simd.Sum).Add,
		simd.RowsOf[complex64](simd.Sum, simd.Sum).Add, simd.RowsOf[complex128](simd.Sum, simd.Sum).Add,
		simd.RowsOf[uint32](simd.Min, simd.Min).Add, simd.RowsOf[uint](simd.Max, simd.Max).Add,
		simd.RowsOf[float64](simd.And, simd.And).Add, simd.RowsOf[int64](simd.SumSq, simd.Sum).Add,
		simd.RowsOf[int64](simd.Sum, simd.Norm1).Join,
	} {
		assert.Nil(t, add, "%T", add)
	}
	assert.Nil(t, simd.RowsOf[int64](simd.SumSq, simd.Sum).Join)
	_, undo := simd.Limit(simd.None)
	defer undo()
	assert.NotNil(t, simd.RowsOf[float64](simd.Sum, simd.Sum).Add)
}

func TestRowsDoNotAllocate(t *testing.T) {
	r := simd.RowsOf[celsius](simd.Norm1, simd.Sum)
	dst, x := make([]celsius, 100), make([]celsius, 100)
	assert.Zero(t, testing.AllocsPerRun(100, func() { r.Add(dst, x, 100, 1) }))
}
