// Package random writes random kernels with fitting types, and tries them. The closure, the interpreter
// before and after the passes, and the loops of all back ends must have the same bits. What fails is made
// smaller as long as it fails.
package random

import (
	"fmt"
	"strings"
)

// A node is a piece of Go. Each kid stands in place of a %s of the format. The kids of a block are its
// statements, one on a line, in place of its one %s.
type node struct {
	kind   string // the type of an expression; "stmt", "block"
	format string
	kids   []*node
}

func leaf(kind, text string) *node { return &node{kind, escaped(text), nil} }

// escaped returns a text as a part of a format.
func escaped(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func (n *node) String() string {
	if n.kind == "block" {
		var b strings.Builder
		for _, k := range n.kids {
			b.WriteString(k.String() + "\n")
		}
		return b.String()
	}
	args := make([]any, len(n.kids))
	for k, kid := range n.kids {
		args[k] = kid.String()
	}
	return fmt.Sprintf(n.format, args...)
}

// renamed returns a piece with other names of functions.
func (n *node) renamed(from, to string) *node {
	c := *n
	c.format = strings.ReplaceAll(n.format, from, to)
	c.kids = nil
	for _, k := range n.kids {
		c.kids = append(c.kids, k.renamed(from, to))
	}
	return &c
}

// size returns how much a piece of Go has in it.
func (n *node) size() int {
	s := 1
	for _, k := range n.kids {
		s += k.size()
	}
	return s
}

// smaller returns copies of a piece with one change each. A copy has one statement less, or an expression
// replaced by a part of it or by the simplest expression of its type. Big changes come first.
func (n *node) smaller() (out []*node) {
	if n.kind == "block" {
		for k := range n.kids {
			c := *n
			c.kids = append(append([]*node{}, n.kids[:k]...), n.kids[k+1:]...)
			out = append(out, &c)
		}
	} else if simple, ok := simplest[n.kind]; ok && len(n.kids) > 0 {
		out = append(out, leaf(n.kind, simple))
	}
	for _, k := range n.kids {
		switch {
		case k.kind == n.kind && n.kind != "block":
			out = append(out, k)
		case n.kind == "stmt" && k.kind == "block" && !strings.Contains(n.format, ":="): // the block instead of the statement
			out = append(out, &node{"stmt", "{\n%s}", []*node{k}})
		}
	}
	for k, kid := range n.kids {
		for _, s := range kid.smaller() {
			c := *n
			c.kids = append([]*node{}, n.kids...)
			c.kids[k] = s
			out = append(out, &c)
		}
	}
	return out
}

var simplest = map[string]string{
	"float64": "one", "float32": "oneF", "int": "zero", "int32": "zero32", "uint64": "zeroU", "uint32": "zeroU32", "bool": "yes",
	"complex128": "someC", "complex64": "someC64", "int8": "zero8", "uint8": "zeroU8", "int16": "zero16", "uint16": "zeroU16",
}
