package inplace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace"
)

// A line is a line of a report.
type line struct {
	File    string
	Line    int
	Loops   []string
	Body    []why
	Closure []why
	Allowed bool
}

// A why is a reason in a report.
type why struct{ At, Reason, Help string }

// ownCache gives gokkosc an empty cache. The go command keeps its own cache.
func ownCache(t *testing.T) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	t.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// reported returns what runs, by file and line.
func reported(t *testing.T, args ...string) map[string][]line {
	t.Helper()
	var out, said bytes.Buffer
	require.NoError(t, inplace.Run("report", append([]string{"-json"}, args...), &out, &said))
	lines := map[string][]line{}
	for d := json.NewDecoder(&out); d.More(); {
		var l line
		require.NoError(t, d.Decode(&l))
		at := fmt.Sprintf("%s:%d", l.File, l.Line)
		lines[at] = append(lines[at], l)
	}
	return lines
}

// expected matches the comment on a functor's line: one word for each functor, or for each instance of a
// generic functor.
var expected = regexp.MustCompile(`// ((?:loops|body|closure)(?: loops| body| closure)*)(?:: (.*))?$`)

// Functors run as the comments on their lines say.
func TestReportOfCaptures(t *testing.T) {
	ownCache(t)
	lines := reported(t, "./testdata/captures", "./testdata/other")
	assert.Greater(t, asComments(t, lines, "testdata/captures/main.go", "testdata/captures/records.go", "testdata/captures/far.go", "testdata/captures/generics.go", "testdata/captures/accumulators.go", "testdata/captures/own.go", "testdata/captures/teams.go", "testdata/captures/copies.go", "testdata/captures/complex.go", "testdata/captures/asked.go", "testdata/captures/held.go", "testdata/captures/body.go", "testdata/captures/made.go", "testdata/captures/lanes.go", "testdata/captures/declared.go", "testdata/other/named.go"), 100)
}

// asComments compares a report with the comments of files, and returns how many lines have one.
func asComments(t *testing.T, lines map[string][]line, paths ...string) (found int) {
	t.Helper()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		n := 0
		for text := range strings.Lines(string(text)) {
			n++
			at := fmt.Sprintf("%s:%d", path, n)
			m := expected.FindStringSubmatch(strings.TrimSpace(text))
			if m == nil {
				assert.Empty(t, lines[at], "%s has a functor and no comment", at)
				continue
			}
			found++
			var words []string
			for _, l := range lines[at] {
				because, word := l.Closure, "closure"
				if len(l.Body) > 0 {
					because, word = l.Body, "body"
				}
				if len(because) == 0 {
					words = append(words, "loops")
					continue
				}
				words = append(words, word)
				assert.Contains(t, because[0].Reason+"; "+because[0].Help, m[2], "%s", at)
			}
			assert.Equal(t, m[1], strings.Join(words, " "), "%s: %v", at, lines[at])
		}
	}
	return found
}

// An estimate chooses the targets that the comment on a functor's line names. A level has no loop if the
// estimate of a lower level is faster. Command examples/bench measures such levels.
func TestEstimateChoosesLevels(t *testing.T) {
	ownCache(t)
	const path = "testdata/levels/main.go"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines, found := reported(t, "./testdata/levels"), 0
	for n, line := range strings.Split(string(text), "\n") {
		if m := chosen.FindStringSubmatch(line); m != nil {
			of := lines[fmt.Sprintf("%s:%d", path, n+1)]
			if found++; assert.Len(t, of, 1, line) {
				assert.Equal(t, m[1], strings.Join(of[0].Loops, " "), line)
			}
		}
	}
	assert.Len(t, lines, found)
}

// chosen finds the targets that a comment names.
var chosen = regexp.MustCompile(`// (go( avx2)?( avx512)?)$`)

// built builds a package, and returns the program's path.
func built(t *testing.T, place bool, pkg string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if place {
		var said bytes.Buffer
		require.NoError(t, inplace.Run("build", []string{"-o", path, pkg}, &said, &said), said.String())
	} else {
		out, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return path
}

// Functors in place and closures compute the same results, with and without assembly, and fail alike.
func TestCapturesRunAsClosuresDo(t *testing.T) {
	ownCache(t)
	closures, err := exec.Command(built(t, false, "./testdata/captures")).Output()
	require.NoError(t, err)
	program := built(t, true, "./testdata/captures")
	for _, level := range []string{"", "closure", "go", "avx2"} {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "CAPTURES_LEVEL="+level)
		loops, err := cmd.Output()
		require.NoError(t, err)
		assert.Equal(t, string(closures), string(loops), "level %q", level)
	}
}

// A report has all reasons, and none that follows from another one.
func TestReportHasAllReasons(t *testing.T) {
	ownCache(t)
	const path = "testdata/reasons/main.go"
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	want := map[string]string{}
	for n, line := range strings.Split(string(text), "\n") {
		if _, says, ok := strings.Cut(line, " // "); ok {
			want[fmt.Sprintf("%s:%d:", path, n+1)] = says
		}
	}
	lines := reported(t, "./testdata/reasons")
	require.Len(t, lines, 1)
	for _, of := range lines {
		for _, r := range slices.Concat(of[0].Body, of[0].Closure) {
			found := false
			for at, says := range want {
				if strings.HasPrefix(r.At, at) && strings.Contains(r.Reason, says) {
					found = true
					delete(want, at)
				}
			}
			assert.True(t, found, "%v", r)
		}
	}
	assert.Empty(t, want)
}

// A report of a package that is not there is an error, and not empty.
func TestReportOfNothing(t *testing.T) {
	ownCache(t)
	var out, said bytes.Buffer
	assert.ErrorContains(t, inplace.Run("report", []string{"./testdata/none"}, &out, &said), "gokkosc: ./testdata/none: ")
	assert.Empty(t, out.String()+said.String())
}

// A report and -strict compile nothing that the cache has.
func TestReportIsKept(t *testing.T) {
	ownCache(t)
	before := reported(t, "./testdata/reasons")
	kept, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "gokkosc", "*", "report.json"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	assert.Equal(t, before, reported(t, "./testdata/reasons"))
	require.NoError(t, os.WriteFile(kept[0], []byte(`[{"file": "kept.go", "closure": [{"reason": "none"}]}]`), 0o600))
	assert.Contains(t, reported(t, "./testdata/reasons"), "kept.go:0")
	var said bytes.Buffer
	assert.ErrorContains(t, inplace.Run("build", []string{"-strict", "-o", os.DevNull, "./testdata/reasons"}, &said, &said), "the first of them at kept.go:0")
}

// A package that the go command refuses for its other files has its functors compiled once these are gone.
func TestFilesThatTheGoCommandRefuses(t *testing.T) {
	ownCache(t)
	dir, err := os.MkdirTemp("testdata", "refused")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	other := filepath.Join(dir, "other.cpp")
	text := "package main\n\nimport (\n\t\"github.com/gokkos/gokkos/exec\"\n\t\"github.com/gokkos/gokkos/policy\"\n)\n\n" +
		"func main() {\n\tx := make([]float64, 9)\n\texec.ParallelFor(policy.Range(0, 9), func(i int) { x[i] = 1 })\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644))
	require.NoError(t, os.WriteFile(other, nil, 0o644))
	program := filepath.Join(t.TempDir(), "program")
	build := func() error {
		var said bytes.Buffer
		return inplace.Run("build", []string{"-o", program, "./" + dir}, &said, &said)
	}
	require.Error(t, build())
	require.NoError(t, os.Remove(other))
	require.NoError(t, build())
	out, err := os.ReadFile(program)
	require.NoError(t, err)
	assert.True(t, bytes.Contains(out, []byte("main.functor_main_")), "the program has closures alone")
}
