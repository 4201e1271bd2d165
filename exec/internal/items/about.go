package items

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// What others may ask of items: see ItemsOf.

// Tell says what the items of a functor are.
func (x *Items) Tell(a *launch.About, functor any) {
	a.Key = launch.CodeOf(functor)
	a.Functor, a.Items = functor, x
	if !x.Ordered {
		a.Order = x
	}
}

func (x *Items) PolicyName() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(fmt.Sprintf("%T", x.Points.Policy()), "*"), "[") // one may be told by its address
	return name
}

func (x *Items) AppendItems(buf []byte) []byte { return AppendPolicy(buf, x.Points.Policy()) }

// AppendPolicy appends what a policy says of itself: which index each item has, of the policies
// of package policy, and what others tell as a [fmt.Stringer].
func AppendPolicy(buf []byte, p any) []byte {
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

// IndexOf returns the index of an item of a policy of ours, or "": others may break their contract.
func (x *Items) IndexOf(item int) string {
	switch {
	case x.Plain:
		return strconv.Itoa(x.First + item)
	case !x.Kind.Ours:
		return ""
	case x.Kind.Row: // of which an item is one point
		var run [1]policy.Run
		if runs, ok := x.Points.Walks().(policy.Runs); ok {
			runs.NextRuns(item, item+1, run[:])
		}
		return launch.PointText(run[0].At[:x.Kind.Rank])
	}
	return launch.IndexText(reflect.ValueOf(x.Points.index(item)))
}

func (x *Items) Box() *space.Box { return boxOf(x.Points.Policy()) }

func boxOf(p any) *space.Box {
	if box, ok := policy.BoxOf(p); ok {
		return &box
	}
	return nil
}
