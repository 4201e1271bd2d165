package exec

import (
	"cmp"
	"fmt"
	"os"
	"reflect"
	"slices"
	"unsafe"

	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
)

// A space that watches gets functors that say which item runs. What they then do is seen by
// package watch.

// watchedByDefault says that each SimGPU watches its kernels.
var watchedByDefault = os.Getenv("GOKKOS_SIMGPU") == "check"

// watches reports whether a launch on a space is to be watched. One inside of a thread that is
// watched is a part of that thread.
func watches(on Space) bool {
	if on == nil && watchedByDefault {
		on, _ = Default() // the launch returns the error
	}
	s, ok := on.(*SimGPU)
	return ok && s.invalid() == nil && s.checks && watch.Possible && !watch.Inside()
}

// beginItem says that the functor is called for an item.
func beginItem[I any](i *I) {
	watch.Item(unsafe.Pointer(i), unsafe.Sizeof(*i), itemText[I])
}

// itemText returns an index as text.
func itemText[I any](p unsafe.Pointer) string {
	switch i := any(*(*I)(p)).(type) {
	case policy.Span:
		return fmt.Sprintf("items %d to %d", i.Begin, i.End-1)
	default:
		return fmt.Sprintf("item %v", i)
	}
}

// own says that an accumulator belongs to the item that runs, with all that it refers to.
func own[A any](acc *A) { watch.OwnAll(reflect.ValueOf(acc)) }

func watchedFor[I any](f func(i I)) func(i I) {
	return func(i I) {
		beginItem(&i)
		f(i)
		watch.Leave()
	}
}

func watchedReduce[I, A any](f func(i I, a *A)) func(i I, a *A) {
	return func(i I, a *A) {
		beginItem(&i)
		own(a)
		f(i, a)
		watch.Leave()
	}
}

func watchedReduce2[I, A, B any](f func(i I, a *A, b *B)) func(i I, a *A, b *B) {
	return func(i I, a *A, b *B) {
		beginItem(&i)
		own(a)
		own(b)
		f(i, a, b)
		watch.Leave()
	}
}

func watchedReduce3[I, A, B, C any](f func(i I, a *A, b *B, c *C)) func(i I, a *A, b *B, c *C) {
	return func(i I, a *A, b *B, c *C) {
		beginItem(&i)
		own(a)
		own(b)
		own(c)
		f(i, a, b, c)
		watch.Leave()
	}
}

func watchedReduce4[I, A, B, C, D any](f func(i I, a *A, b *B, c *C, d *D)) func(i I, a *A, b *B, c *C, d *D) {
	return func(i I, a *A, b *B, c *C, d *D) {
		beginItem(&i)
		own(a)
		own(b)
		own(c)
		own(d)
		f(i, a, b, c, d)
		watch.Leave()
	}
}

func watchedScan[I, A any](f func(i I, acc *A, final bool)) func(i I, acc *A, final bool) {
	return func(i I, acc *A, final bool) {
		beginItem(&i)
		own(acc)
		if !final {
			watch.ReadOnly()
		}
		f(i, acc, final)
		watch.Leave()
	}
}

func watchedLanes[L interface{ begin() }](f func(l L)) func(l L) {
	return func(l L) {
		l.begin()
		f(l)
		watch.Leave()
	}
}

// protect says of the result places of a launch that functors may not touch them.
func protect(columns []column) {
	for _, c := range columns {
		v := reflect.ValueOf(c.Place())
		if v.Kind() != reflect.Pointer || v.IsNil() {
			continue
		}
		watch.Result(v.Pointer(), v.Type().Elem().Size())
		if e := v.Elem(); e.Kind() == reflect.Slice && e.Len() > 0 {
			watch.Result(e.Pointer(), uintptr(e.Len())*e.Type().Elem().Size())
		}
	}
}

// maxFindings is how many an error tells of.
const maxFindings = 20

// findingsOf returns what was found in a launch, or nil.
func findingsOf(found []*watch.Finding, r *gpu.Report) error {
	if len(found) == 0 {
		return nil
	}
	e := &findings.Error{Launch: fmt.Sprintf("a launch on %s, schedule %d", r.Device, r.Seed)}
	if r.Label != "" {
		e.Launch = fmt.Sprintf("launch %q on %s, schedule %d", r.Label, r.Device, r.Seed)
	}
	slices.SortStableFunc(found, func(a, b *watch.Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Now.File, b.Now.File), cmp.Compare(a.Now.Line, b.Now.Line), cmp.Compare(a.Before.File, b.Before.File), cmp.Compare(a.Before.Line, b.Before.Line))
	})
	for _, f := range found {
		switch last := len(e.Findings) - 1; {
		case last >= 0 && sameLines(e.Findings[last], f):
			e.Findings[last].Count += f.Count
		case last+1 == maxFindings:
			e.More++
		default:
			e.Findings = append(e.Findings, findingOf(f))
		}
	}
	return e
}

// sameLines reports whether f is at the lines of a finding: x[i]++ reads and writes.
func sameLines(a findings.Finding, f *watch.Finding) bool {
	return a.Err == kinds[f.Kind] && a.Now.File == f.Now.File && a.Now.Line == f.Now.Line && a.Before.File == f.Before.File && a.Before.Line == f.Before.Line
}

// kinds are what findings of package watch are, by their kind.
var kinds = [...]error{watch.Race: findings.ErrRace, watch.Uninitialised: findings.ErrUninitialised, watch.OwnResult: findings.ErrResult, watch.WriteInSums: findings.ErrScan}

func findingOf(f *watch.Finding) findings.Finding {
	first := f.Pairs[0]
	c := findings.Finding{Err: kinds[f.Kind], Now: accessOf(f.Now, first.Now), Count: f.Count}
	if f.Kind == watch.Race {
		c.Before = accessOf(f.Before, first.Before)
	}
	for _, p := range f.Pairs[1:] {
		other := threadText(p.Now)
		if f.Kind == watch.Race {
			other += " and " + threadText(p.Before)
		}
		c.Others = append(c.Others, other)
	}
	return c
}

func accessOf(a watch.Access, by watch.Thread) findings.Access {
	does := "reads"
	switch {
	case a.Atomic:
		does = "updates"
	case a.Write:
		does = "writes"
	}
	return findings.Access{By: threadText(by), Does: does, File: a.File, Line: a.Line, Function: a.Function}
}

func threadText(t watch.Thread) string {
	switch {
	case t.Team < 0:
		return t.Item
	case t.Vector >= 0:
		return fmt.Sprintf("team %d, member %d, vector lane %d", t.Team, t.Member, t.Vector)
	}
	return fmt.Sprintf("team %d, member %d", t.Team, t.Member)
}
