package reduce

import (
	"unsafe"

	"github.com/gokkos/gokkos/reducers/concept"
)

// valuesOf are the values of a reducer. They are all of a column that is compiled for each T.
type valuesOf[T any] struct {
	r       reducer[T]
	traits  concept.Traits[T]
	whole   laneJoiner[T] // r, if it joins all lanes in one call, or nil; see joinLanes
	rarely  bool          // lanes are joined rarely: few launches pay for the question
	asked   bool          // whole is known
	flat    bool
	unit    T // the identity, if flat
	initial T // the initial value, if asked for
	forms   concept.Form[T]
}

func (v *valuesOf[T]) make(n int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]T, n)))
}

func (v *valuesOf[T]) clear(first unsafe.Pointer, n int) { clear(unsafe.Slice((*T)(first), n)) }

func (v *valuesOf[T]) forget() { *v = valuesOf[T]{} }

func (v *valuesOf[T]) swap(a, b unsafe.Pointer) { *(*T)(a), *(*T)(b) = *(*T)(b), *(*T)(a) }

// open sets the identity, if there is one for all values, and the initial value.
func (v *valuesOf[T]) open(flat, rarely bool) {
	v.rarely = rarely
	if v.flat = flat; flat {
		v.r.Init(&v.unit)
	}
	if v.traits.Initial {
		Load(v.r, &v.traits, &v.initial)
	}
	if !v.rarely && !v.asked {
		v.whole, v.asked = joinerOf[T](v.r), true
	}
}

func (v *valuesOf[T]) identity(val unsafe.Pointer) {
	if v.flat {
		*(*T)(val) = v.unit
		return
	}
	v.r.Init((*T)(val))
}

func (v *valuesOf[T]) join(dst, src unsafe.Pointer) { v.r.Join((*T)(dst), (*T)(src)) }

func (v *valuesOf[T]) joinLanes(first unsafe.Pointer, n, used int) {
	lanes, whole := unsafe.Slice((*T)(first), n), v.whole
	if v.rarely {
		whole = joinerOf[T](v.r)
	}
	if whole != nil && used == n {
		whole.JoinLanes(lanes)
		return
	}
	for h := n / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < used; l++ {
			v.r.Join(&lanes[l], &lanes[l+h])
		}
	}
}

// seed sets *val to the left operand of the whole reduction.
func (v *valuesOf[T]) seed(val *T) {
	switch {
	case v.traits.Initial && v.flat:
		*val = v.initial
	case v.flat:
		*val = v.unit
	default:
		v.r.Init(val)
		if v.traits.Initial {
			v.r.Join(val, &v.initial)
		}
	}
}

func (v *valuesOf[T]) finish(val unsafe.Pointer) {
	if v.traits.Initial {
		var seed T
		v.seed(&seed)
		v.r.Join(&seed, (*T)(val))
		*(*T)(val) = seed
	}
	v.r.Final((*T)(val))
}

func (v *valuesOf[T]) store(val unsafe.Pointer) { Store(v.r, &v.traits, (*T)(val)) }

// form chooses the form in which values leave the process.
func (v *valuesOf[T]) form() (layout string, err error) {
	v.forms = concept.FormOf(v.r)
	return v.forms.Layout, v.forms.Err
}

func (v *valuesOf[T]) append(buf []byte, val unsafe.Pointer) ([]byte, error) {
	return v.forms.Append(buf, (*T)(val))
}

func (v *valuesOf[T]) set(val unsafe.Pointer, data []byte) (rest []byte, err error) {
	return v.forms.Set((*T)(val), data)
}

func (v *valuesOf[T]) pointer(val unsafe.Pointer) any { return (*T)(val) }
