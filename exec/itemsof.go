package exec

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// What others may ask of items: see itemsOf.

// tell says what the items of a functor are.
func (x *items) tell(a *about, functor any) {
	a.key = codeOf(functor)
	a.functor, a.source, a.items = functor, a.key, x
	if !x.ordered {
		a.order = x
	}
}

func (x *items) policyName() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(fmt.Sprintf("%T", x.points.policy()), "*"), "[") // one may be told by its address
	return name
}

func (x *items) appendItems(buf []byte) []byte { return appendPolicy(buf, x.points.policy()) }

// appendPolicy appends what a policy says of itself: which index each item has, of the policies
// of package policy, and what others tell as a [fmt.Stringer].
func appendPolicy(buf []byte, p any) []byte {
	buf = append(buf, reflect.TypeOf(p).String()...)
	if box, ok := policy.BoxOf(p); ok {
		return appendBox(append(buf, ' '), box)
	}
	if s, ok := p.(fmt.Stringer); ok {
		return append(append(buf, ' '), s.String()...)
	}
	return buf
}

func appendBox(buf []byte, b space.Box) []byte {
	buf = appendList(append(buf, "{Lower:"...), b.Lower)
	buf = appendList(append(buf, " Extent:"...), b.Extent)
	buf = appendList(append(buf, " Tile:"...), b.Tile)
	buf = strconv.AppendBool(append(buf, " LeftTiles:"...), b.LeftTiles)
	buf = strconv.AppendBool(append(buf, " LeftPoints:"...), b.LeftPoints)
	return append(buf, '}')
}

func appendList(buf []byte, list []int) []byte {
	buf = append(buf, '[')
	for k, n := range list {
		if k > 0 {
			buf = append(buf, ' ')
		}
		buf = strconv.AppendInt(buf, int64(n), 10)
	}
	return append(buf, ']')
}

// indexOf returns the index of an item of a policy of ours, or "": others may break their contract.
func (x *items) indexOf(item int) string {
	switch {
	case x.plain:
		return strconv.Itoa(x.first + item)
	case !x.kind.ours:
		return ""
	case x.kind.row: // of which an item is one point
		var run [1]policy.Run
		if runs, ok := x.points.walks().(policy.Runs); ok {
			runs.NextRuns(item, item+1, run[:])
		}
		return pointText(run[0].At[:x.kind.rank])
	}
	return indexText(reflect.ValueOf(x.points.index(item)))
}

func (x *items) box() *space.Box { return boxOf(x.points.policy()) }

func boxOf(p any) *space.Box {
	if box, ok := policy.BoxOf(p); ok {
		return &box
	}
	return nil
}
