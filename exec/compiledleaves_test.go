package exec_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// A hashed is a functor whose loop runs several leaves in one call, but for those with an item that it leaves.
type hashed struct {
	panics int // item of the functor that does
	leaves func(i int) bool
	next   int                      // added to what Leaves returns
	one    func(i int, acc *uint64) // what an item does
	ran    *leavesRun
}

// leavesRun counts calls of loops, and the leaves of the longest one.
type leavesRun struct {
	calls, most, items atomic.Int64
	mu                 sync.Mutex
	at                 []int // items that calls of Span begin at
}

func (k *hashed) at(i int, acc *uint64) {
	if i == k.panics {
		panic(fmt.Sprint("item ", i))
	}
	k.one(i, acc)
}

func hashItem(i int, acc *uint64) { *acc = *acc*31 + uint64(i) + 7 }

// joinHashes is neither commutative nor associative.
func joinHashes(dst, src *uint64) { *dst = *dst*1000003 ^ *src }

func (k *hashed) Span(begin, end, item int, a []uint64) (next int) {
	k.ran.mu.Lock()
	k.ran.at = append(k.ran.at, item)
	k.ran.mu.Unlock()
	for i := begin; i < end; i++ {
		if k.leaves(i) || i == k.panics {
			return i
		}
		k.one(i, lane(begin, item, i, a))
	}
	return end
}

func (k *hashed) Joins() kernel.Op { return "" }

func (k *hashed) Leaves(begin, end, leaf, lanes int, a, _ []uint64) (next int) {
	if (end-begin)%leaf != 0 || leaf%lanes != 0 || len(a) < (end-begin)/leaf*lanes {
		panic("leaves that are not whole, or too few lanes")
	}
	k.ran.calls.Add(1)
	k.ran.items.Add(int64(end - begin))
	k.ran.most.Store(max(k.ran.most.Load(), int64((end-begin)/leaf)))
	for ; begin < end; begin += leaf {
		for i := range leaf {
			if k.leaves(begin+i) || begin+i == k.panics {
				return begin + k.next
			}
		}
		for i := range leaf {
			k.one(begin+i, &a[i%lanes])
		}
		a = a[lanes:]
	}
	return end + k.next
}

func init() {
	from := kernel.Source{Name: "exec_test.hashed", File: "compiledleaves_test.go", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *hashed) func(int, *uint64) { return k.at }, func(k *hashed) kernel.Reduce[uint64] { return k })
}

func newHashed(leaves func(int) bool) *hashed {
	return &hashed{panics: -1, leaves: leaves, one: hashItem, ran: new(leavesRun)}
}

// Leaves that are run in one call have the bits that they have one by one, whatever is left to the functor.
func TestLeavesBits(t *testing.T) {
	for _, s := range compiledSpaces(t) {
		for what, leaves := range map[string]func(int) bool{"none": never, "all": always, "some": func(i int) bool { return i%997 == 41 }, "the last": func(i int) bool { return i > 4000 }} {
			for _, n := range []int{0, 1, 15, 31, 255, 256, 257, 1000, 1024, 5000, 40_000, 150_001} {
				k := newHashed(leaves)
				p := policy.Range(3, 3+n)
				want, got := uint64(5), uint64(5)
				require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), hashItem, reducers.New(&want, joinHashes)))
				require.NoError(t, exec.ParallelReduce(p.On(s), k.at, reducers.New(&got, joinHashes)))
				require.Equal(t, want, got, "%d items on %s, %s left", n, s.Name(), what)
				ctx, cancel := context.WithCancel(t.Context()) // pieces begin within leaves
				require.NoError(t, exec.ParallelReduce(p.WithContext(ctx).On(s), newHashed(leaves).at, reducers.New(&got, joinHashes)))
				cancel()
				require.Equal(t, want, got, "%d items on %s in pieces, %s left", n, s.Name(), what)
				if n >= 256 && what == "none" && compiles() && s.Name() != "simgpu" { // which takes steps
					assert.Positive(t, k.ran.calls.Load(), "%d items on %s", n, s.Name())
				}
			}
		}
	}
}

// A call has many leaves, but not so many that their lanes fill a cache.
func TestLeavesOfACall(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	for n, most := range map[int]int64{1024: 16, 16384: 16, 1 << 20: 32} {
		k := newHashed(never)
		var sum uint64
		require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(exec.Serial{}), k.at, builtin.Sum(&sum)))
		assert.Equal(t, most, k.ran.most.Load(), "%d items", n)
		assert.Equal(t, int64(n), k.ran.items.Load())
	}
	k := newHashed(never) // one lane, as the order of items is that of the range
	var sum uint64
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5000).On(exec.Serial{}), k.at, reducers.Ordered(builtin.Sum(&sum))))
	assert.Zero(t, k.ran.calls.Load())
}

// A panic has the items that it has without a loop, be it the functor's or one of a join.
func TestLeavesPanic(t *testing.T) {
	const n = 5000
	panicOf := func(s exec.Space, f func(int, *uint64), join func(dst, src *uint64)) (p *exec.Panic) {
		sum := uint64(7)
		defer func() {
			if p, _ = recover().(*exec.Panic); p != nil {
				assert.Equal(t, uint64(7), sum)
			}
		}()
		_ = exec.ParallelReduce(policy.Range(0, n).On(s), f, reducers.New(&sum, join))
		return nil
	}
	for _, at := range []int{0, 1, 31, 255, 256, 2500, 4999} {
		k := newHashed(never)
		k.panics = at
		want := panicOf(exec.Serial{}, func(i int, acc *uint64) { k.at(i, acc) }, joinHashes)
		got := panicOf(exec.Serial{}, k.at, joinHashes)
		require.NotNil(t, got)
		assert.Equal(t, []any{want.Value, want.Begin, want.End}, []any{got.Value, got.Begin, got.End}, "item %d", at)
	}
	joinsOf := func(f func(int, *uint64)) (joins [][2]uint64) { // of lanes, of leaves and of nodes
		require.Nil(t, panicOf(exec.Serial{}, f, func(dst, src *uint64) {
			joins = append(joins, [2]uint64{*dst, *src})
			joinHashes(dst, src)
		}))
		return joins
	}
	joins := joinsOf(func(i int, acc *uint64) { hashItem(i, acc) })
	assert.Len(t, joins, 20*31+19)
	assert.ElementsMatch(t, joins, joinsOf(newHashed(never).at))
	for n, pair := range joins {
		join := func(dst, src *uint64) {
			if pair == [2]uint64{*dst, *src} {
				panic("join")
			}
			joinHashes(dst, src)
		}
		if n < 20*31 && n%7 > 0 {
			continue
		}
		want := panicOf(exec.Serial{}, func(i int, acc *uint64) { hashItem(i, acc) }, join)
		got := panicOf(exec.Serial{}, newHashed(never).at, join)
		require.NotNil(t, got, "join %d", n)
		assert.Equal(t, []any{"join", want.Begin, want.End}, []any{got.Value, got.Begin, got.End}, "join %d", n)
	}
}

// Of the panics of a functor and of joins below it, that of the lowest leaf is the one of the launch, as it is
// where leaves run one by one.
func TestLeavesPanicBelow(t *testing.T) {
	panicOf := func(s exec.Space, f func(int, *uint64), join func(dst, src *uint64)) (begin, end int) {
		defer func() {
			if p, ok := recover().(*exec.Panic); ok {
				begin, end = p.Begin, p.End
			}
		}()
		var sum uint64
		_ = exec.ParallelReduce(policy.Range(0, 19*256).On(s), f, reducers.New(&sum, join))
		return -1, -1
	}
	one := func(i int, acc *uint64) { *acc |= 1 << (i / 256) } // a bit of each leaf
	for _, s := range compiledSpaces(t) {
		for _, item := range []int{-1, 0, 256, 1000, 4 * 256, 7*256 + 5, 18 * 256} {
			for _, bad := range []uint64{1, 3, 7, 0xf, 1 << 2, 1 << 3, 3 << 4, 1 << 17, 7 << 16, 1 << 18} {
				join := func(dst, src *uint64) {
					if *dst |= *src; *dst == bad {
						panic("join")
					}
				}
				k := newHashed(never)
				k.panics, k.one = item, one
				begin, end := panicOf(exec.Serial{}, func(i int, acc *uint64) { k.at(i, acc) }, join)
				gotBegin, gotEnd := panicOf(s, k.at, join)
				assert.Equal(t, []int{begin, end}, []int{gotBegin, gotEnd}, "item %d, join to %x, on %s", item, bad, s.Name())
			}
		}
	}
}

// Behind an item that was left to the functor, the loop goes on at lane 0.
func TestLoopsGoOnAtLane0(t *testing.T) {
	k := newHashed(func(i int) bool { return i%97 == 41 })
	var sum uint64
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5000).On(exec.Serial{}), k.at, builtin.Sum(&sum)))
	for _, item := range k.ran.at {
		assert.Zero(t, item%32)
	}
	assert.Equal(t, compiles(), len(k.ran.at) > 30)
}

// What Leaves returns is looked at.
func TestLeavesThatLie(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	for next, says := range map[int]string{
		1:     "exec: the loop of the functor github.com/gokkos/gokkos/exec_test.(*hashed).at ran leaves of 256 of the integers 10 to 4105 and returned 4107, expected the first of a leaf",
		-1:    "returned 4105, expected the first of a leaf",
		256:   "returned 4362, expected the first of a leaf",
		-8192: "returned -4086, expected the first of a leaf",
	} {
		k := newHashed(never)
		k.next = next
		sum := uint64(7)
		err := exec.ParallelReduce(policy.Range(10, 4106).On(exec.Serial{}), k.at, builtin.Sum(&sum))
		assert.ErrorContains(t, err, says)
		assert.Equal(t, uint64(7), sum)
	}
}

// A cancelled launch stops between calls, which are not long.
func TestLeavesCancel(t *testing.T) {
	n := 1 << 24
	if !compiles() {
		n = 1 << 16 // all of which are called
	}
	for _, s := range compiledSpaces(t) {
		ctx, cancel := context.WithCancel(t.Context())
		k := newHashed(func(int) bool { cancel(); return false })
		sum := uint64(7)
		err := exec.ParallelReduce(policy.Range(0, n).WithContext(ctx).On(s), k.at, builtin.Sum(&sum))
		if !compiles() {
			require.NoError(t, err)
			cancel()
			continue
		}
		assert.ErrorIs(t, err, context.Canceled, s.Name())
		assert.Equal(t, uint64(7), sum)
		assert.Less(t, k.ran.items.Load(), int64(n/2), s.Name())
	}
}
