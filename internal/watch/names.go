package watch

import (
	"strconv"
	"unsafe"
)

// names are the indices of the items of a launch, of which those that follow one another along a
// dimension are kept as the first.
var names struct {
	bytes uintptr // of an index
	text  func(p unsafe.Pointer) string
	runs  []nameRun
	data  []byte // the first index of each run

	next [maxWords]uint64 // the index of the next item, if it belongs to the last run
	word int              // the word of it that counts
	lost uint32           // the first item whose index was not kept, or 0
}

// nameRun is items whose indices follow one another.
type nameRun struct {
	item uint32 // the first
	word int32  // that counts, or -1 for a run of one item
}

const (
	maxWords = 8       // of an index that counts
	maxNames = 1 << 22 // bounds the number of runs
)

// name keeps the index of the item that begins.
//
//go:norace
func name(p unsafe.Pointer, bytes uintptr, text func(p unsafe.Pointer) string) {
	names.text, names.bytes = text, bytes
	if bytes == 8 && len(names.runs) > 0 && *(*uint64)(p) == names.next[0] && names.lost == 0 {
		names.next[0]++
		return
	}
	if len(names.runs) >= maxNames {
		if names.lost == 0 {
			names.lost = run.here.team
		}
		return
	}
	if bytes%8 != 0 || bytes > 8*maxWords || bytes == 0 {
		names.runs = append(names.runs, nameRun{run.here.team, -1})
		names.data = append(names.data, unsafe.Slice((*byte)(p), bytes)...)
		return
	}
	x := unsafe.Slice((*uint64)(p), bytes/8)
	if len(names.runs) > 0 && follows(x) {
		names.next[names.word]++
		return
	}
	names.word = counting(x)
	names.runs = append(names.runs, nameRun{run.here.team, int32(names.word)})
	names.data = append(names.data, unsafe.Slice((*byte)(p), bytes)...)
	copy(names.next[:], x)
	names.next[names.word]++
}

// follows reports whether an index is that of the next item of the last run.
//
//go:norace
func follows(x []uint64) bool {
	for k := range x {
		if x[k] != names.next[k] {
			return false
		}
	}
	return true
}

// counting returns the word that the indices count from here on: the only one that is one more
// than that of the item before, or else the last.
//
//go:norace
func counting(x []uint64) int {
	if len(names.runs) == 0 {
		return len(x) - 1
	}
	last := names.next
	last[names.word]--
	word, differ := len(x)-1, 0
	for k := range x {
		if x[k] != last[k] {
			differ++
			if x[k] == last[k]+1 {
				word = k
			}
		}
	}
	if differ != 1 {
		return names.word
	}
	return word
}

// nameOf returns the index of an item as text.
//
//go:norace
func nameOf(item uint32) string {
	low, high := 0, len(names.runs)
	for high-low > 1 {
		if mid := (low + high) / 2; names.runs[mid].item <= item {
			low = mid
		} else {
			high = mid
		}
	}
	if high == 0 || names.lost != 0 && item >= names.lost {
		return "item number " + strconv.Itoa(int(item)) + " of the schedule"
	}
	var index [maxWords]uint64
	r := names.runs[low]
	first := names.data[uintptr(low)*names.bytes:][:names.bytes]
	if r.word < 0 {
		return names.text(unsafe.Pointer(unsafe.SliceData(append(first[:len(first):len(first)], 0))))
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&index)), len(first)), first)
	index[r.word] += uint64(item - r.item)
	return names.text(unsafe.Pointer(&index))
}
