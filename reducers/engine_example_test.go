package reducers_test

import (
	"fmt"

	"github.com/gokkos/gokkos/reducers"
)

// written writes down each join.
func written(result *string) reducers.Reducer[string] {
	return reducers.New(result, func(dst, src *string) { *dst = "(" + *dst + *src + ")" })
}

func ExampleJoinTree() {
	values := []string{"a", "b", "c", "d", "e"}
	reducers.JoinTree(written(nil), values)
	fmt.Println(values[0])
	// Output: (((ab)(cd))e)
}

func ExampleIsFlat() {
	fmt.Println(reducers.IsFlat[[3]float64](), reducers.IsFlat[string](), reducers.IsFlat[[]float64]())
	// Output: true true false
}

// Large values, and those that refer to memory elsewhere, are reduced in one lane.
func ExampleTakesLanes() {
	fmt.Println(reducers.TakesLanes[[8]float64](), reducers.TakesLanes[[9]float64](), reducers.TakesLanes[[]float64]())
	// Output: true false false
}

// What stands for the old content of a result place is joined to the left of all else.
func ExampleLoad() {
	result := "old"
	r := written(&result)
	traits := reducers.TraitsOf(r)
	var val string
	reducers.Load(r, traits, &val)
	next := "new"
	r.Join(&val, &next)
	reducers.Store(r, traits, &val)
	fmt.Println(result)
	// Output: (oldnew)
}

// A launch on a device ends a leaf step by step, and the launch after it uses the slots again.
func ExampleSlots() {
	var total, product int
	slots := reducers.NewSlots(reducers.New(&total, func(dst, src *int) { *dst += *src }))
	slots.Open(1, 2, 2)
	copy(slots.Begin(0, 2), []int{3, 4})
	slots.JoinLanes(0, 0, 1)
	slots.EndLane(0, 0, 1)
	slots.Clear(0) // to the identity
	slots.Join(0, 1)
	slots.Finish(0)
	slots.Store(0)

	slots.Release()
	slots.Reset(reducers.New(&product, func(dst, src *int) { *dst *= *src }, reducers.Init(func(x *int) { *x = 1 })))
	slots.Open(1, 1, 1)
	slots.Seed(slots.At(0))
	*slots.At(0) *= 5
	slots.Finish(0)
	slots.Store(0)
	fmt.Println(total, product)
	// Output: 7 5
}

// A device chooses by the profile how to join values.
func ExampleSlots_Profile() {
	var total [4]int32
	slots := reducers.NewSlots(reducers.New(&total, func(dst, src *[4]int32) { dst[0] += src[0] }))
	fmt.Printf("%+v\n", slots.Profile(8))
	// Output: {Bytes:16 Flat:true Exact:false Lanes:8}
}

// A slot leaves the process as bytes, and comes back in another.
func ExampleSlots_AppendSlot() {
	var total int
	slots := reducers.NewSlots(reducers.New(&total, func(dst, src *int) { *dst += *src }))
	slots.Open(1, 2, 1)
	_, err := slots.Layout() // of both processes, which have to be the same
	fmt.Println(err)
	*slots.At(0) = 42
	buf, err := slots.AppendSlot(nil, 0)
	fmt.Println(len(buf), err)
	rest, err := slots.SetSlot(1, buf)
	fmt.Println(*slots.At(1), len(rest), err)
	// Output:
	// <nil>
	// 8 <nil>
	// 42 0 <nil>
}
