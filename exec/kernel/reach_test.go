package kernel_test

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel"
)

// Reach stops where an index, as a number of any size, leaves its range, or before that.
func TestReach(t *testing.T) {
	far := []int{math.MinInt, math.MinInt + 1, math.MinInt / 3, -7, -3, -2, -1, 0, 1, 2, 3, 5, 9, math.MaxInt / 3, math.MaxInt - 1, math.MaxInt}
	inRange := func(base, step, i, limit int) bool {
		x := new(big.Int).Mul(big.NewInt(int64(step)), big.NewInt(int64(i)))
		x.Add(x, big.NewInt(int64(base)))
		return x.Sign() >= 0 && x.Cmp(big.NewInt(int64(limit))) < 0
	}
	for _, begin := range []int{math.MinInt, -3, 0, 2, math.MaxInt - 4} {
		for n := range 5 {
			end := begin + n
			for _, base := range far {
				for _, step := range far {
					for _, limit := range far {
						got := kernel.Reach(begin, end, base, step, limit)
						if got < begin || got > end {
							t.Fatalf("Reach(%d, %d, %d, %d, %d) = %d", begin, end, base, step, limit, got)
						}
						for i := begin; i < got; i++ {
							if !inRange(base, step, i, limit) {
								t.Fatalf("Reach(%d, %d, %d, %d, %d) = %d, but %d is out of range", begin, end, base, step, limit, got, i)
							}
						}
						if step == 1 && got < end && limit > 0 && inRange(base, step, got, limit) {
							t.Fatalf("Reach(%d, %d, %d, %d, %d) = %d, but %d is in range", begin, end, base, step, limit, got, got)
						}
					}
				}
			}
		}
	}
	assert.Equal(t, 50, kernel.Reach(0, 100, 0, 2, 110)) // halved until it fits
	assert.Equal(t, 100, kernel.Reach(0, 100, 198, -2, 199))
	assert.Equal(t, 100, kernel.Reach(0, 100, 3, 0, 4))
	assert.Equal(t, 0, kernel.Reach(0, 100, 4, 0, 4))
}

// ReachAll is what Reach says of all bases between two.
func TestReachAll(t *testing.T) {
	far := []int{math.MinInt, math.MinInt + 1, math.MinInt / 3, -7, -3, -1, 0, 1, 2, 5, 9, math.MaxInt / 3, math.MaxInt - 1, math.MaxInt}
	for _, begin := range []int{math.MinInt, -3, 0, 2, math.MaxInt - 4} {
		for n := range 5 {
			end := begin + n
			for k, lo := range far {
				for _, hi := range far[k:] {
					for _, limit := range []int{0, 1, 2, 6, 7, 8, math.MaxInt / 3, math.MaxInt} {
						want := kernel.Reach(begin, kernel.Reach(begin, end, lo, 1, limit), hi, 1, limit)
						assert.Equal(t, want, kernel.ReachAll(begin, end, lo, hi, limit), "ReachAll(%d, %d, %d, %d, %d)", begin, end, lo, hi, limit)
					}
				}
			}
		}
	}
}

// ReachRows says yes only where the indices of all rows are in range, as numbers of any size; and for rows of a matrix
// wherever they are.
func TestReachRows(t *testing.T) {
	const half, quarter = 1 << (bits.UintSize/2 - 1), 1 << (bits.UintSize - 2)
	far := []int{math.MinInt, math.MinInt + 1, math.MinInt / 2, -9, -1, 0, 1, 4, 9, half, quarter, math.MaxInt}
	at := func(base, step, i, perRow, row int) *big.Int {
		x := new(big.Int).Mul(big.NewInt(int64(step)), big.NewInt(int64(i)))
		x.Add(x, big.NewInt(int64(base)))
		return x.Add(x, new(big.Int).Mul(big.NewInt(int64(perRow)), big.NewInt(int64(row))))
	}
	yes := 0
	for _, begin := range []int{-3, 0, 5, math.MaxInt - 4} {
		for n := 1; n < 4; n++ {
			for _, lo := range far {
				for _, wide := range []int{0, 2} {
					for _, step := range []int{1, 0, -2, 3, quarter} {
						for _, limit := range []int{1, 9, 40, 4 * half, math.MaxInt} {
							for _, perRow := range far {
								for _, rows := range []int{1, 2, 5, 2 * half} {
									end, hi := begin+n, lo+wide
									if hi < lo || step != 1 && wide > 0 || kernel.Reach(begin, end, lo, step, limit) < end || kernel.Reach(begin, end, hi, step, limit) < end {
										continue // not for the first row
									}
									if !kernel.ReachRows(begin, end, lo, hi, step, limit, perRow, rows) {
										continue
									}
									yes++
									for _, base := range []int{lo, hi} {
										for _, row := range []int{0, 1, rows - 1} {
											for _, i := range []int{begin, end - 1} {
												x := at(base, step, i, perRow, min(row, rows-1))
												if x.Sign() < 0 || x.Cmp(big.NewInt(int64(limit))) >= 0 {
													t.Fatalf("ReachRows(%d, %d, %d, %d, %d, %d, %d, %d), but row %d has the index %v", begin, end, lo, hi, step, limit, perRow, rows, row, x)
												}
											}
										}
									}
								}
							}
						}
					}
				}
			}
		}
	}
	assert.Greater(t, yes, 500)
	assert.True(t, kernel.ReachRows(1, 9, -1, 1, 1, 50, 10, 5))
	assert.False(t, kernel.ReachRows(1, 9, -1, 1, 1, 49, 10, 5))
	assert.True(t, kernel.ReachRows(1, 9, 39, 41, 1, 50, -10, 5))
	assert.False(t, kernel.ReachRows(1, 9, 38, 41, 1, 50, -10, 5))
	assert.True(t, kernel.ReachRows(0, 5, 0, 0, 10, 50, 1, 10))
	assert.False(t, kernel.ReachRows(0, 5, 0, 0, 10, 50, 1, 11))
}
