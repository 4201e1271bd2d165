package token_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/token"
)

// How often the letters of words occur: a span of words has a row of counts for itself, whatever the number of words.
// Integers have the same sum in any order.
func Example() {
	words := []string{"league", "team", "member", "lane"}
	space := exec.NewGoroutines(2)
	defer space.Close()
	numbers, err := token.New(space.Concurrency())
	exec.Must(err)
	counts := views.Must(views.New2[int]("counts", numbers.Size(), 26))
	exec.Must(exec.ParallelFor(policy.Spans(0, len(words)).On(space), func(s policy.Span) {
		number := numbers.Acquire()
		defer numbers.Release(number)
		row := counts.Row(number)
		for i := range s.All() {
			for _, letter := range words[i] {
				row[letter-'a']++
			}
		}
	}))
	sum := 0
	for number := range numbers.Size() {
		sum += counts.At(number, 'e'-'a')
	}
	fmt.Println(sum, "times e")
	// Output: 6 times e
}

func ExampleNew() {
	_, err := token.New(0)
	fmt.Println(err)
	// Output: token: 0 numbers, expected 1 or more
}

// A number that nobody gives back is taken for ever.
func ExampleUnique_Acquire() {
	numbers, err := token.New(1)
	exec.Must(err)
	first := numbers.Acquire()
	func() {
		defer func() { fmt.Println(recover()) }()
		numbers.Acquire()
	}()
	numbers.Release(first)
	fmt.Println(numbers.Acquire())
	// Output:
	// token: all 1 numbers are taken, expected one for each item that runs at the same time
	// 0
}
