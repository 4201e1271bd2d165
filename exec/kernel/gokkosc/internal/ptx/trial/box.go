package trial

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/space/device"
)

// CheckBox is [Kernel.Check] of a launch over a box. The items of the case are the points of the box, from
// number First on. Rows begin with their first point and end at the end of their leaf. Each entry that a
// space may choose is run.
func (k *Kernel) CheckBox(params func() []any, b device.Box, c Case) (stopped bool, err error) {
	o := newOrder(b, k.IR.Index.Row, c)
	args, err := interp.Bind(k.IR, params()...)
	if err != nil {
		return false, err
	}
	want := &outcome{args: args, status: none}
	k.reduce(c, want, func(item int, lanes interp.Lanes) bool {
		n := o.lengths[item]
		return n == 0 || interp.Run{At: o.points[b.First+item], Len: n}.Do(k.IR, args, item, lanes) == n
	})
	text := kernel.Text{Rank: k.IR.Index.Rank}
	index, err := text.Index(&b)
	if err != nil {
		return false, err
	}
	for _, way := range k.ways(text, index, params(), c) {
		got, err := k.device(params(), c, way)
		if err != nil {
			return false, fmt.Errorf("%s, %+v, %+v: %w\n%s", way.entry, b, c, err, k.Code.Text)
		}
		torn := k.Code.Torn || way.points && k.IR.Index.Row
		if way.points && got.status != none { // a point of a row
			got.status = uint64(o.begins(int(got.status)))
		}
		if err := k.compare("PTX", got, want, c, torn); err != nil {
			return false, fmt.Errorf("%s, %+v, %+v: %w\n%s\n%s", way.entry, b, c, err, k.IR, k.Code.Text)
		}
	}
	return want.status != none, nil
}

// ways returns how a space may launch a kernel over a box.
func (k *Kernel) ways(text kernel.Text, index []uint64, params []any, c Case) []way {
	blocks := (max(c.Items-c.First, 1)-1)/c.Threads + 1
	if len(k.IR.Accs) > 0 {
		blocks = c.Blocks
	}
	all := []way{{k.Code.Entry, index, blocks, c.Threads, false}}
	points := k.Code.Points != ""
	if args, err := interp.Bind(k.Code.IR, params...); err == nil {
		points = points && !slices.ContainsFunc(k.Code.Steps, func(n int) bool { return args.Scalars()[n] == 0 })
	}
	if points {
		all = append(all, way{k.Code.Points, index, blocks, c.Threads, true})
	}
	plain := index[0] == 0 && (points || !k.IR.Index.Row && index[1] == 0)
	if blocks := text.PlainBlocks(index, c.First, c.Items); k.Code.Plain != "" && plain && blocks > 0 {
		all = append(all, way{k.Code.Plain, index, blocks, kernel.PlainThreads, k.IR.Index.Row})
	}
	return all
}

// An order is the order of the items of a box.
type order struct {
	points  [][]int // by number
	lengths []int   // of the row that an item begins, 0 of others; 1 of points
}

func newOrder(b device.Box, rows bool, c Case) *order {
	o := &order{}
	walk(b.Extent, b.Tile, b.LeftTiles, func(tile []int) {
		length := make([]int, len(tile))
		ones := make([]int, len(tile))
		for d := range tile {
			length[d], ones[d] = min(b.Tile[d], b.Extent[d]-tile[d]), 1
		}
		walk(length, ones, b.LeftPoints, func(at []int) {
			point := make([]int, len(at))
			for d := range at {
				point[d] = b.Lower[d] + tile[d] + at[d]
			}
			o.points = append(o.points, point)
		})
	})
	o.lengths = make([]int, max(c.Items, 0))
	along := len(b.Extent) - 1
	if b.LeftPoints {
		along = 0
	}
	for item := c.First; item < c.Items; item++ {
		o.lengths[item] = 1
		for rows && item+1 < c.Items && (item+1)%c.Leaf != 0 && follows(o.points[b.First+item], o.points[b.First+item+1], along, b) {
			item++
			o.lengths[o.begins(item)]++
		}
	}
	return o
}

// follows reports whether a point is behind another one in a row of a tile.
func follows(x, y []int, along int, b device.Box) bool {
	for d := range x {
		if d != along && x[d] != y[d] || d == along && (y[d] != x[d]+1 || (y[d]-b.Lower[d])%b.Tile[d] == 0) {
			return false
		}
	}
	return true
}

// begins returns the item that is the row of a point.
func (o *order) begins(item int) int {
	for o.lengths[item] == 0 {
		item--
	}
	return item
}

// walk calls f with the multiples of steps below extents, the first dimension varying fastest or the last one.
func walk(extents, steps []int, left bool, f func(at []int)) {
	at := make([]int, len(extents))
	var each func(n int)
	each = func(n int) {
		if n == len(at) {
			f(at)
			return
		}
		d := n
		if left {
			d = len(at) - 1 - n
		}
		for at[d] = 0; at[d] < extents[d]; at[d] += steps[d] {
			each(n + 1)
		}
	}
	each(0)
}
