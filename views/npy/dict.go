package npy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseHeader reads the text of a header, a Python dictionary:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
//
// As in Python, the keys may come in any order and the last comma may be left
// out.
func parseHeader(text string) (Header, error) {
	p := parser{text: text}
	d := p.dict()
	if p.err != nil {
		return Header{}, p.err
	}
	t, err := parseType(d.descr)
	return Header{t, d.shape, d.fortran}, err
}

// parseType reads the type of the elements. The order of the bytes of a single
// byte does not matter.
func parseType(descr string) (Type, error) {
	if len(descr) == 3 {
		single, little := Type("|"+descr[1:]), Type("<"+descr[1:])
		switch {
		case single.Size() == 1 && strings.Contains("|<>=", descr[:1]):
			return single, nil
		case descr[0] == '<' && little.Size() > 1:
			return little, nil
		case descr[0] == '>' && little.Size() > 1:
			return "", fmt.Errorf("npy: big-endian data, of type %q; expected little-endian, %q", descr, string(little))
		case descr[0] == '=' && little.Size() > 1:
			return "", fmt.Errorf("npy: data of type %q, in the byte order of the machine that wrote it; expected %q, which says little-endian",
				descr, string(little))
		}
	}
	return "", fmt.Errorf("npy: data of type %q, expected %s", descr, expectedTypes)
}

// dict is the content of a header's dictionary.
type dict struct {
	descr   string
	fortran bool
	shape   []int
}

// parser is a place in a header. Its methods do nothing once there was an error.
type parser struct {
	text string
	pos  int
	err  error
}

// dict reads the whole text.
func (p *parser) dict() (d dict) {
	seen := map[string]bool{}
	p.expect("{")
	for p.err == nil && !p.accept("}") {
		key := p.str("a quoted key or }")
		p.expect(":")
		if seen[key] {
			p.failf("the key %q comes twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			if p.peek() == '[' || p.peek() == '(' {
				p.failf("data of a structured type, expected %s", expectedTypes)
			}
			d.descr = p.str("a quoted type")
		case "fortran_order":
			d.fortran = p.bool()
		case "shape":
			d.shape = p.shape()
		default:
			p.failf("an unknown key %q, expected 'descr', 'fortran_order' and 'shape'", key)
		}
		if !p.accept(",") && p.peek() != '}' {
			p.wanted(", or }")
		}
	}
	if p.peek(); p.pos < len(p.text) {
		p.wanted("nothing after }")
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			p.failf("no key '%s'", key)
		}
	}
	return d
}

// shape reads a tuple of lengths: (), (2,), (2, 3).
func (p *parser) shape() []int {
	shape := []int{}
	comma := true
	p.expect("(")
	for p.err == nil && !p.accept(")") {
		if !comma {
			p.wanted(", or )")
		}
		shape = append(shape, p.length(len(shape)))
		comma = p.accept(",")
	}
	if len(shape) == 1 && !comma {
		p.failf("the shape is a number in parentheses, expected a tuple: (%d,)", shape[0])
	}
	return shape
}

// length reads the length of dimension k. Python 2 wrote an L after long ones.
func (p *parser) length(k int) int {
	p.peek()
	rest := p.text[p.pos:]
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "+-0123456789"))]
	if digits == "" {
		p.wanted("a length")
		return 0
	}
	n, err := strconv.Atoi(digits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		p.failf("length %.40s in dimension %d, more than an int can count", digits, k)
	case err != nil:
		p.wanted("a length")
	case n < 0:
		p.failf("length %d in dimension %d, expected at least 0", n, k)
	}
	p.pos += len(digits)
	p.accept("L")
	return n
}

func (p *parser) bool() bool {
	if p.accept("True") {
		return true
	}
	if !p.accept("False") {
		p.wanted("True or False")
	}
	return false
}

// str reads a string in either kind of quotes. Nothing in a valid header needs
// an escape, so a backslash stands for itself.
func (p *parser) str(what string) string {
	quote := p.peek()
	if quote != '\'' && quote != '"' {
		p.wanted(what)
		return ""
	}
	s, _, ok := strings.Cut(p.text[p.pos+1:], string(quote))
	if !ok {
		p.wanted("a string that ends")
		return ""
	}
	p.pos += len(s) + 2
	return s
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.wanted(token)
	}
}

// accept skips a token and reports whether it was there.
func (p *parser) accept(token string) bool {
	p.peek()
	if p.err != nil || !strings.HasPrefix(p.text[p.pos:], token) {
		return false
	}
	p.pos += len(token)
	return true
}

// peek skips white space and returns the byte after it, 0 at the end.
func (p *parser) peek() byte {
	for ; p.pos < len(p.text); p.pos++ {
		if c := p.text[p.pos]; !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c
		}
	}
	return 0
}

// wanted fails with what is found at this place.
func (p *parser) wanted(what string) {
	if p.peek(); p.pos == len(p.text) {
		p.failf("it ends, expected %s", what)
		return
	}
	p.failf("found %.20q at byte %d, expected %s", p.text[p.pos:], p.pos, what)
}

func (p *parser) failf(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("npy: malformed header: "+format, args...)
	}
}
