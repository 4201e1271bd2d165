package moments

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What the files of Linux say, where they are there.
func TestSystemRooms(t *testing.T) {
	const machine = "MemTotal: 9000 kB\nMemFree: 1 kB\nMemAvailable:    8000 kB\n"
	version1 := func(limit string) map[string]string {
		return map[string]string{
			"proc/meminfo":     machine,
			"proc/self/cgroup": "5:cpu:/\n4:memory:/a\n0::/\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": limit,
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes": "3000\n",
			"sys/fs/cgroup/memory/a/memory.stat":           "cache 7\nactive_file 1\ntotal_active_file 400\ntotal_inactive_file 600\n",
		}
	}
	version2 := func(inner, outer string) map[string]string {
		return map[string]string{
			"proc/meminfo":                       machine,
			"proc/self/cgroup":                   "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":       inner,
			"sys/fs/cgroup/a/b/memory.current":   "3000\n",
			"sys/fs/cgroup/a/b/memory.stat":      "anon 5\nactive_file 400\ninactive_file 600\n",
			"sys/fs/cgroup/a/memory.max":         outer,
			"sys/fs/cgroup/a/memory.current":     "4000\n",
			"sys/fs/cgroup/memory.current":       "5000\n",
			"sys/fs/cgroup/a/memory.pressure":    "some",
			"sys/fs/cgroup/a/b/memory.something": "1\n",
		}
	}
	container := version2("max\n", "max\n")
	container["sys/fs/cgroup/memory.max"] = "7000\n" // of the group that is / inside
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":             {nil, "[]"},
		"a machine":           {map[string]string{"proc/meminfo": machine}, "[8192000]"},
		"an old machine":      {map[string]string{"proc/meminfo": "MemTotal: 9 kB\n"}, "[]"},
		"version 1":           {version1("10000\n"), "[8192000 8000]"},
		"version 1, no limit": {version1("9223372036854771712\n"), "[8192000 9223372036854769712]"},
		"version 1, used up":  {version1("1000\n"), "[8192000 0]"},
		"version 2":           {version2("10000\n", "max\n"), "[8192000 8000]"},
		"version 2, around":   {version2("max\n", "5000\n"), "[8192000 1000]"},
		"version 2, both":     {version2("10000\n", "5000\n"), "[8192000 8000 1000]"},
		"version 2, no limit": {version2("max\n", "max\n"), "[8192000]"},
		"a container":         {container, "[8192000 2000]"},
		"no numbers":          {version2("\n", "x y\n"), "[8192000]"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range c.files {
				path := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			bytes := []uint64{}
			for _, r := range systemRooms(root) {
				bytes = append(bytes, r.bytes)
			}
			if got := fmt.Sprint(bytes); got != c.want {
				t.Errorf("%s, expected %s", got, c.want)
			}
		})
	}
}

// This machine has memory.
func TestRoomsHere(t *testing.T) {
	for _, r := range rooms() {
		t.Logf("%s: %s", megabytes(r.bytes), r.source)
		if r.bytes < programBytes {
			t.Errorf("%s by %s", megabytes(r.bytes), r.source)
		}
	}
}
