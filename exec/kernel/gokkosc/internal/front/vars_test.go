package front

import (
	"maps"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// withVariables returns what lowers a kernel that has some variables.
func withVariables(n int) (l *lowering, keys []any) {
	l = (&world{}).lowering(nil)
	l.k = &ir.Kernel{Setup: &ir.Block{}, Body: &ir.Block{}}
	l.cur = l.k.Body
	for k := range n {
		key := &flag{strconv.Itoa(k)}
		l.set(key, number{v: l.integer(0)})
		keys = append(keys, key)
	}
	return l, keys
}

// The cost of a block depends on the variables that the block sets, not on the number of all variables. The
// test counts allocated bytes.
func TestBlocksCostWhatTheySet(t *testing.T) {
	allocated := func(variables int) uint64 {
		l, keys := withVariables(variables)
		one := number{v: l.integer(1)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			mark := len(l.log)
			set := l.in(&ir.Block{}, func() {
				l.put(keys[0], one)
				l.put(&flag{}, one)
			})
			assert.Len(t, l.setIn(set, nil), 1)
			assert.Len(t, l.log, mark)
			l.put(&flag{}, one)
			l.forgetNew(mark)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(10)
	assert.Less(t, allocated(10000), 2*allocated(10))
}

// After a block, variables have their values from before the block. The variables that it has set are
// returned with their values at its end.
func TestBlocksAreUndone(t *testing.T) {
	l, keys := withVariables(3)
	one, two := number{v: l.integer(1)}, number{v: l.integer(2)}
	before := maps.Clone(l.vars)
	own := &flag{"own"}
	set := l.in(&ir.Block{}, func() {
		l.put(keys[2], one)
		l.put(keys[1], one)
		inner := l.in(&ir.Block{}, func() { l.put(keys[1], two); l.put(keys[0], two) })
		assert.Equal(t, map[any]tree{keys[1]: two, keys[0]: two}, inner)
		assert.Equal(t, one, l.vars[keys[1]])
		l.put(keys[2], two)
		l.put(own, one)
		l.put(&flag{}, one)
		l.forgetNew(len(l.log) - 1)
	})
	assert.Equal(t, before, l.vars)
	assert.Equal(t, map[any]tree{keys[1]: one, keys[2]: two, own: one}, set)
	assert.Equal(t, []any{keys[1], keys[2]}, l.setIn(set, map[any]tree{keys[1]: two}))
	assert.Equal(t, two, l.behind(set, keys[2]))
	assert.Equal(t, before[keys[0]], l.behind(set, keys[0]))

	mark := len(l.log)
	l.put(keys[0], one)
	l.put(keys[0], two)
	l.put(own, one)
	l.forgetNew(mark)
	_, is := l.vars[own]
	assert.False(t, is)
	since := l.since(mark)
	assert.Equal(t, before[keys[0]], since[keys[0]].was)
	assert.False(t, since[own].there)
	l.undo(mark)
	assert.Equal(t, before, l.vars)
}
