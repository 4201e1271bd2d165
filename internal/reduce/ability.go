package reduce

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/internal/typed"
)

// Values are values of one type, which is hidden: a slice of them, with its length and its capacity.
type Values []hidden

type hidden struct{}

// ValuesOf returns x with its type hidden.
func ValuesOf[V any](x []V) Values { return *(*Values)(unsafe.Pointer(&x)) }

// SliceOf returns values as a slice of a type, which must be theirs.
func SliceOf[V any](x Values) []V { return *(*[]V)(unsafe.Pointer(&x)) }

func valuesAt(first unsafe.Pointer, n int) Values { return unsafe.Slice((*hidden)(first), n) }

func (x Values) first() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

// from returns x[n:] of values of that size.
func (x Values) from(n int, size uintptr) Values {
	rest := x[n:]
	if len(rest) == 0 {
		return nil // a pointer past all values may be one into another object
	}
	return unsafe.Slice((*hidden)(unsafe.Add(x.first(), uintptr(n)*size)), cap(rest))[:len(rest)]
}

// An Adder joins x[k] into lanes[k mod len(lanes)], in the order of k: a reducer, or what [Func] returns.
type Adder interface {
	AddValues(lanes Values, first int, x Values)
}

// These are what a reducer may have beside its four methods.
type (
	adder[T, V any] interface {
		AddValues(lanes []T, first int, x []V)
	}
	// nodeFolder is an adder that reduces a node of the tree in one call. FoldNode sets *dst to
	// the partial result of the values x. They are leaves of that length, the last of which may
	// be shorter, and each leaf is reduced in that many lanes; first is the item number of x[0].
	// scratch has scratchValues values, of any content. FoldNode does not panic.
	nodeFolder[T, V any] interface {
		FoldNode(dst *T, first int, x []V, leaf, lanes int, scratch []T)
	}
	// productFolder is a nodeFolder that reduces a node of products as well: FoldProducts is FoldNode
	// of the products x[k]*y[k], rounded.
	productFolder[T, V any] interface {
		FoldProducts(dst *T, x, y []V, leaf, lanes int, scratch []T)
	}
	// rowFolder is a nodeFolder that reduces several nodes of one length in one call: FoldRows is FoldNode of the
	// values x[k*stride:][:items], the first of which is item 0, into dst[k], for all k.
	rowFolder[T, V any] interface {
		FoldRows(dst []T, x []V, stride, items, leaf, lanes int, scratch []T)
	}
)

// calls are those of a reducer that folds values, which is kept as an interface of one of the types above.
type calls interface {
	add(own *typed.Interface, lanes Values, first int, x Values)
	node(own *typed.Interface, dst unsafe.Pointer, first int, x Values, leaf, lanes int, scratch Values)
	products(own *typed.Interface, dst unsafe.Pointer, x, y Values, leaf, lanes int, scratch Values)
	rows(own *typed.Interface, dst, x Values, stride, items, leaf, lanes int, scratch Values)
}

// callsOf are all of a fold that is compiled for each pair of types. The receivers are nil: methods of values would be
// compiled for pointers to these as well.
type callsOf[T, V any] struct{}

func (*callsOf[T, V]) add(own *typed.Interface, lanes Values, first int, x Values) {
	(*(*adder[T, V])(unsafe.Pointer(own))).AddValues(SliceOf[T](lanes), first, SliceOf[V](x))
}

func (*callsOf[T, V]) node(own *typed.Interface, dst unsafe.Pointer, first int, x Values, leaf, lanes int, scratch Values) {
	(*(*nodeFolder[T, V])(unsafe.Pointer(own))).FoldNode((*T)(dst), first, SliceOf[V](x), leaf, lanes, SliceOf[T](scratch))
}

func (*callsOf[T, V]) products(own *typed.Interface, dst unsafe.Pointer, x, y Values, leaf, lanes int, scratch Values) {
	(*(*productFolder[T, V])(unsafe.Pointer(own))).FoldProducts((*T)(dst), SliceOf[V](x), SliceOf[V](y), leaf, lanes, SliceOf[T](scratch))
}

func (*callsOf[T, V]) rows(own *typed.Interface, dst, x Values, stride, items, leaf, lanes int, scratch Values) {
	(*(*rowFolder[T, V])(unsafe.Pointer(own))).FoldRows(SliceOf[T](dst), SliceOf[V](x), stride, items, leaf, lanes, SliceOf[T](scratch))
}

// types are those of partial results and of values, and of what a reducer may have for them.
type types[T, V any] func(V, adder[T, V], nodeFolder[T, V], productFolder[T, V], rowFolder[T, V])

// Types are the types of partial results and of values.
type Types struct {
	types any
	calls calls
}

// TypesOf returns the types of partial results and of values.
func TypesOf[T, V any]() Types { return Types{types[T, V](nil), (*callsOf[T, V])(nil)} }

// valueOf returns the type of values.
func valueOf(types any) reflect.Type { return reflect.TypeOf(types).In(0) }

// addFunc is a function as an Adder.
type addFunc func(lanes Values, first int, x Values)

func (f addFunc) AddValues(lanes Values, first int, x Values) { f(lanes, first, x) }

// Func returns a function as what joins the values of a fold.
func Func[T, V any](f func(lanes []T, first int, x []V)) any { return *(*addFunc)(unsafe.Pointer(&f)) }

// An ability is what reducers of a type can do with values of a type: what they have as methods of each interface, or nil.
type ability struct {
	types, of                   uintptr // see typed.Of
	size                        uintptr // of a value
	adds, nodes, products, rows unsafe.Pointer
	next                        *ability
}

// abilities has the answers of abilityOf: lists of types with one place here.
var abilities [256]atomic.Pointer[ability]

// abilityOf returns what a reducer can do with values.
func abilityOf(types, own any) *ability {
	t, of := typed.Of(types), typed.Of(own)
	place := &abilities[(t/64+of/32)%uintptr(len(abilities))]
	for {
		list := place.Load()
		for a := list; a != nil; a = a.next {
			if a.types == t && a.of == of {
				return a
			}
		}
		a := newAbility(types, own)
		a.next = list
		place.CompareAndSwap(list, a) // or somebody has added to the list
	}
}

// newAbility finds out what a reducer can do.
func newAbility(types, own any) *ability {
	t := reflect.TypeOf(types)
	return &ability{
		types: typed.Of(types), of: typed.Of(own), size: valueOf(types).Size(),
		adds: typed.Methods(t.In(1), own), nodes: typed.Methods(t.In(2), own),
		products: typed.Methods(t.In(3), own), rows: typed.Methods(t.In(4), own),
	}
}
