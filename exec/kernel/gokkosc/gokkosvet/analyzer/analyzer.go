// Package analyzer has the analyzer of gokkosvet.
package analyzer

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/internal/witness"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
)

const doc = `report mistakes in functors of gokkos

A functor is a function that is given to exec.ParallelFor and its kin, to exec.Map, exec.Fill,
views.FillFunc, or to a parallel algorithm of views/algorithms: a literal, a variable that holds
one, a function or a method of the package, or what a function of the package returns. It may reach the launch through
fields, variables and functions, of other packages, too. Reported are:

  - a variable around the functor that is written without a reducer or package atomics, and
    copy, clear and append over memory that all items share
  - writes to a map around it
  - a variable of a member that lanes of a vector range write
  - an accumulator that is kept beyond the call, assigned to without its old content, or used as data
  - a scan that writes and does not ask whether the pass is final
  - a barrier or a collective that only some members of a team reach
  - locks, channels, goroutines, the time, and the random numbers of the process
  - a join that loses values which are joined to zero, of a reducer without Init, or to what its Init sets
  - an error of a launch that is ignored
  - compiled kernels whose sources, or marks, have changed since
  - products of 32-bit integers in an index

Shared variables are not reported in launches on exec.Serial or of one item, nor what devices do not
have in launches on exec.Serial or exec.Goroutines.

Shared writes are found by running the functor for several items, members and lanes in made-up environments,
with the functions of the package that it calls, up to 200 calls deep. A report has a witness: two items that
write the same place, in the same statement or in two: x[i] and x[n-1-i]. A write is left alone behind an
atomic operation, under a lock, and where data or a function of another package decides who writes.
Two statements are left alone, too, behind any condition on data, and if one is reported by itself. So are two
that depend on sizes which the range does not have: x[i] and x[n-1-i] for i below half, which may be n/2.
Other sizes or data than the made-up ones may bring races that are not found.

With -gokkos.fused, products of floats that are added to something are reported: some processors
round them once, also where they have a name or come from a function of the package. With -fix, gokkosvet
writes float64(x*y) for them. With
-gokkos.unwatched, so are copy, clear and append to any memory around a functor, which a launch that is
watched does not see.

//gokkosvet:ignore with a reason, at the end of a line or on a line of its own above it, leaves the
line out; above the package clause, the file.`

// Analyzer reports mistakes in functors.
var Analyzer = &analysis.Analyzer{
	Name:     "gokkos",
	Doc:      doc,
	URL:      "https://pkg.go.dev/github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/analyzer",
	Requires: []*analysis.Analyzer{inspect.Analyzer, functors},
	Run:      run,
}

var fused, unwatched bool

func init() {
	Analyzer.Flags.BoolVar(&fused, "fused", false, "report products of floats that are added to something")
	Analyzer.Flags.BoolVar(&unwatched, "unwatched", false, "report copy, clear and append to memory around a functor")
}

func run(pass *analysis.Pass) (any, error) {
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	c := &checker{pass: pass, root: root, ignored: ignoredLines(pass), said: map[said]bool{}, looked: map[look]bool{}}
	c.program = witness.New(pass, passed(pass.ResultOf[functors].([]*find.Functor)))
	for at := range root.Preorder((*ast.CallExpr)(nil), (*ast.FuncDecl)(nil)) {
		switch n := at.Node().(type) {
		case *ast.FuncDecl:
			c.declared = append(c.declared, n)
			c.joinMethod(n)
		case *ast.CallExpr:
			c.ignoredError(at, n)
		}
	}
	c.reducers()
	c.functors()
	if fused {
		c.products()
	}
	c.stale()
	return nil, nil
}

// checker is the state of the analysis of one package.
type checker struct {
	pass     *analysis.Pass
	root     inspector.Cursor
	program  *witness.Program
	declared []*ast.FuncDecl
	looked   map[look]bool
	ignored  ignored
	said     map[said]bool
}

// said is a report: functors of several launches make the same ones.
type said struct {
	at   token.Pos
	text string
}

func (c *checker) report(at ast.Node, text string) { c.reportAt(at.Pos(), at.End(), text) }

func (c *checker) reportAt(at, end token.Pos, text string, fixes ...analysis.SuggestedFix) {
	s := said{at, text}
	if c.said[s] || c.ignored.has(c.pass.Fset.Position(at)) {
		return
	}
	c.said[s] = true
	c.pass.Report(analysis.Diagnostic{Pos: at, End: end, Message: text, SuggestedFixes: fixes})
}

// functors looks at the functors of the package, and reports what items write to the same place, as running
// them shows.
func (c *checker) functors() {
	r := witness.Reports{
		Race:    func(at token.Pos, text string) { c.reportAt(at, at, text) },
		Functor: c.functor,
	}
	if unwatched {
		r.Unseen = func(at token.Pos, name string) {
			c.reportAt(at, at, "a launch that is watched does not see what "+name+
				" does: write a loop, or see to it that items keep apart")
		}
	}
	c.program.Races(r)
}
