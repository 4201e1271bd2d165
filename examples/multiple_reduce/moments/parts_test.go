package moments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
	"github.com/gokkos/gokkos/views/tensor"
)

// Data are golden: they are the same on every machine, in any year.
func TestElements(t *testing.T) {
	for k, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := hash(k); got != want {
			t.Errorf("hash(%d) = %#x, expected %#x", k, got, want) // of SplitMix64, seed 0
		}
	}
	t.Run("float32", elementsIn[float32])
	t.Run("float64", elementsIn[float64])
}

func elementsIn[T real](t *testing.T) {
	for init, name := range inits {
		element := elements[T](init)
		low, high := T(math.Inf(1)), T(math.Inf(-1))
		whole := true
		for i := range 100000 {
			x := element(i)
			low, high = min(low, x), max(high, x)
			whole = whole && x == T(math.Trunc(float64(x)))
		}
		want := [][2]T{{0, 0}, {1, 1}, {-5, 4}, {-5, 5}}[init]
		switch {
		case init < 3 && (low != want[0] || high != want[1] || !whole):
			t.Errorf("%s: from %v to %v", name, low, high)
		case init == 3 && (low < -5 || low > -4.99 || high < 4.99 || high >= 5 || whole):
			t.Errorf("%s: from %v to %v", name, low, high)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, x := range []float64{float64(integer[float32](0)), float64(decimal[float32](0)), decimal[float64](0)} {
		if x != -5 {
			t.Errorf("the lowest element is %v, expected -5", x)
		}
	}
	if x := integer[float32](math.MaxUint64); x != 4 {
		t.Errorf("the highest integer is %v, expected 4", x)
	}
	if x, y := decimal[float32](math.MaxUint64), decimal[float64](math.MaxUint64); x >= 5 || y >= 5 || y < 5-1e-14 {
		t.Errorf("the highest decimals are %v and %v, expected less than 5", x, y)
	}
}

func TestGenerateAnywhere(t *testing.T) {
	lengths := [4]int{7, 11, 13, 17}
	want, err := generate[float32](t.Context(), exec.Serial{}, lengths, overHWC, 3, &terminal{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3, 7} {
		space := exec.NewGoroutines(workers)
		got, err := generate[float32](t.Context(), space, lengths, overHWC, 3, &terminal{})
		if err != nil || !slices.Equal(got.data, want.data) {
			t.Errorf("%d workers: other data, error %v", workers, err)
		}
		if err := space.Close(); err != nil {
			t.Error(err)
		}
	}
}

// verify finds any result that is off by more than rounding.
func TestVerifyFindsErrors(t *testing.T) {
	t.Run("float32", findsErrors[float32])
	t.Run("float64", findsErrors[float64])
}

func findsErrors[T real](t *testing.T) {
	x, err := generate[T](t.Context(), exec.Serial{}, [4]int{3, 5, 6, 7}, overHWC, 3, &terminal{})
	if err != nil {
		t.Fatal(err)
	}
	good := make([]T, 6)
	if err := reduce(t.Context(), exec.Serial{}, tensor.Blockwise, x, views.Must(views.Of("x", x.data, x.lengths[:])), good, nil); err != nil {
		t.Fatal(err)
	}
	if mismatch, err := verify(t.Context(), x, good, &terminal{}); mismatch != "" || err != nil {
		t.Fatalf("%s, %v", mismatch, err)
	}
	names := []string{"mean[0]", "mean[1]", "mean[2]", "mean of squares[0]", "mean of squares[1]", "mean of squares[2]"}
	// An error of two units in the last place of float32, of a few thousand of float64.
	const small = 3e-7
	for k, name := range names {
		for _, wrong := range []float64{float64(good[k]) * (1 + small), float64(good[k]) * (1 - small), 0, math.NaN(), math.Inf(1)} {
			bad := slices.Clone(good)
			bad[k] = T(wrong)
			if mismatch, err := verify(t.Context(), x, bad, &terminal{}); !strings.HasPrefix(mismatch, name+" is ") || err != nil {
				t.Errorf("%s is %v: %q, %v", name, bad[k], mismatch, err)
			}
		}
	}
	bad := slices.Clone(good)
	bad[2], bad[4] = 9, 9
	if mismatch, _ := verify(t.Context(), x, bad, &terminal{}); !strings.HasPrefix(mismatch, "mean[2] is 9, expected ") {
		t.Errorf("%q, expected the first mismatch", mismatch)
	}
}

func TestVerifySpecial(t *testing.T) {
	nan, inf, huge := math.NaN(), math.Inf(1), math.MaxFloat64
	any := math.Pi
	for name, c := range map[string]struct {
		block        []float64
		mean, meanSq float64
		ok           bool
	}{
		"NaN":                {[]float64{1, nan}, nan, nan, true},
		"NaN lost":           {[]float64{1, nan}, 1, nan, false},
		"NaN lost in square": {[]float64{1, nan}, nan, 1, false},
		"NaN from nowhere":   {[]float64{1, 1}, nan, 1, false},
		"Inf":                {[]float64{1, inf}, inf, inf, true},
		"Inf of wrong sign":  {[]float64{1, inf}, -inf, inf, false},
		"Inf lost":           {[]float64{1, inf}, 1, inf, false},
		"-Inf":               {[]float64{-inf, 1}, -inf, inf, true},
		"Inf and -Inf":       {[]float64{-inf, inf}, nan, inf, true},
		"Inf - Inf is 0":     {[]float64{-inf, inf}, 0, inf, false},
		"overflow":           {[]float64{huge, huge, -huge}, any, inf, true},
		"squares overflow":   {[]float64{1e200, 1e200}, 1e200, inf, true},
		"squares, not mean":  {[]float64{1e200, 1e200}, 2e200, inf, false},
		"square lost":        {[]float64{1e200, 1e200}, 1e200, 1e200, false},
		"overflow and Inf":   {[]float64{huge, huge, inf}, any, inf, true},
		"underflow":          {[]float64{5e-324, 5e-324}, 5e-324, 0, true},
	} {
		x := nhwc[float64]{[4]int{1, 1, 1, len(c.block)}, overHWC, c.block}
		mismatch, err := verify(t.Context(), x, []float64{c.mean, c.meanSq}, &terminal{})
		if (mismatch == "") != c.ok || err != nil {
			t.Errorf("%s: mismatch %q, error %v", name, mismatch, err)
		}
	}
}

// A float32 result may be the rounding of anything in the interval, no more.
func TestContains(t *testing.T) {
	i := interval{value: 1 + 0x1p-24, radius: 0x1p-40} // halfway between two float32
	for got, want := range map[float64]bool{1 - 0x1p-24: false, 1: true, 1 + 0x1p-23: true, 1 + 0x1p-22: false} {
		if contains[float32](i, got) != want {
			t.Errorf("%v in %v: %v", got, i, !want)
		}
	}
}

func TestComparison(t *testing.T) {
	var c comparison[float32]
	nan := float32(math.NaN())
	add := func(space string, results ...float32) {
		if err := c.add(t.Context(), space, results, &terminal{}); err != nil {
			t.Error(err)
		}
	}
	add("serial", 0, nan)
	add("goroutines", 0, nan)
	if c.difference != "" {
		t.Errorf("the same bits: %s", c.difference)
	}
	add("goroutines", float32(math.Copysign(0, -1)), nan)
	if want := "mean[0] is 0x0 on serial and 0x80000000 on goroutines, run 3"; c.difference != want {
		t.Errorf("%q, expected %q", c.difference, want)
	}
	a, err := hashOf(t.Context(), []float32{0, 1}, &terminal{})
	b, err2 := hashOf(t.Context(), []float32{1, 0}, &terminal{})
	if a == b || err != nil || err2 != nil {
		t.Errorf("two results in either order have the hashes %x and %x, errors %v and %v", a, b, err, err2)
	}
}

// The onlooker sees the shape without running anything.
func TestLaunchShape(t *testing.T) {
	x := nhwc[float32]{[4]int{600, 4, 4, 4}, overHWC, make([]float32, 600*64)}
	want := "600 reductions of 64 items, space serial, 1 workers, leaves 1 of 64 items in 8 lanes"
	if got := launchShape(exec.Serial{}, x); got != want {
		t.Errorf("%s\nexpected %s", got, want)
	}
}

// A block has the items of its reduction in their order, whichever dimensions it takes.
func TestBlock(t *testing.T) {
	x := nhwc[float64]{lengths: [4]int{2, 3, 1, 2}}
	for k := range 12 {
		x.data = append(x.data, float64(k))
	}
	for want, reduced := range map[string]dims{
		"[7]":                         {},
		"[1 7]":                       {0: true},
		"[6 8 10]":                    {1: true},
		"[1 3 5 7 9 11]":              {0: true, 1: true, 2: true},
		"[2 3]":                       {2: true, 3: true},
		"[6 7 8 9 10 11]":             {1: true, 2: true, 3: true},
		"[0 1 2 3 4 5 6 7 8 9 10 11]": {true, true, true, true},
	} {
		x.reduced = reduced
		k := map[string]int{"[7]": 7, "[6 8 10]": 2}[want]
		if k == 0 && x.reductions() > 1 {
			k = 1
		}
		if got := fmt.Sprint(x.block(k, nil)); got != want {
			t.Errorf("%v: %s, expected %s", reduced, got, want)
		}
	}
}

// A threadwise run that is interrupted in its last block does not pass for one
// that is complete.
func TestInterruptedBlock(t *testing.T) {
	x, err := generate[float64](t.Context(), exec.Serial{}, [4]int{1, 1, 1, 1 << 21}, overHWC, 1, &terminal{})
	if err != nil {
		t.Fatal(err)
	}
	for delay := range 10 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(delay)*200*time.Microsecond)
		results := make([]float64, 2)
		if err := reduce(ctx, exec.Serial{}, tensor.Threadwise, x, views.Must(views.Of("x", x.data, x.lengths[:])), results, nil); err == nil && !slices.Equal(results, []float64{1, 1}) {
			t.Errorf("after %d: results %v without an error", delay, results)
		} else if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
	}
}

func TestInterruptedVerify(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := nhwc[float64]{[4]int{1, 1, 1, 1}, overHWC, []float64{1}}
	if _, err := verify(ctx, x, []float64{1, 1}, &terminal{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// patience is a context that is done when it has been looked at so often.
type patience struct {
	context.Context
	looks int
}

func (p *patience) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

// What is done with very many results stops soon, too.
func TestInterruptedResults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.npy")
	results := make([]float32, 3<<20)
	other := slices.Clone(results)
	other[len(other)-1] = 1
	for looks := range 3 {
		ctx := &patience{context.Background(), looks}
		c := comparison[float32]{runs: 1, first: results}
		if err := c.add(ctx, "serial", other, &terminal{}); !errors.Is(err, context.Canceled) || c.difference != "" {
			t.Errorf("comparing, %d looks: error %v, difference %q", looks, err, c.difference)
		}
		c, ctx.looks = comparison[float32]{}, looks
		if err := c.add(ctx, "serial", other, &terminal{}); !errors.Is(err, context.Canceled) || c.first[len(other)-1] != 0 {
			t.Errorf("copying, %d looks: error %v", looks, err)
		}
		ctx.looks = looks
		if _, err := hashOf(ctx, results, &terminal{}); !errors.Is(err, context.Canceled) {
			t.Errorf("hashing, %d looks: error %v", looks, err)
		}
		ctx.looks = looks
		if err := writeResults(ctx, path, []int{len(results) / 2}, results, &terminal{}); !errors.Is(err, context.Canceled) {
			t.Errorf("writing, %d looks: error %v", looks, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(path)); len(entries) > 0 {
			t.Errorf("writing, %d looks: left behind %v, %v", looks, entries, err)
		}
	}
}

// The results of a run that failed are not looked at.
func TestFailedRun(t *testing.T) {
	x := nhwc[float64]{[4]int{1, 1, 1, 1}, overHWC, []float64{1}}
	var c comparison[float64]
	err := measure(t.Context(), broken{}, options{strategy: "auto", timed: true}, x, &c, &printer{w: &bytes.Buffer{}}, &terminal{})
	if err == nil || c.runs != 0 {
		t.Errorf("%d runs compared, error %v", c.runs, err)
	}
}

// All that takes long shows how far it is. On a busy machine it may end before it is
// shown, so it is tried again.
func TestPhases(t *testing.T) {
	var b syncBuffer
	show := &terminal{&b, 10 * time.Microsecond}
	results := make([]float64, 4<<20)
	path := filepath.Join(t.TempDir(), "out.npy")
	for name, run := range map[string]func() error{
		"comparing ": func() error {
			var c comparison[float64]
			return c.add(t.Context(), "serial", results, show)
		},
		"hashing ": func() error {
			_, err := hashOf(t.Context(), results, show)
			return err
		},
		"writing ": func() error { return writeResults(t.Context(), path, []int{len(results) / 2}, results, show) },
	} {
		for tries := 0; !strings.Contains(b.String(), name); tries++ {
			if err := run(); err != nil || tries == 200 {
				t.Fatalf("%q is not shown in %d tries, error %v", name, tries, err)
			}
		}
	}
}

// syncBuffer is a buffer for a goroutine to write and another to read.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestProgress(t *testing.T) {
	var b syncBuffer
	ph := (&terminal{&b, time.Millisecond}).begin("counting", 8)
	ph.add(1)
	ph.add(1)
	for !strings.Contains(b.String(), "counting 25 %") {
		time.Sleep(time.Millisecond)
	}
	ph.end()
	if s := b.String(); !strings.HasSuffix(s, "\r\x1b[K") {
		t.Errorf("the line is still there: %q", s)
	}

	b = syncBuffer{}
	(&terminal{&b, time.Hour}).begin("short", 1).end()
	if s := b.String(); s != "" {
		t.Errorf("a phase that ends at once shows %q", s)
	}
	var none *phase
	none.add(1)
}

func TestTerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if newTerminal(f).w != nil || newTerminal(&bytes.Buffer{}).w != nil {
		t.Error("a file and a buffer are taken for terminals")
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if newTerminal(null).w == nil {
		t.Error("a character device is not taken for a terminal")
	}
}

// Reading stops when told to, and says why.
func TestInterruptedRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.npy")
	if err := npy.WriteFile(path, []int{1, 1, 1, 1 << 18}, make([]float32, 1<<18)); err != nil {
		t.Fatal(err)
	}
	in, err := openInput(path, overHWC)
	if err != nil {
		t.Fatal(err)
	}
	defer in.file.Close()
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := readTensor[float32](ctx, in, &terminal{}); !errors.Is(err, cause) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}
