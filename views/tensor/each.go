package tensor

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/watch"
)

// each is a function of one value, which is called for many; its loop may be compiled, see package kernel.
type each[T, V any] struct {
	f    func(T) V
	code kernel.Map[T, V] // or nil
}

func eachOf[T, V any](f func(T) V) each[T, V] {
	if f == nil {
		return each[T, V]{}
	}
	code, _ := kernel.Of(f).(kernel.Map[T, V])
	return each[T, V]{f, code}
}

// aloneValues is how many values the function is called for at least where its loop has stopped: one that
// stops at each value then costs a call for so many.
const aloneValues = 32

// set sets dst[k] to the value of src[k], for all k.
func (e each[T, V]) set(dst []V, src []T) {
	for e.code != nil && !watch.On && len(src) > 0 { // a launch that is watched must see what functions do
		done := e.code.Map(dst, src)
		if done < 0 || done > len(src) {
			panic(fmt.Errorf("tensor: the loop of %v was given %d values and returned %d, expected 0 to %d", device.Functor{Func: e.f}, len(src), done, len(src)))
		}
		to := min(done+aloneValues, len(src))
		e.call(dst[done:to], src[done:to])
		dst, src = dst[to:], src[to:]
	}
	e.call(dst, src)
}

func (e each[T, V]) call(dst []V, src []T) {
	for k, x := range src {
		dst[k] = e.f(x)
	}
}
