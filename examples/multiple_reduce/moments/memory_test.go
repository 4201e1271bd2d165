package moments

import (
	"math"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/gokkos/gokkos/views/npy"
)

func TestNeed(t *testing.T) {
	for _, c := range []struct {
		lengths [4]int
		reduced dims
		typ     npy.Type
		want    need
	}{
		{[4]int{600, 28, 28, 256}, overHWC, npy.Float32, need{tensor: 481689600, results: 600 * 2 * 4 * copies}},
		{[4]int{600, 28, 28, 256}, overHWC, npy.Float64, need{tensor: 963379200, results: 600 * 2 * 8 * copies}},
		{[4]int{10, 2, 3, 4}, dims{}, npy.Float32, need{tensor: 960, results: 240 * 2 * 4 * copies}},
		{[4]int{10, 2, 3, 4}, dims{0: true}, npy.Float32, need{tensor: 960, results: 24 * 2 * 4 * copies, verify: 40}},
		{[4]int{5, 3, 1, 4}, dims{1: true, 3: true}, npy.Float32, need{tensor: 240, results: 5 * 2 * 4 * copies}},
		{[4]int{5, 1, 3, 4}, dims{1: true, 3: true}, npy.Float32, need{tensor: 240, results: 15 * 2 * 4 * copies}},
	} {
		if got := needOf(c.lengths, c.reduced, c.typ, true); got != c.want {
			t.Errorf("%v over %v: %+v, expected %+v", c.lengths, c.reduced.list(), got, c.want)
		}
		if got := needOf(c.lengths, c.reduced, c.typ, false); got.verify != 0 {
			t.Errorf("%v over %v: %+v, expected nothing to verify", c.lengths, c.reduced.list(), got)
		}
	}
}

// with makes memory what there is, for one test.
func with(t *testing.T, memory ...room) {
	old := rooms
	t.Cleanup(func() { rooms = old })
	rooms = func() []room { return memory }
}

// A run that does not fit is refused with the sizes, before it takes anything.
func TestTooLittleMemory(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.npy")
	if err := npy.WriteFile(in, []int{1000, 10, 10, 10}, make([]float32, 1e6)); err != nil {
		t.Fatal(err)
	}
	with(t, room{1 << 40, "a large machine"}, room{20e6, "a small cell"}, room{30e6, "a limit"})
	for _, args := range []string{"-D 1000,10,10,10 2 0", "-in " + in + " 0"} {
		o := runArgs(strings.Fields(args)...)
		const want = "multiple_reduce: too little memory: the tensor takes 4 MB, its results 0.04 MB, verifying them 0 MB, in all 20.82 MB with the program; there are 20 MB, by a small cell\n"
		if o.status != exitFailed || o.stderr != want || o.stdout != "" {
			t.Errorf("%s: status %d\n%s%s", args, o.status, o.stdout, o.stderr)
		}
	}
	with(t, room{21e6, "a large enough cell"})
	if o := runArgs("-D", "1000,10,10,10", "2", "0"); o.status != exitOK {
		t.Errorf("status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
	with(t) // nothing is known
	if o := runArgs("-D", "10,10,10,10", "2", "0"); o.status != exitOK {
		t.Errorf("status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
}

func TestGoRoom(t *testing.T) {
	old := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(old)
	if r := goRoom(); r != nil {
		t.Errorf("%v without a limit", r)
	}
	debug.SetMemoryLimit(1 << 40)
	if r := goRoom(); len(r) != 1 || r[0].bytes < 1<<39 || r[0].bytes >= 1<<40 {
		t.Errorf("%v of a limit of 1 TiB", r)
	}
	debug.SetMemoryLimit(1)
	if r := goRoom(); len(r) != 1 || r[0].bytes != 0 {
		t.Errorf("%v of a limit of a byte", r)
	}
}
