package front

import (
	"go/types"
	"strings"
)

const (
	viewsPath  = "github.com/gokkos/gokkos/views"
	kmathPath  = "github.com/gokkos/gokkos/exec/kernel/kmath"
	policyPath = "github.com/gokkos/gokkos/policy"
	teamPath   = "github.com/gokkos/gokkos/team"
	execPath   = "github.com/gokkos/gokkos/exec"
	memoryPath = "github.com/gokkos/gokkos/internal/memory"

	randomPath  = "github.com/gokkos/gokkos/views/random"
	drawPath    = "github.com/gokkos/gokkos/views/random/draw" // functions that package random calls
	builtinPath = "github.com/gokkos/gokkos/builtin"
	crsPath     = "github.com/gokkos/gokkos/views/crs"
	atomicsPath = "github.com/gokkos/gokkos/views/atomics"
	scatterPath = "github.com/gokkos/gokkos/views/scatter"
)

// isNamed reports whether a type has a name and is declared in a package.
func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

// isOf reports whether a package declares a type, or the generic type behind it, under a name.
func isOf(t *types.Named, path, name string) bool {
	o := t.Obj()
	return o.Pkg() != nil && o.Pkg().Path() == path && o.Name() == name
}

// viewRank returns the rank of a typed view, and 0 of a view whose rank its type does not say.
func viewRank(t types.Type) (rank int, ok bool) {
	n, isNamed := types.Unalias(t).(*types.Named)
	if !isNamed || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != viewsPath {
		return 0, false
	}
	name := n.Obj().Name()
	for _, kind := range []string{"View", "Strided"} {
		if digit, found := strings.CutPrefix(name, kind); found && len(digit) == 1 && digit[0] >= '1' && digit[0] <= '4' {
			return int(digit[0] - '0'), true
		}
	}
	return 0, name == "View"
}

// isMember reports whether a type is *team.Member.
func isMember(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && isNamed(p.Elem(), teamPath, "Member")
}

// rankOf returns how many coordinates a point has, 0 if a type is none.
func rankOf(t types.Type) int {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != teamPath {
		return 0
	}
	digit, found := strings.CutPrefix(named.Obj().Name(), "Index")
	if !found || len(digit) != 1 || digit[0] < '2' || digit[0] > '6' {
		return 0
	}
	return int(digit[0] - '0')
}

// isIndex reports whether a type is an index of a box.
func isIndex(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == teamPath && strings.HasPrefix(n.Obj().Name(), "Index")
}

func fullName(o *types.Func) string {
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Path() + "." + funcKey(o)
}

// funcKey names a function or method within its package.
func funcKey(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := recv.Type()
	star := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return star + n.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}
