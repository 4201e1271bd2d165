package reduce

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/reducers/concept"
)

// Place returns the result place of r, given r's traits, or nil if it is not known. It is
// for [CheckPlaces].
func Place[T any](r reducer[T], t *concept.Traits[T]) any {
	if t.Place != nil {
		return t.Place
	}
	if p := r.Reference(); p != nil {
		return p
	}
	return nil
}

// CheckPlaces returns an error if two reducers of one launch write the same memory, or two
// elements or fields of one reducer. places has the [Place] of each reducer, in order.
//
// Cost: O(n log n) for n places. A reducers.Slice is one place, unless its elements store in ways
// of their own.
func CheckPlaces(places []any) error {
	if len(places) == 1 && !isParts(places[0]) {
		return nil
	}
	all := reducersAt(places)
	var room [8]region
	regions, _ := all.regions(room[:0], 0)
	slices.SortFunc(regions, func(a, b region) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.number, b.number))
	})
	for k := 1; k < len(regions); k++ {
		if a, b := regions[k-1], regions[k]; b.begin < a.end {
			return clash(slices.Clone(places), min(a.number, b.number), max(a.number, b.number))
		}
	}
	return nil
}

// EachRegion calls f for the memory of all places, given the [Place] of each reducer.
func EachRegion(places []any, f func(begin, end uintptr)) {
	regions, _ := reducersAt(places).regions(nil, 0)
	for _, r := range regions {
		f(r.begin, r.end)
	}
}

// clash returns the error that the places i < j are the same memory.
func clash(places []any, i, j int) error {
	return fmt.Errorf("reducers: %s have the same result place", reducersAt(places).common(i, j, ""))
}

// Parts is the [concept.Traits.Place] of a reducer that is made of others: the place of each, nil
// where it is not known. The places in a tree of parts are numbered from left to right.
type Parts struct {
	Kind   string // what a part is called
	First  int    // the number of the first part in messages
	Places []any
}

// reducersAt returns the places of the reducers of a launch as parts of it.
func reducersAt(places []any) Parts { return Parts{"reducer", 1, places} }

func isParts(place any) bool {
	_, ok := place.(Parts)
	return ok
}

// region is the memory of the place with that number.
type region struct {
	begin, end uintptr
	number     int
}

// regions appends the memory of all places, the first of which has that number, and
// returns the number after the last.
func (p Parts) regions(list []region, number int) ([]region, int) {
	for _, place := range p.Places {
		if inner, ok := place.(Parts); ok {
			list, number = inner.regions(list, number)
			continue
		}
		if begin, end := extent(place); begin < end {
			list = append(list, region{begin, end, number})
		}
		number++
	}
	return list, number
}

// common describes the parts of p that have the places i and j; of is what p is part of.
func (p Parts) common(i, j int, of string) string {
	k, i := p.find(i)
	l, j := p.find(j)
	if k == l {
		return p.Places[k].(Parts).common(i, j, fmt.Sprintf(" of %s %d%s", p.Kind, p.First+k, of))
	}
	return fmt.Sprintf("%ss %d and %d%s", p.Kind, p.First+k, p.First+l, of)
}

// find returns the part that has the place with that number, and the number it has there.
func (p Parts) find(number int) (part, within int) {
	for part, place := range p.Places {
		n := count(place)
		if number < n {
			return part, number
		}
		number -= n
	}
	panic("reducers: no place has the number")
}

// count returns the number of places in a place.
func count(place any) int {
	p, ok := place.(Parts)
	if !ok {
		return 1
	}
	n := 0
	for _, place := range p.Places {
		n += count(place)
	}
	return n
}

// An Extent is the addresses between which a result place is: of one piece of memory, or none.
type Extent struct{ Begin, End uintptr }

// ExtentOf returns the extent of the [Place] of a reducer of values of type T. It is not known of one that is not a value.
func ExtentOf[T any](place any) (e Extent, known bool) {
	p, ok := place.(*T)
	if !ok {
		return Extent{}, place == nil
	}
	begin := uintptr(unsafe.Pointer(p))
	return Extent{begin, begin + unsafe.Sizeof(*p)}, true
}

// Apart reports whether no two of a few extents have memory in common. Where it does, [CheckPlaces] would find nothing, by
// reflection.
func Apart(extents []Extent) bool {
	for k, a := range extents {
		for _, b := range extents[:k] {
			if a.Begin < b.End && b.Begin < a.End {
				return false
			}
		}
	}
	return true
}

// extent returns the addresses between which a place is: a pointer, or a slice of what its
// elements go to. Anything else shares memory with nothing.
func extent(place any) (begin, end uintptr) {
	v := reflect.ValueOf(place)
	if k := v.Kind(); k != reflect.Pointer && k != reflect.Slice {
		return 0, 0
	}
	size := v.Type().Elem().Size()
	if v.Kind() == reflect.Slice {
		size *= uintptr(v.Len())
	}
	return v.Pointer(), v.Pointer() + size
}
