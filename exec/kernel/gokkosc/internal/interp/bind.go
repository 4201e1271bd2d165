// Package interp runs kernels in their intermediate representation, one value after the other. Its plain and
// slow code defines each operation. Tests compare passes and back ends with it.
package interp

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Args holds the values of a kernel's parameters in one launch.
type Args struct {
	scalars []uint64
	mems    []memory

	Cells         [][]int        // the extents of the cells of each access
	Contributions []Contribution // of items that went to their ends, in their order
}

// A Contribution is what an item contributes to a scatter by a method of access number Access.
type Contribution struct {
	Access int
	Item   int // number of the item
	Method string
	Args   []uint64 // bits of the index, and of one value or of a row of values
}

// A memory is the elements of a slice, a view or an array.
type memory struct {
	at    unsafe.Pointer
	size  uintptr // of an element
	count int     // of elements
	elem  ir.Type
}

// Bind splits parameters into scalars and memories, in the order of the constructor's parameters. It does not
// copy slices and views.
func Bind(k *ir.Kernel, params ...any) (*Args, error) {
	if len(params) != len(k.Params) {
		return nil, fmt.Errorf("interp: kernel %s of %d parameters, expected %d", k.Name, len(params), len(k.Params))
	}
	values := make([]reflect.Value, len(params))
	for n, p := range params {
		v := reflect.New(reflect.TypeOf(p)).Elem() // addressable, as arrays have to be
		v.Set(reflect.ValueOf(p))
		values[n] = v
	}
	a := &Args{}
	for _, s := range k.Scalars {
		bits, err := number(follow(values[s.Param], s.Path))
		if err != nil {
			return nil, fmt.Errorf("interp: %s of kernel %s: %w", k.PathString(s.Param, s.Path), k.Name, err)
		}
		a.scalars = append(a.scalars, bits)
	}
	for _, m := range k.Mems {
		if m.Table != nil {
			a.mems = append(a.mems, tableOf(m))
			continue
		}
		if m.Local > 0 {
			own := make([]uint64, (m.Local*m.Elem.Bytes()+7)/8)
			a.mems = append(a.mems, memory{unsafe.Pointer(unsafe.SliceData(own)), uintptr(m.Elem.Bytes()), m.Local, m.Elem})
			continue
		}
		if m.Far {
			a.mems = append(a.mems, memory{nil, uintptr(m.Elem.Bytes()), 0, m.Elem})
			continue
		}
		a.mems = append(a.mems, memoryOf(follow(values[m.Param], m.Path), m))
	}
	return a, nil
}

// Scalars returns the bits of the kernel's scalars.
func (a *Args) Scalars() []uint64 { return a.scalars }

// Memory returns the bytes of a memory of the kernel. The memory of a slice reaches to its capacity. A memory
// without elements is nil.
func (a *Args) Memory(n int) []byte {
	m := a.mems[n]
	if m.count == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(m.at), uintptr(m.count)*m.size)
}

// follow returns a part of a parameter.
func follow(v reflect.Value, path []ir.Step) reflect.Value {
	for _, s := range path {
		switch s.Kind {
		case ir.Field:
			if v = v.FieldByName(s.Field); !v.CanInterface() && v.CanAddr() { // reflect calls no methods of unexported fields
				v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
			}
		case ir.Method:
			v = v.MethodByName(s.Field).Call(nil)[0]
		case ir.Elem:
			v = v.Index(s.N)
		case ir.Deref:
			v = v.Elem()
		case ir.Flat:
			v = flat(v, s.Field)
		case ir.Whole:
			v = v.Slice(0, v.Len())
		case ir.NotNil:
			v = reflect.ValueOf(!v.IsNil())
		case ir.Len:
			v = reflect.ValueOf(length(v))
		case ir.Cap:
			v = reflect.ValueOf(capacity(v))
		case ir.Real, ir.Imag:
			v = partOf(v, s.Kind)
		case ir.Stride:
			v = dimension(v, "Stride", s.N)
		case ir.Extent:
			v = dimension(v, "Extent", s.N)
		}
	}
	return v
}

// partOf returns the real or the imaginary part of a complex number.
func partOf(v reflect.Value, kind ir.StepKind) reflect.Value {
	x, t := real(v.Complex()), reflect.TypeFor[float64]()
	if kind == ir.Imag {
		x = imag(v.Complex())
	}
	if v.Kind() == reflect.Complex64 {
		t = reflect.TypeFor[float32]()
	}
	return reflect.ValueOf(x).Convert(t)
}

func dimension(v reflect.Value, method string, d int) reflect.Value {
	return v.MethodByName(method).Call([]reflect.Value{reflect.ValueOf(d)})[0]
}

func isView(v reflect.Value) bool { return v.Kind() == reflect.Struct }

func length(v reflect.Value) int {
	if isView(v) {
		return reach(v)
	}
	return v.Len()
}

func capacity(v reflect.Value) int {
	if isView(v) {
		return reach(v)
	}
	return v.Cap()
}

// reach returns how many elements lie from the first of a view to its last one.
func reach(v reflect.Value) int {
	if v.MethodByName("Len").Call(nil)[0].Int() == 0 {
		return 0
	}
	n := 1
	for d := range int(v.MethodByName("Rank").Call(nil)[0].Int()) {
		n += int((dimension(v, "Extent", d).Int() - 1) * dimension(v, "Stride", d).Int())
	}
	return n
}

// tableOf returns the memory of an array of constants.
func tableOf(m ir.Mem) memory {
	size := m.Elem.Bytes()
	t := memory{unsafe.Pointer(unsafe.SliceData(make([]uint64, (len(m.Table)*size+7)/8))), uintptr(size), len(m.Table), m.Elem}
	for k, bits := range m.Table {
		t.store(k, bits)
	}
	return t
}

func memoryOf(v reflect.Value, m ir.Mem) memory {
	size := uintptr(m.Elem.Bytes())
	switch {
	case m.Rank > 0 && !m.IsFlat():
		return memory{v.MethodByName("Address").Call(nil)[0].UnsafePointer(), size, reach(v), m.Elem}
	case m.Array:
		return memory{v.Addr().UnsafePointer(), size, v.Len(), m.Elem}
	}
	return memory{v.UnsafePointer(), size, v.Cap(), m.Elem}
}

// number returns a number as the bits of a value.
func number(v reflect.Value) (uint64, error) {
	switch v.Kind() {
	case reflect.Float64:
		return f64(v.Float()), nil
	case reflect.Float32:
		return f32(float32(v.Float())), nil
	case reflect.Int, reflect.Int64:
		return uint64(v.Int()), nil
	case reflect.Int32, reflect.Int16, reflect.Int8:
		return uint64(uint32(v.Int())), nil
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return v.Uint(), nil
	case reflect.Bool:
		return truth(v.Bool()), nil
	}
	return 0, fmt.Errorf("a %v, expected a number", v.Type())
}

//go:nocheckptr
func (m memory) load(k int) uint64 {
	p := unsafe.Add(m.at, uintptr(k)*m.size)
	switch {
	case m.size == 8:
		return *(*uint64)(p)
	case m.size == 4:
		return uint64(*(*uint32)(p))
	case m.elem == ir.I16:
		return uint64(uint32(*(*int16)(p)))
	case m.elem == ir.U16:
		return uint64(*(*uint16)(p))
	case m.elem == ir.I8:
		return uint64(uint32(*(*int8)(p)))
	}
	return uint64(*(*uint8)(p))
}

//go:nocheckptr
func (m memory) store(k int, bits uint64) {
	p := unsafe.Add(m.at, uintptr(k)*m.size)
	switch m.size {
	case 8:
		*(*uint64)(p) = bits
	case 4:
		*(*uint32)(p) = uint32(bits)
	case 2:
		*(*uint16)(p) = uint16(bits)
	default:
		*(*uint8)(p) = uint8(bits)
	}
}

// overlaps reports whether two memories have bytes in common.
func (m memory) overlaps(other memory) bool {
	p, q := uintptr(m.at), uintptr(other.at)
	return p < q+uintptr(other.count)*other.size && q < p+uintptr(m.count)*m.size
}

// flat returns the elements of a slice of structs as numbers of a type.
func flat(v reflect.Value, name string) reflect.Value {
	t := Basic(name)
	var at unsafe.Pointer
	var size uintptr
	if isView(v) {
		at, size = v.MethodByName("Address").Call(nil)[0].UnsafePointer(), v.MethodByName("At").Type().Out(0).Size()
	} else {
		at, size = v.UnsafePointer(), v.Type().Elem().Size()
	}
	n := capacity(v) * int(size/t.Size())
	return reflect.NewAt(reflect.ArrayOf(n, t), at).Elem().Slice(0, n)
}

// Basic returns the type of a number or bool with that name, such as "uint8".
func Basic(name string) reflect.Type { return basics[name] }

var basics = func() map[string]reflect.Type {
	of := map[string]reflect.Type{}
	for _, x := range []any{false, 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0), float32(0), float64(0)} {
		of[reflect.TypeOf(x).Name()] = reflect.TypeOf(x)
	}
	return of
}()
