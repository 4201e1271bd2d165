// Customreducer finds the longest run of heads in throws of a coin: go -C examples run ./customreducer
package main

import (
	"fmt"
	"io"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views/random"
)

// runs are the longest run of heads in n throws, and those that the throws begin and end with.
type runs struct{ N, Begin, End, Longest int64 }

// join appends b to a: a run may go on from one to the other.
func join(a, b *runs) {
	all := runs{a.N + b.N, a.Begin, b.End, max(a.Longest, b.Longest, a.End+b.Begin)}
	if a.Begin == a.N {
		all.Begin += b.Begin
	}
	if b.End == b.N {
		all.End += a.End
	}
	*a = all
}

func toss(w io.Writer, on exec.Space) ([]any, error) {
	var r runs
	err := exec.ParallelReduce(policy.Range(0, 1_000_000).On(on), func(i int, acc *runs) {
		g := random.New(1).At(i)
		head := int64(g.IntN(2))
		join(acc, &runs{1, head, head, head})
	}, reducers.Ordered(reducers.New(&r, join)))
	if err == nil {
		fmt.Fprintf(w, "%d throws, %d heads in a row\n", r.N, r.Longest)
	}
	return []any{r}, err
}

func main() { spaces.Choice{Name: "all", Ranks: true}.Main("customreducer", toss) }
