package moments

import (
	"cmp"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"slices"

	"github.com/gokkos/gokkos/views/npy"
)

// need is the memory that a run takes, in bytes.
type need struct{ tensor, results, verify uint64 }

// copies is how often the results are in memory: the first ones, with which the others are
// compared, those of a space and of the one before it, and those that the library has not
// written yet, of this launch and of the last.
const copies = 5

// needOf returns what a tensor takes whose size was checked, so that nothing overflows.
func needOf(lengths [4]int, reduced dims, typ npy.Type, verify bool) need {
	items, size := uint64(product(lengths[:])), uint64(typ.Size())
	results := uint64(product(reduced.kept(lengths)))
	n := need{tensor: items * size, results: 2 * copies * results * size}
	if verify && !reduced.adjacent(lengths) {
		n.verify = items / results * size
	}
	return n
}

// programBytes is about what the program takes besides: stacks, buffers, code.
const programBytes = 16 << 20

func (n need) total() uint64 { return n.tensor + n.results + n.verify + programBytes }

// room is memory that there is, and who says so.
type room struct {
	bytes  uint64
	source string
}

// rooms returns all that is known of the memory that the process can still have. It is a
// variable for tests.
var rooms = func() []room { return append(systemRooms("/"), goRoom()...) }

// goRoom returns what is left of the limit that the Go runtime keeps to, if there is one.
func goRoom() []room {
	limit := debug.SetMemoryLimit(-1)
	if limit == math.MaxInt64 {
		return nil
	}
	m := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(m)
	return []room{{left(uint64(limit), m[0].Value.Uint64()-m[1].Value.Uint64()), "GOMEMLIMIT"}}
}

// left returns limit-used, or 0.
func left(limit, used uint64) uint64 { return limit - min(limit, used) }

// checkMemory returns an error if a run takes more memory than there is. It is better than
// the runtime's, which is a stack trace, or the system's, which is none.
func checkMemory(n need) error {
	all := rooms()
	if len(all) == 0 {
		return nil
	}
	least := slices.MinFunc(all, func(a, b room) int { return cmp.Compare(a.bytes, b.bytes) })
	if n.total() <= least.bytes {
		return nil
	}
	return fmt.Errorf("too little memory: the tensor takes %s, its results %s, verifying them %s, in all %s with the program; there are %s, by %s",
		megabytes(n.tensor), megabytes(n.results), megabytes(n.verify), megabytes(n.total()), megabytes(least.bytes), least.source)
}

func megabytes(bytes uint64) string { return fmt.Sprintf("%.4g MB", float64(bytes)/1e6) }
