package mtx

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Header is what a file says of its matrix.
type Header struct {
	Rows, Columns int
	Entries       int    // in the file, where a symmetric matrix has a half
	Field         string // real, integer or pattern
	Symmetry      string // general, symmetric or skew-symmetric
}

// maxLine is the longest line, in bytes: the format has 1024.
const maxLine = 1 << 12

// maxComments is the most lines in a row that are comments or empty: input may have no end.
const maxComments = 1 << 16

// maxInteger is the most that an integer may be: beyond it some are no float64.
const maxInteger = 1<<53 - 1

// maxEmpty is the most rows and columns that a matrix of few entries may have, and rowsPerEntry
// how many more for each: rows take memory without an entry.
const (
	maxEmpty     = 1 << 20
	rowsPerEntry = 64
)

// A Reader reads one matrix.
type Reader struct {
	Header Header

	from  *bufio.Reader
	line  int
	text  string // of the line
	at    int    // what has been read of it
	begin int    // of the word that was read last
	done  bool
}

// NewReader reads the first lines, up to the extents.
//
// Errors: what is no matrix in this format, with line and column, or is one that this package does
// not read; and those of r.
func NewReader(r io.Reader) (*Reader, error) {
	x := &Reader{from: bufio.NewReaderSize(r, maxLine+1)}
	if err := x.banner(); err != nil {
		return nil, err
	}
	if err := x.skip(); err != nil {
		return nil, err
	}
	for _, place := range []struct {
		to   *int
		what string
	}{{&x.Header.Rows, "rows"}, {&x.Header.Columns, "columns"}, {&x.Header.Entries, "entries"}} {
		n, err := x.count("the number of " + place.what)
		if err != nil {
			return nil, err
		}
		*place.to = n
	}
	h := x.Header
	switch {
	case h.Symmetry != "general" && h.Rows != h.Columns:
		return nil, x.wrong("a %s matrix of %d rows and %d columns, expected as many", h.Symmetry, h.Rows, h.Columns)
	case h.Rows > 0 && h.Columns > 0 && h.Entries > 0 && (h.Entries-1)/h.Columns >= h.Rows || h.Entries > 0 && (h.Rows == 0 || h.Columns == 0):
		return nil, x.wrong("%d entries in %d rows of %d columns", h.Entries, h.Rows, h.Columns)
	case max(h.Rows, h.Columns) > maxEmpty && max(h.Rows, h.Columns)/rowsPerEntry > h.Entries:
		return nil, x.wrong("%d rows and %d columns of %d entries, expected at most %d, or %d for each entry", h.Rows, h.Columns, h.Entries, maxEmpty, rowsPerEntry)
	}
	return x, x.endOfLine()
}

// banner reads the first line.
func (x *Reader) banner() error {
	if err := x.next("the first line"); err != nil {
		return err
	}
	words := []struct {
		what string
		to   *string
		can  []string
	}{
		{"banner", nil, []string{"%%MatrixMarket"}},
		{"object", nil, []string{"matrix"}},
		{"format", nil, []string{"coordinate"}},
		{"field", &x.Header.Field, []string{"real", "integer", "pattern"}},
		{"symmetry", &x.Header.Symmetry, []string{"general", "symmetric", "skew-symmetric"}},
	}
	for _, w := range words {
		word := x.word()
		found := false
		for _, can := range w.can {
			found = found || strings.EqualFold(word, can)
		}
		if !found {
			return x.wrong("the %s is %q, expected %s", w.what, brief(word), strings.Join(w.can, " or "))
		}
		if w.to != nil {
			*w.to = strings.ToLower(word)
		}
	}
	return x.endOfLine()
}

// Rows reads the entries, up to the end of the file, and returns the rows begin to end-1. It
// keeps no others, and can be called once.
//
// Errors: there are no such rows; entries are missing, there twice, beyond the extents, or behind
// the last one; those of the upper half where the symmetry makes them; values that are no
// numbers.
func (x *Reader) Rows(begin, end int) (*Matrix, error) {
	h := x.Header
	switch {
	case x.done:
		return nil, errors.New("mtx: Rows was called before, expected one call")
	case begin < 0 || end < begin || end > h.Rows:
		return nil, fmt.Errorf("mtx: Rows(%d, %d) of a matrix of %d rows", begin, end, h.Rows)
	}
	x.done = true
	var entries []entry
	take := func(e entry) {
		if begin <= e.row && e.row < end {
			entries = append(entries, e)
		}
	}
	for n := range h.Entries {
		if err := x.skip(); err != nil {
			return nil, fmt.Errorf("%w: entry %d of %d", err, n+1, h.Entries)
		}
		e, err := x.entry()
		if err != nil {
			return nil, err
		}
		take(e)
		if e.row != e.column && h.Symmetry != "general" {
			if h.Symmetry == "skew-symmetric" {
				e.value = -e.value
			}
			take(entry{e.column, e.row, e.value})
		}
	}
	switch err := x.skip(); {
	case err == nil:
		return nil, x.wrong("%q after the %d entries", brief(x.word()), h.Entries)
	case !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	}
	return compress(h, begin, end, entries)
}

// entry reads the entry of a line.
func (x *Reader) entry() (e entry, err error) {
	h := x.Header
	if e.row, err = x.index("row", h.Rows); err != nil {
		return e, err
	}
	if e.column, err = x.index("column", h.Columns); err != nil {
		return e, err
	}
	switch {
	case h.Symmetry != "general" && e.column > e.row:
		return e, x.wrong("row %d and column %d of a %s matrix, expected none above the diagonal", e.row+1, e.column+1, h.Symmetry)
	case h.Symmetry == "skew-symmetric" && e.column == e.row:
		return e, x.wrong("row %d and column %d of a skew-symmetric matrix, expected none on the diagonal", e.row+1, e.column+1)
	}
	e.value = 1
	if h.Field != "pattern" {
		word := x.word()
		switch e.value, err = number(word); {
		case err != nil:
			return e, x.wrong("the value is %q, expected a number that a float64 can hold", brief(word))
		case h.Field == "integer" && (!(math.Abs(e.value) <= maxInteger) || !isInteger(word)):
			return e, x.wrong("the value is %q, expected an integer of less than 2^53", brief(word))
		case h.Field == "integer":
			e.value += 0 // there is no integer -0
		}
	}
	return e, x.endOfLine()
}

// index reads a number from 1 to n and returns it from 0.
func (x *Reader) index(what string, n int) (int, error) {
	word := x.word()
	i, err := strconv.Atoi(word)
	if err != nil || i < 1 || i > n {
		return 0, x.wrong("the %s is %q, expected 1 to %d", what, brief(word), n)
	}
	return i - 1, nil
}

// count reads a number from 0.
func (x *Reader) count(what string) (int, error) {
	word := x.word()
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 {
		return 0, x.wrong("%s is %q, expected an integer of 0 or more", what, brief(word))
	}
	return n, nil
}

// skip goes to the next line that is neither empty nor a comment.
func (x *Reader) skip() error {
	for range maxComments + 1 {
		if err := x.next("a line"); err != nil {
			return err
		}
		if text := strings.TrimSpace(x.text); text != "" && text[0] != '%' {
			return nil
		}
	}
	return fmt.Errorf("mtx: line %d is the last of %d comments and empty lines in a row, expected at most %d", x.line, maxComments+1, maxComments)
}

// next goes to the next line.
func (x *Reader) next(what string) error {
	line, err := x.from.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return fmt.Errorf("mtx: line %d has more than %d bytes", x.line+1, maxLine)
	case err == io.EOF && len(line) == 0:
		return fmt.Errorf("mtx: the file ends after line %d, expected %s: %w", x.line, what, io.ErrUnexpectedEOF)
	case err != nil && err != io.EOF:
		return fmt.Errorf("mtx: reading line %d: %w", x.line+1, err)
	}
	x.line++
	x.text, x.at = strings.TrimRight(string(line), "\r\n"), 0
	return nil
}

// word returns the next word of the line, "" at its end.
func (x *Reader) word() string {
	for x.at < len(x.text) && isSpace(x.text[x.at]) {
		x.at++
	}
	for x.begin = x.at; x.at < len(x.text) && !isSpace(x.text[x.at]); x.at++ {
	}
	return x.text[x.begin:x.at]
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// endOfLine returns an error if the line has further words.
func (x *Reader) endOfLine() error {
	if word := x.word(); word != "" {
		return x.wrong("%q, expected the end of the line", brief(word))
	}
	return nil
}

// wrong is an error in the word that was read last.
func (x *Reader) wrong(format string, args ...any) error {
	return fmt.Errorf("mtx: line %d, column %d: %s", x.line, x.begin+1, fmt.Sprintf(format, args...))
}

// brief cuts a word for a message.
func brief(word string) string {
	if len(word) > 40 {
		return word[:40] + "..."
	}
	return word
}
