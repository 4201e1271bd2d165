package hashmap_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/hashmap"
)

// The edges of triangles, each once, in the order in which a loop would find them.
func Example() {
	triangles := [][3]int{{0, 1, 2}, {2, 1, 3}, {3, 1, 4}}
	type edge struct{ low, high int }
	edges, err := hashmap.New[edge, int](3 * len(triangles))
	exec.Must(err)
	exec.Must(exec.ParallelFor(policy.Range(0, len(triangles)), func(t int) {
		for k := range 3 {
			a, b := triangles[t][k], triangles[t][(k+1)%3]
			edges.Insert(t, edge{min(a, b), max(a, b)}, t)
		}
	}))
	for _, e := range edges.Entries() {
		fmt.Println(e.Key, "of triangle", e.Value)
	}
	// Output:
	// {0 1} of triangle 0
	// {1 2} of triangle 0
	// {0 2} of triangle 0
	// {1 3} of triangle 1
	// {2 3} of triangle 1
	// {1 4} of triangle 2
	// {3 4} of triangle 2
}

func ExampleMap_Find() {
	m, err := hashmap.New[string, float64](2)
	exec.Must(err)
	m.Insert(0, "H", 1.008)
	m.Insert(1, "He", 4.0026)
	fmt.Println(m.Find("He"))
	fmt.Println(m.Find("Li"))
	// Output:
	// 4.0026 true
	// 0 false
}

// A map that was too small is made larger, and the launch is made again.
func ExampleMap_Failed() {
	m, err := hashmap.New[int, int](4)
	exec.Must(err)
	for {
		exec.Must(exec.ParallelFor(policy.Range(0, 10), func(i int) { m.Insert(i, i*i, i) }))
		if m.Failed() == 0 {
			break
		}
		m, err = hashmap.New[int, int](2 * m.Capacity())
		exec.Must(err)
	}
	fmt.Println(m.Len(), "of", m.Capacity())
	// Output: 10 of 16
}

func ExampleMap_Erase() {
	m, err := hashmap.New[int, int](4)
	exec.Must(err)
	m.Insert(0, 7, 1)
	fmt.Println(m.Erase(7), m.Erase(7), m.Len())
	m.Clear()
	fmt.Println(m.Len())
	// Output:
	// true false 0
	// 0
}
