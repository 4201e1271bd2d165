//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"fmt"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// An abi is what a program knows of a library when it is compiled: the values of its handles
// and constants, and the shape of its status. An int and an address have the size of C's.
type abi struct {
	handleBytes int // of a communicator, a datatype, a request

	world, byteType, requestNull, commNull, infoNull, errorsReturn uintptr

	anySource, anyTag, undefined, shared int32

	statusIgnore uintptr
	source, tag  int // places in a status, which is int32s

	single, funneled, serialized, multiple int32

	truncate int32 // class of error
}

// statusInts is longer than every status.
const statusInts = 16

// textBytes is longer than every text that a library writes.
const textBytes = 8192

var mpichABI = abi{
	handleBytes: 4,
	world:       0x44000000, byteType: 0x4c00010d, requestNull: 0x2c000000, commNull: 0x04000000, infoNull: 0x1c000000, errorsReturn: 0x54000001,
	anySource: -2, anyTag: -1, undefined: -32766, shared: 1,
	statusIgnore: 1, source: 2, tag: 3,
	single: 0, funneled: 1, serialized: 2, multiple: 3,
	truncate: 14,
}

var standardABI = abi{
	handleBytes: 8,
	world:       0x101, byteType: 0x247, requestNull: 0x180, commNull: 0x100, infoNull: 0x130, errorsReturn: 0x142,
	anySource: -1, anyTag: -2, undefined: -32766, shared: 221,
	statusIgnore: 0, source: 0, tag: 1,
	single: 0, funneled: 1024, serialized: 2048, multiple: 4096,
	truncate: 15,
}

// openMPIABI has no handles: those are the addresses of variables of the library.
var openMPIABI = abi{
	handleBytes: 8,
	anySource:   -1, anyTag: -1, undefined: -32766, shared: 0,
	statusIgnore: 0, source: 0, tag: 1,
	single: 0, funneled: 1, serialized: 2, multiple: 3,
	truncate: 15,
}

// recognize returns the binary interface of a library that was loaded, and its version in words.
func recognize(handle uintptr, path string) (abi, string, error) {
	get, err := purego.Dlsym(handle, "MPI_Get_library_version")
	if err != nil {
		return abi{}, "", fmt.Errorf("mpi: %s is no MPI library of version 3 or later: it has no MPI_Get_library_version", path)
	}
	var length int32
	text := make([]byte, textBytes)
	purego.SyscallN(get, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&length)))
	version := firstLine(text)
	// By its name first: this library may have all the names of another one that it is made of.
	if strings.HasPrefix(filepath.Base(path), "libmpi_abi") {
		return standardABI, version, nil
	}
	if _, err := purego.Dlsym(handle, "ompi_mpi_comm_world"); err == nil {
		a, err := openMPIHandles(handle)
		return a, version, err
	}
	for _, kin := range []string{"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation"} {
		if strings.Contains(version, kin) {
			return mpichABI, version, nil
		}
	}
	return abi{}, "", fmt.Errorf("mpi: %s is %q, expected Open MPI, MPICH or kin of it, or a library with the interface of MPI 5 in a file libmpi_abi.so", path, version)
}

func openMPIHandles(handle uintptr) (abi, error) {
	a := openMPIABI
	for name, value := range map[string]*uintptr{
		"ompi_mpi_comm_world": &a.world, "ompi_mpi_byte": &a.byteType, "ompi_request_null": &a.requestNull,
		"ompi_mpi_comm_null": &a.commNull, "ompi_mpi_info_null": &a.infoNull, "ompi_mpi_errors_return": &a.errorsReturn,
	} {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return abi{}, fmt.Errorf("mpi: Open MPI without %s: %w", name, err)
		}
		*value = address
	}
	return a, nil
}

// firstLine returns the text of C up to its end, a line break or a comma that follows the number
// of a version.
func firstLine(text []byte) string {
	s := string(text)
	if i := strings.IndexAny(s, "\x00\n"); i >= 0 {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, ", ")
	return strings.Join(strings.Fields(s), " ")
}

// functions has the addresses of what is called. Those that wait for other ranks are pairs of a
// call and its immediate form, which takes the place of a request in addition.
type functions struct {
	InitThread, QueryThread, Initialized, Finalize, Abort  uintptr
	CommRank, CommSize, CommSetErrhandler, CommFree        uintptr
	CommSplit, CommSplitType, CommDup                      uintptr
	ErrorClass, ErrorString                                uintptr
	Test, Wait, Cancel, TestCancelled, GetElements         uintptr
	Probe, Iprobe                                          uintptr
	TypeContiguous, TypeCreateStruct, TypeCommit, TypeFree uintptr
	Send, Recv, Barrier, Bcast, Allgather, Allgatherv      pair
	Gatherv, Scatterv, Alltoallv                           pair

	wide bool // the calls with a count for each rank take counts of 64 bits
}

// A pair is a function that waits, and the one that returns a request.
type pair struct {
	name         string
	waits, begin uintptr
}

func (f *functions) find(handle uintptr, path string) error {
	var missing []string
	find := func(names ...string) uintptr {
		for _, name := range names {
			if address, err := purego.Dlsym(handle, "MPI_"+name); err == nil {
				return address
			}
		}
		missing = append(missing, "MPI_"+names[0])
		return 0
	}
	for name, address := range map[string]*uintptr{
		"Init_thread": &f.InitThread, "Query_thread": &f.QueryThread, "Initialized": &f.Initialized, "Finalize": &f.Finalize,
		"Abort": &f.Abort, "Comm_rank": &f.CommRank, "Comm_size": &f.CommSize, "Comm_set_errhandler": &f.CommSetErrhandler,
		"Comm_free": &f.CommFree, "Comm_split": &f.CommSplit, "Comm_split_type": &f.CommSplitType, "Comm_dup": &f.CommDup,
		"Error_class": &f.ErrorClass, "Error_string": &f.ErrorString, "Test": &f.Test, "Wait": &f.Wait, "Cancel": &f.Cancel,
		"Test_cancelled": &f.TestCancelled, "Probe": &f.Probe, "Iprobe": &f.Iprobe,
		"Type_contiguous": &f.TypeContiguous, "Type_create_struct": &f.TypeCreateStruct, "Type_commit": &f.TypeCommit, "Type_free": &f.TypeFree,
	} {
		*address = find(name)
	}
	f.GetElements = find("Get_elements_c", "Get_elements_x")
	for name, p := range map[string]*pair{
		"Send": &f.Send, "Recv": &f.Recv, "Barrier": &f.Barrier, "Bcast": &f.Bcast, "Allgather": &f.Allgather,
		"Allgatherv": &f.Allgatherv, "Gatherv": &f.Gatherv, "Scatterv": &f.Scatterv, "Alltoallv": &f.Alltoallv,
	} {
		*p = pair{name, find(name), find("I" + strings.ToLower(name))}
	}
	f.widen(handle)
	if missing != nil {
		return fmt.Errorf("mpi: %s has no %s, expected a library of MPI 3 or later", path, strings.Join(missing, ", "))
	}
	return nil
}

// widen takes the forms for counts of 64 bits, of MPI 4, if all of them are there.
func (f *functions) widen(handle uintptr) {
	wide := map[*pair]pair{}
	for _, p := range []*pair{&f.Allgatherv, &f.Gatherv, &f.Scatterv, &f.Alltoallv} {
		waits, err := purego.Dlsym(handle, "MPI_"+p.name+"_c")
		begin, err2 := purego.Dlsym(handle, "MPI_I"+strings.ToLower(p.name)+"_c")
		if err != nil || err2 != nil {
			return
		}
		wide[p] = pair{p.name, waits, begin}
	}
	for p, w := range wide {
		*p = w
	}
	f.wide = true
}
