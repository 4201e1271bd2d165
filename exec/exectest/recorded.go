package exectest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// recorded is a value as bytes that later ones can be compared with: it shares no memory with it.
type recorded struct{ data []byte }

// difference is where a value differs from a recorded one.
type difference struct {
	place     string // of the first
	want, got string // what was recorded there, and what is there now
	nan       bool   // some value is NaN now and was not
	count, of int    // values that differ, of all; 0 if the two do not have the same shape
}

func (d difference) String() string {
	at := d.place
	if at == "" {
		at = "the result"
	}
	s := fmt.Sprintf("%s is %s, and %s on Serial", at, d.got, d.want)
	if d.of > 1 {
		s += fmt.Sprintf("; %d of %d values differ", d.count, d.of)
	}
	return s
}

// record returns x as bytes, or an error if it holds what cannot be compared.
func record(x any) (recorded, error) {
	w := walker{}
	w.visit(reflect.ValueOf(&x).Elem(), nil)
	return recorded{w.data}, w.err
}

// differs compares x with a recorded value.
func (r recorded) differs(x any) (d difference, differ bool) {
	w := walker{old: r.data, comparing: true}
	return w.compare(x)
}

func (w *walker) compare(x any) (d difference, differ bool) {
	w.visit(reflect.ValueOf(&x).Elem(), nil)
	if w.err != nil && !w.stopped {
		return difference{place: "the result", got: w.err.Error(), want: "comparable"}, true
	}
	w.first.count, w.first.of = w.count, w.of
	if w.stopped {
		w.first.of = 0
	}
	return w.first, w.count > 0
}

// differsBy is differs, but floats may be some units in the last place apart.
func (r recorded) differsBy(ulps int, x any) (d difference, differ bool) {
	w := walker{old: r.data, comparing: true, ulps: float64(ulps)}
	return w.compare(x)
}

// path is where a walker is, from the inside out.
type path struct {
	outer *path
	name  string
	index int
}

func (p *path) String() string {
	if p == nil {
		return ""
	}
	if p.name != "" {
		return p.outer.String() + "." + p.name
	}
	return fmt.Sprintf("%s[%d]", p.outer, p.index)
}

// maxDepth is how deep a result may be, so that one that refers to itself is refused.
const maxDepth = 1000

// walker takes the leaves of a value in order. It records them, or compares them with what
// was recorded.
type walker struct {
	data      []byte // what is recorded
	old       []byte // what is left of what was
	comparing bool
	ulps      float64 // by which floats may differ
	depth     int

	err       error
	stopped   bool // the shapes differ
	first     difference
	count, of int
}

func (w *walker) visit(v reflect.Value, at *path) {
	if w.err != nil || w.stopped {
		return
	}
	if w.depth++; w.depth > maxDepth {
		w.err = fmt.Errorf("%v is more than %d levels deep; does it refer to itself?", at, maxDepth)
		return
	}
	defer func() { w.depth-- }()
	switch v.Kind() {
	case reflect.Interface:
		name := "nil"
		if !v.IsNil() {
			name = v.Elem().Type().String()
		}
		if w.shape(name, "of type", at) && !v.IsNil() {
			elem := reflect.New(v.Elem().Type()).Elem() // so that it has an address
			elem.Set(v.Elem())
			w.visit(elem, at)
		}
	case reflect.Pointer:
		if w.shape(fmt.Sprint(v.IsNil()), "nil or not", at) && !v.IsNil() {
			w.visit(v.Elem(), at)
		}
	case reflect.Slice:
		if w.shape(fmt.Sprint(v.Len()), "of length", at) {
			w.elements(v, at)
		}
	case reflect.Array:
		w.elements(v, at)
	case reflect.Struct:
		if w.slice(v, at) {
			return
		}
		for k := range v.NumField() {
			f := v.Field(k)
			f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem() // may be used if it is not exported
			w.visit(f, &path{at, v.Type().Field(k).Name, 0})
		}
	case reflect.String:
		if w.shape(v.String(), "", at) {
			w.of++
		}
	default:
		w.number(v, at)
	}
}

// slice visits what the method Slice of a view returns. It is false for other structs.
func (w *walker) slice(v reflect.Value, at *path) bool {
	m := v.MethodByName("Slice")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 2 || m.Type().Out(1).Kind() != reflect.Bool {
		return false
	}
	out := m.Call(nil)
	if !out[1].Bool() {
		w.err = fmt.Errorf("%s is a %v whose elements are not contiguous, expected a copy that is", strings.TrimSpace("the result"+at.String()), v.Type())
		return true
	}
	w.visit(out[0], at)
	return true
}

func (w *walker) elements(v reflect.Value, at *path) {
	for k := range v.Len() {
		w.visit(v.Index(k), &path{at, "", k})
	}
}

// shape records or compares what must be equal for the two values to have the same leaves.
func (w *walker) shape(s, what string, at *path) bool {
	if !w.comparing {
		w.data = binary.LittleEndian.AppendUint64(w.data, uint64(len(s)))
		w.data = append(w.data, s...)
		return true
	}
	n := binary.LittleEndian.Uint64(w.old)
	old := string(w.old[8:][:n])
	w.old = w.old[8+n:]
	if s == old {
		return true
	}
	w.differ(at, strings.TrimSpace(what+" "+s), strings.TrimSpace(what+" "+old))
	w.stopped = true
	return false
}

// number records or compares a leaf.
func (w *walker) number(v reflect.Value, at *path) {
	var b [16]byte
	n := 8
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			b[0] = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		binary.LittleEndian.PutUint64(b[:], uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		binary.LittleEndian.PutUint64(b[:], v.Uint())
	case reflect.Float32, reflect.Float64:
		putFloat(b[:], v.Float())
	case reflect.Complex64, reflect.Complex128:
		n = 16
		putFloat(b[:], real(v.Complex()))
		putFloat(b[8:], imag(v.Complex()))
	default:
		w.err = fmt.Errorf("%s is a %v, expected numbers, strings, bools, and arrays, slices, structs and pointers of these", strings.TrimSpace("the result"+at.String()), v.Type())
		return
	}
	w.of++
	if !w.comparing {
		w.data = append(w.data, b[:n]...)
		return
	}
	if !bytes.Equal(b[:n], w.old[:n]) && !w.near(v, b[:n]) {
		w.differ(at, text(v.Kind(), b[:n]), text(v.Kind(), w.old[:n]))
		if f := v.Kind(); (f == reflect.Float32 || f == reflect.Float64) && math.IsNaN(v.Float()) {
			w.first.nan = true
		}
	}
	w.old = w.old[n:]
}

// near reports whether a leaf is a float that differs little from what was recorded.
func (w *walker) near(v reflect.Value, b []byte) bool {
	if v.Kind() < reflect.Float32 || v.Kind() > reflect.Complex128 || w.ulps == 0 {
		return false
	}
	digits := 52
	if v.Kind() == reflect.Float32 || v.Kind() == reflect.Complex64 {
		digits = 23
	}
	for k := 0; k < len(b); k += 8 {
		x, y := math.Float64frombits(binary.LittleEndian.Uint64(b[k:])), math.Float64frombits(binary.LittleEndian.Uint64(w.old[k:]))
		_, exponent := math.Frexp(max(math.Abs(x), math.Abs(y)))
		if x != y && !(math.Abs(x-y) <= math.Ldexp(w.ulps, exponent-1-digits)) { // NaN is not near
			return false
		}
	}
	return true
}

func (w *walker) differ(at *path, got, want string) {
	if w.count++; w.count == 1 {
		w.first.place, w.first.got, w.first.want = at.String(), got, want
	}
}

// putFloat writes the bits of x. All NaN have those of one.
func putFloat(b []byte, x float64) {
	if math.IsNaN(x) {
		x = math.NaN()
	}
	binary.LittleEndian.PutUint64(b, math.Float64bits(x))
}

// text returns a leaf of that kind as text. Floats have their bits, too.
func text(k reflect.Kind, b []byte) string {
	bits := binary.LittleEndian.Uint64(b)
	switch k {
	case reflect.Bool:
		return fmt.Sprint(bits != 0)
	case reflect.Float32:
		x := float32(math.Float64frombits(bits))
		return fmt.Sprintf("%v (bits %08x)", x, math.Float32bits(x))
	case reflect.Float64:
		return fmt.Sprintf("%v (bits %016x)", math.Float64frombits(bits), bits)
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(complex(math.Float64frombits(bits), math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprint(int64(bits))
	}
	return fmt.Sprint(bits)
}
