//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"os"
	"syscall"
	"unsafe"
)

// Go's handlers make panics of signals, and libraries of a network put theirs in place of them:
// a nil dereference would end the process with the library's report of a crash.

// quiet has what keeps libraries from that, for those that do it later than in Init.
var quiet = map[string]string{
	"UCX_ERROR_SIGNALS":    "",  // UCX
	"IPATH_NO_BACKTRACE":   "1", // PSM
	"HFI_NO_BACKTRACE":     "1", // PSM2
	"OMPI_MCA_opal_signal": "",  // Open MPI
}

func quieten() error {
	for name, value := range quiet {
		if _, set := os.LookupEnv(name); !set {
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// faults are the signals that Go makes panics of, and those that it reports with all stacks.
var faults = []syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGQUIT}

// A sigaction is the kernel's, of which nothing here is looked at.
type sigaction [8]uint64

// handlers returns what is done about each of faults.
func handlers() (now [8]sigaction) {
	for k, s := range faults {
		syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), 0, uintptr(unsafe.Pointer(&now[k])), 8, 0, 0)
	}
	return now
}

// restore puts back what a library has changed since.
func restore(before [8]sigaction) {
	now := handlers()
	for k, s := range faults {
		if now[k] != before[k] {
			syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&before[k])), 0, 8, 0, 0)
		}
	}
}
