//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"fmt"
	"math/bits"
	"os"
	"syscall"
	"unsafe"
)

// A mask has a bit for each core that a process may run on.
type mask [64]uint64 // as many as Linux has

func (m mask) cores() (n int) {
	for _, word := range m {
		n += bits.OnesCount64(word)
	}
	return n
}

// affinity returns the cores of a process, 0 for this one, or none if that cannot be known.
func affinity(pid int) (m mask) {
	syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, uintptr(pid), unsafe.Sizeof(m), uintptr(unsafe.Pointer(&m)))
	return m
}

// warning says that the launcher has bound the ranks to a core each, and left others idle, or
// nothing. own are the cores of this rank, theirs those of the launcher, ranks those on this
// node.
func warning(own, theirs, ranks int) string {
	if own != 1 || theirs < 2*ranks {
		return ""
	}
	if ranks == 1 {
		return fmt.Sprintf("mpi: the launcher has bound the rank on this node to one of %d cores: with mpirun --bind-to none it uses all of them", theirs)
	}
	return fmt.Sprintf("mpi: the launcher has bound each of the %d ranks on this node to one of %d cores: with mpirun --bind-to none they use all of them", ranks, theirs)
}

// lookAround finds out whether each rank of this node has a core, and warns if it has one only
// and could have more.
func (l *library) lookAround(world *comm) (cores bool, err error) {
	s := new(slot)
	if code := l.call(l.f.CommSplitType, world.handle, uintptr(l.shared), uintptr(world.rank), l.infoNull, uintptr(unsafe.Pointer(&s.handle))); code != 0 {
		return false, l.check("Comm_split_type", code)
	}
	node, err := l.newComm(uintptr(s.handle), "node")
	if err != nil {
		return false, err
	}
	own := affinity(0)
	all := make([]mask, node.size)
	err = node.Allgather(bytesOf(&own, 1), bytesOf(&all[0], len(all)))
	if err != nil {
		return false, err
	}
	var union mask
	for _, m := range all {
		for k := range m {
			union[k] |= m[k]
		}
	}
	if text := warning(own.cores(), affinity(os.Getppid()).cores(), node.size); text != "" && node.rank == 0 {
		fmt.Fprintln(os.Stderr, text)
	}
	return union.cores() >= node.size, node.Close()
}

func bytesOf(m *mask, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(m)), n*int(unsafe.Sizeof(*m)))
}
