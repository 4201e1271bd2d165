package reduce_test

import (
	"fmt"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// written writes down each join.
func written(result *string) reducers.Reducer[string] {
	return reducers.New(result, func(dst, src *string) { *dst = "(" + *dst + *src + ")" })
}

func ExampleJoinTree() {
	values := []string{"a", "b", "c", "d", "e"}
	reduce.JoinTree(written(nil), values)
	fmt.Println(values[0])
	// Output: (((ab)(cd))e)
}

func ExampleIsFlat() {
	fmt.Println(reduce.IsFlat[[3]float64](), reduce.IsFlat[string](), reduce.IsFlat[[]float64]())
	// Output: true true false
}

// Large values, and those that refer to memory elsewhere, are reduced in one lane.
func ExampleTakesLanes() {
	fmt.Println(reduce.TakesLanes[[8]float64](), reduce.TakesLanes[[9]float64](), reduce.TakesLanes[[]float64]())
	// Output: true false false
}

// What stands for the old content of a result place is joined to the left of all else.
func ExampleLoad() {
	result := "old"
	r := written(&result)
	traits := concept.TraitsOf(r)
	var val string
	reduce.Load(r, &traits, &val)
	next := "new"
	r.Join(&val, &next)
	reduce.Store(r, &traits, &val)
	fmt.Println(result)
	// Output: (oldnew)
}

// A launch on a device ends a leaf step by step, and the launch after it uses the slots again.
func ExampleSlots() {
	var total, product int
	slots := reduce.NewSlots(reducers.New(&total, func(dst, src *int) { *dst += *src }))
	slots.Column.Open(1, 2, 2)
	copy(slots.Begin(0, 2), []int{3, 4})
	slots.Column.JoinLanes(0, 0, 1)
	slots.Column.EndLane(0, 0, 1)
	slots.Column.Clear(0) // to the identity
	slots.Column.Join(0, 1)
	slots.Column.Finish(0)
	slots.Column.Store(0)

	slots.Release()
	slots.Reset(reducers.New(&product, func(dst, src *int) { *dst *= *src }, reducers.Init(func(x *int) { *x = 1 })))
	slots.Column.Open(1, 1, 1)
	slots.Seed(slots.At(0))
	*slots.At(0) *= 5
	slots.Column.Finish(0)
	slots.Column.Store(0)
	fmt.Println(total, product)
	// Output: 7 5
}

// A device chooses by the profile how to join values.
func ExampleColumn_Profile() {
	var total [4]int32
	slots := reduce.NewSlots(reducers.New(&total, func(dst, src *[4]int32) { dst[0] += src[0] }))
	fmt.Printf("%+v\n", slots.Column.Profile(8))
	// Output: {Bytes:16 Flat:true Exact:false Lanes:8}
}

// A slot leaves the process as bytes, and comes back in another.
func ExampleColumn_AppendSlot() {
	var total int64
	slots := reduce.NewSlots(reducers.New(&total, func(dst, src *int64) { *dst += *src }))
	slots.Column.Open(1, 2, 1)
	_, err := slots.Column.Layout() // of both processes, which have to be the same
	fmt.Println(err)
	*slots.At(0) = 42
	buf, err := slots.Column.AppendSlot(nil, 0)
	fmt.Println(len(buf), err)
	rest, err := slots.Column.SetSlot(1, buf)
	fmt.Println(*slots.At(1), len(rest), err)
	// Output:
	// <nil>
	// 8 <nil>
	// 42 0 <nil>
}

// NewSlots is what a pattern reduces with.
func ExampleNewSlots() {
	var total int
	slots := reduce.NewSlots(reducers.New(&total, func(dst, src *int) { *dst += *src }))
	slots.Column.Open(1, 1, 4) // one worker, one slot, leaves of four lanes
	lanes := slots.Begin(0, 10)
	for k := range 10 {
		lanes[k%len(lanes)] += k
	}
	slots.Column.End(0, 0, 10)
	slots.Column.Finish(0)
	slots.Column.Store(0)
	fmt.Println(total)
	// Output: 45
}

// A launcher of one's own asks whether two results would be written to the same memory.
func ExampleCheckPlaces() {
	var total int
	rows := make([][]int, 2)
	rows[0] = []int{1, 2}
	rows[1] = rows[0]
	row := func(r *[]int) reducers.Reducer[[]int] { return reducers.Slice(r, sum) }
	a, b := reducers.New(&total, func(dst, src *int) { *dst += *src }), reducers.Slice(&rows, row)
	ofA, ofB := concept.TraitsOf(a), concept.TraitsOf(b)
	fmt.Println(reduce.CheckPlaces([]any{reduce.Place(a, &ofA), reduce.Place(b, &ofB)}))
	// Output: reducers: elements 0 and 1 of reducer 2 have the same result place
}
