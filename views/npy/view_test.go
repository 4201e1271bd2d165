package npy

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/views"
)

// maps says whether this system maps files.
var maps = slices.Contains([]string{"darwin", "dragonfly", "freebsd", "linux", "netbsd", "openbsd"}, runtime.GOOS) && !bigEndian

// Every type has the spelling and the bytes of NumPy, in slices, views and mappings.
func TestTypes(t *testing.T) {
	types(t, "|b1", []bool{true, false}, "\x01\x00")
	types(t, "|i1", []int8{-2, 3}, "\xfe\x03")
	types(t, "<i2", []int16{-2, 0x102}, "\xfe\xff\x02\x01")
	types(t, "<i4", []int32{-2, 0x1020304}, "\xfe\xff\xff\xff\x04\x03\x02\x01")
	types(t, "<i8", []int64{math.MinInt64, 2}, "\x00\x00\x00\x00\x00\x00\x00\x80\x02\x00\x00\x00\x00\x00\x00\x00")
	types(t, "|u1", []uint8{254, 3}, "\xfe\x03")
	types(t, "<u2", []uint16{0xfffe, 0x102}, "\xfe\xff\x02\x01")
	types(t, "<u4", []uint32{0xfffffffe, 0x1020304}, "\xfe\xff\xff\xff\x04\x03\x02\x01")
	types(t, "<u8", []uint64{1 << 63, 2}, "\x00\x00\x00\x00\x00\x00\x00\x80\x02\x00\x00\x00\x00\x00\x00\x00")
	types(t, "<f4", []float32{1, -2}, "\x00\x00\x80\x3f\x00\x00\x00\xc0")
	types(t, "<f8", []float64{1, -2}, "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\xc0")
}

func types[T Element](t *testing.T, descr string, x []T, data string) {
	name := fmt.Sprintf("%T", x[0])
	assert.Equal(t, descr, string(TypeOf[T]()))
	assert.Equal(t, name, TypeOf[T]().String())
	assert.Equal(t, len(data), 2*TypeOf[T]().Size())

	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, WriteFile(path, []int{2}, x))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(b), "'descr': '"+descr+"'")
	assert.Equal(t, data, string(b[len(b)-len(data):]))
	_, got, err := ReadFile[T](path)
	require.NoError(t, err)
	assert.Equal(t, x, got)

	var again bytes.Buffer
	v := views.Must(views.Of1("v", x))
	require.NoError(t, WriteView(&again, v))
	assert.Equal(t, b, again.Bytes())
	w, err := ReadView[T]("w", &again)
	require.NoError(t, err)
	assert.Equal(t, x, slices.Collect(w.Values()))
	assert.Equal(t, "w", w.Label())
	m, err := Map[T](path)
	require.NoError(t, err)
	assert.Equal(t, maps, m.Mapped())
	assert.Equal(t, x, slices.Collect(m.View().Values()))
	assert.Equal(t, "x.npy", m.View().Label())
	assert.NoError(t, m.Close())
}

// A view of any rank and layout comes back with its elements, from all that reads.
func TestViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	for _, extents := range [][]int{{}, {0}, {5}, {3, 4}, {0, math.MaxInt32}, {2, 3, 4}, {1, 2, 1, 3, 1, 2, 1, 2}, {300, 401}} {
		strides := make(views.Stride, len(extents))
		step := 2
		for d := range slices.Backward(extents) {
			strides[d] = step
			step = step*max(extents[d], 1) + 1
		}
		if slices.Contains(extents, 0) {
			strides = make(views.Stride, len(extents))
		}
		for _, layout := range []views.Layout{views.Right, views.Left, strides} {
			v, err := views.New[float64]("v", extents, layout)
			require.NoError(t, err)
			k := 0.0
			for run := range v.Runs() {
				for r := range run {
					k++
					run[r] = k / 3
				}
			}
			want := slices.Collect(v.Values())
			require.NoError(t, WriteViewFile(path, v))
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			m, err := Map[float64](path)
			require.NoError(t, err)
			file, err := ReadViewFile[float64](path)
			require.NoError(t, err)
			reader, err := ReadView[float64]("x.npy", struct{ io.Reader }{bytes.NewReader(b)})
			require.NoError(t, err)
			wantLayout := views.Right
			if v.Layout() == views.Left {
				wantLayout = views.Left
			}
			assert.Equal(t, wantLayout == views.Left, strings.Contains(string(b[:128]), "'fortran_order': True"))
			for name, got := range map[string]views.View[float64]{"mapping": m.View(), "file": file, "reader": reader} {
				assert.Equal(t, extents, got.Extents(), name)
				assert.Equal(t, wantLayout, got.Layout(), name)
				require.True(t, slices.Equal(want, slices.Collect(got.Values())), "%s, %v %v", name, extents, layout)
			}
			assert.Equal(t, maps && v.Len() > 0, m.Mapped())
			assert.NoError(t, m.Close())
			// A slice of it is in C order, or is not there.
			_, x, err := ReadFile[float64](path)
			if wantLayout == views.Left {
				assert.ErrorContains(t, err, "npy: data in Fortran order, expected C order")
			} else {
				assert.True(t, slices.Equal(want, x))
			}
		}
	}
}

// The header is that of NumPy 1.26 and 2.x for a Fortran array: the last length may grow.
func TestFortranHeader(t *testing.T) {
	got := string(Header{Float64, []int{2, 1234}, true}.encode())
	text := "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1234), }"
	assert.Equal(t, "\x93NUMPY\x01\x00\x76\x00"+text+strings.Repeat(" ", 117-len(text))+"\n", got)
	long := Header{Float64, []int{1, 11111111, 22222222, 33333333, 444444444}, true}.encode()
	assert.Len(t, long, 128) // in C order, 192
}

func TestViewErrors(t *testing.T) {
	var b bytes.Buffer
	assert.EqualError(t, WriteView(&b, views.View[float64]{}), `npy: a zero view has 0 elements, expected 1 as its extents say`)
	assert.Zero(t, b.Len())
	many := file(1, header("'|u1'", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"), []byte{7})
	_, err := ReadView[uint8]("v", bytes.NewReader(many))
	assert.EqualError(t, err, `npy: views: "v" has 13 extents, expected at most 12`)
	bad := file(1, header("'|b1'", "False", "(3,)"), []byte{1, 0, 2})
	_, err = ReadView[bool]("v", bytes.NewReader(bad))
	assert.EqualError(t, err, "npy: element 2 of type bool is the byte 2, expected 0 or 1")
	_, err = ReadViewFile[bool](filepath.Join(t.TempDir(), "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = Map[bool](filepath.Join(t.TempDir(), "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)

	path := filepath.Join(t.TempDir(), "x.npy")
	for _, room := range []int{0, 130, 128 + chunkBytes} {
		for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{1000, 2}} {
			v := views.Must(views.New[float64]("v", []int{100, 400}, layout))
			assert.ErrorIs(t, WriteView(&limited{room}, v), errFull)
		}
	}
	_, err = os.Stat(path)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.Error(t, WriteViewFile(path, views.View[int8]{}))
	_, err = os.Stat(path)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// What cannot be read cannot be mapped, for the same reason, and nothing stays mapped.
func TestMapMalformed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	for _, c := range malformed {
		require.NoError(t, os.WriteFile(path, c.file, 0o666))
		_, want := ReadViewFile[float32](path)
		m, err := Map[float32](path)
		if c.name == "fortran" {
			assert.ErrorContains(t, err, "truncated in the data: 0 bytes are there, expected 24")
		} else {
			assert.ErrorContains(t, err, c.want, c.name)
		}
		assert.ErrorContains(t, err, path)
		assert.EqualError(t, want, err.Error(), c.name)
		assert.Nil(t, m)
	}
	for text, data := range map[string]string{
		header("'|b1'", "False", "(3,)"):                                    "\x00\x01\x02",
		header("'|i1'", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"): "\x01",
	} {
		require.NoError(t, os.WriteFile(path, file(1, text, []byte(data)), 0o666))
		_, err := Map[bool](path)
		assert.Error(t, err)
		_, err = Map[int8](path)
		assert.Error(t, err)
	}
	assert.Zero(t, mapped(path))
}

// mapped counts the mappings of a file, where the system tells.
func mapped(path string) int {
	list, _ := os.ReadFile("/proc/self/maps")
	return strings.Count(string(list), path)
}

// What the host cannot touch is not written, nor is what is not there.
func TestWriteViewOfDevice(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	defer sim.Close()
	path := filepath.Join(t.TempDir(), "x.npy")
	v := views.Must(views.NewIn[int32](sim.Memory(), "v", []int{2, 3}))
	assert.EqualError(t, WriteViewFile(path, v), `npy: the view "v" [2 3] is in the memory of SimGPU H200, expected Host`)
	assert.Error(t, WriteViewFile[int32](path, nil))
	assert.NoFileExists(t, path)
}

// Data at a place that does not fit their size are read.
func TestMapAlignment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	for pad := range 9 {
		text := strings.TrimRight(header("'<f8'", "True", "(1, 2)"), "\n") + strings.Repeat(" ", pad)
		require.NoError(t, os.WriteFile(path, file(1, text, bytesOf([]float64{1.5, -2})), 0o666))
		m, err := Map[float64](path)
		require.NoError(t, err)
		assert.Equal(t, maps && (10+len(text))%8 == 0, m.Mapped())
		assert.Equal(t, []float64{1.5, -2}, slices.Collect(m.View().Values()))
		assert.NoError(t, m.Close())
	}
}

// A mapping is the file, is read-only, and ends with Close.
func TestMapping(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, WriteFile(path, []int{2, 2}, []int32{1, 2, 3, 4}))
	m, err := Map[int32](path)
	require.NoError(t, err)
	v := m.View()
	if m.Mapped() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteAt(bytesOf([]int32{5}), 128+4)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		assert.Equal(t, []int32{1, 5, 3, 4}, slices.Collect(v.Values()))

		old := debug.SetPanicOnFault(true)
		assert.Panics(t, func() { v.Set([]int{0, 0}, 7) })
		debug.SetPanicOnFault(old)
		assert.Equal(t, int32(1), v.At(0, 0))
	}
	if runtime.GOOS == "linux" && maps {
		assert.Positive(t, mapped(path))
	}
	assert.NoError(t, m.Close())
	assert.Zero(t, mapped(path))
	assert.False(t, m.Mapped())
	assert.Zero(t, m.View().Len())
	assert.NoError(t, m.Close())
}

// What is not a regular file is read.
func TestMapDevice(t *testing.T) {
	if _, err := os.Stat("/dev/null"); err != nil {
		t.Skip(err)
	}
	_, err := Map[int32]("/dev/null")
	assert.ErrorContains(t, err, "/dev/null: npy: the file is empty")
}

// The bytes of elements are turned on a machine of the other order.
func TestReverse(t *testing.T) {
	for size, want := range map[int]string{1: "abcdefgh", 2: "badcfehg", 4: "dcbahgfe", 8: "hgfedcba"} {
		p := []byte("abcdefgh")
		reverse(p, size)
		assert.Equal(t, want, string(p))
	}
}
