package views_test

import (
	"fmt"

	"github.com/gokkos/gokkos/views"
)

// A view, its layout and what a subview is cut by print in a few words, for messages.
func ExampleView_String() {
	a := views.Must(views.New2[int]("a", 3, 4))
	column := views.Must(a.Sub(views.All(), views.Index(1)))
	fmt.Println(a, a.Layout())
	fmt.Println(column, column.Layout())
	fmt.Println(views.Left, views.All(), views.Index(1), views.Range(0, 4).By(2))
	fmt.Println(views.View[int]{})
	// Output:
	// "a" [3 4] Right
	// "a" [3] Stride[4]
	// Left All() Index(1) Range(0, 4).By(2)
	// a zero view
}

// largest takes any view of ints, of whatever rank and layout.
func largest(v views.Viewer[int]) (x int) {
	for y := range views.As(v).Values() {
		x = max(x, y)
	}
	return x
}

func ExampleViewer() {
	fmt.Println(largest(views.Must(views.Of1("a", []int{3, 1, 4}))))
	fmt.Println(largest(views.Must(views.Of2("b", []int{1, 5, 9, 2}, 2, 2))))
	// Output:
	// 4
	// 9
}

// ones returns a view like the one that it is given, and of its type.
func ones[V views.ViewOf[int, V]](v V) (V, error) {
	w, err := views.Mirror(v)
	if err != nil {
		return w, err
	}
	return w, views.Fill(w, 1)
}

func ExampleViewOf() {
	w, err := ones(views.Must(views.New2[int]("a", 2, 3)))
	fmt.Println(w.At(1, 2), err) // as a View2 has it
	// Output: 1 <nil>
}
