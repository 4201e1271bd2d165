// Package mtx reads and writes sparse matrices in the Matrix Market's coordinate format, as text:
//
//	%%MatrixMarket matrix coordinate real symmetric
//	% comments
//	3 3 4
//	1 1 4
//	2 1 -1
//	2 2 4
//	3 3 4
//
// [Read] does it in one call. A program that runs on several ranks calls [NewReader], which tells
// the extents, and then [Reader.Rows] for the rows that a rank keeps.
//
// The field is real, integer or pattern, whose entries are 1; the symmetry is general, symmetric or
// skew-symmetric, of which the other half is made. Arrays, complex and Hermitian matrices are
// errors. Exponents may be those of Fortran, as in 1.5D+03 and 1.5-103. A real value is the nearest float64, of
// which infinities and NaNs of either sign are some; one beyond the largest is an error, and so is an integer
// that is none exactly.
//
// A file is input that may be damaged or forged: errors say in which line and column, and
// memory is taken as entries come in, whatever the file says of their number.
//
// Source: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935.
package mtx

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// A Matrix is rows of a sparse matrix in compressed form: row First+k has the values
// Values[Starts[k]:Starts[k+1]], in the columns Column[Starts[k]:Starts[k+1]], which ascend.
// Rows and columns are numbered from 0.
type Matrix struct {
	First         int // the first row that is here
	Rows, Columns int // extents of the whole matrix
	Starts        []int
	Column        []int
	Values        []float64
}

// Len returns the number of rows that are here.
func (m *Matrix) Len() int { return max(len(m.Starts)-1, 0) }

// Row returns the columns and the values of the row First+k.
func (m *Matrix) Row(k int) (columns []int, values []float64) {
	from, to := m.Starts[k], m.Starts[k+1]
	return m.Column[from:to:to], m.Values[from:to:to]
}

// Times returns the product Σ a[k][j]·x[j] of the row First+k, in the order of its columns,
// each product rounded.
func (m *Matrix) Times(k int, x []float64) (sum float64) {
	columns, values := m.Row(k)
	for n, j := range columns {
		sum += float64(values[n] * x[j])
	}
	return sum
}

// Read reads a whole matrix, up to the end of r.
func Read(r io.Reader) (*Matrix, error) {
	from, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	return from.Rows(0, from.Header.Rows)
}

// Write writes all rows of a matrix, as a general real one. Each value has as many digits as it
// takes to read the same one.
//
// Errors: the matrix is nil, has not all of its rows, or is not what [Matrix] says; nothing is written then. And
// those of w.
func Write(w io.Writer, m *Matrix) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("mtx: Write of %w", err)
	}
	buf := fmt.Appendf(nil, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", m.Rows, m.Columns, len(m.Values))
	for k := range m.Len() {
		columns, values := m.Row(k)
		for n, j := range columns {
			buf = strconv.AppendInt(buf, int64(k)+1, 10)
			buf = strconv.AppendInt(append(buf, ' '), int64(j)+1, 10)
			buf = append(appendValue(append(buf, ' '), values[n]), '\n')
		}
		if len(buf) >= 1<<16 {
			if _, err := w.Write(buf); err != nil {
				return fmt.Errorf("mtx: writing: %w", err)
			}
			buf = buf[:0]
		}
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("mtx: writing: %w", err)
	}
	return nil
}

// appendValue appends the shortest text that is read as the same value.
func appendValue(buf []byte, value float64) []byte {
	if math.IsNaN(value) && math.Signbit(value) {
		buf = append(buf, '-')
	}
	return strconv.AppendFloat(buf, value, 'g', -1, 64)
}

// check returns an error that begins with what m is, unless m is a whole matrix.
func (m *Matrix) check() error {
	switch {
	case m == nil:
		return errors.New("a nil matrix, expected one")
	case m.Rows < 0 || m.Columns < 0:
		return fmt.Errorf("%d rows and %d columns, expected 0 or more", m.Rows, m.Columns)
	case m.First != 0 || m.Len() != m.Rows:
		return fmt.Errorf("the rows %d to %d, expected all %d", m.First, m.First+m.Len(), m.Rows)
	}
	end := 0 // of the row before
	for k, start := range m.Starts {
		if start < end || k == 0 && start != 0 {
			return fmt.Errorf("a matrix with Starts[%d] = %d, expected Starts to ascend from 0", k, start)
		}
		end = start
	}
	if len(m.Column) != end || len(m.Values) != end {
		return fmt.Errorf("a matrix of %d columns and %d values, expected %d, where the last row ends", len(m.Column), len(m.Values), end)
	}
	for k := range m.Rows {
		least := 0
		for _, j := range m.Column[m.Starts[k]:m.Starts[k+1]] {
			if j < least || j >= m.Columns {
				return fmt.Errorf("a matrix with column %d in row %d, expected columns to ascend from 0 to %d", j, k, m.Columns-1)
			}
			least = j + 1
		}
	}
	return nil
}

// entry is a value with its place.
type entry struct {
	row, column int
	value       float64
}

// compress makes rows of entries in any order.
func compress(h Header, begin, end int, entries []entry) (*Matrix, error) {
	slices.SortFunc(entries, func(a, b entry) int {
		if a.row != b.row {
			return a.row - b.row
		}
		return a.column - b.column
	})
	m := &Matrix{First: begin, Rows: h.Rows, Columns: h.Columns, Starts: make([]int, end-begin+1)}
	m.Column, m.Values = make([]int, len(entries)), make([]float64, len(entries))
	for n, e := range entries {
		if n > 0 && entries[n-1].row == e.row && entries[n-1].column == e.column {
			return nil, fmt.Errorf("mtx: row %d has column %d twice, expected each entry once", e.row+1, e.column+1)
		}
		m.Starts[e.row-begin+1] = n + 1
		m.Column[n], m.Values[n] = e.column, e.value
	}
	for k := range m.Len() { // rows without entries
		m.Starts[k+1] = max(m.Starts[k+1], m.Starts[k])
	}
	return m, nil
}
