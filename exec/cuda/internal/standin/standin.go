//go:build linux && (amd64 || arm64)

package standin

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

//go:embed testdata/cuda.c
var source string

// A Library is the stand-in, loaded into this process. There is one for all tests.
type Library struct {
	Path       string
	Reset      func()                                // all as at the beginning
	Version    func(v int32)                         // of CUDA, as 12020
	Devices    func(n int32)                         // how many there are, 4 at most; 2 at the beginning
	Major      func(v int32)                         // of the compute capability
	Room       func(bytes uint64)                    // memory of a device
	Grain      func(bytes uint64)                    // parts of memory of several devices are a multiple of it; 2 MiB at the beginning
	Lose       func(code int32)                      // all calls fail from now on
	Fail       func(call string, number, code int32) // that call of a function, or all if number is 0
	Calls      func(call string) int32               // since Reset or Fail
	Forget     func()                                // drops what was not given back
	Launches   func() int32                          // kernels that have run since Reset
	LaunchesOf func(device int32) int32              // those that have run on a device
	launchesOf func(device int32) int32
	live       func(what int32) int32
	runner     func(f uintptr)
	block      func(k int32, at, bytes, size *uint64) int32
}

// A Launch is one of an entry, with all memory of devices that there is.
type Launch struct {
	Text, Entry     string
	Blocks, Threads int
	Shared          int // bytes that a block has besides what the text says
	Params          []uint64
	Memory          []Range
}

// A Range is memory at an address of a device.
type Range struct {
	At    uint64
	Bytes []byte
}

// RunBy lets a function run the entries of texts from now on, in place of the functions in C; nil ends that. What is an
// error of it ends as an access that is none of the memory does.
func (l *Library) RunBy(f func(Launch) error) {
	if built.run = f; f == nil {
		l.runner(0)
		return
	}
	if built.callback == 0 { // one for all: none is ever given back
		built.callback = purego.NewCallback(l.run)
	}
	l.runner(built.callback)
}

func (l *Library) run(text, name *byte, blocks, threads, shared uintptr, p *uint64, n uintptr) uintptr {
	of := Launch{Text: textAt(text), Entry: textAt(name), Blocks: int(blocks), Threads: int(threads), Shared: int(shared), Params: unsafe.Slice(p, n)}
	for k := int32(0); ; k++ {
		var at, bytes, size uint64
		if l.block(k, &at, &bytes, &size) == 0 {
			break
		}
		of.Memory = append(of.Memory, Range{at, unsafe.Slice(*(**byte)(unsafe.Pointer(&bytes)), size)})
	}
	if built.run(of) != nil {
		return 1
	}
	return 0
}

// textAt returns a text up to its zero.
func textAt(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// Live says what was made and not given back.
func (l *Library) Live() (memory, host, streams, modules, contexts int) {
	return int(l.live(0)), int(l.live(1)), int(l.live(2)), int(l.live(3)), int(l.live(4))
}

var built struct {
	sync.Once
	library  *Library
	why      string
	run      func(Launch) error
	callback uintptr
}

// Get returns the stand-in, reset, or skips the test if it cannot be made. The tests of a process that use it
// must run one after another.
func Get(t testing.TB) *Library {
	built.Do(build)
	if built.library == nil {
		t.Skip("no stand-in for libcuda: ", built.why)
	}
	built.library.Forget()
	built.library.Reset()
	built.library.RunBy(nil)
	return built.library
}

func build() {
	folder, err := os.MkdirTemp("", "standin")
	if err != nil {
		built.why = err.Error()
		return
	}
	defer os.RemoveAll(folder) // which is mapped by then
	from, to := filepath.Join(folder, "cuda.c"), filepath.Join(folder, "libcuda-standin.so")
	if err := os.WriteFile(from, []byte(source), 0o600); err != nil {
		built.why = err.Error()
		return
	}
	output, err := exec.Command("gcc", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-pthread", "-o", to, from, "-lm").CombinedOutput()
	if err != nil {
		built.why = err.Error() + string(output)
		return
	}
	handle, err := purego.Dlopen(to, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		built.why = err.Error()
		return
	}
	l := &Library{Path: to}
	for name, f := range map[string]any{"reset": &l.Reset, "version": &l.Version, "devices": &l.Devices, "major": &l.Major, "room": &l.Room, "grain": &l.Grain, "launchesOf": &l.launchesOf, "lose": &l.Lose, "fail": &l.Fail, "calls": &l.Calls, "launches": &l.Launches, "forget": &l.Forget, "live": &l.live, "runner": &l.runner, "block": &l.block} {
		purego.RegisterLibFunc(f, handle, "standin_"+name)
	}
	built.library = l
}

// Launches returns how many kernels have run on a device of the library of the test that runs.
func Launches(device int) int { return int(built.library.launchesOf(int32(device))) }
