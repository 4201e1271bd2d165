// Package witness runs functors in made-up environments and reports what two items write.
package witness

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Program is a package whose functors are run.
type Program struct {
	prog     *ssa.Program
	pkg      *ssa.Package
	codes    map[*ssa.Function]*code
	visited  map[*ssa.BasicBlock]bool
	reached  map[*ssa.Function]map[token.Pos]bool // the writes of a functor that items have reached
	functors map[*ssa.Function]bool               // of a target
	spent    int                                  // fuel of the items of a target
	numbers  map[*ssa.Function][]int64
	inside   map[*ssa.Function][]*ssa.Function
	said     map[finding]bool
	racing   map[token.Pos]bool       // the writes that have been reported
	pairs    pairs                    // that a target has shown
	claimed  map[ssa.Instruction]bool // collectives to which a member has given a claim
	Reports
	launched map[ast.Node]bool // literals and declarations of functors that have run
	passing  []Passed
	judged   func(at token.Pos, v Verdict, init bool)
}

type finding struct {
	at   token.Pos
	text string
}

// New returns the program of a package, some of whose functors are passed on.
func New(pass *analysis.Pass, passing []Passed) *Program {
	prog := ssa.NewProgram(pass.Fset, ssa.InstantiateGenerics)
	for _, p := range pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	return &Program{
		prog: prog, pkg: pkg, codes: map[*ssa.Function]*code{}, visited: map[*ssa.BasicBlock]bool{},
		reached: map[*ssa.Function]map[token.Pos]bool{},
		inside:  map[*ssa.Function][]*ssa.Function{}, numbers: map[*ssa.Function][]int64{}, said: map[finding]bool{},
		claimed: map[ssa.Instruction]bool{}, racing: map[token.Pos]bool{}, launched: map[ast.Node]bool{}, passing: passing,
	}
}

// found reports something with its witness, once.
func (p *Program) found(at token.Pos, text, witness string) {
	if f := (finding{at, text}); !p.said[f] {
		p.said[f] = true
		if witness != "" {
			text += " (" + witness + ")"
		}
		p.Race(at, text)
	}
}

// Reports are called with what running the functors of a package shows.
type Reports struct {
	Race    func(at token.Pos, text string)             // what two items write
	Functor func(f ast.Node, pattern string, host bool) // a functor, what launches it, and whether on the host
	Unseen  func(at token.Pos, name string)             // a call that writes and that a watched launch does not see, or nil
}

// Races runs the functors of the launches of the package.
func (p *Program) Races(r Reports) {
	p.Reports = r
	for _, t := range p.targets() {
		p.visit(t)
	}
	for _, t := range p.passed(p.passing) {
		p.visit(t)
	}
}

func (m *machine) unseen(i ssa.Instruction, name string) {
	if m.Unseen != nil && m.race != nil {
		m.Unseen(m.site(i), name)
	}
}

// An environment has the assumptions with which a machine begins.
type environment struct {
	length int64 // of all that has a size which nobody knows
	fuel   int   // instructions of an item
	// strange environments try to reach code that no item has reached in others. Equalities between values
	// that are the same for all items hold, too, and ranges are longer by beyond.
	strange bool
	beyond  int64
	apart   int // in which way sizes differ, 0 if they do not
}

var environments = []environment{
	{length: 10, fuel: 20_000},
	{length: 300, fuel: 8000},
	{length: 10, fuel: 20_000, strange: true, beyond: 4},
}

const (
	hosts  = 3       // runs of the host in an environment
	few    = 4       // runs of items after the last one that has visited something new
	enough = 250_000 // instructions of the items of a target
)

// visit runs the launches at a call in all environments.
func (p *Program) visit(t target) {
	p.functors, p.spent, p.pairs = map[*ssa.Function]bool{}, 0, pairs{}
	for k, e := range environments {
		if k == 0 || p.wants(e) {
			p.run(t, e)
		}
	}
	p.confirm(t)
}

// run runs the launches at a call in an environment.
func (p *Program) run(t target, e environment) {
	explore := newExplorer()
	for n := 0; n < hosts && p.spent < enough && explore.begin(); n++ {
		p.machine(e, explore).aim(t)
		explore.end()
	}
}

func (p *Program) machine(e environment, explore *explorer) *machine {
	return &machine{
		Program: p, mem: memory{cells: map[uint64]cell{}}, objects: map[uint64]*object{}, explore: explore,
		environment: e,
	}
}

// wants reports whether an environment may show what those before have not.
func (p *Program) wants(e environment) bool {
	if e.strange {
		return p.misses()
	}
	for fn := range p.functors {
		if len(p.constants(fn)) > 0 {
			return true
		}
	}
	return false
}

// misses reports whether something in the functors has not been visited.
func (p *Program) misses() bool {
	for fn := range p.functors {
		for _, g := range p.from(fn) {
			for _, b := range g.Blocks {
				if !p.visited[b] {
					return true
				}
			}
		}
	}
	return false
}
