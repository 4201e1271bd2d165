package reduce_test

import (
	"bytes"
	"fmt"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

func ExampleAppendNode() {
	var result string
	here := reduce.NewSlots(reducers.New(&result, func(dst, src *string) { *dst += *src }))
	there := reduce.NewSlots(reducers.New(new(string), func(dst, src *string) { *dst += *src }))
	first, _ := reduce.AppendFingerprint(nil, []*reduce.Column{&here.Column})
	second, err := reduce.AppendFingerprint(nil, []*reduce.Column{&there.Column})
	fmt.Println(bytes.Equal(first, second), err)

	here.Column.Open(1, 1, 1)
	there.Column.Open(1, 1, 1)
	*here.At(0) = "gokkos"
	data, err := reduce.AppendNode(nil, []*reduce.Column{&here.Column}, 0)
	fmt.Println(len(data), err)
	fmt.Println(reduce.SetNode([]*reduce.Column{&there.Column}, 0, data), *there.At(0))
	fmt.Println(reduce.SetNode([]*reduce.Column{&there.Column}, 0, data[:10]))
	// Output:
	// true <nil>
	// 14 <nil>
	// <nil> gokkos
	// reducers: a partial result of type string: 2 bytes are left, expected 6
}

func ExampleAppendFingerprint() {
	var sum complex64
	slots := reduce.NewSlots(reducers.New(&sum, func(dst, src *complex64) { *dst += *src }))
	text, err := reduce.AppendFingerprint(nil, []*reduce.Column{&slots.Column})
	fmt.Println(string(text) == reduce.Machine()+"\nreducers.Func[complex64]: complex64/8", err)
	// Output: true <nil>
}

func ExampleSetNode() {
	var sum float32
	slots := reduce.NewSlots(reducers.New(&sum, func(dst, src *float32) { *dst += *src }))
	columns := []*reduce.Column{&slots.Column}
	_, _ = reduce.AppendFingerprint(nil, columns)
	slots.Column.Open(1, 2, 1)
	*slots.At(0) = 1.5
	data, _ := reduce.AppendNode(nil, columns, 0)
	fmt.Println(reduce.SetNode(columns, 1, data), *slots.At(1))
	fmt.Println(reduce.SetNode(columns, 1, append(data, 7)), *slots.At(1))
	// Output:
	// <nil> 1.5
	// reducers: 5 bytes were given for a node, expected 4 0
}
