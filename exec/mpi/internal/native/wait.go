//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// How a rank waits that shares its core, in polls.
const (
	pollsAwake    = 20  // a message between two ranks that run takes less
	pollsYielding = 500 // about a millisecond with nobody else on the core
	pollPause     = 50 * time.Microsecond
)

// abortPause is how long a launcher has to pass on why a job is aborted, once it has read that.
const abortPause = 200 * time.Millisecond

// abortMost is how long a launcher has to read why. It is a variable for tests.
var abortMost = 10 * time.Second

// drain waits until a pipe, if the file is one, is empty. What a file holds nobody need read, and what
// is there to be read from a terminal is what somebody has typed.
func drain(f *os.File) {
	if s, err := f.Stat(); err != nil || s.Mode()&os.ModeNamedPipe == 0 {
		return
	}
	for end := time.Now().Add(abortMost); time.Now().Before(end); time.Sleep(time.Millisecond) {
		var left int32
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), fionread, uintptr(unsafe.Pointer(&left)))
		if errno != 0 || left == 0 {
			return
		}
	}
}

// fionread asks how many bytes nobody has read.
const fionread = syscall.TIOCINQ

// A slot is memory that the library writes to.
type slot struct {
	handle uint64 // of a request or a communicator: 4 or 8 bytes of it
	count  int64
	flag   int32
	status [statusInts]int32
	wait   wait // of the call that uses it
}

var slots = sync.Pool{New: func() any { return new(slot) }}

// complete polls until the request of a slot is done.
//
// It does not wait inside of the library: MPICH keeps the core while it waits, so that ranks
// which share one take turns of milliseconds, and where calls are made one at a time, the call
// that ends the wait could not be made.
func (l *library) complete(s *slot) (code int32) {
	s.flag = 0
	for n := 0; ; n++ {
		code = l.call(l.f.Test, uintptr(unsafe.Pointer(&s.handle)), uintptr(unsafe.Pointer(&s.flag)), uintptr(unsafe.Pointer(&s.status)))
		if code != 0 || s.flag != 0 {
			return code
		}
		rest(n)
	}
}

// rest gives the core away after the n-th poll in vain: first to goroutines, then to other
// processes, and from some time on to none.
func rest(n int) {
	if n < pollsAwake {
		return
	}
	runtime.Gosched()
	if n < pollsYielding {
		syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
		return
	}
	pause()
}

// pause leaves the core for pollPause. It is a variable for tests.
var pause = func() {
	// Not time.Sleep, which may round up to a millisecond.
	t := syscall.NsecToTimespec(int64(pollPause))
	_ = syscall.Nanosleep(&t, nil)
}
