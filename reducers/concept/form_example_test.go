package concept_test

import (
	"fmt"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// The reducer of sets in this test gives their form: it has AppendValue and SetValue.
func ExampleFormOf() {
	var result map[string]bool
	form := concept.FormOf[map[string]bool](union{reducers.Into(&result)})
	data, err := form.Append(nil, &map[string]bool{"go": true, "c": true})
	fmt.Printf("%q %v\n", data, err)

	unknown := reducers.New(&result, func(dst, src *map[string]bool) {})
	fmt.Println(concept.FormOf(unknown).Err)
	// Output:
	// "\x02\x01c\x02go" <nil>
	// reducers: a partial result of type map[string]bool cannot leave the process: it is a map[string]bool; give the reducer AppendValue and SetValue
}

// doubled wraps a reducer, and so its form.
type doubled struct{ reducers.Reducer[[]int16] }

func (d doubled) Final(val *[]int16) {
	d.Reducer.Final(val)
	for k := range *val {
		(*val)[k] *= 2
	}
}

func (d doubled) Form() concept.Form[[]int16] { return concept.FormOf(d.Reducer) }

func ExampleForm() {
	histogram := make([]int16, 3)
	r := doubled{reducers.Slice(&histogram, func(result *int16) reducers.Func[int16] {
		return reducers.New(result, func(dst, src *int16) { *dst += *src })
	})}
	form := concept.FormOf[[]int16](r)
	fmt.Println(form.Layout, form.Err)

	data, _ := form.Append(nil, &[]int16{1, 2, 3})
	var val []int16
	r.Init(&val)
	rest, err := form.Set(&val, append(data, "and more"...))
	fmt.Printf("%v %q %v\n", val, rest, err)
	// Output:
	// 3 of int16/2 <nil>
	// [1 2 3] "and more" <nil>
}

// ring is an accumulator of a fixed number of samples.
type ring struct {
	name    string // which need not travel
	samples []uint8
}

func ExampleFormOfElements() {
	var sample uint8
	of := concept.FormOf(reducers.New(&sample, func(dst, src *uint8) { *dst = max(*dst, *src) }))
	form := concept.FormOfElements(4, of, func(r *ring) []uint8 { return r.samples })
	data, err := form.Append(nil, &ring{"first", []uint8{1, 2, 3, 4}})
	fmt.Println(form.Layout, data, err)

	back := ring{"second", make([]uint8, 4)}
	_, err = form.Set(&back, data)
	fmt.Println(back, err)
	_, err = form.Set(&back, data[:3])
	fmt.Println(err)
	// Output:
	// 4 of uint8/1 [1 2 3 4] <nil>
	// {second [1 2 3 4]} <nil>
	// reducers: a partial result of type uint8: 3 bytes are left, expected 4
}

// first is the first word that there is.
type first struct {
	word  string
	there bool
}

func ExampleFormOfOptional() {
	form := concept.FormOfOptional(func(f *first) (*string, *bool) { return &f.word, &f.there })
	fmt.Println(form.Layout)
	for _, val := range []first{{}, {"go", true}} {
		data, err := form.Append(nil, &val)
		fmt.Println(data, err)
	}
	// Output:
	// optional string
	// [0] <nil>
	// [1 2 0 0 0 0 0 0 0 103 111] <nil>
}

// pair has a part for each of two reducers.
type pair struct {
	name  string
	count int16
}

func ExampleFormOfParts() {
	name := concept.FormOf(reducers.New(new(string), func(dst, src *string) {}))
	count := concept.FormOf(reducers.New(new(int16), func(dst, src *int16) {}))
	form := concept.FormOfParts(
		concept.Form[pair]{
			Append: func(buf []byte, val *pair) ([]byte, error) { return name.Append(buf, &val.name) },
			Set:    func(val *pair, data []byte) ([]byte, error) { return name.Set(&val.name, data) },
			Layout: name.Layout,
		},
		concept.Form[pair]{
			Append: func(buf []byte, val *pair) ([]byte, error) { return count.Append(buf, &val.count) },
			Set:    func(val *pair, data []byte) ([]byte, error) { return count.Set(&val.count, data) },
			Layout: count.Layout,
		})
	data, err := form.Append(nil, &pair{"go", 7})
	fmt.Println(form.Layout, len(data), err)

	var back pair
	_, err = form.Set(&back, data)
	fmt.Println(back, err)
	// Output:
	// (1 of string, 1 of int16/2) 12 <nil>
	// {go 7} <nil>
}

func ExampleSetElements() {
	var word string
	words := reducers.New(&word, func(dst, src *string) { *dst += *src }, reducers.Init(func(val *string) { *val = "" }))
	of := concept.FormOf(words)
	var data []byte
	for _, val := range []string{"to", "and", "fro"} {
		data, _ = of.Append(data, &val)
	}
	back := make([]string, 2)
	rest, err := concept.SetElements(of, back, words.Init, data)
	fmt.Println(back, len(rest), err)
	_, err = concept.SetElements(of, back, words.Init, nil)
	fmt.Println(err)
	// Output:
	// [to and] 11 <nil>
	// reducers: a partial result of type string: 0 bytes are left, expected 8 (element 0)
}
