//go:build linux && (amd64 || arm64)

package standin

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ebitengine/purego"
)

//go:embed testdata/cuda.c
var source string

// A Library is the stand-in, loaded into this process. There is one for all tests.
type Library struct {
	Path     string
	Reset    func()                                // all as at the beginning
	Version  func(v int32)                         // of CUDA, as 12020
	Devices  func(n int32)                         // how many there are, 2 at most
	Major    func(v int32)                         // of the compute capability
	Room     func(bytes uint64)                    // memory of a device
	Lose     func(code int32)                      // all calls fail from now on
	Fail     func(call string, number, code int32) // that call of a function, or all if number is 0
	Calls    func(call string) int32               // since Reset or Fail
	Forget   func()                                // drops what was not given back
	Launches func() int32                          // kernels that have run since Reset
	live     func(what int32) int32
}

// Live says what was made and not given back.
func (l *Library) Live() (memory, host, streams, modules, contexts int) {
	return int(l.live(0)), int(l.live(1)), int(l.live(2)), int(l.live(3)), int(l.live(4))
}

var built struct {
	sync.Once
	library *Library
	why     string
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
	for name, f := range map[string]any{"reset": &l.Reset, "version": &l.Version, "devices": &l.Devices, "major": &l.Major, "room": &l.Room, "lose": &l.Lose, "fail": &l.Fail, "calls": &l.Calls, "launches": &l.Launches, "forget": &l.Forget, "live": &l.live} {
		purego.RegisterLibFunc(f, handle, "standin_"+name)
	}
	built.library = l
}
