package group_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
)

// lengths are those of joint operations, shorter and longer than the groups.
var lengths = []int{0, 1, 2, 7, 8, 9, 16, 17, 33, 100, 129, 255, 256, 257, 1000}

// leaf reduces x as one leaf of the reduction tree, written down once more.
func leaf[T any](x []T, identity T, ordered bool, join func(a, b T) T) T {
	width, lanes := 1, 1
	for width < len(x) {
		width *= 2
	}
	for lanes < 32 && lanes*16 <= width && !ordered {
		lanes *= 2
	}
	acc := make([]T, 0, lanes)
	for range min(lanes, len(x)) {
		acc = append(acc, identity)
	}
	if len(x) == 0 {
		return identity
	}
	for k, v := range x {
		acc[k%lanes] = join(acc[k%lanes], v)
	}
	for h := lanes / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < len(acc); l++ {
			acc[l] = join(acc[l], acc[l+h])
		}
	}
	return acc[0]
}

func testJoint[T any, R reducers.Reducer[T]](t *testing.T, op func(*T) R, ordered bool, join func(a, b T) T, identity, init T, value func(i int) T) {
	for _, size := range few([]int{1, 2, 5, 33}, 1, 5) {
		for _, n := range few(lengths, 0, 1, 8, 9, 129, 1000) {
			src := make([]T, n)
			for k := range src {
				src[k] = value(k)
			}
			root := leaf(src, identity, ordered, join)
			var want [4][]T
			e, i := identity, init
			for _, x := range src {
				want[0], want[1] = append(want[0], e), append(want[1], i)
				e, i = join(e, x), join(i, x)
				want[2], want[3] = append(want[2], e), append(want[3], i)
			}
			for _, seed := range few(schedules, 0, 7) {
				var got [4][]T
				for k := range got {
					got[k] = make([]T, n+k)
				}
				got[3] = slices.Clone(src)
				require.NoError(t, runs(t, flat(1, size), teams.Settings{Schedule: seed}, func(m *team.Member) {
					own := value(m.Rank())
					if m.Rank() == 0 {
						own = init
					}
					assert.Equal(t, key(root), key(group.JointReduce(m, src, op)))
					assert.Equal(t, key(join(init, root)), key(group.JointReduceFrom(m, own, src, op)))
					group.JointExclusiveScan(m, got[0], src, op)
					group.JointExclusiveScanFrom(m, own, got[1], src, op)
					group.JointInclusiveScan(m, got[2], src, op)
					group.JointInclusiveScanFrom(m, own, got[3], got[3], op)
				}))
				for k := range want {
					require.Equal(t, keys(want[k]), keys(got[k][:n]), "team of %d, %d elements, kind %d", size, n, k)
				}
			}
		}
	}
}

func TestJointOperations(t *testing.T) {
	t.Run("float64", func(t *testing.T) {
		testJoint(t, builtin.Sum, false, func(a, b float64) float64 { return a + b }, 0, math.Copysign(0, -1), floats)
	})
	t.Run("int32", func(t *testing.T) {
		testJoint(t, builtin.Min, false, func(a, b int32) int32 { return min(a, b) }, math.MaxInt32, 40, func(i int) int32 { return int32(i * 37 % 101) })
	})
	t.Run("string", func(t *testing.T) {
		testJoint(t, inRankOrder, true, func(a, b string) string { return a + b }, "", "init ", func(i int) string { return fmt.Sprint(i, " ") })
	})
}

func TestJointScansInPlace(t *testing.T) {
	x := []int{3, 1, 7, 0, 4, 1, 6, 3}
	y := slices.Clone(x)
	require.NoError(t, runs(t, flat(1, 3), teams.Settings{}, func(m *team.Member) {
		group.JointInclusiveScan(m, x, x, builtin.Sum)
		group.JointExclusiveScan(m, y, y, builtin.Sum)
		group.JointExclusiveScan(m, x[4:], x[:4], builtin.Sum) // side by side
	}))
	assert.Equal(t, []int{3, 4, 11, 11, 0, 3, 7, 18}, x)
	assert.Equal(t, []int{0, 3, 4, 11, 11, 15, 16, 22}, y)

	z := [][]int{{1, 2}, {3, 4}, {5, 6}}
	require.NoError(t, runs(t, flat(1, 3), teams.Settings{}, func(m *team.Member) { group.JointInclusiveScan(m, z, z, pairs) }))
	z[0][0] = 100
	assert.Equal(t, [][]int{{100, 2}, {4, 6}, {9, 12}}, z)
}

// What members write before a joint operation is seen, whatever the schedule.
func TestJointSearch(t *testing.T) {
	even := func(x int) bool { return x%2 == 0 }
	onGroups(t, func(t *testing.T, s teams.Settings, shape space.TeamShape, of func(m *team.Member) team.Group, width int) {
		x := make([]int, 2*shape.Size)
		require.NoError(t, runs(t, shape, s, func(m *team.Member) {
			g := of(m)
			begin := m.Rank() - g.Rank()
			own := x[2*begin : 2*(begin+g.Size())]
			for k, odd := range []int{-1, 0, len(own) - 1, len(own) / 2} {
				own[2*g.Rank()], own[2*g.Rank()+1] = 2*k, 2*k+4
				g.Barrier()
				if odd >= 0 && odd/2 == g.Rank() {
					own[odd] = 1
				}
				assert.Equal(t, odd < 0, group.JointAll(g, own, even))
				assert.Equal(t, len(own) > 1, group.JointAny(g, own, even))
				assert.Equal(t, odd >= 0, group.JointAny(g, own, func(x int) bool { return !even(x) }))
			}
			assert.True(t, group.JointAll(g, own[:0], even))
			assert.False(t, group.JointAny(g, nil, even))
		}))
	})
	calls, x := 0, make([]int, 9)
	require.NoError(t, runs(t, flat(1, 4), teams.Settings{}, func(m *team.Member) {
		group.JointAny(m, x, func(int) bool { calls++; return calls == 3 })
	}))
	assert.Equal(t, 3, calls)
}

// Slots are kept for the reducer and the lanes they were opened for.
func TestJointReductionsAlternate(t *testing.T) {
	x := make([]float64, 300)
	for k := range x {
		x[k] = floats(k + 1)
	}
	add := func(a, b float64) float64 { return a + b }
	require.NoError(t, runs(t, flat(1, 3), teams.Settings{}, func(m *team.Member) {
		for k := range 40 {
			y := x[:[]int{300, 100, 40}[k/2%3]]
			op, want := builtin.Sum[float64], leaf(y, 0, false, add)
			if k%5 == 0 {
				op, want = builtin.Min, slices.Min(y)
			}
			assert.Equal(t, key(want), key(group.JointReduce(m, y, op)))
			assert.Equal(t, want+float64(k), group.JointReduce(m, y, func(p *float64) reducers.Func[float64] {
				return reducers.New(p, func(dst, src *float64) { op(p).Join(dst, src) },
					reducers.Init(func(x *float64) { op(p).Init(x) }), reducers.Final(func(x *float64) { *x += float64(k) }))
			}))
		}
	}))
}

func TestJointReduceIsParallelReduce(t *testing.T) {
	for _, n := range []int{0, 1, 9, 100, 300, 1000, 5000} {
		x, want, sums := make([]float64, n), 0.0, make([]float64, n)
		for k := range x {
			x[k] = 1 / float64(3*k+1)
		}
		require.NoError(t, exec.ParallelReduce(policy.Range(0, n).Chunk(max(n, 1)).On(exec.Serial{}), func(k int, acc *float64) { *acc += x[k] }, builtin.Sum(&want)))
		require.NoError(t, exec.ParallelScan(policy.Range(0, n).Chunk(max(n, 1)).On(exec.Serial{}), func(k int, acc *float64, final bool) {
			*acc += x[k]
			if final {
				sums[k] = *acc
			}
		}, builtin.Sum(new(float64))))
		dst := make([]float64, n)
		require.NoError(t, runs(t, flat(1, 8), teams.Settings{}, func(m *team.Member) {
			assert.Equal(t, want, group.JointReduce(m, x, builtin.Sum))
			group.JointInclusiveScan(m, dst, x, builtin.Sum)
		}))
		assert.Equal(t, sums, dst)
	}
}
