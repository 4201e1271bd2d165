package launch

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
)

// protect marks the result places of a launch as memory that functors must not touch.
func protect(columns []Column) {
	for _, c := range columns {
		reduce.EachRegion([]any{c.Place()}, func(begin, end uintptr) { watch.Result(begin, end-begin) })
		v := reflect.ValueOf(c.Place())
		if v.Kind() != reflect.Pointer || v.IsNil() {
			continue
		}
		if e := v.Elem(); e.Kind() == reflect.Slice && e.Len() > 0 {
			watch.Result(e.Pointer(), uintptr(e.Len())*e.Type().Elem().Size())
		}
	}
}
