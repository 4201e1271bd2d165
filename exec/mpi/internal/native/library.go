//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ebitengine/purego"
)

// Variable names the library to load, for a launcher whose library is not found.
const Variable = "GOKKOS_MPI"

// names has the files of each family's library.
var names = map[family][]string{
	openMPI:  {"libmpi.so.40"},
	mpich:    {"libmpi.so.12", "libmpich.so.12", "libmpi_cray.so.12"},
	standard: {"libmpi_abi.so.0", "libmpi_abi.so"},
}

// install says for each family how to get it.
var install = map[family]string{
	openMPI:  "install Open MPI (Debian: apt install libopenmpi3)",
	mpich:    "install MPICH (Debian: apt install libmpich12)",
	standard: "install an MPI with the standard binary interface",
}

// above returns the programs above this process, the nearest first.
func above() []program {
	var programs []program
	for pid, depth := os.Getppid(), 0; pid > 1 && depth < 8; depth++ {
		if path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil {
			programs = append(programs, program{filepath.Dir(path), filepath.Base(path)})
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			break
		}
		// PID (NAME) STATE PARENT ..., where NAME may have blanks and parentheses.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 2 {
			break
		}
		pid, _ = strconv.Atoi(fields[1])
	}
	return programs
}

// candidates returns what to load, the likeliest first: what the user names, what lies beside
// the launcher, and what the system finds.
func candidates(l launcher, above []program, named string) []string {
	if named != "" {
		return []string{named}
	}
	var paths []string
	for _, p := range above {
		if p.family() < 0 {
			continue
		}
		for _, f := range l.families {
			for _, name := range names[f] {
				for _, lib := range []string{"lib", "lib64"} {
					path := filepath.Join(p.folder, "..", lib, name)
					if _, err := os.Stat(path); err == nil {
						paths = append(paths, path)
					}
				}
			}
		}
		break
	}
	for _, f := range l.families {
		paths = append(paths, names[f]...)
	}
	return paths
}

// open loads the library of a launcher.
func open(l launcher, above []program) (handle uintptr, path string, err error) {
	paths := candidates(l, above, os.Getenv(Variable))
	var failures []error
	for _, path := range paths {
		// Global, as plugins of Open MPI look for names of the library that they do not link to.
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			return handle, path, nil
		}
		failures = append(failures, err)
	}
	if os.Getenv(Variable) != "" {
		return 0, "", fmt.Errorf("mpi: cannot load what %s names: %w", Variable, failures[0])
	}
	return 0, "", fmt.Errorf("mpi: started as %v, whose library cannot be loaded: %s, or set %s to the path of its library:\n%w", l, install[l.families[0]], Variable, errors.Join(failures...))
}
