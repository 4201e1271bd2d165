package tensor

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/nest"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// An Output is where results go, and what is done to the accumulators, of type A, before.
// It is made by [Into] or [IntoMap].
type Output[A any] struct {
	to          target[A]
	alpha, beta float64
}

// Into returns the output that writes the accumulators as they are.
//
// The extents of v are those of the dimensions that are not reduced, or those of all
// dimensions with 1 for the reduced ones. Its layout is any, and so is its memory.
func Into[A any](v views.Viewer[A]) Output[A] {
	return IntoMap(v, func(acc A, _ int) A { return acc })
}

// IntoMap returns the output that writes f(acc, n) for an accumulator and the number of
// elements that it stands for; see [Into].
func IntoMap[A, O any](v views.Viewer[O], f func(acc A, n int) O) Output[A] {
	return Output[A]{&place[A, O]{v, f}, 1, 0}
}

// Scaled returns the output that writes alpha·result + beta·old, where old is what the
// view holds before. If beta is 0, it is not read.
//
// Floats, Float16 and BFloat16 are computed in float64 and rounded to their type, complex
// numbers in complex128. Integers wrap; their alpha and beta must be integers. It is an
// error of [Reduce] if they are not, or if the elements are no numbers.
func (o Output[A]) Scaled(alpha, beta float64) Output[A] {
	o.alpha, o.beta = alpha, beta
	return o
}

// A target is an Output with the type of its elements hidden.
type target[A any] interface {
	// open checks the target, and appends room for the results to a list.
	open(s *shape, list []results[A], alpha, beta float64) ([]results[A], error)
}

// results are the results of one output, before they are written.
type results[A any] interface {
	writer
	// put makes f(acc, n) of the accumulators results number k, k+step, ... .
	put(k, step int, accs []A, n int)
	// release ends the use of the results.
	release()
}

// A writer writes the results of one output.
type writer interface {
	region() memory.Region
	String() string
	write(space exec.Space) error
}

type place[A, O any] struct {
	to views.Viewer[O]
	f  func(acc A, n int) O
}

func (p *place[A, O]) open(s *shape, list []results[A], alpha, beta float64) ([]results[A], error) {
	switch {
	case p.to == nil:
		return nil, fmt.Errorf("tensor: the output is a nil view of %T", *new(O))
	case p.f == nil:
		return nil, errors.New("tensor: IntoMap was given a nil function")
	}
	list, b := taken[buffer[A, O]](list)
	b.to = views.As(p.to)
	v, view := &b.to, any(&b.to) // without a copy of it on the heap
	if err := s.checkOutput(v); err != nil {
		return nil, err
	}
	if !b.known {
		b.known, b.pointers = true, memory.PointerIn(reflect.TypeFor[O]()) != nil
	}
	b.f, b.results = p.f, reuse.Resize(b.results, s.outputs)
	b.elements, b.at = memory.Elements[O](view), memory.Located(view) // only launches touch it
	if alpha == 1 && beta == 0 {
		return list, nil
	}
	var err error
	if b.scale, err = scaler(reflect.TypeFor[O](), alpha, beta); err != nil {
		return nil, fmt.Errorf("tensor: output %v: %w", v, err)
	}
	if beta != 0 {
		err = b.read(b.to)
	}
	return list, err
}

// output is a view of results, whatever these are.
type output interface {
	Rank() int
	Len() int
	Extent(d int) int
}

// checkOutput returns an error if results cannot go to a view.
func (s *shape) checkOutput(v output) error {
	if memory.Freed(v) {
		return fmt.Errorf("tensor: the output of %s is %v, whose memory was freed", s.name, v)
	}
	if s.takes(v.Rank(), v.Extent) && v.Len() == s.outputs {
		return nil
	}
	kept, full := s.results()
	want := fmt.Sprint(kept)
	if len(full) > len(kept) {
		want += fmt.Sprintf(" or %v", full)
	}
	return fmt.Errorf("tensor: the output of %s is %v, expected extents %s", s.name, v, want)
}

// read makes the old content what there is in a view, or in a mirror of it if the host can
// never touch it.
func (b *buffer[A, O]) read(v views.View[O]) (err error) {
	if memory.Far(v.MemorySpace()) {
		if v, err = views.MirrorCopy[O](views.Host, v); err != nil {
			return err
		}
	}
	b.old, b.places = memory.Elements[O](v), nest.Loops{}
	for d, n := range v.Extents() {
		b.places.Push(n, v.Stride(d), 0)
	}
	return nil
}

// buffer keeps results until all are known.
type buffer[A, O any] struct {
	to       views.View[O]
	elements []O // of to
	at       memory.Region
	f        func(acc A, n int) O
	results  []O
	known    bool       // pointers is
	pointers bool       // results refer to memory elsewhere
	scale    scale      // nil if results are written as they are
	none     O          // stands for old content that is not read
	old      direct[O]  // nil if it is not read
	places   nest.Loops // of the old content, if that is read
}

func (b *buffer[A, O]) put(k, step int, accs []A, n int) {
	f, results := b.f, b.results
	for j := range accs {
		results[k+j*step] = f(accs[j], n)
	}
	if b.scale == nil {
		return
	}
	for ; len(accs) > 0; accs = accs[1:] {
		old := &b.none
		if b.old != nil {
			at, _ := b.places.At(k)
			old = &b.old[at]
		}
		b.scale(unsafe.Pointer(&results[k]), unsafe.Pointer(old))
		k += step
	}
}

func (b *buffer[A, O]) region() memory.Region { return b.at }

func (b *buffer[A, O]) String() string { return b.to.String() }

// write copies the results to their place. A space that was closed meanwhile must not
// keep some of the outputs from being written.
func (b *buffer[A, O]) write(space exec.Space) error {
	if len(b.results) < leastUnit && b.to.MemorySpace() == views.Host {
		b.writeHere()
		return nil
	}
	from, err := views.Of("results of "+b.to.Label(), b.results, b.to.Extents())
	if err == nil && views.DeepCopy(b.to, from, policy.On(space)) != nil {
		err = views.DeepCopy(b.to, from, policy.On(exec.Serial{}))
	}
	return err
}

// writeHere is write for results that are not worth a launch.
func (b *buffer[A, O]) writeHere() {
	to := b.elements
	if b.to.Rank() == 1 { // without the loops, which are more work than a few results
		stride := b.to.Stride(0)
		for k, y := range b.results {
			to[k*stride] = y
		}
		return
	}
	x := nest.Loops{Items: len(b.results)}
	for d := range b.to.Rank() {
		x.Push(b.to.Extent(d), b.to.Stride(d), 0)
	}
	x = x.Merged()
	_, stride, _ := x.Inner()
	from := b.results
	for r := x.Rows(0, x.Items); r.Next(); from = from[r.N:] {
		for k, y := range from[:r.N] {
			to[r.A+k*stride] = y
		}
	}
}
