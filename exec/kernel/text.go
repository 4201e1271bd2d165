package kernel

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// A Text is a kernel in the language of a device. There is one for each kernel: devices remember by its
// address what they have made of it.
//
// The parameters of an entry have 64 bits each: numbers extended to that, the bits of floats, 1 for true,
// addresses in the memory of the device. The first are
//
//	              which index an item has, see [Text.Index]
//	first, last   the items to run, first <= k < last; in a reduction they begin and end with leaves
//	status        the address of 64 bits, all set before, and behind them the address of 64 bits that are 0
//
// in a reduction, and where the functor gets rows,
//
//	leaf          items of a leaf of the reduction tree, a power of two
//
// in a reduction
//
//	lanes         of a leaf, a power of two
//	done          the address of 32 bits that are 0, and are 0 again behind the launch
//
// and, for each number of an accumulator,
//
//	out, root, identity, op   out[k/leaf] has room for the value of the leaf of item k, and root is to be that of all; see [Join].
//	                          If lanes are left apart, out[k/leaf*lanes + k%lanes] has room for the value of the lane of item k
//
// in a pass of a scan, which takes a thread for each leaf,
//
//	leaf, sums, identity, final   sums[k/leaf] has room for the sum of the leaf of item first+k, of 4 or 8 bytes. The pass that
//	                              is not final leaves it there, and the final one begins with the prefix that is there
//
// and then come the scalars and the memories of a [Call]. The number of threads is a multiple of 32: at least
// one for each item, and any number for a reduction. An item that the functor would panic in makes the status the minimum of it
// and k<<16 + n, where Stops[n] tells why, in one atomic operation, sets the bits behind it to another number than 0, and
// does no more. A row is its first item.
type Text struct {
	Source       Source
	Form         int // [TextForm] when it was written
	Entry        string
	PTX          string   // a module in the language of NVIDIA's devices
	Strides      bool     // a thread of Entry goes on to the items that are as many behind as there are threads: any number of these will do
	Plain        string   // an entry for boxes of one tile with less than 2³¹ points, see [Call.IsPlain] and [Text.PlainBlocks]; or ""
	Rank         int      // coordinates of an index, 2 to 6; 0 if it is an integer
	Rows         *Rows    // of a functor that gets rows, or nil
	Lanes        string   // of teams: an entry as Entry, for members of several vector lanes, each of which is a thread; "" of others
	Scan         bool     // of a scan: Entry runs a pass of it, a leaf in a thread
	Join         string   // of teams with accumulators of numbers: an entry that joins their values, see [Text.Shape]
	Room         int      // of teams: words that a block needs for each member, and 2 more
	Accumulators []string // their types, such as "float64"; of a type with a name the type that it is; of a struct or an array "float64 bool", in the order of memory
	Stops        []string // why an item fails: "solver.go:41:9: index out of range"
	Scalars      []string // their names, for messages: "a", "len(x)"
	Memories     []TextMemory
}

// Shape returns the parameters of teams, which follow status:
//
//	before                how many teams are in front of team 0
//	league, size          teams of the league, and members of a team
//	d0, d1, d2            members of a team in each dimension
//	vector                vector lanes of a member
//	team, member, all     bytes of scratch memory of level 0: of a team, of a member, and of both together
//	team, member, all     the same of level 1
//	far                   the address of the scratch memory of level 1, in which blocks have parts one behind the other
//
// A text with accumulators has more parameters, of the reduction tree:
//
//	leaf, lanes           items of a leaf, and its lanes
//
// and for each number of an accumulator out, identity and op: out[k-first] has room for the value of team k. If members are left apart,
// out[(k-first)*size + r] has room for the value of member r. Teams of one member join
// straight into lanes. A block is a lane then, and out has room for the lanes of all leaves. The entry Join has the parameters
// first, last, leaf, lanes and done of a reduction. Each accumulator has the address of its value for team or lane 0 in front of
// its own parameters.
//
// A block runs one team at a time, with a thread for each lane of each member. Its shared memory has the scratch memory of
// level 0, and behind that Room words for each member.
func (t *Text) Shape(s space.TeamShape, before int, far uint64) []uint64 {
	p := []int{before, s.League, s.Size, s.Dims[0], s.Dims[1], s.Dims[2], s.Vector}
	for level, b := range s.Scratch {
		p = append(p, b.Team, b.Member, s.Bytes(level))
	}
	out := make([]uint64, 0, len(p)+1)
	for _, n := range p {
		out = append(out, uint64(n))
	}
	return append(out, far)
}

// TextForm is which parameters entries have: those of another form were written for another version of this package.
const TextForm = 5

// Rows are how a functor that gets rows runs on a device.
type Rows struct {
	// Points is an entry that runs each point as a row of its own, so that threads beside each other load elements
	// beside each other; "" if rounds of the functor's loop depend on each other. It may be launched where the
	// memories of each pair in Apart, by number, have nothing in common, and no scalar in Steps is 0.
	Points string
	Apart  [][2]int
	Steps  []int
}

// A TextMemory is a memory that a kernel loads from.
type TextMemory struct {
	Name   string // of the parameter of the constructor
	Array  bool   // the functor has a copy of its own, on the host, which devices copy
	Stored bool   // the kernel stores there
}

// A Call is a text, and what the functor has captured.
type Call struct {
	Text     *Text
	Scalars  []uint64
	Memories []CallMemory
	Left     *Call // of a functor that gets rows: for boxes whose first dimension varies fastest
}

// A CallMemory is where a memory of a [Text] is. What is in no memory of a device is on the host.
type CallMemory struct {
	At    unsafe.Pointer // of the first element
	Bytes int            // of an array; of a view whose text has [Rows], from its first element to its last
	In    device.Memory  // of a view
	View  fmt.Stringer   // for messages
}

// Check returns an error if the call is not what its text wants, or if a memory is not in that of a device:
// what it cannot touch, such as a slice, is named by the parameter that it was given as. A view without
// elements may be anywhere.
func (c *Call) Check(in device.Memory) error {
	t := c.Text
	if t == nil || t.Entry == "" || t.PTX == "" || len(c.Memories) != len(t.Memories) || t.Scalars != nil && len(c.Scalars) != len(t.Scalars) {
		return fmt.Errorf("kernel: a call of %d scalars and %d memories, expected what its text has: %+v", len(c.Scalars), len(c.Memories), t)
	}
	if t.Form != TextForm {
		return fmt.Errorf("kernel: the text of %s (%s:%d) has the form %d, expected %d: run gokkosc again, of this version of gokkos", t.Source.Name, t.Source.File, t.Source.Line, t.Form, TextForm)
	}
	for k, m := range c.Memories {
		switch of := t.Memories[k]; {
		case of.Array:
		case m.In == nil:
			return fmt.Errorf("the parameter %s of %s (%s:%d) is a slice, whose memory is the host's; expected a view in the memory of %v: views.MirrorCopy copies one there", of.Name, t.Source.Name, t.Source.File, t.Source.Line, in)
		case m.At == nil:
			if v, ok := m.View.(interface{ Len() int }); ok && v.Len() > 0 {
				return fmt.Errorf("the parameter %s of %s (%s:%d) is the view %v, whose memory was freed", of.Name, t.Source.Name, t.Source.File, t.Source.Line, m.View)
			}
		case m.In != in:
			return fmt.Errorf("the parameter %s of %s (%s:%d) is the view %v in the memory of %v, expected one in that of %v; views.MirrorCopy or views.DeepCopy copies it", of.Name, t.Source.Name, t.Source.File, t.Source.Line, m.View, m.In, in)
		}
	}
	return nil
}

// ByPoints reports whether a call of a functor that gets rows may run each point as a row of its own, see [Rows].
func (c *Call) ByPoints() bool {
	r := c.Text.Rows
	if r == nil || r.Points == "" {
		return false
	}
	for _, pair := range r.Apart {
		if c.Memories[pair[0]].overlaps(&c.Memories[pair[1]]) {
			return false
		}
	}
	for _, n := range r.Steps {
		if c.Scalars[n] == 0 {
			return false
		}
	}
	return true
}

// warp is the number of threads that run together.
const warp = 32

// A block of an entry Plain has so many threads, each warp of which has a row of its own, and runs up to so many neighbours
// of it. Warps have rows that lie next to each other, as what a point loads of the rows beside it is then in the cache.
const (
	PlainThreads = 8 * warp
	PlainItems   = 4 * warp
)

// IsPlain reports whether a launch with these parameters of the index, see [Text.Index], may run the entry Plain: the box is
// one tile, whose rows have at least 64 points, and go along the last dimension unless the functor gets rows.
func (c *Call) IsPlain(index []uint64) bool {
	t := c.Text
	if t.Plain == "" || index[0] != boxPlain || t.innermost(index) < PlainItems/2 {
		return false
	}
	return t.Rows == nil && index[1] == 0 || t.Rows != nil && c.ByPoints()
}

// PlainBlocks returns how many blocks run the items first to last-1 by the entry Plain, each of which has parts of some rows.
func (t *Text) PlainBlocks(index []uint64, first, last int) int {
	if first >= last {
		return 0
	}
	row := t.innermost(index)
	begin := int(index[3])
	rows := (begin+last-1)/row - (begin+first)/row + 1
	return ((rows-1)/(PlainThreads/warp) + 1) * ((row-1)/PlainItems + 1)
}

// innermost returns how many points a row of a box has, along the dimension that varies fastest.
func (t *Text) innermost(index []uint64) int { return int(index[len(index)-3]) }

// overlaps reports whether two memories have bytes in common.
func (m *CallMemory) overlaps(other *CallMemory) bool {
	a, b := uintptr(m.At), uintptr(other.At)
	return m.In == other.In && a < b+uintptr(other.Bytes) && b < a+uintptr(m.Bytes)
}

// AttachPTX attaches a text to a functor, as [Attach] attaches a loop. call is asked at each launch on a
// device. It may return nil: the functor then has no text for what it has captured.
func AttachPTX[R, F any](from Source, functor func(k *R) F, call func(k *R) *Call) {
	if functor == nil || call == nil {
		panic(fmt.Sprintf("kernel: a text attached to %s of a %v, expected two functions", from.Name, reflect.TypeFor[R]()))
	}
	if from.Version != Version {
		warn(from)
		return
	}
	device.AttachCode("ptx", functor, func(k *R) any {
		if c := call(k); c != nil {
			return c
		}
		return nil
	})
}
