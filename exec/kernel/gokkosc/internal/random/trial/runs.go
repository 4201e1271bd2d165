package trial

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/policy"
)

// Kernels whose index has several coordinates run a few runs. All runs go from Begin to End along one
// dimension, the last one or the first one. The runs of half of the cases are the rows of a plane.

// maxRuns is the greatest number of runs of a case.
const maxRuns = 8

// Left reports whether runs go along the first dimension.
func (c Case) Left() bool { return c.Seed&1 == 1 }

// runs returns the runs of a case, for points of a rank.
func (c Case) runs(rank int) (runs []policy.Run) {
	r := rand.New(rand.NewPCG(c.Seed, 13))
	dim := rank - 1
	if c.Left() {
		dim = 0
	}
	plane, count := r.IntN(2) == 0, 3
	if plane {
		count += r.IntN(maxRuns - 2)
	}
	for n := range count {
		run := policy.Run{Dim: dim, Len: c.End - c.Begin}
		for d := range rank {
			run.At[d] = r.IntN(5) - 1
		}
		run.At[dim] = c.Begin
		if plane && n > 0 && run.Len > 0 {
			run.At = runs[n-1].At
			run.At[outer(rank, dim)]++
		}
		if run.Len > 0 {
			runs = append(runs, run)
		}
	}
	return runs
}

// outer returns the dimension in which the rows of a plane differ.
func outer(rank, dim int) int {
	if dim == 0 {
		return 1
	}
	return rank - 2
}

// planes returns the planes that runs are.
func planes(runs []policy.Run, rank int) (list []policy.Plane) {
	for _, r := range runs {
		outer := outer(rank, r.Dim)
		if n := len(list) - 1; n >= 0 {
			last := &list[n]
			next := last.At
			next[outer] += last.Rows
			if r.At == next && r.Len == last.Len {
				last.Rows++
				continue
			}
		}
		list = append(list, policy.Plane{Run: r, Outer: outer, Rows: 1})
	}
	return list
}

// A walk is the items of runs: points, or whole runs where the functor takes rows.
type walk struct {
	runs []policy.Run
	rows bool
}

// indexed returns the rank of an index type, 0 of a number, and whether it is a row.
func indexed(t reflect.Type) (rank int, row bool) {
	if t.Kind() != reflect.Struct {
		return 0, false
	}
	if t.Field(0).Type.Kind() == reflect.Struct {
		return t.Field(0).Type.NumField(), true
	}
	return t.NumField(), false
}

// items returns the number of items.
func (w walk) items() (n int) {
	for _, r := range w.runs {
		if w.rows {
			n++
		} else {
			n += r.Len
		}
	}
	return n
}

// from returns the runs from an item on.
func (w walk) from(item int) (rest []policy.Run) {
	for _, r := range w.runs {
		size := r.Len
		if w.rows {
			size = 1
		}
		switch {
		case item >= size:
			item -= size
			continue
		case item > 0:
			r.At[r.Dim] += item
			r.Len -= item
			item = 0
		}
		rest = append(rest, r)
	}
	return rest
}

// upTo returns the runs up to an item.
func (w walk) upTo(item int) walk {
	var runs []policy.Run
	for _, r := range w.runs {
		size := r.Len
		if w.rows {
			size = 1
		} else {
			r.Len = min(r.Len, item)
		}
		if item > 0 {
			runs = append(runs, r)
		}
		item = max(item-size, 0)
	}
	return walk{runs, w.rows}
}

// index returns the first item of a run as the index that a functor gets.
func index(t reflect.Type, r policy.Run) reflect.Value {
	v := reflect.New(t).Elem()
	point := v
	if _, row := indexed(t); row {
		point = v.Field(0)
		v.Field(1).Set(reflect.ValueOf(policy.Span{Begin: r.At[r.Dim], End: r.At[r.Dim] + r.Len}))
	}
	for d := range point.NumField() {
		point.Field(d).SetInt(int64(r.At[d]))
	}
	return v
}

// call calls a functor for the first item of runs, which has that number.
func (c Case) call(f reflect.Value, lanes []reflect.Value, runs []policy.Run, number int) {
	in := []reflect.Value{index(f.Type().In(0), runs[0])}
	for _, l := range lanes {
		in = append(in, c.lanesAt(l, number).Index(number&(c.Lanes-1)).Addr())
	}
	f.Call(in)
}

// leaf returns the number of items of a leaf.
func (c Case) leaf() int { return c.Lanes << (c.Seed >> 1 % 4) }

// leaves returns how many leaves have lanes: one, or as many as all points that there may be are in.
func (c Case) leaves(points bool) int {
	if !points {
		return 1
	}
	return 2 + maxRuns*(c.Length+4)/c.leaf()
}

// lanesAt returns the lanes of the leaf of an item, and those behind in their array.
func (c Case) lanesAt(lanes reflect.Value, number int) reflect.Value {
	n := number/c.leaf() - c.Item/c.leaf()
	return lanes.Slice3(n*c.Lanes, (n+1)*c.Lanes, lanes.Len())
}

// number returns the number of an item: rows are all of lane 0.
func (c Case) number(w walk, item int) int {
	if w.rows {
		return c.Item &^ (c.leaf() - 1)
	}
	return c.Item + item
}

// closureRuns is closure for a functor of points or rows.
func (c Case) closureRuns(f reflect.Value, params []any, lanes []reflect.Value) (out string, next int) {
	w := c.walk(f)
	var message any
	func() {
		defer func() { message = recover() }()
		for end := w.items(); next < end; next++ {
			c.call(f, lanes, w.from(next), c.number(w, next))
		}
	}()
	return Outcome(next, message, params, lanes), next
}

func (c Case) walk(f reflect.Value) walk {
	return c.walkOf(indexed(f.Type().In(0)))
}

// walkOf returns the items of a case, for points or rows of a rank.
func (c Case) walkOf(rank int, row bool) walk {
	w := walk{c.runs(rank), row}
	if c.Most > 0 {
		w = w.upTo(c.Most - 1)
	}
	return w
}

// loopRuns is loop for a functor of points or rows.
func (c Case) loopRuns(f reflect.Value, params []any, lanes []reflect.Value) (out string, ok bool) {
	loop := kernel.Of(f.Interface())
	if loop == nil {
		return "", false
	}
	w := c.walk(f)
	next, message := 0, any(nil)
	func() {
		defer func() { message = recover() }()
		for end := w.items(); next < end; {
			if loop, ok := loop.(kernel.ForPlanes); ok {
				next += c.loopPlanes(loop, planes(w.from(next), f.Type().In(0).NumField()))
			}
			if next == end {
				break
			}
			runs := w.from(next)
			in := []reflect.Value{reflect.ValueOf(runs)}
			if len(lanes) > 0 {
				number := c.number(w, next)
				in = append(in, reflect.ValueOf(number), reflect.ValueOf(c.leaf()))
				for _, l := range lanes {
					in = append(in, c.lanesAt(l, number))
				}
			}
			got := reflect.ValueOf(loop).MethodByName("Runs").Call(in)
			done, items := int(got[0].Int()), int(got[1].Int())
			if done < 0 || done > len(runs) || done == len(runs) && items != 0 || done < len(runs) && (items < 0 || items >= runs[done].Len) || w.rows && items != 0 {
				panic(fmt.Sprintf("Runs of %d returned %d, %d", len(runs), done, items))
			}
			before := next
			next += (walk{runs[:done], w.rows}).items() + items
			if len(lanes) > 0 && next > before && c.number(w, next)%c.leaf() == 0 {
				continue // it has stopped in front of a leaf
			}
			if next < end {
				c.call(f, lanes, w.from(next), c.number(w, next))
				next++
			}
		}
	}()
	return Outcome(next, message, params, lanes), true
}

// loopPlanes returns the number of items of planes that a loop has run.
func (c Case) loopPlanes(loop kernel.ForPlanes, list []policy.Plane) (items int) {
	done, rows := loop.Planes(list)
	if done < 0 || done > len(list) || done == len(list) && rows != 0 || done < len(list) && (rows < 0 || rows >= list[done].Rows) {
		panic(fmt.Sprintf("Planes of %d returned %d, %d", len(list), done, rows))
	}
	for _, p := range list[:done] {
		items += p.Rows * p.Len
	}
	if rows > 0 {
		items += rows * list[done].Len
	}
	return items
}

// interpretRuns is the interpreter's part of [Case.Interpret] for a kernel of points or rows.
func (c Case) interpretRuns(k *ir.Kernel, args *interp.Args, bits interp.Lanes) (next int) {
	w := c.walkOf(k.Index.Rank, k.Index.Row)
	for next < w.items() {
		r := w.from(next)[0]
		number := c.number(w, next)
		if !w.rows {
			r.Len = min(r.Len, c.leaf()-number%c.leaf())
		}
		var lanes interp.Lanes // of the leaf
		for _, l := range bits {
			n := (number/c.leaf() - c.Item/c.leaf()) * c.Lanes
			lanes = append(lanes, l[n:n+c.Lanes])
		}
		done := interp.Run{At: r.At[:], Len: r.Len}.Do(k, args, number, lanes)
		switch {
		case done < r.Len:
			if !w.rows {
				next += done
			}
			return next
		case w.rows:
			next++
		default:
			next += done
		}
	}
	return next
}

// UpTo returns the case without the item that Interpret has returned for k, and without the items behind it.
func (c Case) UpTo(k *ir.Kernel, next int) Case {
	if k.Index.Rank > 0 || k.Scan {
		c.Most = next + 1
	} else {
		c.End = next
	}
	return c
}
