package kernel

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
)

type scale struct {
	x []float64
	f func(int)
}

func (k *scale) at(i int)       { k.x[i] *= 2 }
func (k *scale) again(i int)    { k.x[i] *= 2 }
func (k *scale) stale(i int)    { k.x[i] *= 2 }
func (k *scale) vectors(i int)  { k.x[i] *= 2 }
func (k *scale) nowhere(i int)  { k.x[i] *= 2 }
func (k *scale) sometimes(int)  {}
func (k *scale) sum(int, *int8) {}

type (
	scaleGo     scale
	scaleAVX2   scale
	scaleAVX512 scale
	sumGo       scale
)

func (k *scaleGo) Span(begin, end int) int     { return end }
func (k *scaleAVX2) Span(begin, end int) int   { return end }
func (k *scaleAVX512) Span(begin, end int) int { return end }

func (k *sumGo) Span(begin, end, item int, a []int8) int { return end }

func source(version int) Source {
	return Source{Name: "example.com/solver.scale", File: "solver.go", Line: 12, Version: version}
}

func goLoop(k *scale) For     { return (*scaleGo)(k) }
func avx2Loop(k *scale) For   { return (*scaleAVX2)(k) }
func avx512Loop(k *scale) For { return (*scaleAVX512)(k) }

// A loop is that of the highest level in use, of the functor and of its receiver.
func TestLevels(t *testing.T) {
	Attach(AVX2, source(Version), func(k *scale) func(int) { return k.at }, avx2Loop)
	Attach(Go, source(Version), func(k *scale) func(int) { return k.at }, goLoop)
	Attach(AVX2, source(Version), func(k *scale) func(int) { return k.vectors }, avx2Loop)
	Attach(AVX512, source(Version), func(k *scale) func(int) { return k.at }, avx512Loop)
	Attach(Go, source(Version), func(k *scale) func(int) { return k.sometimes }, func(k *scale) For {
		if k.x == nil {
			return nil
		}
		return (*scaleGo)(k)
	})
	Attach(Go, source(Version), func(k *scale) func(int, *int8) { return k.sum }, func(k *scale) Reduce[int8] { return (*sumGo)(k) })
	k, other := &scale{x: []float64{1}}, &scale{}
	most, undo := Limit(levels)
	defer undo()
	if most == Closure {
		assert.False(t, possible)
		assert.Nil(t, Of(k.at))
		return
	}
	assert.Equal(t, simd.InUse() >= simd.AVX2, most >= AVX2)
	assert.Equal(t, simd.InUse() >= simd.AVX512, most == AVX512)
	for _, level := range []Level{-1, Closure, Go, AVX2, AVX512, AVX512 + 1} {
		func() {
			use, undo := Limit(level)
			defer undo()
			assert.Equal(t, min(max(level, Closure), most), use)
			assert.Equal(t, use >= AVX2, simd.InUse() >= simd.AVX2, "folds at %v", level)
			switch use {
			case Closure:
				assert.Nil(t, Of(k.at))
				assert.Nil(t, Of(k.sum))
			case Go:
				assert.Same(t, (*scaleGo)(k), Of(k.at))
				assert.Same(t, (*scaleGo)(other), Of(other.at))
				assert.Nil(t, Of(k.vectors), "no loop of a lower level")
				assert.Same(t, (*sumGo)(k), Of(k.sum))
			case AVX2:
				assert.Same(t, (*scaleAVX2)(k), Of(k.at))
				assert.Same(t, (*scaleAVX2)(k), Of(k.vectors))
				assert.Same(t, (*sumGo)(k), Of(k.sum), "of a lower level")
			case AVX512:
				assert.Same(t, (*scaleAVX512)(k), Of(k.at))
				assert.Same(t, (*scaleAVX2)(k), Of(k.vectors), "of a lower level")
				assert.Same(t, (*sumGo)(k), Of(k.sum), "of a lower level")
			}
			assert.Nil(t, Of(k.nowhere))
			assert.Nil(t, Of(other.sometimes))
			assert.Nil(t, Of(func(i int) { k.at(i) }))
		}()
	}
	assert.NotNil(t, Of(k.sometimes))
	_, undoFolds := simd.Limit(simd.AVX2)
	assert.Same(t, (*scaleAVX2)(k), Of(k.at), "AVX-512 is off")
	undoFolds()
	_, undoFolds = simd.Limit(simd.None)
	assert.Same(t, (*scaleGo)(k), Of(k.at), "vector instructions are off")
	undoFolds()
	assert.Same(t, (*scaleGo)(k), device.Functor{Func: k.at}.Code("go"))
}

// Loops of another version are left out, with a line for each package.
func TestStale(t *testing.T) {
	var out strings.Builder
	stale.to = &out
	defer func() { stale.to, stale.packages = nil, nil }()
	k := &scale{}
	for range 2 {
		Attach(Go, source(Version+1), func(k *scale) func(int) { return k.stale }, goLoop)
	}
	assert.Nil(t, Of(k.stale))
	const line = "gokkos: the generated kernels of package example.com/solver, such as scale (solver.go:12), are of version %d, expected %d: they run as closures; go generate example.com/solver makes them anew\n"
	assert.Equal(t, fmt.Sprintf(line, Version+1, Version), out.String())
	out.Reset()
	Attach(Go, Source{Name: "main.scale", File: "main.go", Line: 3}, func(k *scale) func(int) { return k.stale }, goLoop)
	assert.Equal(t, 1, strings.Count(out.String(), "\n"))
	assert.Contains(t, out.String(), "package main, such as scale (main.go:3), are of version 0")
	out.Reset()
	Attach(Go, Source{Name: "scale"}, func(k *scale) func(int) { return k.stale }, goLoop)
	assert.Contains(t, out.String(), "such as scale (:0)")
}

func TestAttachMistakes(t *testing.T) {
	functor := func(k *scale) func(int) { return k.again }
	Attach(Go, source(Version), functor, goLoop)
	for says, attach := range map[string]func(){
		"a loop of the level closure attached to example.com/solver.scale of a kernel.scale, expected the level go, avx2 or avx512": func() { Attach(Closure, source(Version), functor, goLoop) },
		"the level Level(4)":               func() { Attach(AVX512+1, source(Version), functor, goLoop) },
		"the level Level(-1)":              func() { Attach(-1, source(Version), functor, goLoop) },
		"and two functions":                func() { Attach[scale, func(int), For](Go, source(Version), functor, nil) },
		"level go attached":                func() { Attach[scale, func(int), For](Go, source(Version), nil, goLoop) },
		`AttachCode("go") to`:              func() { Attach(Go, source(Version), functor, goLoop) },
		"expected a function that returns": func() { Attach(AVX2, source(Version), func(k *scale) func(int) { return k.f }, goLoop) },
	} {
		func() {
			defer func() { assert.Contains(t, fmt.Sprint(recover()), says) }()
			attach()
		}()
	}
}

// A loop is attached to functors that it is the loop of.
func TestLoopsFitFunctors(t *testing.T) {
	type number int
	forms := map[reflect.Type]any{
		reflect.TypeFor[For]():                              func(int) {},
		reflect.TypeFor[ForRuns]():                          func(policy.Index2) {},
		reflect.TypeFor[Reduce[int8]]():                     func(int, *int8) {},
		reflect.TypeFor[Reduce[policy.Span]]():              func(int, *policy.Span) {},
		reflect.TypeFor[Reduce2[int, bool]]():               func(int, *int, *bool) {},
		reflect.TypeFor[ReduceRuns[[3]float32]]():           func(policy.Row[policy.Index2], *[3]float32) {},
		reflect.TypeFor[ReduceRuns4[int, int8, int, int]](): func(policy.Index3, *int, *int8, *int, *int) {},
		reflect.TypeFor[Scan[int8]]():                       func(int, *int8, bool) {},
		reflect.TypeFor[Values[policy.Span]]():              func(int) policy.Span { return policy.Span{} },
		reflect.TypeFor[ValuesRuns[int]]():                  func(policy.Index2) int { return 0 },
		reflect.TypeFor[Map[float64, float32]]():            func(float64) float32 { return 0 },
	}
	for loop := range forms {
		for of, f := range forms {
			assert.Equal(t, of == loop, fits(reflect.TypeOf(f), loop), "%v and %T", loop, f)
		}
	}
	assert.True(t, fits(reflect.TypeFor[func(int, *int)](), reflect.TypeFor[ReduceLeaves[int]]()))
	assert.True(t, fits(reflect.TypeFor[func(policy.Index3)](), reflect.TypeFor[ForPlanes]()))
	assert.True(t, fits(reflect.TypeFor[func(int) int](), reflect.TypeFor[Map[int, int]]()))
	for _, wrong := range []struct {
		functor any
		loop    reflect.Type
	}{
		{func(number) {}, reflect.TypeFor[For]()}, {func(int) {}, reflect.TypeFor[interface{}]()},
		{func(int, *float64) {}, reflect.TypeFor[Reduce[float32]]()}, {func(int, float64) {}, reflect.TypeFor[Reduce[float64]]()},
		{func(int, ...*int) {}, reflect.TypeFor[Reduce[*int]]()}, {func(int, *int) int { return 0 }, reflect.TypeFor[Values[int]]()},
		{func(int) (int, int) { return 0, 0 }, reflect.TypeFor[Values[int]]()}, {func() {}, reflect.TypeFor[For]()},
		{func(string) {}, reflect.TypeFor[For]()}, {0, reflect.TypeFor[For]()},
		{func(int, *int, bool) {}, reflect.TypeFor[Reduce[int]]()}, {func(policy.Index2, *int, bool) {}, reflect.TypeFor[Scan[int]]()}, {func(int, *int, *bool) {}, reflect.TypeFor[Scan[int]]()},
	} {
		assert.False(t, fits(reflect.TypeOf(wrong.functor), wrong.loop), "%v and %T", wrong.loop, wrong.functor)
	}
}
