package moments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/views/npy"
)

// The tests say what they run on.
func TestMain(m *testing.M) {
	os.Unsetenv("GOKKOS_SPACE")
	os.Exit(m.Run())
}

// outcome is what a run left behind.
type outcome struct {
	status         int
	stdout, stderr string
}

func runArgs(args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := Run(context.Background(), args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

var hashLine = regexp.MustCompile(`(?m)^hash: ([0-9a-f]{16})$`)

// hashes returns the hashes that a run printed, each once.
func (o outcome) hashes() []string {
	var h []string
	for _, m := range hashLine.FindAllStringSubmatch(o.stdout, -1) {
		h = append(h, m[1])
	}
	slices.Sort(h)
	return slices.Compact(h)
}

// overHWC are the dimensions that are reduced by default.
var overHWC = dims{1: true, 2: true, 3: true}

// The results have the same bits whatever the space, the strategy and the number
// of workers, and they are right.
func TestSameBits(t *testing.T) {
	golden := map[string]string{}
	for _, shape := range []string{"5,3,5,7", "300,2,3,4", "3,10,21,47"} {
		for _, typ := range []string{"f32", "f64"} {
			for init := range inits {
				var want []string
				for _, strategy := range []string{"blockwise", "threadwise"} {
					for _, workers := range []string{"1", "3", "7"} {
						args := []string{"-D", shape, "-type", typ, "-strategy", strategy, "-workers", workers, fmt.Sprint(init), "0"}
						o := runArgs(args...)
						if o.status != exitOK || !strings.Contains(o.stdout, "\nruns: 3 compared\nbits: identical\n") || !strings.Contains(o.stdout, "\nverify: ok\n") {
							t.Fatalf("%v: status %d\n%s%s", args, o.status, o.stdout, o.stderr)
						}
						if want == nil {
							want = o.hashes()
						}
						if got := o.hashes(); len(got) != 1 || !slices.Equal(got, want) {
							t.Errorf("%v: hashes %v, expected %v", args, got, want)
						}
					}
				}
				golden[shape+typ+fmt.Sprint(init)] = want[0]
			}
		}
	}
	if a, b := golden["5,3,5,7f322"], golden["5,3,5,7f323"]; a == b {
		t.Errorf("integers and decimals have the same hash %s", a)
	}
}

// Any subset of the dimensions may be reduced; the file has the shape of the others.
func TestReduce(t *testing.T) {
	dir := t.TempDir()
	shapes := map[string][]int{
		"none": {2, 3, 5, 4, 6}, "0": {2, 5, 4, 6}, "1": {2, 3, 4, 6}, "3": {2, 3, 5, 4}, "2,0": {2, 5, 6},
		"1,3": {2, 3, 4}, "0,1,2": {2, 6}, "1,2,3": {2, 3}, "0,1,2,3": {2},
	}
	for list, shape := range shapes {
		var hashes []string
		for _, strategy := range []string{"blockwise", "threadwise", "auto"} {
			out := filepath.Join(dir, list+strategy)
			o := runArgs("-D", "3,5,4,6", "-type", "f64", "-reduce", list, "-strategy", strategy, "-out", out, "3", "0")
			if o.status != exitOK || !strings.Contains(o.stdout, "\nbits: identical\nverify: ok\n") {
				t.Fatalf("%s: status %d\n%s%s", list, o.status, o.stdout, o.stderr)
			}
			h, _, err := npy.ReadFile[float64](out)
			if err != nil || !slices.Equal(h.Shape, shape) {
				t.Errorf("%s: shape %v, expected %v, error %v", list, h.Shape, shape, err)
			}
			hashes = append(hashes, o.hashes()...)
		}
		if hashes = slices.Compact(hashes); len(hashes) != 1 {
			t.Errorf("%s: hashes %v", list, hashes)
		}
	}
	o := runArgs("-D", "2,1,1,3", "-reduce", "1,2", "-space", "serial", "1", "0")
	if !strings.Contains(o.stdout, "\nn=0 c=0: mean 1, mean of squares 1\nn=0 c=1: mean") {
		t.Error(o.stdout)
	}
	if o = runArgs("-D", "2,1,1,3", "-reduce", "0,1,2,3", "1", "0"); !strings.Contains(o.stdout, "\nall: mean 1, mean of squares 1\n") {
		t.Error(o.stdout)
	}
}

// The bits of the default did not change: they are those of exec.ParallelFold over every n.
func TestGoldenHash(t *testing.T) {
	for args, want := range map[string]string{
		"-D 5,30,20,17 -type f32 3 0": "e057435452081b53",
		"-D 300,4,4,4 -type f64 3 0":  "12b4648d012b54a1",
		"-D 2,50,50,40 -type f64 3 0": "02dcb6ce6bbbd04c",
	} {
		if got := runArgs(strings.Fields(args)...).hashes(); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, expected %s", args, got, want)
		}
	}
}

func TestOutput(t *testing.T) {
	o := runArgs("-D", "8,2,2,2", "-v", "1", "-workers", "2", "1", "1")
	want := regexp.MustCompile(`^tensor: 8,2,2,2 of float32, 0.000256 MB, ones
(launch: 8 reductions of 8 items, space (serial|goroutines|simgpu), [12] workers, leaves 1 of 8 items in 1 lanes
Warm up 1 time
Start running 10 times...
(last launch of "auto" on GPU, schedule 0
(  .*
)+)?Perf: \S+ ms, \S+ GB/s, auto
hash: [0-9a-f]{16}
){3}n=0: mean 1, mean of squares 1
n=1: mean 1, mean of squares 1
n=2: mean 1, mean of squares 1
runs: 33 compared
bits: identical
verify: ok
$`)
	if o.status != exitOK || o.stderr != "" {
		t.Errorf("status %d, stderr %q", o.status, o.stderr)
	}
	if !want.MatchString(o.stdout) {
		t.Errorf("printed\n%s", o.stdout)
	}
	for space, other := range map[string]string{"serial": "goroutines", "goroutines": "simgpu", "simgpu": "serial"} {
		o = runArgs("-D", "8,2,2,2", "-v", "0", "-space", space, "3", "0")
		if o.status != exitOK || strings.Contains(o.stdout, "verify") || strings.Contains(o.stdout, other) ||
			!strings.Contains(o.stdout, "\nruns: 1, nothing to compare it with\nbits: identical\n") {
			t.Errorf("status %d\n%s", o.status, o.stdout)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for args, want := range map[string]string{
		"-D 1,2,3":                     "expected 4 lengths with commas between them, N,H,W,C; found 3",
		"-D 1,2,3,4,5":                 "found 5",
		"-D 1x1x1x1":                   `"1x1x1x1" for flag -D: expected 4 lengths with commas between them, N,H,W,C; found 1`,
		"--inLengths 1,2,3":            "found 3",
		"-D ,,,":                       `length 1 is "", expected a positive integer`,
		"-D 1,2,3,x":                   `length 4 is "x"`,
		"-D 1,0,3,4":                   `length 2 is "0"`,
		"-D 1,-2,3,4":                  `length 2 is "-2"`,
		"-D 1,2,3,4.5":                 `length 4 is "4.5"`,
		"-D 1,2,3,9223372036854775808": `length 4 is "9223372036854775808"`,
		"-D 2000000000,2000000000,2000000000,2000000000": "lengths 2000000000,2000000000,2000000000,2000000000 and type float32 is, with its results, larger than",
		"-D 65536,65536,4,2":                             "larger than",
		"-D":                                             "needs an argument",
		"-v 2":                                           "expected 0 or 1",
		"-v":                                             "needs an argument",
		"--verify 2":                                     "expected 0 or 1",
		"-type f16":                                      "expected f32 or f64",
		"-space gpu":                                     `no space is called "gpu", expected some of all, cuda, goroutines, serial, simgpu, mpi`,
		"-strategy fast":                                 "expected one of auto, blockwise, threadwise",
		"-workers -1":                                    `"-1" for flag -workers: expected 1 to 4096, or 0 for one per core`,
		"-workers 4097":                                  `"4097" for flag -workers: expected 1 to 4096`,
		"-workers 99999999999999999999":                  "for flag -workers: expected 1 to 4096",
		"-workers many":                                  "expected 1 to 4096",
		"-reduce 0,4":                                    `dimension "4", expected some of 0,1,2,3, or none`,
		"-reduce ,":                                      `dimension "", expected some of`,
		"-reduce 1,1":                                    "dimension 1 is there twice",
		"-reduce none -D 1073741824,4,1,1":               "larger than",
		"-color":                                         "not defined: -color",
		"4":                                              `init is "4", expected 0, 1, 2 or 3`,
		"-D 1,1,1,1 two":                                 `init is "two"`,
		"2 2":                                            `time is "2", expected 0 or 1`,
		"2 1 3":                                          `what is "3" for?`,
		"2 1 -v":                                         `what is "-v" for? Options come before`,
		"-in x.npy -D 1,2,3,4":                           "-in together with -D",
		"-in x.npy -type f32":                            "-in together with -D or -type",
		"-in x.npy --inLengths 1,2,3,4":                  "-in together with -D",
		"-in x.npy 2":                                    `time is "2", expected 0 or 1; with -in, a single argument is time`,
		"-in x.npy 4 1":                                  `init is "4", expected 0, 1, 2 or 3`,
		"-in x.npy 2 2":                                  `time is "2", expected 0 or 1` + "\n",
		"-in x.npy 2 1 1":                                `what is "1" for?`,
		"-in= 1":                                         "-in without a file name",
		"-out= 1":                                        "-out without a file name",
	} {
		o := runArgs(strings.Fields(args)...)
		if o.status != exitUsage || !strings.Contains(o.stderr, want) || !strings.Contains(o.stderr, "-h for the options") || o.stdout != "" {
			t.Errorf("%s: status %d, printed %q and %q, expected %q", args, o.status, o.stdout, o.stderr, want)
		}
	}
	for _, help := range []string{"-h", "--help", "-?"} {
		if o := runArgs(help); o.status != exitOK || o.stdout != usage {
			t.Errorf("%s: status %d, printed %q", help, o.status, o.stdout)
		}
	}
	if o, err := parse(nil); err != nil || o.lengths != [4]int{600, 28, 28, 256} || o.reduced != overHWC || o.init != 2 || !o.timed || !o.verify || o.on.Name != "all" {
		t.Errorf("without arguments: %+v, %v", o, err)
	}
}

func TestGoodArguments(t *testing.T) {
	for args, want := range map[string]func(o options) bool{
		"--inLengths 1,2,3,4":     func(o options) bool { return o.lengths == [4]int{1, 2, 3, 4} },
		"--verify 0":              func(o options) bool { return !o.verify },
		"-workers 4096":           func(o options) bool { return o.on.Workers == 4096 },
		"-reduce 2,0":             func(o options) bool { return o.reduced == dims{0: true, 2: true} },
		"-reduce none -D 2,2,2,2": func(o options) bool { return o.reduced == dims{} },
		"3 0":                     func(o options) bool { return o.init == 3 && !o.timed },
		"-in x.npy 0":             func(o options) bool { return !o.timed },
		"-in x.npy 1":             func(o options) bool { return o.timed },
		"-in x.npy 2 0":           func(o options) bool { return !o.timed },
		"-in x.npy 0 1":           func(o options) bool { return o.timed },
	} {
		if o, err := parse(strings.Fields(args)); err != nil || !want(o) {
			t.Errorf("%s: %+v, %v", args, o, err)
		}
	}
	if o := runArgs("-D", "2,2,2,2", "-workers", "4096", "2", "0"); o.status != exitOK {
		t.Errorf("the library does not take 4096 workers: %s", o.stderr)
	}
}

// The results count as well: there may be as many of them as items, and more.
func TestCheckSize(t *testing.T) {
	for _, c := range []struct {
		lengths [4]int
		ok      bool
	}{
		{[4]int{1 << 20, 1, 1, 1}, true},
		{[4]int{1 << 29, 6, 1, 1}, maxBytes == 64<<30},
		{[4]int{1 << 29, 7, 1, 1}, false},
		{[4]int{1, 1 << 30, 7, 1}, maxBytes == 64<<30},
		{[4]int{1, 1 << 30, 8, 1}, false},
	} {
		if err := checkSize(c.lengths, overHWC, npy.Float64); (err == nil) != c.ok {
			t.Errorf("%v: error %v", c.lengths, err)
		}
	}
}

// Results written, read as a tensor and reduced again.
func TestFiles(t *testing.T) {
	t.Run("float32", files[float32])
	t.Run("float64", files[float64])
}

func files[T real](t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.npy"), filepath.Join(dir, "out.npy")
	if err := npy.WriteFile(in, []int{2, 1, 2, 2}, []T{1, 2, 3, 4, -1, 0.5, 0.25, 8}); err != nil {
		t.Fatal(err)
	}
	if o := runArgs("-in", in, "-out", out, "0"); o.status != exitOK || o.stderr != "" {
		t.Fatalf("status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
	h, got, err := npy.ReadFile[T](out)
	if err != nil || !slices.Equal(h.Shape, []int{2, 2}) {
		t.Fatalf("%v, %v", h, err)
	}
	if want := []T{2.5, 1.9375, 7.5, 16.328125}; !slices.Equal(got, want) {
		t.Errorf("results %v, expected %v", got, want)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("the directory holds %v", entries)
	}
}

// A generated tensor that took the way through a file has the same results.
func TestGeneratedFile(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.npy")
	x, err := generate[float64](t.Context(), exec.Serial{}, [4]int{3, 4, 5, 6}, overHWC, 3, &terminal{})
	if err != nil {
		t.Fatal(err)
	}
	if err := npy.WriteFile(in, x.lengths[:], x.data); err != nil {
		t.Fatal(err)
	}
	a, b := runArgs("-D", "3,4,5,6", "-type", "f64", "3", "0"), runArgs("-in", in, "0")
	if a.status != exitOK || b.status != exitOK || !slices.Equal(a.hashes(), b.hashes()) {
		t.Errorf("generated:\n%s%s\nread:\n%s%s", a.stdout, a.stderr, b.stdout, b.stderr)
	}
}

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string, shape ...int) []byte {
		items, err := npy.Header{Type: npy.Float32, Shape: shape}.Items()
		if err != nil {
			t.Fatal(err)
		}
		if err := npy.WriteFile(path(name), shape, make([]float32, items)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	put := func(name string, b []byte) {
		if err := os.WriteFile(path(name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	good := write("good.npy", 2, 3, 4, 5)
	put("truncated.npy", good[:len(good)-1])
	put("trailing.npy", append(good, 0))
	put("text.npy", []byte("hello"))
	put("zero.npy", nil)
	put("magic.npy", good[:4])
	put("big.npy", bytes.Replace(good, []byte("<f4"), []byte(">f4"), 1))
	put("integers.npy", bytes.Replace(good, []byte("<f4"), []byte("<i4"), 1))
	put("fortran.npy", bytes.Replace(good, []byte("False"), []byte("True "), 1))
	put("huge.npy", bytes.Replace(good, []byte("(2, 3, 4, 5), }          "), []byte("(99999, 99999, 99999, 5), }"), 1)[:len(good)])
	write("flat.npy", 120)
	write("deep.npy", 1, 2, 3, 4, 5)
	write("empty.npy", 2, 0, 4, 5)

	for name, want := range map[string]string{
		"none.npy":      "multiple_reduce: -in " + path("none.npy") + ": no such file",
		"zero.npy":      "the file is empty",
		"magic.npy":     "the file is truncated",
		"":              "not a regular file",
		"truncated.npy": "479 bytes are there, expected 480",
		"trailing.npy":  "1 bytes follow the 480 bytes",
		"text.npy":      "not an NPY file",
		"big.npy":       "big-endian",
		"integers.npy":  "the elements are int32, expected float32 or float64",
		"fortran.npy":   "the data is in Fortran order, expected C order",
		"huge.npy":      "99999",
		"flat.npy":      "the tensor has the shape (120), expected 4 lengths: N,H,W,C",
		"deep.npy":      "the tensor has the shape (1,2,3,4,5), expected 4 lengths",
		"empty.npy":     "length 2 of 2,0,4,5 is 0",
	} {
		put("out.npy", []byte("old"))
		o := runArgs("-in", path(name), "-out", path("out.npy"), "0")
		if o.status != exitFailed || !strings.Contains(o.stderr, want) || !strings.Contains(o.stderr, path(name)) {
			t.Errorf("%q: status %d, %q, expected %q", name, o.status, o.stderr, want)
		}
		if b, err := os.ReadFile(path("out.npy")); string(b) != "old" {
			t.Errorf("%q: the output file holds %q, %v", name, b, err)
		}
	}
	locked := path("locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	outs := []string{dir, path("none/out.npy"), path("good.npy/out.npy")}
	if os.WriteFile(filepath.Join(locked, "x"), nil, 0o666) != nil { // not so for the superuser
		outs = append(outs, filepath.Join(locked, "out.npy"))
	}
	for _, out := range outs {
		o := runArgs("-D", "1,1,1,1", "-out", out, "2", "0")
		if o.status != exitFailed || o.stdout != "" || !strings.HasPrefix(o.stderr, "multiple_reduce: -out "+out+": ") || strings.Contains(o.stderr, ".tmp") {
			t.Errorf("-out %s: status %d\n%s%s", out, o.status, o.stdout, o.stderr)
		}
	}
	if matches, _ := filepath.Glob(path("*.tmp")); matches != nil {
		t.Errorf("left behind: %v", matches)
	}
}

// The output must not be the input, by whatever name.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.npy")
	if err := npy.WriteFile(in, []int{1, 1, 1, 2}, []float32{1, 2}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	outs := []string{in, dir + "/./in.npy"}
	for name, link := range map[string]func(string, string) error{"hard.npy": os.Link, "soft.npy": os.Symlink} {
		if err := link(in, filepath.Join(dir, name)); err != nil {
			t.Log(err) // not on every system
			continue
		}
		outs = append(outs, filepath.Join(dir, name))
	}
	for _, out := range outs {
		o := runArgs("-in", in, "-out", out, "0")
		if o.status != exitFailed || o.stdout != "" || !strings.Contains(o.stderr, "-out "+out+": this is the input file") {
			t.Errorf("%s: status %d\n%s%s", out, o.status, o.stdout, o.stderr)
		}
		if b, err := os.ReadFile(in); !bytes.Equal(b, before) {
			t.Errorf("%s: the input file holds %q, %v", out, b, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != len(outs)-1 {
		t.Errorf("the directory holds %v", entries)
	}
}

// fullDisk is a writer with room for some bytes.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// A run whose output got lost has failed, and writes no file.
func TestLostOutput(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.npy")
	for _, args := range [][]string{{"-h"}, {"-D", "1,1,1,1", "2", "0"}, {"-D", "1,1,1,1", "-out", out, "2", "0"}} {
		for _, room := range []int{0, 60} {
			var stderr bytes.Buffer
			if status := Run(t.Context(), args, &fullDisk{room}, &stderr); status != exitFailed || stderr.String() != "multiple_reduce: no space left\n" {
				t.Errorf("%v: status %d, %q", args, status, stderr.String())
			}
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("results were written: %v", err)
	}
}

// broken is a space that fails.
type broken struct{ exec.Serial }

func (broken) Launch(space.Grid, space.Job) error { return fmt.Errorf("out of order") }

// withSpaces makes the program run on other spaces.
func withSpaces(t *testing.T, other ...exec.Space) {
	old := open
	t.Cleanup(func() { open = old })
	open = func(spaces.Choice) (all []spaces.Opened, closed func(), err error) {
		for _, on := range other {
			all = append(all, spaces.Opened{Name: on.Name(), On: on})
		}
		return all, func() {}, nil
	}
}

// No results are written unless the bits are the same and verify agrees.
func TestConclude(t *testing.T) {
	x := nhwc[float64]{[4]int{1, 1, 1, 3}, overHWC, []float64{1, 2, 6}}
	good := []float64{3, 41.0 / 3}
	off := []float64{3, math.Nextafter(41.0/3, 14)}
	for name, c := range map[string]struct {
		runs    [][]float64
		printed string
		err     string
	}{
		"good":       {[][]float64{good, good}, "runs: 2 compared\nbits: identical\nverify: ok\n", ""},
		"differ":     {[][]float64{good, off}, "runs: 2 compared\nbits: DIFFER: mean of squares[0] is 0x402b555555555555 on space 0 and 0x402b555555555556 on space 1, run 2\nverify: ok\n", "the bits differ"},
		"wrong":      {[][]float64{{3, 14}, {3, 14}}, "runs: 2 compared\nbits: identical\nverify: mean of squares[0] is 14, expected 13.666666666666666 ± ", "the results are wrong"},
		"everything": {[][]float64{{4, 14}, good}, "verify: mean[0] is 4, expected 3 ± ", "the bits differ\nthe results are wrong"},
	} {
		o := options{out: filepath.Join(t.TempDir(), "out.npy"), verify: true}
		var k comparison[float64]
		for n, results := range c.runs {
			if err := k.add(t.Context(), fmt.Sprint("space ", n), results, &terminal{}); err != nil {
				t.Fatal(err)
			}
		}
		var stdout bytes.Buffer
		err := conclude(t.Context(), o, x, &k, &printer{w: &stdout}, &terminal{})
		if fmt.Sprint(err) != c.err && (err != nil || c.err != "") || !strings.Contains(stdout.String(), c.printed) {
			t.Errorf("%s: error %v\n%s", name, err, stdout.String())
		}
		if _, err := os.Stat(o.out); os.IsNotExist(err) != (c.err != "") {
			t.Errorf("%s: the output file: %v", name, err)
		}
	}
}

func TestBrokenSpace(t *testing.T) {
	for _, strategy := range []string{"blockwise", "threadwise"} {
		withSpaces(t, broken{}, exec.Serial{})
		o := runArgs("-D", "4,3,2,1", "-strategy", strategy)
		if o.status != exitFailed || !strings.Contains(o.stderr, "out of order") {
			t.Errorf("%s: status %d\n%s%s", strategy, o.status, o.stdout, o.stderr)
		}
	}
	withSpaces(t, broken{})
	if o := runArgs("-D", "4,3,2,1"); o.status != exitFailed || !strings.Contains(o.stderr, "out of order") {
		t.Errorf("generating: status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
}

// stopAt is a writer that cancels when it is told some words.
type stopAt struct {
	words  string
	cancel func()
	bytes.Buffer
}

func (s *stopAt) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if strings.Contains(s.String(), s.words) {
		s.cancel()
	}
	return n, err
}

// An interrupted run ends soon, says so, and writes no results.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.npy"), filepath.Join(dir, "out.npy")
	if err := npy.WriteFile(in, []int{4, 3, 2, 1}, make([]float32, 24)); err != nil {
		t.Fatal(err)
	}
	small := []string{"-D", "300,4,4,4", "-out", out}
	for name, c := range map[string]struct {
		words string // on seeing which the user presses Ctrl-C
		args  []string
	}{
		"generating": {"", small},
		"reading":    {"", []string{"-in", in, "-out", out}},
		"blockwise":  {"Start running", append(small, "-strategy", "blockwise")},
		"threadwise": {"Start running", append(small, "-strategy", "threadwise")},
		"verifying":  {"bits: identical", small},
		"writing":    {"verify: ok", small},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if c.words == "" {
			cancel()
		}
		stdout := &stopAt{words: c.words, cancel: cancel}
		if c.words == "" {
			stdout.words = "nothing"
		}
		var stderr bytes.Buffer
		if status := Run(ctx, c.args, stdout, &stderr); status != exitInterrupted || stderr.String() != "multiple_reduce: interrupted\n" {
			t.Errorf("%s: status %d\n%s%s", name, status, stdout.String(), stderr.String())
		}
		if _, err := os.Stat(out); !os.IsNotExist(err) {
			t.Errorf("%s: results were written: %v", name, err)
		}
	}

	ctx, cancel := context.WithTimeout(t.Context(), 0) // as one that was late is
	defer cancel()
	var stdout, stderr bytes.Buffer
	status := Run(ctx, []string{"-D", "2000,20,20,10"}, &stdout, &stderr)
	if status != exitInterrupted {
		t.Errorf("status %d", status)
	}
}

// NaN and infinities in the input come out, and verify expects them.
func TestSpecialInput(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.npy")
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := []float32{1, nan, 1, inf, 1, -inf, inf, -inf, nan, inf, math.MaxFloat32, 1e-45}
	if err := npy.WriteFile(in, []int{6, 1, 1, 2}, x); err != nil {
		t.Fatal(err)
	}
	o := runArgs("-in", in, "0")
	if o.status != exitOK || !strings.Contains(o.stdout, "n=0: mean NaN, mean of squares NaN\nn=1: mean +Inf, mean of squares +Inf\nn=2: mean -Inf, mean of squares +Inf\n") {
		t.Errorf("status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
}
