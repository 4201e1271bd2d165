package kokkos

import (
	"fmt"
	"reflect"
	"sync"
)

// interfaceVersion is that of the functions below, a date.
const interfaceVersion = 20211015

// functions are those of a library, by their names in it. What it has not is nil.
type functions struct {
	Init        func(number int32, version uint64, devices uint32, about uintptr) `kp:"init_library"`
	Finalize    func()                                                            `kp:"finalize_library"`
	BeginFor    func(name string, device uint32, id *uint64)                      `kp:"begin_parallel_for"`
	EndFor      func(id uint64)                                                   `kp:"end_parallel_for"`
	BeginReduce func(name string, device uint32, id *uint64)                      `kp:"begin_parallel_reduce"`
	EndReduce   func(id uint64)                                                   `kp:"end_parallel_reduce"`
	BeginScan   func(name string, device uint32, id *uint64)                      `kp:"begin_parallel_scan"`
	EndScan     func(id uint64)                                                   `kp:"end_parallel_scan"`
	Push        func(name string)                                                 `kp:"push_profile_region"`
	Pop         func()                                                            `kp:"pop_profile_region"`
	Allocate    func(in handle, name string, at uintptr, bytes uint64)            `kp:"allocate_data"`
	BeginCopy   copyFunc                                                          `kp:"begin_deep_copy"`
	EndCopy     func()                                                            `kp:"end_deep_copy"`
}

type copyFunc func(to handle, toName string, dst uintptr, from handle, fromName string, src uintptr, bytes uint64)

// A handle names a memory, as a struct SpaceHandle.
type handle struct{ Name [64]byte }

// handleOf returns the handle of a memory. A long name is cut, as a byte that is 0 ends it.
func handleOf(memory string) (h handle) {
	copy(h.Name[:len(h.Name)-1], memory)
	return h
}

// A library is one that is loaded.
type library struct {
	functions
	flush     func(file uintptr) int32 // of C: what libraries print waits in its buffers, which Go does not empty
	mu        sync.Mutex               // libraries count on calls that come one after another
	finalized bool
	allocated uint64 // bytes so far
}

// open loads a library, and finds its functions.
func open(path string) (*library, error) {
	file, err := dlopen(path)
	if err != nil {
		return nil, fmt.Errorf("cannot load %q: %w", path, err)
	}
	l := &library{}
	file.find("fflush", &l.flush)
	fields, found := reflect.ValueOf(&l.functions).Elem(), 0
	for k := range fields.NumField() {
		name := "kokkosp_" + fields.Type().Field(k).Tag.Get("kp")
		if file.find(name, fields.Field(k).Addr().Interface()) {
			found++
		}
	}
	if found == 0 {
		return nil, fmt.Errorf("%q has no function whose name begins with kokkosp_ that is called, expected a library of the tools of Kokkos", path)
	}
	return l, nil
}

// close tells the library that the program ends, if it has a function for that.
func (l *library) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finalized = true
	if l.Finalize != nil {
		l.Finalize()
	}
	if l.flush != nil {
		l.flush(0) // all files
	}
}
