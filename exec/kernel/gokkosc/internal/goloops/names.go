package goloops

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// reserved are names that generated functions use for other things than variables of kernels.
var reserved = []string{
	"k", "begin", "end", "next", "item", "kernel", "math", "views", "unsafe",
	"int", "int32", "int64", "uint", "uint32", "uint64", "float32", "float64", "bool", "true", "false", "len", "cap", "min", "max", "clear", "nil", "panic",
}

// names gives variables names that no other one has.
type names struct {
	taken map[string]bool
	next  map[string]int // by the base of names: all lower numbers are taken
}

func newNames(more ...string) *names {
	n := &names{map[string]bool{}, map[string]int{}}
	for _, list := range [][]string{reserved, more} {
		for _, s := range list {
			n.taken[s] = true
		}
	}
	return n
}

// reserve takes the name of a type, or of its package.
func (n *names) reserve(typ string) {
	pkg, _, _ := strings.Cut(typ, ".")
	n.taken[pkg] = true
}

// free returns a free name, made from the given one.
func (n *names) free(like string) string {
	if like == "" {
		like = "t"
	}
	name := like
	if n.taken[name] || token.IsKeyword(name) {
		k := max(n.next[like], 2)
		for name = fmt.Sprint(like, k); n.taken[name]; name = fmt.Sprint(like, k) {
			k++
		}
		n.next[like] = k + 1
	}
	n.taken[name] = true
	return name
}

// pathName returns a name for a part of a parameter: "pOrigin0" of p.origin[0].
func pathName(k *ir.Kernel, param int, path []ir.Step) string {
	s := k.PathString(param, path)
	if len(path) > 0 {
		switch path[len(path)-1].Kind {
		case ir.Len, ir.Cap:
			inner := pathName(k, param, path[:len(path)-1])
			return inner + strings.ToUpper(s[:1]) + s[1:3]
		}
	}
	var b strings.Builder
	up := false
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_':
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
