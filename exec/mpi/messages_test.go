package mpi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
)

// atom is an element with padding.
type atom struct {
	Charge int8
	At     [3]float64
}

// value is the element number i of what rank k sends.
func value(k, i int) atom {
	return atom{int8(k), [3]float64{float64(i), float64(k) + .25, float64(i * k)}}
}

// onDevice is a memory that the host cannot touch.
var onDevice = exec.NewSimGPU(gpu.H200())

// shapes makes views with the extents [3, 4] with each layout, and in another memory, and has
// what becomes of the elements around them.
var shapes = map[string]func() (views.View[atom], func() error){
	"right": func() (views.View[atom], func() error) {
		return views.Must(views.New[atom]("a", []int{3, 4})), nil
	},
	"left": func() (views.View[atom], func() error) {
		return views.Must(views.New[atom]("a", []int{3, 4}, views.Left)), nil
	},
	"part": func() (views.View[atom], func() error) {
		all := views.Must(views.New[atom]("all", []int{7, 9}))
		part := views.Must(all.Sub(views.Range(1, 7).By(2), views.Range(2, 6)))
		return part, func() error {
			rest := 0
			for at, x := range all.All() {
				if (at[0]%2 == 0 || at[1] < 2 || at[1] >= 6) && x != (atom{}) {
					rest++
				}
			}
			if rest > 0 {
				return fmt.Errorf("%d elements around the view have changed", rest)
			}
			return nil
		}
	},
	"device": func() (views.View[atom], func() error) {
		return views.Must(views.NewIn[atom](views.MemoryOf(onDevice), "a", []int{3, 4})), nil
	},
}

// filled is a view with the elements of rank k.
func filled(shape string, k int) views.View[atom] {
	h := views.Must(views.New[atom]("filled", []int{3, 4}))
	x, _ := h.Slice()
	for i := range x {
		x[i] = value(k, i)
	}
	v, _ := shapes[shape]()
	exec.Must(views.DeepCopy(v, h))
	return v
}

// same is an error if v has not the elements of rank k, the first n of them.
func same(what string, v views.View[atom], k int) error {
	h := views.Must(views.New[atom]("same", v.Extents()))
	if err := views.DeepCopy(h, v); err != nil {
		return err
	}
	x, _ := h.Slice()
	for i := range x {
		if x[i] != value(k, i) {
			return fmt.Errorf("%s: element %d is %v, expected %v", what, i, x[i], value(k, i))
		}
	}
	return nil
}

// pairsOfShapes calls f with a source and an empty destination of each two shapes.
func pairsOfShapes(f func(what string, from string, to views.View[atom]) error) error {
	for _, from := range []string{"right", "left", "part", "device"} {
		for _, to := range []string{"right", "left", "part", "device"} {
			v, around := shapes[to]()
			what := from + " to " + to
			if err := f(what, from, v); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			if around != nil {
				if err := around(); err != nil {
					return fmt.Errorf("%s: %w", what, err)
				}
			}
		}
	}
	return nil
}

// messages are the cases that all ranks run, in one process and in several.
var messages = []struct {
	name string
	run  func(c *Comm) error
}{
	{"send and receive", sendAndReceive},
	{"sendrecv", sendrecv},
	{"probe", probe},
	{"requests", requests},
	{"contexts", contexts},
	{"unpacked", unpacked},
	{"mapped", mapped},
	{"lengths", lengths},
	{"bcast", bcast},
	{"gather", gather},
	{"scatter", scatter},
	{"alltoall", alltoall},
	{"columns", columns},
	{"no elements", noElements},
	{"split", split},
	{"arguments", wrongArguments},
}

func allMessages(c *Comm) error {
	for _, m := range messages {
		if err := cmp.Or(m.run(c), c.Barrier()); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

func TestMessages(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4, 7} {
		require.NoError(t, Local(ranks, allMessages), ranks)
	}
}

func around(c *Comm) (next, before int) {
	return (c.Rank() + 1) % c.Size(), (c.Rank() + c.Size() - 1) % c.Size()
}

func sendAndReceive(c *Comm) error {
	next, before := around(c)
	return pairsOfShapes(func(what, from string, to views.View[atom]) error {
		r, err := Irecv(c, before, 4, to)
		if err != nil {
			return err
		}
		if err := Send(c, next, 4, filled(from, c.Rank())); err != nil {
			return err
		}
		s, err := r.Wait()
		if err != nil {
			return err
		}
		if want := (Status{before, 4, 12 * 32}); s != want {
			return fmt.Errorf("%+v, expected %+v", s, want)
		}
		if done, again, err := r.Test(); !done || again != s || err != nil {
			return fmt.Errorf("Test after Wait: %v %v %v", done, again, err)
		}
		return same(what, to, before)
	})
}

func sendrecv(c *Comm) error {
	next, before := around(c)
	return pairsOfShapes(func(what, from string, to views.View[atom]) error {
		s, err := Sendrecv(c, next, filled(from, c.Rank()), before, to, 5)
		if err != nil {
			return err
		}
		if want := (Status{before, 5, 12 * 32}); s != want {
			return fmt.Errorf("%+v, expected %+v", s, want)
		}
		return same(what, to, before)
	})
}

// probe: a view is made for a message of unknown length.
func probe(c *Comm) error {
	next, before := around(c)
	x := make([]int32, 10+c.Rank())
	for i := range x {
		x[i] = int32(i * c.Rank())
	}
	out, err := Isend(c, next, 6, views.Must(views.Of1("x", x)))
	if err != nil {
		return err
	}
	s, err := Probe(c, AnySource, AnyTag)
	if err != nil {
		return err
	}
	y := make([]int32, s.Bytes/4)
	if _, err := Recv(c, s.Source, s.Tag, views.Must(views.Of1("y", y))); err != nil {
		return err
	}
	if len(y) != 10+before || y[9] != int32(9*before) {
		return fmt.Errorf("%v of rank %d", y, before)
	}
	sent, err := out.Wait()
	if sent.Bytes != 4*len(x) {
		return fmt.Errorf("%d bytes sent, expected %d", sent.Bytes, 4*len(x))
	}
	return err
}

// requests: all to all, and the views are what they are to be once WaitAll returns.
func requests(c *Comm) error {
	var open []*Request
	var in []views.View[atom]
	names := []string{"right", "left", "part", "device"}
	for k := range c.Size() {
		v, _ := shapes[names[k%4]]()
		r, err := Irecv(c, k, 7, v)
		if err != nil {
			return err
		}
		in, open = append(in, v), append(open, r, nil)
	}
	for k := range c.Size() {
		r, err := Isend(c, k, 7, filled(names[(k+c.Rank())%4], c.Rank()))
		if err != nil {
			return err
		}
		open = append(open, r)
	}
	if err := WaitAll(open); err != nil {
		return err
	}
	for k, v := range in {
		if err := same(fmt.Sprint("from rank ", k), v, k); err != nil {
			return err
		}
	}
	return nil
}

// contexts: a receive that nobody sends to ends with its context, and leaves the view as it was.
func contexts(c *Comm) error {
	why := errors.New("lunch")
	next, before := around(c)
	for _, name := range []string{"right", "part"} {
		v := filled(name, 3)
		ctx, cancel := context.WithCancelCause(context.Background())
		go func() {
			time.Sleep(2 * time.Millisecond)
			cancel(why)
		}()
		_, err := Recv(c, before, 8, v, policy.Launch{}.WithContext(ctx))
		if !errors.Is(err, why) || err.Error() != "mpi: cancelled: lunch" {
			return fmt.Errorf("Recv: %v", err)
		}
		if err := same("not received", v, 3); err != nil {
			return err
		}
		_, err = Recv(c, before, 8, v, policy.Launch{}.WithContext(ctx))
		_, err2 := Isend(c, next, 8, v, policy.Launch{}.WithContext(ctx))
		for _, err := range []error{err, err2, Send(c, next, 8, v, policy.Launch{}.WithContext(ctx))} {
			if !errors.Is(err, why) {
				return fmt.Errorf("a context that was done before: %v", err)
			}
		}
		r, err := Irecv(c, before, 8, v)
		if err != nil {
			return err
		}
		for range 2 {
			if _, err := r.Wait(policy.Launch{}.WithContext(ctx)); !errors.Is(err, why) {
				return fmt.Errorf("Wait: %v", err)
			}
		}
		if err := c.Barrier(); err != nil {
			return err
		}
		// A context that is not done changes nothing, and no message was lost.
		out, err := Isend(c, next, 8, filled("right", c.Rank()))
		if err != nil {
			return err
		}
		if _, err := Recv(c, before, 8, v, policy.Launch{}.WithContext(mayEnd)); err != nil {
			return err
		}
		if _, err := out.Wait(policy.Launch{}.WithContext(mayEnd)); err != nil {
			return err
		}
		if err := same("received", v, before); err != nil {
			return err
		}
	}
	return nil
}

// unpacked: a message that has come is all there, whatever becomes of the context.
func unpacked(c *Comm) error {
	next, before := around(c)
	for _, name := range []string{"right", "part"} {
		v, _ := shapes[name]()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		r, err := Irecv(c, before, 8, v, policy.Launch{}.WithContext(ctx))
		if err != nil {
			return err
		}
		cancel()
		if err := Send(c, next, 8, filled(name, c.Rank())); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		if err := same("received", v, before); err != nil {
			return err
		}
		// Others wait for what a collective packs.
		if err := Bcast(c, v, 0, policy.Launch{}.WithContext(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// mapped: what is sent may be in a file that is mapped, which is no memory of Go.
func mapped(c *Comm) error {
	next, before := around(c)
	dir, err := os.MkdirTemp("", "mapped")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "x.npy")
	if err := npy.WriteFile(path, []int{3}, []int64{1, 2, int64(c.Rank())}); err != nil {
		return err
	}
	m, err := npy.Map[int64](path)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := Isend(c, next, 3, m.View())
	if err != nil {
		return err
	}
	y := views.Must(views.New1[int64]("y", 3))
	if _, err := Recv(c, before, 3, y); err != nil {
		return err
	}
	if y.At(1) != 2 || y.At(2) != int64(before) {
		return fmt.Errorf("%v", y.Row())
	}
	_, err = r.Wait()
	return err
}

var mayEnd, _ = context.WithCancel(context.Background())

// lengths: a message of another length is an error, and the next one arrives.
func lengths(c *Comm) error {
	next, before := around(c)
	for _, sent := range []int{11, 13} {
		r, err := Isend(c, next, 9, views.Must(views.New1[int64]("x", sent)))
		if err != nil {
			return err
		}
		_, err = Recv(c, before, 9, views.Must(views.New1[int64]("y", 12)))
		want := fmt.Sprintf(`mpi: Recv into "y" [12]: a message of 88 bytes from rank %d with tag 9, expected 96 bytes`, before)
		if sent == 11 && (err == nil || err.Error() != want) || sent == 13 && !errors.Is(err, link.ErrTruncate) {
			return fmt.Errorf("%d elements into 12: %v", sent, err)
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
	}
	return nil
}

func bcast(c *Comm) error {
	return pairsOfShapes(func(what, from string, to views.View[atom]) error {
		for root := range c.Size() {
			v := to
			if c.Rank() == root {
				v = filled(from, root)
			}
			if err := cmp.Or(Bcast(c, v, root), same(what, v, root)); err != nil {
				return err
			}
		}
		return nil
	})
}

// stacked is a view with a row of extents [3, 4] for each rank, in a layout.
func stacked(c *Comm, shape string) views.View[atom] {
	switch extents := []int{c.Size(), 3, 4}; shape {
	case "left":
		return views.Must(views.New[atom]("stack", extents, views.Left))
	case "part":
		all := views.Must(views.New[atom]("all", []int{c.Size() + 1, 5, 6}))
		return views.Must(all.Sub(views.Range(1, c.Size()+1), views.Range(1, 4), views.Range(2, 6)))
	case "device":
		return views.Must(views.NewIn[atom](views.MemoryOf(onDevice), "stack", extents))
	default:
		return views.Must(views.New[atom]("stack", extents))
	}
}

// row is what a stack has of rank k.
func row(v views.View[atom], k int) views.View[atom] {
	return views.Must(v.Sub(views.Index(k), views.All(), views.All()))
}

func gather(c *Comm) error {
	return pairsOfShapes(func(what, from string, to views.View[atom]) error {
		for root := -1; root < c.Size(); root++ {
			all := stacked(c, []string{"right", "left", "part", "device"}[(root+1)%4])
			var err error
			if root < 0 {
				err = Allgather(c, all, filled(from, c.Rank()))
			} else if c.Rank() == root {
				err = Gather(c, all, filled(from, c.Rank()), root)
			} else {
				err = Gather(c, nil, filled(from, c.Rank()), root)
			}
			if err != nil {
				return err
			}
			for k := range c.Size() {
				if root < 0 || c.Rank() == root {
					if err := same(what, row(all, k), k); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

func scatter(c *Comm) error {
	return pairsOfShapes(func(what, from string, to views.View[atom]) error {
		for root := range c.Size() {
			if c.Rank() != root {
				if err := Scatter(c, to, nil, root); err != nil {
					return err
				}
			} else {
				all := stacked(c, from)
				for k := range c.Size() {
					if err := views.DeepCopy(row(all, k), filled("right", k)); err != nil {
						return err
					}
				}
				if err := Scatter(c, to, all, root); err != nil {
					return err
				}
			}
			if err := same(what, to, c.Rank()); err != nil {
				return err
			}
		}
		return nil
	})
}

func alltoall(c *Comm) error {
	for _, from := range []string{"right", "left", "part", "device"} {
		for _, to := range []string{"right", "left", "part", "device"} {
			src, dst := stacked(c, from), stacked(c, to)
			for k := range c.Size() {
				if err := views.DeepCopy(row(src, k), filled("right", 10*c.Rank()+k)); err != nil {
					return err
				}
			}
			if err := Alltoall(c, dst, src); err != nil {
				return err
			}
			for k := range c.Size() {
				if err := same(from+" to "+to, row(dst, k), 10*k+c.Rank()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// columns: views whose elements take turns in memory have none in common.
func columns(c *Comm) error {
	next, before := around(c)
	two := views.Must(views.New2[float64]("two", 5, 2))
	for i := range 5 {
		two.Set(i, 0, float64(10*c.Rank()+i))
	}
	x, y := views.Must(two.Sub(views.All(), views.Index(0))), views.Must(two.Sub(views.All(), views.Index(1)))
	if _, err := Sendrecv(c, next, x, before, y, 2); err != nil {
		return err
	}
	for i := range 5 {
		if two.At(i, 1) != float64(10*before+i) || two.At(i, 0) != float64(10*c.Rank()+i) {
			return fmt.Errorf("row %d has %v and %v", i, two.At(i, 0), two.At(i, 1))
		}
	}
	return nil
}

func noElements(c *Comm) error {
	next, before := around(c)
	none := views.Must(views.New[float64]("none", []int{0, 4}))
	stack := views.Must(views.New[float64]("stack", []int{c.Size(), 0, 4}, views.Left))
	var zero views.View[float64]
	_, err := Sendrecv(c, next, none, before, none, 1)
	_, err2 := Sendrecv(c, next, zero, before, zero, 1)
	return cmp.Or(err, err2, Bcast(c, none, 0), Gather(c, stack, none, 0), Allgather(c, stack, none), Scatter(c, none, stack, 0), Alltoall(c, stack, stack))
}

// split: parts of the ranks launch and send by themselves.
func split(c *Comm) error {
	part, err := c.Split(c.Rank()%2, -c.Rank())
	if err != nil {
		return err
	}
	x := views.Must(views.New[int]("x", nil))
	x.Set(nil, c.Rank())
	all := views.Must(views.New1[int]("all", part.Size()))
	if err := Allgather(part, all, x); err != nil {
		return err
	}
	var want []int
	for k := c.Size() - 1; k >= 0; k-- {
		if k%2 == c.Rank()%2 {
			want = append(want, k)
		}
	}
	if !slices.Equal(all.Row(), want) {
		return fmt.Errorf("part %v, expected %v", all.Row(), want)
	}
	none, err := c.Split(NoColor, 0)
	if none != nil || err != nil {
		return fmt.Errorf("without a color: %v %v", none, err)
	}
	return part.Close()
}

func wrongArguments(c *Comm) error {
	n, name := c.Size(), c.Name()
	v, text := views.Must(views.New1[float64]("v", 4)), views.Must(views.New1[string]("text", 4))
	deep := views.Must(views.New1[struct {
		A [2]struct{ B *int }
	}]("deep", 1))
	_, recv := Recv(c, n, 0, v)
	_, irecv := Irecv(c, 0, -2, v)
	_, isend := Isend(c, -1, 0, v)
	_, probed := Probe(c, -2, 0)
	_, both := Sendrecv(c, n, v, 0, v, 0)
	_, color := c.Split(-2, 0)
	_, nothing := Recv[float64](c, 0, 0, nil)
	most, least := math.MaxInt32, math.MinInt32 // variables, as an int of 32 bits holds no constant beyond
	_, wide := c.Split(most+1, 0)
	_, far := c.Split(0, least-1)
	_, itself := Sendrecv(c, 0, v, 0, v, 0)
	stack := views.Must(views.New2[float64]("stack", n, 4))
	mine := views.Must(stack.Sub(views.Index(c.Rank()), views.All()))
	square := views.Must(views.New2[float64]("square", n, n))
	turned := square.Transpose()
	var none *Comm
	_, part := none.Split(0, 0)
	for _, e := range []struct {
		err  error
		want string
	}{
		{Send(c, n, 0, v), fmt.Sprintf("mpi: Send to rank %d of %d of %s", n, n, name)},
		{Send(c, 0, MaxTag+1, v), "mpi: Send to rank 0 with tag 32768, expected 0 to 32767"},
		{Send(nil, 0, 0, v), "mpi: Send to rank 0 of a nil communicator"},
		{Send(c, 0, 0, text), `mpi: Send of "text" [4], whose elements of type string refer to memory of this process: string`},
		{Send(c, 0, 0, deep), `mpi: Send of "deep" [1], whose elements of type struct { A [2]struct { B *int } } refer to memory of this process: *int`},
		{nothing, "mpi: Recv of a nil view"},
		{recv, fmt.Sprintf("mpi: Recv from rank %d of %d of %s", n, n, name)},
		{irecv, "mpi: Recv from rank 0 with tag -2, expected 0 to 32767"},
		{isend, fmt.Sprintf("mpi: Isend to rank -1 of %d of %s", n, name)},
		{probed, fmt.Sprintf("mpi: Probe of rank -2 of %d of %s", n, name)},
		{both, fmt.Sprintf("mpi: Sendrecv to rank %d of %d of %s", n, n, name)},
		{color, fmt.Sprintf("mpi: Split of %s with color -2, expected 0 to 2147483647, or NoColor", name)},
		{wide, fmt.Sprintf("mpi: Split of %s with color 2147483648, expected 0 to 2147483647, or NoColor", name)},
		{far, fmt.Sprintf("mpi: Split of %s with key -2147483649, expected -2147483648 to 2147483647", name)},
		{part, "mpi: Split of a nil communicator"},
		{none.Close(), "mpi: Close of a nil communicator"},
		{none.Barrier(), "mpi: Barrier of a nil communicator"},
		{Allgather(none, stack, v), "mpi: Allgather of a nil communicator"},
		{Alltoall(none, stack, stack), "mpi: Alltoall of a nil communicator"},
		{Allreduce(none, 1, builtin.Sum(new(int))), "mpi: Allreduce of a nil communicator"},
		{itself, `mpi: Sendrecv with "v" [4] and "v" [4], which have elements in common`},
		{Allgather(c, stack, mine), fmt.Sprintf(`mpi: Allgather with "stack" [4] and "stack" [%d 4], which have elements in common`, n)},
		{Gather(c, stack, mine, c.Rank()), fmt.Sprintf(`mpi: Gather with "stack" [4] and "stack" [%d 4], which have elements in common`, n)},
		{Scatter(c, mine, stack, c.Rank()), fmt.Sprintf(`mpi: Scatter with "stack" [4] and "stack" [%d 4], which have elements in common`, n)},
		{Alltoall(c, square, turned), fmt.Sprintf(`mpi: Alltoall with "square" [%d %d] and "square" [%d %d], which have elements in common`, n, n, n, n)},
		{Bcast(c, v, n), fmt.Sprintf("mpi: Bcast from rank %d of %d of %s", n, n, name)},
		{Gather(c, v, v, c.Rank()), fmt.Sprintf(`mpi: Gather with "v" [4] of all ranks and "v" [4] of one, expected extents [%d 4], one row for each rank`, n)},
		{Allgather(c, v, v), fmt.Sprintf(`mpi: Allgather with "v" [4] of all ranks and "v" [4] of one, expected extents [%d 4], one row for each rank`, n)},
		{Scatter(c, v, v, c.Rank()), fmt.Sprintf(`mpi: Scatter with "v" [4] of all ranks and "v" [4] of one, expected extents [%d 4], one row for each rank`, n)},
		{Alltoall(c, views.Must(views.New1[float64]("w", n+1)), views.Must(views.New1[float64]("w", n+1))), fmt.Sprintf(`mpi: Alltoall with "w" [%d], expected a first extent of %d, one row for each rank`, n+1, n)},
		{Alltoall(c, views.Must(views.New2[float64]("x", n, 2)), views.Must(views.New2[float64]("y", n, 3))), fmt.Sprintf(`mpi: Alltoall of "y" [%d 3] into "x" [%d 2], expected equal extents`, n, n)},
		{c.Close(), "link: Close of the world, expected a communicator of Split or Dup"},
	} {
		if e.err == nil || e.err.Error() != e.want {
			return fmt.Errorf("%v, expected %q", e.err, e.want)
		}
	}
	return nil
}

// Init and Finalize without a launcher: a world of one rank, once.
func TestInitAlone(t *testing.T) {
	require.EqualError(t, Finalize(), "mpi: Finalize without Init")
	c, err := Init()
	require.NoError(t, err)
	assert.Equal(t, [2]int{0, 1}, [2]int{c.Rank(), c.Size()})
	require.NoError(t, allMessages(c))
	_, err = Init()
	require.EqualError(t, err, "mpi: Init was called before, expected one call in a process")
	require.NoError(t, Finalize())
	require.EqualError(t, Finalize(), "mpi: Finalize was called before")
}
