package attached

import (
	"iter"
	"math/bits"
)

// Table has values by addresses of code. It does not change. A look at it reads one line of the cache,
// mostly, and one at a map three: few of them are there when the launch before has read much memory.
type Table[V any] struct {
	entries []entry[V] // twice as many as values or more, a power of two; each at the first free place from its hash on
}

type entry[V any] struct {
	pc    uintptr // 0 of a free place
	value V
}

// NewTable returns the table of these values. No address is 0.
func NewTable[V any](all map[uintptr]V) *Table[V] {
	t := &Table[V]{make([]entry[V], 2<<bits.Len(uint(len(all))))}
	for pc, value := range all {
		k := t.hash(pc)
		for t.entries[k].pc != 0 {
			k = t.next(k)
		}
		t.entries[k] = entry[V]{pc, value}
	}
	return t
}

func (t *Table[V]) hash(pc uintptr) int {
	return int(uint32(pc)*0x9e3779b1>>8) & (len(t.entries) - 1)
}

func (t *Table[V]) next(k int) int { return (k + 1) & (len(t.entries) - 1) }

// Of returns the value of an address, and the zero value for an address without one, such as 0.
func (t *Table[V]) Of(pc uintptr) V {
	for k := t.hash(pc); ; k = t.next(k) {
		if e := &t.entries[k]; e.pc == pc || e.pc == 0 {
			return e.value
		}
	}
}

// All yields each address with its value, in no order.
func (t *Table[V]) All() iter.Seq2[uintptr, V] {
	return func(yield func(uintptr, V) bool) {
		for _, e := range t.entries {
			if e.pc != 0 && !yield(e.pc, e.value) {
				return
			}
		}
	}
}
