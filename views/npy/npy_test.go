package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// file returns the bytes of a file with any header text and data.
func file(major byte, text string, data []byte) []byte {
	b := append([]byte(magic), major, 0)
	if major == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	}
	return append(append(b, text...), data...)
}

func header(descr, order, shape string) string {
	return fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
}

// TestHeaderBytes compares with what NumPy 1.26 and 2.x write.
func TestHeaderBytes(t *testing.T) {
	spaces := func(n int) string { return strings.Repeat(" ", n) }
	for _, c := range []struct {
		typ   Type
		shape []int
		text  string
		size  int
	}{
		{Float32, []int{2, 3}, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 118},
		{Float64, []int{}, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 118},
		{Float64, []int{5}, "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }", 118},
		{Float32, []int{600, 28, 28, 256}, "{'descr': '<f4', 'fortran_order': False, 'shape': (600, 28, 28, 256), }", 118},
		{Float32, []int{1, 11111111, 22222222, 33333333, 444444}, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 11111111, 22222222, 33333333, 444444), }", 118},
		{Float32, []int{1, 11111111, 22222222, 33333333, 4444444}, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 11111111, 22222222, 33333333, 4444444), }", 118},
		// 10 bytes of prefix, 97 of text, 20 of room and the newline are 128, and
		// NumPy adds a block of 64 even then.
		{Float32, []int{1, 11111111, 22222222, 33333333, 444444444}, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 11111111, 22222222, 33333333, 444444444), }", 182},
		{Float32, []int{math.MaxInt32, 0}, "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 0), }", 118},
	} {
		got := Header{Type: c.typ, Shape: c.shape}.encode()
		want := "\x93NUMPY\x01\x00" + string([]byte{byte(c.size), byte(c.size >> 8)}) + c.text + spaces(c.size-len(c.text)-1) + "\n"
		if string(got) != want {
			t.Errorf("%v %v:\ngot  %q\nwant %q", c.typ, c.shape, got, want)
		}
		if len(got)%64 != 0 {
			t.Errorf("%v %v: %d bytes, expected a multiple of 64", c.typ, c.shape, len(got))
		}
	}
}

func TestLongHeader(t *testing.T) {
	shape := make([]int, 30000)
	for k := range shape {
		shape[k] = 1
	}
	var b bytes.Buffer
	if err := Write(&b, shape, []float64{7}); err != nil {
		t.Fatal(err)
	}
	if got := b.Bytes()[6:8]; !bytes.Equal(got, []byte{2, 0}) {
		t.Errorf("version %v, expected 2.0", got)
	}
	if n := b.Len() - 8; n%64 != 0 {
		t.Errorf("a header of %d bytes, expected a multiple of 64", n)
	}
	h, x, err := Read[float64](&b)
	if err != nil || !slices.Equal(h.Shape, shape) || !slices.Equal(x, []float64{7}) {
		t.Errorf("read back %d dimensions, %v, %v", len(h.Shape), x, err)
	}
}

func TestRoundTrip(t *testing.T) {
	t.Run("float32", roundTrip[float32])
	t.Run("float64", roundTrip[float64])
}

func roundTrip[T float32 | float64](t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	for _, shape := range [][]int{{}, {1}, {0}, {7}, {2, 3}, {4, 0, math.MaxInt32, 5}, {math.MaxInt32, math.MaxInt32, math.MaxInt32, 0}, {3, 5, 7, 1013}} {
		items := 1
		for _, n := range shape {
			items *= n
		}
		x := make([]T, items)
		for k := range x {
			x[k] = T(k)/3 - 100
		}
		if err := WriteFile(path, shape, x); err != nil {
			t.Fatal(err)
		}
		h, got, err := ReadFile[T](path)
		if err != nil || !slices.Equal(h.Shape, shape) || h.Type != TypeOf[T]() || !slices.Equal(got, x) {
			t.Errorf("%v: read back %v, %d elements, error %v", shape, h, len(got), err)
		}

		var b bytes.Buffer
		if err := Write(&b, shape, x); err != nil {
			t.Fatal(err)
		}
		// Without Len, and one byte at a time.
		for _, r := range []io.Reader{struct{ io.Reader }{bytes.NewReader(b.Bytes())}, iotest.OneByteReader(&b)} {
			if _, got, err := Read[T](r); err != nil || !slices.Equal(got, x) {
				t.Errorf("%v: read back %d elements, error %v", shape, len(got), err)
			}
		}
	}
}

func TestBits(t *testing.T) {
	x := []float64{math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.Float64frombits(0x7ff8dead0000beef), 5e-324}
	var b bytes.Buffer
	if err := Write(&b, []int{5}, x); err != nil {
		t.Fatal(err)
	}
	_, got, err := Read[float64](&b)
	if err != nil {
		t.Fatal(err)
	}
	for k := range x {
		if math.Float64bits(got[k]) != math.Float64bits(x[k]) {
			t.Errorf("element %d: %x, expected %x", k, math.Float64bits(got[k]), math.Float64bits(x[k]))
		}
	}
}

func TestReadForms(t *testing.T) {
	data := []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40}
	for name, b := range map[string][]byte{
		"2.0":            file(2, header("'<f4'", "False", "(2,)"), data),
		"3.0":            file(3, header("'<f4'", "False", "(2,)"), data),
		"other order":    file(1, "{'shape': (2,), 'fortran_order': False, 'descr': '<f4'}", data),
		"double quotes":  file(1, `{"descr":"<f4","fortran_order":False,"shape":(2,)}`, data),
		"white space":    file(1, "\n {\t'descr' : '<f4' ,'fortran_order' : False, 'shape' : ( 2 , ) , } \n\n", data),
		"python 2":       file(1, header("'<f4'", "False", "(2L,)"), data),
		"no last comma":  file(1, header("'<f4'", "False", "(1, 2)"), data),
		"two dimensions": file(1, header("'<f4'", "False", "(2, 1,)"), data),
	} {
		_, x, err := Read[float32](bytes.NewReader(b))
		if err != nil || !slices.Equal(x, []float32{1, 2}) {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
}

var malformed = []struct {
	name string
	file []byte
	want string // part of the error
}{
	{"empty", nil, `the file is empty, expected it to begin with "\x93NUMPY"`},
	{"short", []byte("\x93NUM"), `the file is truncated: it ends after 4 bytes, in "\x93NUMPY"`},
	{"short text", []byte("PK"), `not an NPY file: it begins with "PK", expected "\x93NUMPY"`},
	{"text", []byte("hello, world"), `not an NPY file: it begins with "hello,"`},
	{"zip", []byte("PK\x03\x04 an npz file"), `not an NPY file: it begins with "PK`},
	{"no version", []byte(magic + "\x01"), "truncated: it ends after 7 bytes, in the format version"},
	{"version 4.0", file(4, header("'<f4'", "False", "()"), nil), "format version 4.0, expected 1.0, 2.0 or 3.0"},
	{"version 1.1", []byte(magic + "\x01\x01"), "format version 1.1"},
	{"version 0.0", []byte(magic + "\x00\x00"), "format version 0.0"},
	{"no header length", []byte(magic + "\x01\x00\x05"), "truncated in the header's length: 1 of 2 bytes are there"},
	{"header cut off", file(1, header("'<f4'", "False", "()"), nil)[:30], "truncated in the header: 20 of 56 bytes are there"},
	{"header too long", []byte(magic + "\x02\x00\xff\xff\xff\xff"), "a header of 4294967295 bytes, expected at most 1048576"},

	{"empty header", file(1, "", nil), "malformed header: it ends, expected {"},
	{"no dictionary", file(1, "[1, 2]\n", nil), `malformed header: found "[1, 2]\n" at byte 0, expected {`},
	{"unclosed", file(1, "{'descr': '<f4', ", nil), "it ends, expected a quoted key or }"},
	{"unclosed string", file(1, "{'descr': '<f4", nil), "expected a string that ends"},
	{"no colon", file(1, "{'descr' '<f4'}", nil), `found "'<f4'}" at byte 9, expected :`},
	{"no comma", file(1, "{'descr': '<f4' 'shape': ()}", nil), "expected , or }"},
	{"unquoted key", file(1, "{descr: '<f4'}", nil), "expected a quoted key or }"},
	{"missing keys", file(1, "{}", nil), "malformed header: no key 'descr'"},
	{"missing shape", file(1, "{'descr': '<f4', 'fortran_order': False}", nil), "no key 'shape'"},
	{"unknown key", file(1, "{'color': 1}", nil), `unknown key "color"`},
	{"key twice", file(1, "{'descr': '<f4', 'descr': '<f8'}", nil), `the key "descr" comes twice`},
	{"text after it", file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", nil), "expected nothing after }"},
	{"zero after it", file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': ()}\x00", nil), "expected nothing after }"},

	{"big-endian", file(1, header("'>f4'", "False", "()"), nil), `big-endian data, of type ">f4"; expected little-endian`},
	{"native", file(1, header("'=f4'", "False", "()"), nil), `type "=f4", in the byte order of the machine that wrote it; expected "<f4"`},
	{"integers", file(1, header("'<i4'", "False", "()"), nil), "the elements are int32, expected float32"},
	{"half", file(1, header("'<f2'", "False", "()"), nil), `data of type "<f2", expected bool, int8 to int64, uint8 to uint64, float32 or float64`},
	{"big integers", file(1, header("'>i8'", "False", "()"), nil), `big-endian data, of type ">i8"; expected little-endian, "<i8"`},
	{"wide bools", file(1, header("'<b2'", "False", "()"), nil), `data of type "<b2"`},
	{"no byte order", file(1, header("'|i4'", "False", "()"), nil), `data of type "|i4"`},
	{"objects", file(1, header("'|O'", "False", "()"), nil), `data of type "|O"`},
	{"structured", file(1, header("[('a', '<f4')]", "False", "()"), nil), "data of a structured type"},
	{"type is a number", file(1, header("4", "False", "()"), nil), "expected a quoted type"},
	{"fortran", file(1, header("'<f4'", "True", "(2, 3)"), nil), "Fortran order, expected C order"},
	{"order", file(1, header("'<f4'", "0", "()"), nil), "expected True or False"},

	{"shape is a list", file(1, header("'<f4'", "False", "[2]"), nil), `found "[2], }\n" at byte 50, expected (`},
	{"shape is a number", file(1, header("'<f4'", "False", "(2)"), nil), "expected a tuple: (2,)"},
	{"shape unclosed", file(1, "{'shape': (2, 3", nil), "it ends, expected , or )"},
	{"shape of floats", file(1, header("'<f4'", "False", "(2.5,)"), nil), `found ".5,), }\n" at byte 52, expected , or )`},
	{"shape of names", file(1, header("'<f4'", "False", "(n,)"), nil), "expected a length"},
	{"bad sign", file(1, header("'<f4'", "False", "(1-1,)"), nil), "expected a length"},
	{"negative", file(1, header("'<f4'", "False", "(2, -3)"), nil), "length -3 in dimension 1, expected at least 0"},
	{"long length", file(1, header("'<f4'", "False", "(99999999999999999999,)"), nil), "length 99999999999999999999 in dimension 0, more than an int can count"},
	{"overflow", file(1, header("'<f4'", "False", "(65536, 65536, 65536, 65536)"), nil), "more bytes than an int can count"},
	{"bytes overflow", file(1, header("'<f4'", "False", "(4611686018427387904,)"), nil), "than an int can count"},

	{"no data", file(1, header("'<f4'", "False", "(2, 3)"), nil), "the file is truncated in the data: 0 bytes are there, expected 24 for float32 of shape [2 3]"},
	{"truncated", file(1, header("'<f4'", "False", "(2, 3)"), make([]byte, 23)), "23 bytes are there, expected 24"},
	{"forged", file(1, header("'<f4'", "False", "(500000000,)"), make([]byte, 24)), "24 bytes are there, expected 2000000000"},
	{"trailing", file(1, header("'<f4'", "False", "(2, 3)"), make([]byte, 27)), "follow the 24 bytes of data of shape [2 3]"},
	{"trailing nothing", file(1, header("'<f4'", "False", "(0,)"), make([]byte, 1)), "follow the 0 bytes of data"},
	{"other type", file(1, header("'<f8'", "False", "(2,)"), make([]byte, 16)), "the elements are float64, expected float32"},
}

func TestMalformed(t *testing.T) {
	for _, c := range malformed {
		readers := map[string]io.Reader{
			"sized":   bytes.NewReader(c.file),
			"unsized": struct{ io.Reader }{bytes.NewReader(c.file)},
		}
		for kind, r := range readers {
			_, _, err := Read[float32](r)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: error %v, expected %q", c.name, kind, err, c.want)
			}
			if err != nil && !strings.HasPrefix(err.Error(), "npy: ") {
				t.Errorf("%s, %s: error %v without the package's name", c.name, kind, err)
			}
		}
	}
}

// A forged header must not take memory.
func TestForgedMemory(t *testing.T) {
	if len(forged) != 200 {
		t.Fatalf("%d bytes", len(forged))
	}
	wide := file(1, header("'<f4'", "False", "(500000000,)"), make([]byte, 1<<20))
	path := filepath.Join(t.TempDir(), "x.npy")
	unsized := func(b []byte) io.Reader { return struct{ io.Reader }{bytes.NewReader(b)} }
	for name, c := range map[string]struct {
		file  []byte
		bytes uint64 // that may be taken
		read  func(b []byte) error
	}{
		"slice":           {wide, 1 << 20, func(b []byte) error { _, _, err := Read[float32](bytes.NewReader(b)); return err }},
		"unsized slice":   {wide, 16 << 20, func(b []byte) error { _, _, err := Read[float32](unsized(b)); return err }},
		"view":            {forged, 1 << 20, func(b []byte) error { _, err := ReadView[uint8]("x", bytes.NewReader(b)); return err }},
		"unsized view":    {forged, 1 << 20, func(b []byte) error { _, err := ReadView[uint8]("x", unsized(b)); return err }},
		"view of a file":  {forged, 1 << 20, func([]byte) error { _, err := ReadViewFile[uint8](path); return err }},
		"mapping":         {forged, 1 << 20, func([]byte) error { _, err := Map[uint8](path); return err }},
		"slice of a file": {wide, 1 << 20, func([]byte) error { _, _, err := ReadFile[float32](path); return err }},
	} {
		if err := os.WriteFile(path, c.file, 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := c.read(c.file)
		runtime.ReadMemStats(&after)
		// On a system of 32 bits, 2⁶⁰ are more than an int can count.
		if err == nil || !strings.Contains(err.Error(), "bytes are there, expected") && !strings.Contains(err.Error(), "an int can count") {
			t.Errorf("%s: error %v", name, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > c.bytes {
			t.Errorf("%s: %d bytes allocated for a file of %d", name, got, len(c.file))
		}
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken disk")
	b := file(1, header("'<f4'", "False", "(2,)"), make([]byte, 8))
	for cut := range len(b) + 1 {
		r := io.MultiReader(bytes.NewReader(b[:cut]), iotest.ErrReader(broken))
		if _, _, err := Read[float32](r); !errors.Is(err, broken) {
			t.Errorf("a read that fails after %d bytes: error %v", cut, err)
		}
	}
}

func TestReadFileErrors(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := ReadFile[float32](filepath.Join(dir, "none.npy")); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
	if _, _, err := ReadFile[float32](dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v", err)
	}
}

func TestWriteErrors(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, []int{2, 3}, make([]float32, 5)); err == nil || b.Len() > 0 {
		t.Errorf("5 elements of shape (2, 3): error %v, %d bytes written", err, b.Len())
	}
	if err := Write(&b, []int{-1}, []float32{}); err == nil || b.Len() > 0 {
		t.Errorf("negative length: error %v, %d bytes written", err, b.Len())
	}
	for _, room := range []int{0, 130} {
		if err := Write(&limited{room}, []int{100}, make([]float32, 100)); err != errFull {
			t.Errorf("a writer with room for %d bytes: error %v", room, err)
		}
	}
}

var errFull = errors.New("full")

type limited struct{ room int }

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.room {
		return 0, errFull
	}
	l.room -= len(p)
	return len(p), nil
}

// WriteFile leaves what was there before if it fails, and nothing else.
func TestWriteFileKeeps(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.npy")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []int{3}, []float32{1}); err == nil {
		t.Error("no error for a shape that does not fit")
	}
	if b, err := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if err := WriteFile(dir, []int{1}, []float32{1}); err == nil {
		t.Error("no error for a directory")
	}
	if err := WriteFile(filepath.Join(dir, "none", "x.npy"), []int{1}, []float32{1}); err == nil {
		t.Error("no error for a directory that does not exist")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the directory holds %v", entries)
	}
	if err := WriteFile(path, []int{1}, []float32{1}); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the directory holds %v", entries)
	}
}

// A File changes nothing before Commit, and names the path of its user.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.npy")
	holds := func(when, want string) {
		t.Helper()
		if b, err := os.ReadFile(path); string(b) != want {
			t.Errorf("%s: the file holds %q, %v; expected %q", when, b, err, want)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("%s: the directory holds %v", when, entries)
		}
	}
	for _, c := range []struct{ text, end, want string }{
		{"old", "commit", "old"},
		{"lost", "close", "old"},
		{"new", "commit", "new"},
	} {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, c.text); err != nil {
			t.Error(err)
		}
		if c.end == "commit" {
			if err := f.Commit(); err != nil {
				t.Error(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		holds(c.text, c.want)
		for name, err := range map[string]error{"Commit": f.Commit(), "Write": func() error { _, err := f.Write(nil); return err }()} {
			if !errors.Is(err, os.ErrClosed) {
				t.Errorf("%s after the end: error %v", name, err)
			}
		}
	}

	// The path becomes a directory meanwhile, so it cannot be replaced.
	f, err := Create(filepath.Join(dir, "late"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "late", "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil || strings.Contains(err.Error(), ".tmp") || !strings.Contains(err.Error(), "late") {
		t.Errorf("error %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "late")); err != nil {
		t.Fatal(err)
	}
	holds("a failed commit", "new")

	for _, bad := range []string{dir, filepath.Join(path, "y.npy"), filepath.Join(dir, "none", "y.npy")} {
		if _, err := Create(bad); err == nil || !strings.HasPrefix(err.Error(), "write "+bad+": ") || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

func TestTypeString(t *testing.T) {
	for typ, want := range map[Type]string{Float32: "float32", Float64: "float64", Int32: "int32", "<f2": `"<f2"`} {
		if got := typ.String(); got != want {
			t.Errorf("%q: %s, expected %s", string(typ), got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range malformed {
		f.Add(c.file)
	}
	for _, shape := range [][]int{{}, {0}, {3}, {2, 3}} {
		items, _ := Header{Type: Float64, Shape: shape}.Items()
		var b bytes.Buffer
		require.NoError(f, Write(&b, shape, make([]float64, items)))
		f.Add(b.Bytes())
	}
	for _, order := range []string{"True", "False"} {
		f.Add(file(1, header("'<i2'", order, "(2, 1, 2)"), make([]byte, 8)))
		f.Add(file(1, header("'|b1'", order, "(2, 3)"), []byte{0, 1, 1, 0, 1, 1}))
	}
	f.Add(forged)
	path := filepath.Join(f.TempDir(), "x.npy")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		fuzzRead[float32](t, b)
		fuzzRead[float64](t, b)
		fuzzRead[int16](t, b)
		fuzzRead[bool](t, b)
		fuzzView[float64](t, b, path)
		fuzzView[int16](t, b, path)
		fuzzView[bool](t, b, path)
	})
}

// forged is a file of 200 bytes that says it has 2⁶⁰.
var forged = file(1, header("'|u1'", "True", "(1073741824, 1073741824)"), make([]byte, 113))

// fuzzRead checks that what can be read is read the same with and without a
// known size, and is the same after writing and reading.
func fuzzRead[T Element](t *testing.T, b []byte) {
	h, x, err := Read[T](bytes.NewReader(b))
	_, y, err2 := Read[T](struct{ io.Reader }{bytes.NewReader(b)})
	if (err == nil) != (err2 == nil) {
		t.Fatalf("error %v with a known size, %v without", err, err2)
	}
	if err != nil {
		return
	}
	var first, second bytes.Buffer
	if err := Write(&first, h.Shape, x); err != nil {
		t.Fatal(err)
	}
	if err := Write(&second, h.Shape, y); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatal("other data without a known size")
	}
	if n := len(x) * h.Type.Size(); !bytes.Equal(first.Bytes()[first.Len()-n:], b[len(b)-n:]) {
		t.Fatal("other data after writing")
	}
	again, _, err := Read[T](&first)
	if err != nil || !slices.Equal(again.Shape, h.Shape) || again.Type != h.Type {
		t.Fatalf("%v read back as %v, %v", h, again, err)
	}
}

// fuzzView checks that a view can be read if a slice can or if it is in Fortran
// order, that a mapping is the same view, and that it is the same after writing
// and reading.
func fuzzView[T Element](t *testing.T, b []byte, path string) {
	v, err := ReadView[T]("x.npy", bytes.NewReader(b))
	m, err2 := Map[T](path)
	if (err == nil) != (err2 == nil) {
		t.Fatalf("error %v as a view, %v as a mapping", err, err2)
	}
	if err != nil {
		return
	}
	defer m.Close()
	var first, second bytes.Buffer
	if err := WriteView(&first, v); err != nil {
		t.Fatal(err)
	}
	if err := WriteView(&second, m.View()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatal("other data in a mapping")
	}
	n := v.Len() * TypeOf[T]().Size()
	if !bytes.Equal(first.Bytes()[first.Len()-n:], b[len(b)-n:]) {
		t.Fatal("other data after writing")
	}
	again, err := ReadView[T]("x.npy", &first)
	if err != nil || !slices.Equal(again.Extents(), v.Extents()) || again.Layout().String() != v.Layout().String() {
		t.Fatalf("%v %v read back as %v %v, %v", v, v.Layout(), again, again.Layout(), err)
	}
}

// A file without a name is an error before anything is created.
func TestEmptyPathIsAnErrorAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := Create("")
	require.EqualError(t, err, "npy: an empty path, expected the name of a file")
	_, err = CreateShaped[float64]("", []int{2})
	require.EqualError(t, err, "npy: an empty path, expected the name of a file")
	require.EqualError(t, WriteFile("", []int{1}, []float64{1}), "npy: an empty path, expected the name of a file")
	_, err = Create("folder/")
	require.Error(t, err)
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, left)
}
