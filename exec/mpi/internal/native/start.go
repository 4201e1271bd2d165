//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// A World is what [Start] returns: the link of all ranks, and how the library ends.
type World struct {
	link.Link
	Version string // of the library, in its words
	Level   Level  // that the library has granted
	l       *library
	watch   *watch // nil where there is one rank
}

// started is what the one call of Start came to: MPI is initialized once in a process.
var started struct {
	sync.Mutex
	yes bool
}

// Start loads and initializes the library of the launcher that started this process, and asks
// it for a level. It returns nil if there was no launcher. It can be called once.
func Start(level Level) (*World, error) {
	programs := above()
	launcher, found, err := findLauncher(os.Getenv, programs)
	if err != nil || !found {
		return nil, err
	}
	started.Lock()
	defer started.Unlock()
	if started.yes {
		return nil, errors.New("mpi: initialized twice, expected once in a process")
	}
	started.yes = true
	before := handlers()
	defer restore(before)
	if err := quieten(); err != nil {
		return nil, err
	}
	handle, path, err := open(launcher, programs)
	if err != nil {
		return nil, err
	}
	l := &library{path: path, limit: math.MaxInt32, open: map[*request]struct{}{}}
	if l.abi, l.version, err = recognize(handle, path); err != nil {
		return nil, err
	}
	if err := l.f.find(handle, path); err != nil {
		return nil, err
	}
	if err := l.init(level); err != nil {
		return nil, err
	}
	world, err := l.newComm(l.world, "world")
	if err != nil {
		return nil, err
	}
	world.world = true
	l.keep(world)
	if launcher.size != 0 && launcher.size != world.size {
		return nil, errors.Join(l.mixedUp(launcher, world.size), l.finalize())
	}
	cores, err := l.lookAround(world)
	if err != nil {
		return nil, err
	}
	l.waits = cores && l.level == Multiple
	w := &World{Link: world, Version: l.version, Level: l.level, l: l}
	if world.size > 1 {
		apart, err := world.dup()
		if err != nil {
			return nil, err
		}
		w.watch = l.watch(apart)
	}
	return w, nil
}

func (l *library) mixedUp(launcher launcher, size int) error {
	return fmt.Errorf("mpi: started as %v, but %s (%s) has a world of %d: call the mpiexec of that library, or set %s to the library of the launcher", launcher, l.path, l.version, size, Variable)
}

// init initializes the library, and learns the level that it grants.
func (l *library) init(level Level) error {
	l.serve()
	l.level = Funneled // until it is known
	levels := []int32{l.single, l.funneled, l.serialized, l.multiple}
	var flag, granted int32
	if code := l.call(l.f.Initialized, uintptr(unsafe.Pointer(&flag))); code != 0 || flag != 0 {
		return fmt.Errorf("mpi: %s is initialized already, by another library of this program", l.path)
	}
	if code := l.call(l.f.InitThread, 0, 0, uintptr(levels[level]), uintptr(unsafe.Pointer(&granted))); code != 0 {
		return l.check("Init_thread", code)
	}
	if code := l.call(l.f.CommSetErrhandler, l.world, l.errorsReturn); code != 0 {
		return l.check("Comm_set_errhandler", code)
	}
	now := Single
	for k, value := range levels[:level+1] { // as a library may grant more than was asked for
		if granted >= value {
			now = Level(k)
		}
	}
	l.level = now
	return nil
}

// Finalize ends the use of MPI, which all ranks do, and returns when all have. Requests must be done. Where
// another rank waits for this one meanwhile, that is an error which ends the job.
func (w *World) Finalize() error {
	if err := w.l.ready(); err != nil {
		return err
	}
	if err := w.l.idle("Finalize", nil); err != nil {
		return err
	}
	if w.watch != nil {
		if err := w.watch.finish(); err != nil {
			return err
		}
	}
	return w.l.finalize()
}

func (l *library) finalize() error {
	var code int32
	l.onMain(func() {
		r, _, _ := purego.SyscallN(l.f.Finalize)
		code = int32(r)
	})
	l.finalized.Store(true)
	close(l.quit)
	if code != 0 { // whose text the library cannot tell any more
		return fmt.Errorf("mpi: Finalize failed with code %d", code)
	}
	return nil
}
