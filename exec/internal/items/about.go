package items

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// These methods answer for items, see launch.ItemsOf.

// Tell describes in a the items of a functor.
func (x *Items) Tell(a *launch.About, functor any) {
	a.Functor, a.Items = functor, x
	if !x.Ordered {
		a.Order = x
	}
}

func (x *Items) PolicyName() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(fmt.Sprintf("%T", x.Points.Policy()), "*"), "[") // P may be a pointer
	return name
}

func (x *Items) AppendItems(buf []byte) []byte { return AppendPolicy(buf, x.Points.Policy()) }

// AppendPolicy appends the type of a policy and what tells its indices apart: its box, if it is of package
// policy, or else its text as a [fmt.Stringer].
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

func appendBox(buf []byte, b device.Box) []byte {
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

// IndexOf returns the index of an item as text, or "" if the policy is not of package policy: other policies
// may break their contract.
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

func (x *Items) Box() *device.Box { return boxOf(x.Points.Policy()) }

func boxOf(p any) *device.Box {
	if box, ok := policy.BoxOf(p); ok {
		return &box
	}
	return nil
}
