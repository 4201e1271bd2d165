package mpi

import (
	"errors"
	"sync"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/mpi/internal/native"
)

// process is what there is once in a process.
var process struct {
	sync.Mutex
	begun, ended bool
	world        *Comm
	native       *native.World // nil if there is no launcher
}

// Init makes this process a rank of the job that it was started in, and returns the communicator
// of all ranks. It is called once, by all ranks, before anything else here but [Local].
//
// The MPI library is that of the launcher: Open MPI 4 or 5, MPICH 4 or its kin (Intel MPI,
// MVAPICH, Cray MPICH), or a library with the standard binary interface of MPI 5. It is
// looked for beside the launcher, and where the system finds libraries. The environment variable
// GOKKOS_MPI names another one by its path. A program that was started without a launcher is a
// world of one rank, and needs no library.
//
// Several goroutines may use the communicator if the library allows calls of several threads, and
// also if it does not: calls are then made one at a time.
//
// Where ranks share cores they leave them to others while they wait. Init warns on standard
// error if the launcher has bound each rank to one core and others are idle.
//
// It is an error if the library cannot be loaded, or is that of another launcher, which would
// make each process a world of its own; if srun was not told which MPI to start; and if a
// launcher has started the program on a system that is not 64-bit Linux.
func Init() (*Comm, error) {
	process.Lock()
	defer process.Unlock()
	if process.begun {
		return nil, errors.New("mpi: Init was called before, expected one call in a process")
	}
	process.begun = true
	l, err := worldLink()
	if err != nil {
		return nil, err
	}
	process.world, err = newComm(l)
	return process.world, err
}

func worldLink() (link.Link, error) {
	w, err := native.Start(native.Multiple)
	if err != nil {
		return nil, err
	}
	if w != nil {
		process.native = w
		return w, nil
	}
	alone, err := local.New(1, local.Faults{})
	if err != nil {
		return nil, err
	}
	return alone.Link(0), nil
}

// Finalize ends the use of MPI. All ranks call it, once, when none uses a communicator any
// more, and it returns when all have. The launcher ends a job in which a rank ends without it, and
// Open MPI's then says why. A rank that has called Finalize has ended: where another rank waits for
// it, the job ends within some seconds, with a text on standard error that names both and the call.
//
// It is an error, and does nothing, if messages of [Isend] or [Irecv] are not done.
func Finalize() error {
	process.Lock()
	defer process.Unlock()
	switch {
	case process.world == nil:
		return errors.New("mpi: Finalize without Init")
	case process.ended:
		return errors.New("mpi: Finalize was called before")
	case process.native != nil:
		if err := process.native.Finalize(); err != nil {
			return err
		}
	}
	process.ended = true
	return nil
}

// Run is a main function over ranks: it calls [Init], then f with the communicator of all
// ranks, then [Finalize]. What f returns where there is one rank, Run returns. Where there are
// several, an error of one of them ends the job, with its text on standard error: the others would
// wait for that rank otherwise. A rank whose f returns nil has ended. Others may go on without it;
// where one of them waits for it, the job ends, see [Finalize].
//
//	func main() { exec.Must(mpi.Run(solve)) }
//
// [Local] runs the same f over goroutines.
func Run(f func(world *Comm) error) error {
	world, err := Init()
	if err != nil {
		return err
	}
	if err := f(world); err != nil {
		if world.Size() == 1 {
			return errors.Join(err, Finalize())
		}
		world.link.Abort(1, err.Error())
	}
	return Finalize()
}
