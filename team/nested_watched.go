package team

import (
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
)

// A vectorLoop says which vector lane of a member has an item, where the launch is watched. Lanes
// take items in turn. It is nil where there are none.
type vectorLoop struct{ lanes, item int }

// beginVector begins a loop over items of r, in a function that calls the functor and has a
// variable at here.
func beginVector[I any](r *Range[I], here unsafe.Pointer) *vectorLoop {
	if !r.m.run.settings.Watched || r.level == overThreads || r.m.run.shape.Vector == 1 || !watch.BeginVector(here) {
		return nil
	}
	return &vectorLoop{lanes: r.m.run.shape.Vector}
}

// next says that the functor is called for the next item.
func (l *vectorLoop) next() {
	watch.Vector(l.item % l.lanes)
	l.item++
}

func (l *vectorLoop) end() {
	if l != nil {
		watch.EndVector()
	}
}

// own says that an accumulator belongs to the lane that runs.
func own[A any](acc *A) {
	watch.Own(unsafe.Pointer(acc), unsafe.Sizeof(*acc))
	if !reduce.IsFlat[A]() {
		watch.OwnAll(reflect.ValueOf(acc))
	}
}

// beginSums says that the member runs a functor whose scan is not final, which may write to acc only.
// It reports false where nothing is watched.
func beginSums[A any](m *Member, acc *A) bool {
	if !m.run.settings.Watched {
		return false
	}
	own(acc)
	watch.ReadOnly()
	return true
}

func watchedFor[I any](l *vectorLoop, f func(i I)) func(i I) {
	return func(i I) { l.next(); f(i) }
}

func watchedReduce[I, A any](l *vectorLoop, f func(i I, a *A)) func(i I, a *A) {
	return func(i I, a *A) { l.next(); own(a); f(i, a) }
}

func watchedScan[I, A any](l *vectorLoop, f func(i I, acc *A, final bool)) func(i I, acc *A, final bool) {
	return func(i I, acc *A, final bool) { l.next(); own(acc); f(i, acc, final) }
}
