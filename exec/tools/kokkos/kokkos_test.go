//go:build linux && (amd64 || arm64)

package kokkos

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	gokkos "github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// compile returns the path of a library that is made of a file of testdata.
func compile(t testing.TB, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), name+".so")
	output, err := exec.Command("gcc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", to, filepath.Join("testdata", name+".c")).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no gcc to make the library with")
	}
	require.NoError(t, err, "%s", output)
	return to
}

// find returns a function of a library that is loaded.
func find[F any](t *testing.T, path, name string) (f F) {
	t.Helper()
	l, err := dlopen(path)
	require.NoError(t, err)
	require.True(t, l.find(name, &f))
	return f
}

// serial are ten items with a label.
func serial(label string) policy.RangePolicy {
	return policy.Range(0, 10).On(gokkos.Serial{}).WithLabel(label)
}

var events = []struct {
	name string
	run  func(t *testing.T) error
	want string
}{
	{"for", func(*testing.T) error { return gokkos.ParallelFor(serial("move"), func(int) {}) },
		"begin for move on 00000000 is 1\nend for 1\n"},
	{"goroutines", func(*testing.T) error {
		return gokkos.ParallelFor(serial("move").On(gokkos.NewGoroutines(2)), func(int) {})
	}, "begin for move on 06000000 is 2\nend for 2\n"},
	{"panic", func(t *testing.T) error {
		assert.Panics(t, func() {
			_ = gokkos.ParallelFor(serial("fall").On(gokkos.NewSimGPU(gpu.H200())), func(int) { panic("down") })
		})
		return nil
	}, "begin for fall on 09000000 is 3\nend for 3\n"},
	{"no label", func(*testing.T) error { return gokkos.ParallelFor(serial(""), unlabelled) },
		"begin for unlabelled_test.go:3 on 00000000 is 4\nend for 4\n"},
	{"reduce", func(*testing.T) error {
		var sum int
		return gokkos.ParallelReduce(serial("energy"), func(_ int, acc *int) { *acc++ }, builtin.Sum(&sum))
	}, "begin reduce energy on 00000000 is 5\nend reduce 5\n"},
	{"fold", func(*testing.T) error {
		var sum float64
		return gokkos.ParallelFold(gokkos.Slice(policy.Range(0, 2).On(gokkos.Serial{}).WithLabel("total"), []float64{1, 2}), builtin.Sum(&sum))
	}, "begin reduce total on 00000000 is 6\nend reduce 6\n"},
	{"scan", func(*testing.T) error {
		return gokkos.ParallelScan(serial("places"), func(_ int, acc *int, _ bool) { *acc++ }, builtin.Sum(new(int)))
	}, "begin scan places on 00000000 is 7\nend scan 7\n"},
	{"region", func(*testing.T) error {
		step := tools.StartRegion("step")
		defer step()
		return gokkos.ParallelFor(serial("move"), func(int) {})
	}, "push step\nbegin for move on 00000000 is 8\nend for 8\npop\n"},
	{"allocation", func(*testing.T) error {
		_, err := views.New1[float64]("density", 5)
		return err
	}, "allocate 40 at 0x1000 of \"density\" [5] in Host\n"},
	{"two allocations", func(*testing.T) error {
		_, err := views.New1[float64]("density", 0)
		_, again := views.New1[float64]("density", 1)
		return errors.Join(err, again)
	}, "allocate 0 at 0x1028 of \"density\" [0] in Host\nallocate 8 at 0x1029 of \"density\" [1] in Host\n"},
	{"no allocation", func(t *testing.T) error {
		_, err := views.New2[float64]("vast", 1<<31, 1<<31)
		assert.Error(t, err)
		return nil
	}, ""},
	{"copy", func(*testing.T) error { return views.DeepCopy(halo, cells, policy.On(gokkos.Serial{})) },
		"begin copy 16 from \"cells\" [2] at (nil) in Host to \"halo\" [2] at (nil) in Host\n" +
			"begin for DeepCopy of \"cells\" [2] to \"halo\" [2] on 00000000 is 9\nend for 9\nend copy\n"},
}

var cells, halo = views.Must(views.New1[float64]("cells", 2)), views.Must(views.New1[float64]("halo", 2))

func TestEvents(t *testing.T) {
	path := compile(t, "tool")
	t.Setenv(variable, path+";/nowhere.so")
	finalize, err := Start()
	require.NoError(t, err)
	take := find[func() string](t, path, "test_take")
	assert.Equal(t, "init 0 20211015 0 (nil)\n", take())
	for _, e := range events {
		t.Run(e.name, func(t *testing.T) {
			require.NoError(t, e.run(t))
			assert.Equal(t, e.want, take())
		})
	}
	open := tools.StartRegion("open")
	assert.Equal(t, "push open\n", take())
	finalize()
	finalize()
	open()
	require.NoError(t, gokkos.ParallelFor(serial("move"), func(int) {}))
	assert.Equal(t, "finalize\n", take(), "once, and nothing behind it")
}

// What a library prints comes out although no program in Go empties the buffers of C.
func TestOutputIsFlushed(t *testing.T) {
	if os.Getenv("KOKKOS_TEST_PRINTS") != "" {
		finalize, err := Start()
		require.NoError(t, err)
		defer finalize()
		return
	}
	program := exec.Command(os.Args[0], "-test.run=^TestOutputIsFlushed$")
	program.Env = append(os.Environ(), "KOKKOS_TEST_PRINTS=1", variable+"="+compile(t, "prints"))
	output, err := program.CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(output), "end of the library")
}

func TestNamesOfCopies(t *testing.T) {
	for label, want := range map[string][2]string{
		`"a" [3] to "b" [3]`:           {`"a" [3]`, `"b" [3]`},
		`"a to b" [3] to "c" [3]`:      {`"a to b" [3]`, `"c" [3]`},
		`"a\"] to \"b" [3] to "c" [3]`: {`"a\"] to \"b" [3]`, `"c" [3]`},
		"halo":                         {"halo", "halo"},
	} {
		src, dst := copied(label)
		assert.Equal(t, want, [2]string{src, dst}, label)
	}
}

func TestLibrariesThatHaveLittle(t *testing.T) {
	path := compile(t, "less")
	finalize, err := Load(path)
	require.NoError(t, err)
	defer finalize()
	for _, e := range events {
		require.NoError(t, e.run(t), e.name)
	}
	assert.EqualValues(t, 6, find[func() int32](t, path, "test_ends")())
}

func TestCallsComeOneAfterAnother(t *testing.T) {
	path := compile(t, "tool")
	finalize, err := Load(path)
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				assert.NoError(t, gokkos.ParallelFor(serial("move"), func(int) {}))
			}
		})
	}
	all.Wait()
	finalize()
	told := find[func() string](t, path, "test_take")()
	for n := range 400 {
		assert.Equal(t, 1, strings.Count(told, fmt.Sprintf(" is %d\n", n+1)))
		assert.Equal(t, 1, strings.Count(told, fmt.Sprintf("end for %d\n", n+1)))
	}
}

func TestLibrariesThatAreNone(t *testing.T) {
	_, err := Load("/nowhere/tool.so")
	assert.ErrorContains(t, err, `kokkos: cannot load "/nowhere/tool.so": `)
	t.Setenv(variable, "/nowhere/tool.so;b.so")
	_, err = Start()
	assert.ErrorContains(t, err, `; KOKKOS_TOOLS_LIBS is "/nowhere/tool.so;b.so"`)
	path := compile(t, "none")
	_, err = Load(path)
	assert.EqualError(t, err, fmt.Sprintf("kokkos: %q has no function whose name begins with kokkosp_ that is called, expected a library of the tools of Kokkos", path))
	t.Setenv(variable, "")
	finalize, err := Start()
	require.NoError(t, err)
	finalize()
	assert.False(t, tools.On())
}

// BenchmarkLaunch is a launch of one item without a library, and with one whose two functions, at its begin and its end, do
// nothing.
func BenchmarkLaunch(b *testing.B) {
	p := policy.Range(0, 1).On(gokkos.Serial{}).WithLabel("nothing")
	launch := func(b *testing.B) {
		for b.Loop() {
			if err := gokkos.ParallelFor(p, func(int) {}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("off", launch)
	b.Run("library", func(b *testing.B) {
		finalize, err := Load(compile(b, "nothing"))
		require.NoError(b, err)
		defer finalize()
		launch(b)
	})
}
