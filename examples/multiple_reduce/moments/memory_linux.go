package moments

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// systemRooms returns what Linux says of the memory that the process can have: that of the
// machine, of the control groups that the process is in, and of its address space. root is
// where the files are, / but for tests.
func systemRooms(root string) []room {
	var all []room
	if kB, ok := valueIn(filepath.Join(root, "proc/meminfo"), "MemAvailable:"); ok {
		all = append(all, room{kB * 1024, "MemAvailable of /proc/meminfo"})
	}
	all = append(all, groupRooms(root)...)
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) == nil && limit.Cur < math.MaxInt64 {
		if pages, ok := valueIn(filepath.Join(root, "proc/self/statm"), ""); ok {
			all = append(all, room{left(limit.Cur, pages*uint64(os.Getpagesize())), "the limit of the address space, ulimit -v"})
		}
	}
	return all
}

// groupFiles are where a version of control groups says what it knows of memory.
type groupFiles struct{ folder, limit, usage, stat string }

var (
	groups1 = groupFiles{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"}
	groups2 = groupFiles{"sys/fs/cgroup", "memory.max", "memory.current", ""}
)

// groupRooms returns what is left in the control groups of the process and in those around
// them. In a container, only the outermost one may be there to see.
func groupRooms(root string) (all []room) {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		entry := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		var f groupFiles
		switch {
		case len(entry) == 3 && entry[0] == "0" && entry[1] == "":
			f = groups2
		case len(entry) == 3 && entry[1] == "memory":
			f = groups1
		default:
			continue
		}
		for path := filepath.Clean(entry[2]); ; path = filepath.Dir(path) {
			all = append(all, f.room(filepath.Join(root, f.folder, path))...)
			if path == "/" || path == "." {
				break
			}
		}
	}
	return all
}

// room returns what is left in a control group that has a limit. The pages of files count
// as used there, and are given up when memory is short.
func (f groupFiles) room(folder string) []room {
	limit, limited := valueIn(filepath.Join(folder, f.limit), "")
	used, known := valueIn(filepath.Join(folder, f.usage), "")
	if !limited || !known {
		return nil
	}
	stat := filepath.Join(folder, "memory.stat")
	active, _ := valueIn(stat, f.stat+"active_file")
	inactive, _ := valueIn(stat, f.stat+"inactive_file")
	return []room{{left(limit, left(used, active+inactive)), "the limit of the control group, " + f.limit}}
}

// valueIn returns the number behind a name in a file of lines, or the first one of all if
// the name is "". There may be none: no limit is "max".
func valueIn(file, name string) (value uint64, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if name != "" && len(words) > 1 && words[0] == name {
			words = words[1:]
		} else if name != "" || len(words) == 0 {
			continue
		}
		value, err := strconv.ParseUint(words[0], 10, 64)
		return value, err == nil
	}
	return 0, false
}
