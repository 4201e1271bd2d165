package concept_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// last is a reducer of any type: its values need not be joined to leave the process.
func last[T any]() reducers.Reducer[T] { return lastTo(new(T)) }

func lastTo[T any](result *T) reducers.Reducer[T] {
	return reducers.New(result, func(dst, src *T) { *dst = *src })
}

func second[T any](_, b T) T { return b }

// sendTo sets *back, to which Init is applied, to what the bytes of val say.
func sendTo[T any](t require.TestingT, r reducers.Reducer[T], val, back *T) []byte {
	form := concept.FormOf(r)
	require.NoError(t, form.Err)
	buf, err := form.Append([]byte("ab"), val)
	require.NoError(t, err)
	require.Equal(t, "ab", string(buf[:2]))
	data := slices.Clone(buf[2:])
	r.Init(back)
	rest, err := form.Set(back, append(buf[2:], "cd"...))
	require.NoError(t, err)
	require.Equal(t, "cd", string(rest))
	for cut := range data {
		var val T
		r.Init(&val)
		_, err := form.Set(&val, slices.Clip(data[:cut]))
		require.ErrorContains(t, err, "left, expected", "%d of %d bytes", cut, len(data))
	}
	clear(buf) // whatever shares its memory changes
	return data
}

type (
	level int8
	entry struct {
		x    float32
		on   bool
		name string
	}
	ledger struct {
		a     uint8
		_     uint32
		b     int64
		in    [2]entry
		flags [3]bool
		z     complex64
		when  time.Time
		none  [0]map[int]int
		empty struct{}
		_     func()
	}
	six struct{ a, b, c, d, e, f float64 }
)

var payload = math.Float64frombits(0x7ff8_0000_dead_beef)

func testForm[T any](t *testing.T, layout string, values ...T) {
	t.Run(reflect.TypeFor[T]().String(), func(t *testing.T) {
		assert.Equal(t, layout, concept.FormOf(last[T]()).Layout)
		for _, val := range values {
			var back T
			sendTo(t, last[T](), &val, &back)
			assert.Equal(t, fmt.Sprintf("%#v", val), fmt.Sprintf("%#v", back)) // which tells -0 from 0
		}
	})
}

func TestFormOfTypes(t *testing.T) {
	testForm(t, "bool", true, false)
	testForm(t, "int8/1", int8(-1))
	testForm(t, "int16/2", int16(-1))
	testForm(t, "int32/4", int32(-1))
	testForm(t, "int64/8", int64(math.MinInt64))
	testForm(t, "uint8/1", uint8(200))
	testForm(t, "uint16/2", uint16(1))
	testForm(t, "uint32/4", uint32(1))
	testForm(t, "uint64/8", uint64(math.MaxUint64))
	testForm(t, fmt.Sprintf("int/%d", unsafe.Sizeof(0)), -5)
	testForm(t, fmt.Sprintf("uint/%d", unsafe.Sizeof(0)), uint(5))
	testForm(t, fmt.Sprintf("uintptr/%d", unsafe.Sizeof(0)), uintptr(5))
	testForm(t, "float32/4", float32(math.Copysign(0, -1)), float32(0.1))
	testForm(t, "float64/8", math.Copysign(0, -1), math.Inf(1), math.SmallestNonzeroFloat64)
	testForm(t, "complex64/8", complex64(complex(0.1, -2)))
	testForm(t, "complex128/16", complex(0.1, math.Copysign(0, -1)))
	testForm(t, "string", "", "gokkos", "\x00")
	testForm(t, "[3]int32/4", [3]int32{1, 2, 3})
	testForm(t, "[2][2]bool", [2][2]bool{{true, false}, {false, true}})
	testForm(t, "[2]string", [2]string{"a", ""})
	testForm(t, "[0]", [0]func(){})
	testForm(t, "{}", struct{}{})
	testForm(t, "{a int32/4; b string}", struct {
		a int32
		b string
	}{7, "b"})
	testForm(t, "github.com/gokkos/gokkos/reducers/concept_test.level int8/1", level(-3))
	testForm(t, "github.com/gokkos/gokkos/reducers/concept_test.six {a float64/8; b float64/8; c float64/8; d float64/8; e float64/8; f float64/8}", six{1, 2, 3, 4, 5, 6})
	testForm(t, "time.Time by AppendBinary", time.Date(2000, 1, 2, 3, 4, 5, 6, time.UTC))

	for _, x := range []float64{payload, -payload, math.Float64frombits(0x7ff0_0000_0000_0001)} {
		var back float64
		sendTo(t, last[float64](), &x, &back)
		assert.Equal(t, math.Float64bits(x), math.Float64bits(back))
	}
}

// Padding, which may hold anything, is no part of the form.
func TestFormOfAStruct(t *testing.T) {
	when := time.Date(2000, 1, 2, 3, 4, 5, 6, time.UTC)
	fill := func(val *ledger, with byte) {
		val.a, val.b = 1, -2
		val.in = [2]entry{{float32(payload), true, "x"}, {0.5, false, ""}}
		val.flags, val.z, val.when = [3]bool{true, false, true}, 3-4i, when
		pad := unsafe.Slice((*byte)(unsafe.Pointer(val)), unsafe.Offsetof(val.b))
		for k := range pad[1:] {
			pad[1+k] = with
		}
	}
	var x, y, back ledger
	fill(&x, 0)
	fill(&y, 0xaa)
	data := sendTo(t, last[ledger](), &x, &back)
	assert.Equal(t, data, sendTo(t, last[ledger](), &y, &back))
	assert.Equal(t, math.Float32bits(x.in[0].x), math.Float32bits(back.in[0].x))
	x.in[0].x, back.in[0].x = 0, 0 // NaN is not equal to itself
	assert.Equal(t, fmt.Sprintf("%#v", x), fmt.Sprintf("%#v", back))
	assert.Equal(t, 1+8+(4+1+8+1)+(4+1+8)+3+8+(8+15), len(data))
}

// stamped has the methods of what it embeds, which leave n out.
type stamped struct {
	time.Time
	n int
}

// fraction has a binary form that is not its memory.
type fraction struct{ num, den int16 }

func (f *fraction) AppendBinary(buf []byte) ([]byte, error) {
	return fmt.Appendf(buf, "%d/%d", f.num, f.den), nil
}

func (f *fraction) UnmarshalBinary(data []byte) error {
	if _, err := fmt.Sscanf(string(data), "%d/%d", &f.num, &f.den); err != nil {
		return errors.New("no fraction")
	}
	return nil
}

// names is a slice with a binary form.
type names []string

func (n names) AppendBinary(buf []byte) ([]byte, error) {
	return append(buf, strings.Join(n, ",")...), nil
}

func (n *names) UnmarshalBinary(data []byte) error {
	*n = strings.Split(string(data), ",")
	return nil
}

// silent cannot be written.
type silent int

func (silent) AppendBinary([]byte) ([]byte, error) { return nil, errors.New("not today") }
func (silent) UnmarshalBinary([]byte) error        { return nil }

// losing returns less than it was given.
type losing int

func (losing) AppendBinary([]byte) ([]byte, error) { return nil, nil }
func (losing) UnmarshalBinary([]byte) error        { return nil }

func TestFormOfBinaryTypes(t *testing.T) {
	var f fraction
	data := sendTo(t, last[fraction](), &fraction{2, -3}, &f)
	assert.Equal(t, fraction{2, -3}, f)
	assert.Equal(t, "\x04\x00\x00\x00\x00\x00\x00\x002/-3", string(data))

	var pair [2]names
	sendTo(t, last[[2]names](), &[2]names{{"a", "b"}, {"c"}}, &pair)
	assert.Equal(t, [2]names{{"a", "b"}, {"c"}}, pair)

	now := stamped{time.Date(2000, 1, 2, 3, 4, 5, 6, time.UTC), 7}
	var back stamped
	sendTo(t, last[stamped](), &now, &back)
	assert.Equal(t, now, back)

	_, err := concept.FormOf(last[fraction]()).Set(&f, []byte("\x01\x00\x00\x00\x00\x00\x00\x00?"))
	assert.EqualError(t, err, "reducers: a partial result of type concept_test.fraction: UnmarshalBinary of concept_test.fraction: no fraction")
	_, err = concept.FormOf(last[silent]()).Append(nil, new(silent))
	assert.EqualError(t, err, "reducers: a partial result of type concept_test.silent: AppendBinary of concept_test.silent: not today")
	_, err = concept.FormOf(last[losing]()).Append([]byte("a"), new(losing))
	assert.ErrorContains(t, err, "AppendBinary of concept_test.losing returned 0 bytes, expected the 9 it was given and more")
}

type (
	histogram map[string]int
	handler   func()
	hists     struct {
		N    int
		Hist map[string]int
	}
	nested struct {
		N  int
		In [2]struct {
			OK  bool
			Any any
		}
	}
)

func refusedType[T any]() error { return concept.FormOf(last[T]()).Err }

func TestTypesWithoutForm(t *testing.T) {
	const who, advice = "reducers: a partial result of type ", "; give the reducer AppendValue and SetValue"
	const cannot = " cannot leave the process: "
	for _, tc := range []struct {
		says string
		err  error
	}{
		{"map[string]int" + cannot + "it is a map[string]int", refusedType[map[string]int]()},
		{"concept_test.histogram" + cannot + "it is a map, concept_test.histogram", refusedType[histogram]()},
		{"concept_test.hists" + cannot + "field Hist is a map[string]int", refusedType[hists]()},
		{"concept_test.nested" + cannot + "field In[0].Any is an interface {}", refusedType[nested]()},
		{"[2]*int" + cannot + "element [0] is a *int", refusedType[[2]*int]()},
		{"*time.Time" + cannot + "it is a *time.Time", refusedType[*time.Time]()},
		{"error" + cannot + "it is an interface, error", refusedType[error]()},
		{"func()" + cannot + "it is a func()", refusedType[func()]()},
		{"concept_test.handler" + cannot + "it is a func, concept_test.handler", refusedType[handler]()},
		{"chan int" + cannot + "it is a chan int", refusedType[chan int]()},
		{"[]float64" + cannot + "it is a []float64", refusedType[[]float64]()},
		{"unsafe.Pointer" + cannot + "it is an unsafe.Pointer", refusedType[unsafe.Pointer]()},
		{"[]int" + cannot + "it is a []int", concept.FormOf(reducers.WithoutIdentity(new(reducers.Partial[[]int]), func(a, b []int) []int { return b })).Err},
	} {
		assert.EqualError(t, tc.err, who+tc.says+advice)
	}
}

// union is a reducer of sets that gives them a form.
type union struct {
	reducers.Base[map[string]bool]
}

func (union) Init(val *map[string]bool)      { *val = map[string]bool{} }
func (union) Join(dst, src *map[string]bool) { maps.Copy(*dst, *src) }

func (union) AppendValue(buf []byte, val *map[string]bool) ([]byte, error) {
	buf = binary.AppendUvarint(buf, uint64(len(*val)))
	for _, name := range slices.Sorted(maps.Keys(*val)) {
		buf = append(binary.AppendUvarint(buf, uint64(len(name))), name...)
	}
	return buf, nil
}

func (union) SetValue(val *map[string]bool, data []byte) ([]byte, error) {
	size, bytes := binary.Uvarint(data)
	if bytes <= 0 {
		return nil, errors.New("no size is left, expected one")
	}
	data = data[bytes:]
	for range size {
		n, bytes := binary.Uvarint(data)
		if bytes <= 0 || uint64(len(data)-bytes) < n {
			return nil, errors.New("less than a name is left, expected one")
		}
		(*val)[string(data[bytes:][:n])] = true
		data = data[bytes+int(n):]
	}
	return data, nil
}

// changed is a reducer with a form that each test breaks in its own way.
type changed struct {
	reducers.Base[int]
	from func(buf []byte, val *int) ([]byte, error)
	to   func(val *int, data []byte) ([]byte, error)
}

func (changed) Join(dst, src *int) { *dst += *src }

func (c changed) AppendValue(buf []byte, val *int) ([]byte, error) { return c.from(buf, val) }
func (c changed) SetValue(val *int, data []byte) ([]byte, error)   { return c.to(val, data) }

type (
	onlyAppends struct{ reducers.Func[int] }
	onlySets    struct{ reducers.Func[int] }
	lasting     struct{ reducers.Func[int] }
	formless    struct{ reducers.Func[int] }
)

func (onlyAppends) AppendValue(buf []byte, _ *int) ([]byte, error) { return buf, nil }
func (onlySets) SetValue(_ *int, data []byte) ([]byte, error)      { return data, nil }
func (lasting) Traits() concept.Traits[int]                        { return concept.Traits[int]{Once: true} }
func (formless) Form() concept.Form[int]                           { return concept.Form[int]{} }

func TestFormOfAuthors(t *testing.T) {
	r := union{reducers.Into(new(map[string]bool))}
	form := concept.FormOf[map[string]bool](r)
	assert.Equal(t, "map[string]bool by concept_test.union", form.Layout)
	for _, r := range []reducers.Reducer[map[string]bool]{r, reducers.Ordered(r), reducers.WithInitial(reducers.Exact(r))} {
		var back map[string]bool
		sendTo(t, r, &map[string]bool{"a": true, "bc": true}, &back)
		assert.Equal(t, map[string]bool{"a": true, "bc": true}, back)
	}

	sum := reducers.New(new(int), func(dst, src *int) { *dst += *src })
	for says, r := range map[string]reducers.Reducer[int]{
		"reducers: concept_test.onlyAppends has AppendValue, expected a SetValue beside it":                                                                onlyAppends{sum},
		"reducers: concept_test.onlySets has SetValue, expected an AppendValue beside it":                                                                  onlySets{sum},
		"reducers: concept_test.lasting changes more than its partial results, which would stay in the process; give the reducer AppendValue and SetValue": lasting{sum},
		"reducers: concept_test.formless has a Form without Append or Set, expected both or Err":                                                           formless{sum},
		"reducers: the reducer is nil": nil,
	} {
		assert.EqualError(t, concept.FormOf(r).Err, says)
	}
}

func TestFormOfAuthorsIsChecked(t *testing.T) {
	val := 5
	form := concept.FormOf[int](changed{
		from: func([]byte, *int) ([]byte, error) { return nil, nil },
		to:   func(_ *int, data []byte) ([]byte, error) { return append(data, 1), nil },
	})
	_, err := form.Append([]byte("a"), &val)
	assert.EqualError(t, err, "reducers: AppendValue of concept_test.changed returned 0 bytes, expected the 1 it was given and more")
	_, err = form.Set(&val, []byte("a"))
	assert.EqualError(t, err, "reducers: SetValue of concept_test.changed returned 2 bytes, expected what is left of the 1 it was given")

	form = concept.FormOf[int](changed{
		from: func([]byte, *int) ([]byte, error) { return nil, errors.New("no") },
		to:   func(*int, []byte) ([]byte, error) { return nil, errors.New("never") },
	})
	buf, err := form.Append([]byte("a"), &val)
	assert.EqualError(t, err, "reducers: AppendValue of concept_test.changed: no")
	assert.Equal(t, "a", string(buf))
	_, err = form.Set(&val, []byte("a"))
	assert.EqualError(t, err, "reducers: SetValue of concept_test.changed: never")
}

// shaped is changed by a Form of its own.
type shaped struct{ changed }

func (s shaped) Form() concept.Form[int] { return concept.Form[int]{Append: s.from, Set: s.to} }

func TestOwnFormsAreChecked(t *testing.T) {
	val := 5
	form := concept.FormOf[int](shaped{changed{
		from: func([]byte, *int) ([]byte, error) { return nil, nil },
		to:   func(_ *int, data []byte) ([]byte, error) { return append(data, 1), nil },
	}})
	buf, err := form.Append([]byte("a"), &val)
	assert.EqualError(t, err, "reducers: the Form of concept_test.shaped appended to 1 bytes and returned 0, expected these and more")
	assert.Equal(t, "a", string(buf))
	_, err = form.Set(&val, []byte("a"))
	assert.EqualError(t, err, "reducers: the Form of concept_test.shaped was given 1 bytes and left 2, expected no more")
}

// What is made of forms that are not whole has none, whatever the other parts are.
func TestFormsOfHalves(t *testing.T) {
	whole := concept.FormOf(reducers.New(new(int), func(dst, src *int) {}))
	at := func(val *[]int) []int { return *val }
	for name, half := range map[string]concept.Form[int]{
		"zero": {}, "no Set": {Append: whole.Append}, "no Append": {Set: whole.Set},
	} {
		require.EqualError(t, concept.FormOfElements(3, half, at).Err, "reducers: elements with a form without Append or Set, expected both or Err", name)
		require.EqualError(t, concept.FormOfParts(whole, half).Err, "reducers: a form without Append or Set, expected both or Err (part 2 of 2)", name)
	}
	require.NoError(t, concept.FormOfElements(3, whole, at).Err)
	require.NoError(t, concept.FormOfParts(whole, whole).Err)
}

func TestFormOfBools(t *testing.T) {
	var val [2]bool
	_, err := concept.FormOf(last[[2]bool]()).Set(&val, []byte{1, 2})
	assert.EqualError(t, err, "reducers: a partial result of type [2]bool: a bool is 2, expected 0 or 1")
	var p reducers.Partial[int]
	_, err = concept.FormOf(reducers.WithoutIdentity(&p, func(a, b int) int { return a })).Set(&p, []byte{7})
	assert.EqualError(t, err, "reducers: a partial result of type reducers.Partial[int]: a bool is 7, expected 0 or 1")
}

// Nothing that data holds makes Set panic, or take memory that is not there.
func TestFormsOfAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.OneOf(rapid.Byte(), rapid.ByteRange(0, 2))).Draw(t, "data")
		given := slices.Clone(data)
		set(t, last[ledger](), data)
		set(t, last[[3]string](), data)
		set(t, reducers.Reducer[reducers.Partial[string]](reducers.WithoutIdentity(new(reducers.Partial[string]), second[string])), data)
		set(t, last[names](), data)
		rows := [][]bool{make([]bool, 1), make([]bool, 3)}
		set(t, reducers.Slice(&rows, func(row *[]bool) reducers.Reducer[[]bool] { return reducers.Slice(row, lastTo[bool]) }), data)
		assert.Equal(t, given, data)
	})
}

// set sets a value to data; if that works, the value has these bytes.
func set[T any](t *rapid.T, r reducers.Reducer[T], data []byte) {
	form := concept.FormOf(r)
	require.NoError(t, form.Err)
	var val T
	r.Init(&val)
	rest, err := form.Set(&val, data)
	if err != nil {
		return
	}
	if _, ok := any(val).(ledger); ok { // in which different bytes are the same time
		return
	}
	buf, err := form.Append([]byte{}, &val)
	require.NoError(t, err)
	require.Equal(t, string(data[:len(data)-len(rest)]), string(buf))
}
