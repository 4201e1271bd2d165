package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/gokkos/gokkos/examples/internal/arguments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/random"
)

// points are some points of d coordinates, one after the other.
type points struct {
	x []float64
	d int
}

func (p *points) len() int           { return len(p.x) / p.d }
func (p *points) at(i int) []float64 { return p.x[i*p.d : (i+1)*p.d] }

// load reads points from a file, or makes some.
func load(on exec.Space, o options) (*points, error) {
	if o.in == "" {
		return clouds(on, o.n)
	}
	file, err := os.Open(o.in)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.in, err)
	}
	return p, nil
}

// read reads a point per line. Every line must have as many numbers.
func read(from io.Reader) (*points, error) {
	lines := csv.NewReader(&bounded{from: from})
	lines.TrimLeadingSpace = true
	var p points
	for first := true; ; first = false {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		x, words, wrong := numbers(fields)
		if wrong >= 0 && !(first && words == len(fields)) { // a header has nothing but words
			line, column := lines.FieldPos(wrong)
			return nil, fmt.Errorf("line %d, column %d: %q, expected a finite number", line, column, fields[wrong])
		}
		if wrong < 0 {
			p.x = append(p.x, x...)
		}
		p.d = len(fields)
	}
	if len(p.x) == 0 {
		return nil, errors.New("no points, expected a line of numbers for each")
	}
	return &p, nil
}

// A bounded reader is an error of its own where a file or a line is longer than that of points: files may have no end.
type bounded struct {
	from       io.Reader
	file, line int // bytes that were read, and of them those behind the last end of a line
}

const longestFile, longestLine = 1 << 30, 1 << 20 // bytes

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p[:min(len(p), longestLine)])
	b.file, b.line = b.file+n, b.line+n
	if k := bytes.LastIndexByte(p[:n], '\n'); k >= 0 {
		b.line = n - k - 1
	}
	if b.file > longestFile || b.line > longestLine {
		return 0, fmt.Errorf("more than %d bytes, or %d in a line, expected at most these", longestFile, longestLine)
	}
	return n, err
}

// numbers reads fields. It counts those that are no numbers, and returns the first that is no finite one, or -1.
func numbers(fields []string) (x []float64, words, wrong int) {
	x, wrong = make([]float64, len(fields)), -1
	for j, text := range fields {
		number, err := strconv.ParseFloat(text, 64)
		if errors.Is(err, strconv.ErrSyntax) {
			words++
		}
		if wrong < 0 && (err != nil || math.IsNaN(number) || math.IsInf(number, 0)) {
			wrong = j
		}
		x[j] = number
	}
	return x, words, wrong
}

// clouds makes points around five centres, each cloud of another width.
func clouds(on exec.Space, n int) (*points, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d points, expected at least 1", n)
	}
	if err := arguments.Fits(5*8, n); err != nil { // coordinates, distances, and the number of a centre
		return nil, fmt.Errorf("-n %d: %w", n, err)
	}
	p, pool := &points{make([]float64, 2*n), 2}, random.New(11)
	around := [5][2]float64{{0, 0}, {4, 1}, {1, 5}, {-4, 3}, {-2, -4}}
	return p, exec.ParallelFor(policy.Range(0, n).On(on), func(i int) {
		g := pool.At(i)
		k := g.IntN(5)
		wide := .5 + float64(.2*float64(k))
		for j := range 2 {
			p.x[2*i+j] = around[k][j] + float64(wide*g.Normal())
		}
	})
}
