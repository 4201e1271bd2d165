package mtx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dense is a matrix with a place for each entry.
func dense(m *Matrix) [][]float64 {
	all := make([][]float64, m.Len())
	for k := range all {
		all[k] = make([]float64, m.Columns)
		columns, values := m.Row(k)
		for n, j := range columns {
			all[k][j] = values[n]
		}
	}
	return all
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want [][]float64
	}{
		"general":   {"%%MatrixMarket matrix coordinate real general\n% a comment\n\n2 3 3\n2 3 -1.5e1\n1 1 .5\n% between\n2 1 7\n", [][]float64{{.5, 0, 0}, {7, 0, -15}}},
		"symmetric": {"%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 4\n2 1 -1\n2 2 5\n3 1 9", [][]float64{{4, -1, 9}, {-1, 5, 0}, {9, 0, 0}}},
		"skew":      {"%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n", [][]float64{{0, -3}, {3, 0}}},
		"pattern":   {"%%matrixmarket MATRIX Coordinate PATTERN General\r\n2 2 2\r\n1 2\r\n2 1\r\n\r\n", [][]float64{{0, 1}, {1, 0}}},
		"empty":     {"%%MatrixMarket matrix coordinate real general\n0 0 0\n", [][]float64{}},
		"no entry":  {"%%MatrixMarket matrix coordinate real general\n2 1 0\n", [][]float64{{0}, {0}}},
		"spaces":    {"%%MatrixMarket  matrix coordinate\treal general \n 1  1\t1 \n\t1 1   2 \n", [][]float64{{2}}},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			m, err := Read(r)
			require.NoError(t, err, name)
			assert.Equal(t, c.want, dense(m), name)
		}
	}
}

// Errors say in which line and column.
func TestErrors(t *testing.T) {
	const banner = "%%MatrixMarket matrix coordinate real general\n"
	for text, want := range map[string]string{
		"":                                  "mtx: the file ends after line 0, expected the first line: unexpected EOF",
		"hello\n":                           `mtx: line 1, column 1: the banner is "hello", expected %%MatrixMarket`,
		"%%MatrixMarket\n":                  `mtx: line 1, column 15: the object is "", expected matrix`,
		banner:                              "mtx: the file ends after line 1, expected a line: unexpected EOF",
		banner + "2 x 1\n":                  `mtx: line 2, column 3: the number of columns is "x", expected an integer of 0 or more`,
		banner + "2 -2 1\n":                 `mtx: line 2, column 3: the number of columns is "-2", expected an integer of 0 or more`,
		banner + "2 2\n":                    `mtx: line 2, column 4: the number of entries is "", expected an integer of 0 or more`,
		banner + "2 2 5\n":                  "mtx: line 2, column 5: 5 entries in 2 rows of 2 columns",
		banner + "0 2 1\n":                  "mtx: line 2, column 5: 1 entries in 0 rows of 2 columns",
		banner + "2 2 1 7\n1 1 1\n":         `mtx: line 2, column 7: "7", expected the end of the line`,
		banner + "2 2 1\n0 1 1\n":           `mtx: line 3, column 1: the row is "0", expected 1 to 2`,
		banner + "2 2 1\n1 3 1\n":           `mtx: line 3, column 3: the column is "3", expected 1 to 2`,
		banner + "2 2 1\n1 1 1e999\n":       `mtx: line 3, column 5: the value is "1e999", expected a number that a float64 can hold`,
		banner + "2 2 1\n1 1 0x1p3\n":       `mtx: line 3, column 5: the value is "0x1p3", expected a number that a float64 can hold`,
		banner + "2 2 1\n1 1\n":             `mtx: line 3, column 4: the value is "", expected a number that a float64 can hold`,
		banner + "2 2 1\n1 1 1 1\n":         `mtx: line 3, column 7: "1", expected the end of the line`,
		banner + "2 2 2\n1 1 1\n":           "mtx: the file ends after line 3, expected a line: unexpected EOF: entry 2 of 2",
		banner + "2 2 1\n1 1 1\n%\n2 2 2\n": `mtx: line 5, column 1: "2" after the 1 entries`,
		banner + "2 2 2\n1 2 1\n1 2 2\n":    "mtx: row 1 has column 2 twice, expected each entry once",
		banner + "9000000 1 3\n":            "mtx: line 2, column 11: 9000000 rows and 1 columns of 3 entries, expected at most 1048576, or 64 for each entry",
		banner + strings.Repeat("9", 5000):  "mtx: line 2 has more than 4096 bytes",
		banner + "2 2 1\n" + strings.Repeat("1", 60) + "\n":                                `mtx: line 3, column 1: the row is "` + strings.Repeat("1", 40) + `...", expected 1 to 2`,
		"%%MatrixMarket matrix array real general\n":                                       `mtx: line 1, column 23: the format is "array", expected coordinate`,
		"%%MatrixMarket matrix coordinate complex general\n":                               `mtx: line 1, column 34: the field is "complex", expected real or integer or pattern`,
		"%%MatrixMarket matrix coordinate real hermitian\n":                                `mtx: line 1, column 39: the symmetry is "hermitian", expected general or symmetric or skew-symmetric`,
		"%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n":                         "mtx: line 2, column 5: a symmetric matrix of 2 rows and 3 columns, expected as many",
		"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n":                  "mtx: line 3, column 3: row 1 and column 2 of a symmetric matrix, expected none above the diagonal",
		"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n":             "mtx: line 3, column 3: row 1 and column 1 of a skew-symmetric matrix, expected none on the diagonal",
		"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n":               `mtx: line 3, column 5: the value is "1.5", expected an integer of less than 2^53`,
		"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 -9007199254740993\n": `mtx: line 3, column 5: the value is "-9007199254740993", expected an integer of less than 2^53`,
	} {
		_, err := Read(strings.NewReader(text))
		assert.EqualError(t, err, want)
	}
	broken := errors.New("broken")
	_, err := Read(io.MultiReader(strings.NewReader(banner+"2 2 1\n"), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	r, err := NewReader(strings.NewReader(banner + "2 2 0\n"))
	require.NoError(t, err)
	_, err = r.Rows(1, 3)
	require.EqualError(t, err, "mtx: Rows(1, 3) of a matrix of 2 rows")
	_, err = r.Rows(1, 2)
	require.NoError(t, err)
	_, err = r.Rows(1, 2)
	require.EqualError(t, err, "mtx: Rows was called before, expected one call")
}

// What is written is read again, value by value, by rows or at once.
func TestRowsAreThoseOfTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		m := random(rng, 1+rng.IntN(30), 1+rng.IntN(30))
		var text bytes.Buffer
		require.NoError(t, Write(&text, m))
		whole, err := Read(bytes.NewReader(text.Bytes()))
		require.NoError(t, err)
		require.Equal(t, m, whole)
		begin := rng.IntN(m.Rows + 1)
		end := begin + rng.IntN(m.Rows+1-begin)
		r, err := NewReader(bytes.NewReader(text.Bytes()))
		require.NoError(t, err)
		require.Equal(t, Header{m.Rows, m.Columns, len(m.Values), "real", "general"}, r.Header)
		part, err := r.Rows(begin, end)
		require.NoError(t, err)
		require.Equal(t, dense(m)[begin:end], dense(part))
		require.Equal(t, begin, part.First)
		x := make([]float64, m.Columns)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		for k := range part.Len() {
			want := 0.0
			for j, a := range dense(part)[k] {
				if a != 0 {
					want += float64(a * x[j])
				}
			}
			require.Equal(t, want, part.Times(k, x))
		}
		if part.Len() < m.Rows {
			require.ErrorContains(t, Write(io.Discard, part), fmt.Sprintf("expected all %d", m.Rows))
		}
	}
	require.ErrorContains(t, Write(failing{}, random(rng, 3, 3)), "mtx: writing: full")
	require.ErrorContains(t, Write(failing{}, random(rng, 200, 200)), "mtx: writing: full")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

// random returns a matrix of some entries.
func random(rng *rand.Rand, rows, columns int) *Matrix {
	m := &Matrix{Rows: rows, Columns: columns, Starts: []int{0}, Column: []int{}, Values: []float64{}}
	for range rows {
		for j := range columns {
			if rng.IntN(3) == 0 {
				m.Column, m.Values = append(m.Column, j), append(m.Values, math.Exp(50*rng.NormFloat64()))
			}
		}
		m.Starts = append(m.Starts, len(m.Values))
	}
	return m
}

// A file that says it has very many entries takes memory for those that it has.
func TestForgedSizeTakesNoMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(strings.NewReader("%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 2000000000\n1 1 1\n"))
	runtime.ReadMemStats(&after)
	require.ErrorContains(t, err, "entry 2 of 2000000000")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

func FuzzRead(f *testing.F) {
	f.Add("%%MatrixMarket matrix coordinate real general\n2 3 2\n2 3 -1.5e1\n1 1 .5\n")
	f.Add("%%MatrixMarket matrix coordinate pattern symmetric\n% x\n3 3 2\n1 1\n3 1\n")
	f.Add("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		m, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if m.Len() != m.Rows || m.Rows > maxEmpty || m.Starts[m.Rows] != len(m.Values) {
			t.Fatalf("%d rows, expected %d, with %d values", m.Len(), m.Rows, len(m.Values))
		}
		for k := range m.Len() {
			columns, _ := m.Row(k)
			for n, j := range columns {
				if j < 0 || j >= m.Columns || n > 0 && columns[n-1] >= j {
					t.Fatalf("row %d has columns %v of %d", k, columns, m.Columns)
				}
			}
		}
		var again bytes.Buffer
		if err := Write(&again, m); err != nil {
			t.Fatal(err)
		}
		if m.Rows <= 1000 {
			if twin, err := Read(&again); err != nil || fmt.Sprint(twin) != fmt.Sprint(m) {
				t.Fatalf("%v, %v, expected %v", twin, err, m)
			}
		}
	})
}

// endless is input that repeats a line for ever.
type endless struct{ line string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(e.line) <= len(p) {
		n += copy(p[n:], e.line)
	}
	return n, nil
}

// Comments and empty lines without end are an error, wherever they are. As many as a file may have are none.
func TestCommentsWithoutEndAreAnError(t *testing.T) {
	const banner = "%%MatrixMarket matrix coordinate real general\n"
	for _, line := range []string{"% for ever\n", "\n", "  \n", "%\n"} {
		for _, start := range []string{banner, banner + "2 2 2\n", banner + "2 2 2\n1 1 1\n"} {
			_, err := Read(io.MultiReader(strings.NewReader(start), endless{line}))
			require.ErrorContains(t, err, "comments and empty lines in a row, expected at most 65536", "%q", start+line)
		}
	}
	most := strings.Repeat("% one\n", maxComments)
	_, err := Read(strings.NewReader(banner + most + "1 1 1\n" + most + "1 1 7\n"))
	require.NoError(t, err)
}
