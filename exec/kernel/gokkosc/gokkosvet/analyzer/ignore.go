package analyzer

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const directive = "//gokkosvet:ignore"

// ignored has the lines of files that have a directive. Line 0 stands for a whole file.
type ignored map[string]map[int]bool

func (i ignored) has(at token.Position) bool {
	lines := i[at.Filename]
	return lines[0] || lines[at.Line]
}

// ignoredLines returns the ignored lines of a package. It reports a directive without a reason.
func ignoredLines(pass *analysis.Pass) ignored {
	all := ignored{}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				reason, is := strings.CutPrefix(comment.Text, directive)
				if !is || reason != "" && !strings.HasPrefix(reason, " ") && !strings.HasPrefix(reason, "\t") {
					continue // the comment has a longer word than the directive
				}
				if strings.TrimSpace(reason) == "" {
					pass.Reportf(comment.Pos(), "%s without a reason", directive)
					continue
				}
				at := pass.Fset.Position(comment.Pos())
				if all[at.Filename] == nil {
					all[at.Filename] = map[int]bool{}
				}
				all[at.Filename][lineOf(pass, file, comment, at)] = true
			}
		}
	}
	return all
}

// lineOf returns the line to which a directive applies: the line of the directive, or the next line if the
// directive stands alone. Above the package clause it returns 0.
func lineOf(pass *analysis.Pass, file *ast.File, comment *ast.Comment, at token.Position) int {
	if comment.Pos() < file.Package {
		return 0
	}
	alone := true
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || !alone {
			return false
		}
		if _, isComment := n.(*ast.CommentGroup); isComment {
			return false
		}
		first, last := pass.Fset.Position(n.Pos()).Line, pass.Fset.Position(n.End()).Line
		if last < at.Line || first > at.Line {
			return n.Pos() <= comment.Pos() && n.End() >= comment.Pos()
		}
		if first == at.Line && n.Pos() < comment.Pos() || last == at.Line && n.End() <= comment.Pos() {
			alone = false
		}
		return alone
	})
	if alone {
		return at.Line + 1
	}
	return at.Line
}
