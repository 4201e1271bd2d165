package team

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
)

// expectScan returns the inclusive prefixes of n floats and their total, by the rule of Scan.
func expectScan(n, members int, initial float64) (prefixes []float64, total float64) {
	chunk := (n + members - 1) / members
	if members == 1 {
		for i := range n {
			initial += uneven(i)
			prefixes = append(prefixes, initial)
		}
		return prefixes, initial
	}
	type node struct {
		begin, end  int
		sum         float64
		left, right *node
	}
	var row []*node
	for b := 0; b < n; b += chunk {
		x := &node{begin: b, end: min(b+chunk, n)}
		for i := b; i < x.end; i++ {
			x.sum += uneven(i)
		}
		row = append(row, x)
	}
	for len(row) > 1 {
		var half []*node
		for k := 0; k < len(row); k += 2 {
			x := &node{left: row[k], sum: row[k].sum}
			if k+1 < len(row) {
				x.right = row[k+1]
				x.sum += x.right.sum
			}
			half = append(half, x)
		}
		row = half
	}
	prefixes = make([]float64, n)
	var down func(x *node, prefix float64)
	down = func(x *node, prefix float64) {
		if x.left == nil {
			for i := x.begin; i < x.end; i++ {
				prefix += uneven(i)
				prefixes[i] = prefix
			}
			return
		}
		down(x.left, prefix)
		if x.right != nil {
			down(x.right, prefix+x.left.sum)
		}
	}
	if n > 0 {
		down(row[0], initial)
		total = row[0].sum
	}
	return prefixes, initial + total
}

func TestScanFollowsTheRule(t *testing.T) {
	type trial struct {
		n, members int
		initial    float64
	}
	type scan struct {
		prefixes []float64
		total    float64
	}
	expected := remember(func(c trial) scan {
		prefixes, total := expectScan(c.n, c.members, c.initial)
		return scan{prefixes, total}
	})
	everyTeam(t, func(m *Member) {
		for _, n := range extents(m) {
			for _, l := range levels {
				members := m.Size()
				if l == overVector {
					members = 1
				}
				for _, initial := range []float64{0, 0.7} {
					rule := expected(trial{n, members, initial})
					want, sum := rule.prefixes, rule.total
					total := initial
					red := reducers.Reducer[float64](builtin.Sum(&total))
					if initial != 0 {
						red = reducers.WithInitial(red)
					}
					finals := 0
					Scan(newRange(m, l, n), func(i int, acc *float64, final bool) {
						before := *acc
						*acc += uneven(i)
						if !final {
							return
						}
						finals++
						if math.Float64bits(*acc) != math.Float64bits(want[i]) || i == 0 && before != initial {
							t.Fatalf("%s, item %d of %d, %d members, initially %v: got %v, want %v", levelNames[l], i, n, members, initial, *acc, want[i])
						}
					}, red)
					if math.Float64bits(sum) != math.Float64bits(total) {
						t.Fatalf("%s, %d items, %d members, initially %v: total %v, want %v", levelNames[l], n, members, initial, total, sum)
					}
					if l != overVector {
						Reduce(ThreadRange(m, members), func(_ int, acc *int) { *acc += finals }, builtin.Sum(&finals))
					}
					require.Equal(t, n, finals)
				}
			}
		}
	})
}

const alphabet = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"

func TestScanCallsEveryItemInOrder(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			const n = 60
			var calls []int
			var text string
			Scan(newRange(m, l, n), func(i int, acc *string, final bool) {
				if final && *acc != alphabet[:i] {
					t.Fatalf("item %d: %q", i, *acc)
				}
				calls = append(calls, i)
				*acc += letter(i)
			}, concat(&text))
			require.Equal(t, alphabet[:n], text)
			if l == overVector || m.Size() == 1 {
				require.Len(t, calls, n)
				continue
			}
			chunk := (n + m.Size() - 1) / m.Size()
			mine := max(0, min(chunk, n-m.Rank()*chunk))
			require.Len(t, calls, 2*mine)
			for k, i := range calls {
				require.Equal(t, m.Rank()*chunk+k%mine, i)
			}
		}
	})
}

func TestScanAppliesFinalToTheTotalOnly(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for _, l := range levels {
			root := 3.0
			Scan(newRange(m, l, 16), func(i int, acc *float64, final bool) {
				require.True(t, !final || *acc == 9+float64(i))
				*acc++
			}, reducers.WithInitial(builtin.Norm2(&root)))
			require.Equal(t, 5.0, root)
		}
	})
}

func TestScanOfSlicesSharesNoMemory(t *testing.T) {
	everyTeam(t, func(m *Member) {
		for range 2 {
			for _, l := range levels {
				var total []int
				begin := []int{-1}
				Scan(newRange(m, l, 40), func(i int, acc *[]int, final bool) {
					require.True(t, !final || len(*acc) == i)
					*acc = append(*acc, i)
				}, reducers.Ordered(gather(&total, func(*[]int) {})))
				Scan(newRange(m, l, 40), func(i int, acc *[]int, final bool) {
					require.True(t, !final || len(*acc) == i+1 && (*acc)[0] == -1)
					*acc = append(*acc, i)
				}, reducers.WithInitial(gather(&begin, func(*[]int) {})))
				for i := range 40 {
					require.Equal(t, i, total[i])
					require.Equal(t, i, begin[i+1])
					total[i], begin[i+1] = -2, -2
				}
			}
		}
	})
}
