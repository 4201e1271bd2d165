package machine

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Module is PTX that was parsed and checked.
type Module struct {
	entries map[string]*entry
	tables  map[string]uint64 // addresses of arrays in constant memory
	memory  *Memory           // constant
	block   string            // the array of shared memory that is as long as launches say, or ""
}

// An entry is a function that can be launched.
type entry struct {
	name   string
	params map[string]int // numbers
	count  int            // of parameters
	code   []instr
	rows   []row // first values of the rows of a warp; nil for registers
	source []string
	tells  bool              // blocks tell others that they are done
	arrays map[string]uint64 // addresses in shared memory
	shared int               // bytes
}

// A row is a register, a constant or a special register of the threads of a warp.
type row struct {
	name  string
	class byte        // of the register: see table
	fixed *[32]uint64 // of a constant
}

// An instr is an instruction.
type instr struct {
	op       string
	does     uint8
	pure     *operation
	atomic   func(old, x, y uint64) uint64 // the new value of an element
	guard    int                           // the row of the predicate, or -1
	not      bool                          // it must be false
	dst      []int
	src      []int
	offset   int64 // in memory
	nc       bool
	table    bool // in constant memory
	volatile bool // other threads may store meanwhile
	signed   bool // a load extends with the sign
	bytes    int
	target   int // of a branch
	label    string
	line     int
}

// Entries returns the names of the entries.
func (m *Module) Entries() (names []string) {
	for name := range m.entries {
		names = append(names, name)
	}
	return names
}

// Parse returns a module. Parse returns an error that names the line for instructions outside of the subset,
// undeclared registers and missing labels. Operands of other types than the instruction has are errors, too.
func Parse(text string) (m *Module, err error) {
	p := &parser{lines: strings.Split(text, "\n"), m: &Module{map[string]*entry{}, map[string]uint64{}, &Memory{}, ""}}
	defer func() {
		if e, ok := recover().(parseError); ok {
			m, err = nil, fmt.Errorf("machine: line %d: %s", p.at(), string(e))
		} else if err == nil && m == nil {
			panic(e)
		}
	}()
	p.scan(text)
	p.module()
	return p.m, nil
}

type parseError string

type token struct {
	text string
	line int
}

type parser struct {
	lines  []string
	tokens []token
	next   int
	m      *Module

	e       *entry
	names   map[string]int // rows of registers and constants
	labels  map[string]int
	classes map[string]byte
	negated map[int]int // rows of registers that have the negation of others, of 32 bits
}

var lexical = regexp.MustCompile(`//[^\n]*|\n|[ \t]+|0d[0-9a-fA-F]{16}|0f[0-9a-fA-F]{8}|-?0x[0-9a-fA-F]+|-?[0-9]+(?:\.[0-9]+)?|[.%$_A-Za-z][.$\w]*|[@!:;,(){}\[\]<>+]|.`)

func (p *parser) scan(text string) {
	line := 1
	for _, t := range lexical.FindAllString(text, -1) {
		switch {
		case t == "\n":
			line++
		case strings.HasPrefix(t, "//"), strings.TrimSpace(t) == "":
		default:
			p.tokens = append(p.tokens, token{t, line})
		}
	}
}

func (p *parser) at() int {
	if n := max(p.next-1, 0); n < len(p.tokens) {
		return p.tokens[n].line
	}
	return len(p.lines)
}

func (p *parser) fail(format string, a ...any) { panic(parseError(fmt.Sprintf(format, a...))) }

func (p *parser) peek() string {
	if p.next == len(p.tokens) {
		return ""
	}
	return p.tokens[p.next].text
}

func (p *parser) take() string {
	t := p.peek()
	p.next++
	if t == "" {
		p.fail("the text ends too early")
	}
	return t
}

func (p *parser) expect(want ...string) {
	for _, s := range want {
		if got := p.take(); got != s {
			p.fail("%q, expected %q", got, s)
		}
	}
}

// accept takes a token if it is that one.
func (p *parser) accept(s string) bool {
	if p.peek() != s {
		return false
	}
	p.next++
	return true
}

var (
	versions   = map[string]bool{"6.0": true, "7.0": true}
	identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
)

func (p *parser) module() {
	p.expect(".version")
	if v := p.take(); !versions[v] {
		p.fail("version %s, expected 6.0 or 7.0", v)
	}
	p.expect(".target", "sm_70", ".address_size", "64")
	for p.peek() != "" {
		if p.accept(".const") {
			p.table()
			continue
		}
		if p.accept(".extern") {
			p.expect(".shared", ".align", "16", ".b8")
			p.m.block = p.name()
			p.expect("[", "]", ";")
			continue
		}
		p.expect(".visible", ".entry")
		p.entry()
	}
}

func (p *parser) name() string {
	t := p.take()
	if !identifier.MatchString(t) {
		p.fail("%q, expected a name", t)
	}
	return t
}

// table reads an array in constant memory, ".align 8 .b64 x[2] = {0x1, 0x2};".
func (p *parser) table() {
	p.expect(".align", "8")
	t := p.take()
	size, ok := map[string]int{".b8": 1, ".b16": 2, ".b32": 4, ".b64": 8}[t]
	if !ok {
		p.fail("an array of type %s, expected .b8, .b16, .b32 or .b64", t)
	}
	name := p.name()
	if _, twice := p.m.tables[name]; twice {
		p.fail("array %s is there twice", name)
	}
	p.expect("[")
	count, err := strconv.Atoi(p.take())
	if err != nil || count < 1 || count*size > maxConstants {
		p.fail("array %s has no number of elements, or more than %d bytes", name, maxConstants)
	}
	p.expect("]", "=", "{")
	elements := make([]byte, count*size)
	for k := range count {
		if k > 0 {
			p.expect(",")
		}
		x, err := strconv.ParseUint(p.take(), 0, 8*size)
		if err != nil {
			p.fail("an element of %s: %v", name, err)
		}
		set(elements[k*size:(k+1)*size], x)
	}
	p.expect("}", ";")
	at := uint64(maxConstants * (1 + len(p.m.tables)))
	p.m.memory.MapAt(at, elements)
	p.m.tables[name] = at
}

// maxConstants is the greatest number of bytes of an array in constant memory.
const maxConstants = 1 << 16

func (p *parser) entry() {
	p.e = &entry{name: p.name(), params: map[string]int{}, arrays: map[string]uint64{}, source: p.lines}
	p.names, p.labels, p.classes, p.negated = map[string]int{}, map[string]int{}, map[string]byte{}, map[int]int{}
	if p.m.entries[p.e.name] != nil {
		p.fail("entry %s is there twice", p.e.name)
	}
	for _, s := range specials {
		p.row(s, 'w')
	}
	p.expect("(")
	for !p.accept(")") {
		if p.e.count > 0 {
			p.expect(",")
		}
		p.expect(".param", ".u64")
		name := p.name()
		if _, twice := p.e.params[name]; twice {
			p.fail("parameter %s is there twice", name)
		}
		p.e.params[name] = p.e.count
		p.e.count++
	}
	p.expect("{")
	for !p.accept("}") {
		p.statement()
	}
	for n := range p.e.code {
		in := &p.e.code[n]
		if in.label == "" {
			continue
		}
		target, ok := p.labels[in.label]
		if !ok {
			p.next = len(p.tokens)
			p.fail("entry %s has no label %s, which line %d needs", p.e.name, in.label, in.line)
		}
		in.target = target
	}
	if n := len(p.e.code); n == 0 || p.e.code[n-1].guard >= 0 || p.e.code[n-1].op != "ret" && p.e.code[n-1].op != "bra" {
		p.fail("entry %s does not end with ret or bra", p.e.name)
	}
	for _, target := range p.labels {
		if target == len(p.e.code) {
			p.fail("entry %s has a label behind its end", p.e.name)
		}
	}
	p.m.entries[p.e.name] = p.e
}

// row returns the row of a register.
func (p *parser) row(name string, class byte) int {
	p.names[name] = len(p.e.rows)
	p.e.rows = append(p.e.rows, row{name: name, class: class})
	return p.names[name]
}

var regTypes = map[string]byte{".f64": 'd', ".f32": 'f', ".b64": 'l', ".b32": 'w', ".b16": 'h', ".pred": 'p'}

func (p *parser) statement() {
	switch t := p.peek(); {
	case t == ".reg":
		p.declaration()
	case t == ".shared":
		p.array()
	case p.next+1 < len(p.tokens) && p.tokens[p.next+1].text == ":":
		l := p.name()
		if _, twice := p.labels[l]; twice {
			p.fail("label %s is there twice", l)
		}
		p.labels[l] = len(p.e.code)
		p.expect(":")
	default:
		p.instruction()
	}
}

// declaration is such as ".reg .f64 %fd<5>;", which declares %fd0 to %fd4.
func (p *parser) declaration() {
	p.expect(".reg")
	t := p.take()
	class, ok := regTypes[t]
	if !ok {
		p.fail("registers of type %s, expected .f64, .f32, .b64, .b32, .b16 or .pred", t)
	}
	prefix := p.take()
	if !strings.HasPrefix(prefix, "%") || p.classes[prefix] != 0 {
		p.fail("registers %s, expected a name that begins with %% and is new", prefix)
	}
	p.classes[prefix] = class
	p.expect("<")
	var n int
	if _, err := fmt.Sscan(p.take(), &n); err != nil || n < 1 {
		p.fail("no number of registers %s", prefix)
	}
	p.expect(">", ";")
	for k := range n {
		name := fmt.Sprintf("%s%d", prefix, k)
		if _, twice := p.names[name]; twice {
			p.fail("register %s is declared twice", name)
		}
		p.row(name, class)
	}
}
