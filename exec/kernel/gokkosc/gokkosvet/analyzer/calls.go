package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

const (
	channel = "a functor uses a channel, which a device has not"
	lock    = "a functor waits for a lock: a device has none, and nothing in a launch that is watched is ordered by it"
)

// portable looks at statements that devices do not have.
func (f *functor) portable(n ast.Node) {
	if f.host {
		return
	}
	switch n := n.(type) {
	case *ast.GoStmt:
		f.report(n, "a functor starts a goroutine, which a device cannot")
	case *ast.SendStmt, *ast.SelectStmt:
		f.report(n, channel)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			f.report(n, channel)
		}
	}
}

// receives looks at a loop over a channel.
func (f *functor) receives(n *ast.RangeStmt) {
	if t := f.pass.TypesInfo.TypeOf(n.X); t != nil && !f.host {
		if _, is := t.Underlying().(*types.Chan); is {
			f.report(n, channel)
		}
	}
}

// calls looks at a call in the functor.
func (f *functor) calls(call *ast.CallExpr) {
	if f.builtin(call) == "close" && !f.host {
		f.report(call, channel)
	}
	c := f.callee(call)
	if c == nil || c.Pkg() == nil {
		return
	}
	path, name := c.Pkg().Path(), c.Name()
	switch {
	case path == "sync" && slices.Contains([]string{"Lock", "RLock", "TryLock", "TryRLock", "Wait", "Do"}, name) && !f.host:
		f.report(call, lock)
	case path == "time" && c.Signature().Recv() == nil && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTicker", "NewTimer", "Tick"}, name) && !f.host:
		f.report(call, fmt.Sprintf("a functor uses time.%s: its result is not a function of its input", name))
	case (path == "math/rand" || path == "math/rand/v2") && c.Signature().Recv() == nil && !strings.HasPrefix(name, "New"):
		f.report(call, "a functor uses the random numbers of the process: views/random has numbers by seed and place")
	}
}
