package mpi_test

import (
	"fmt"
	"math"
	"sync"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
)

func Example() {
	x := make([]float64, 100_000)
	for i := range x {
		x[i] = math.Sin(float64(i))
	}
	sum := func(on exec.Space) (sum float64, err error) {
		err = exec.ParallelReduce(policy.Range(0, len(x)).On(on), func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sum))
		return sum, err
	}
	alone, _ := sum(exec.Serial{})
	for _, ranks := range []int{1, 2, 7} {
		err := mpi.Local(ranks, func(c *mpi.Comm) error {
			sum, err := sum(mpi.On(c, exec.Serial{}))
			if c.Rank() == 0 {
				fmt.Println(c.Size(), "ranks:", sum == alone)
			}
			return err
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 1 ranks: true
	// 2 ranks: true
	// 7 ranks: true
}

func ExampleLocal() {
	err := mpi.Local(3, func(c *mpi.Comm) error {
		if c.Rank() == 1 {
			return fmt.Errorf("the kettle is dry")
		}
		return nil
	})
	fmt.Println(err)
	// Output: mpi: rank 1: the kettle is dry
}

func ExampleOn() {
	var errs [2]error
	var sums [2]float64
	_ = mpi.Local(2, func(c *mpi.Comm) (err error) {
		p := policy.Range(0, 1000).WithLabel("kettle").On(mpi.On(c, exec.Serial{}))
		defer func() { errs[c.Rank()], _ = recover().(error) }()
		return exec.ParallelReduce(p, func(i int, _ *float64) {
			if i == 700 {
				panic("dry")
			}
		}, builtin.Sum(&sums[c.Rank()]))
	})
	for rank := range errs {
		p := errs[rank].(*exec.Panic)
		fmt.Printf("%v in items %d to %d, %q\n", p.Value, p.Begin, p.End, p.Origin)
	}
	// Output:
	// dry in items 672 to 704, "rank 1 of 2 of world"
	// dry in items 672 to 704, ""
}

func ExamplePart() {
	x := make([]int, 1000) // each rank writes its own items
	_ = mpi.Local(3, func(c *mpi.Comm) error {
		p := policy.Range(0, len(x)).On(mpi.On(c, exec.Serial{}))
		if err := exec.ParallelFor(p, func(i int) { x[i] = c.Rank() }); err != nil {
			return err
		}
		begin, end, err := mpi.Part(p.Plan().Space, p)
		fmt.Printf("%v ", begin < end && x[begin] == c.Rank() && x[end-1] == c.Rank())
		return err
	})
	fmt.Println()
	// Output: true true true
}

func ExampleSpace_PartOf() {
	_ = mpi.Local(3, func(c *mpi.Comm) error {
		if c.Rank() == 0 {
			on := mpi.On(c, exec.Serial{})
			for rank := range c.Size() {
				begin, end, err := on.PartOf(policy.Range(0, 1000), rank)
				fmt.Println(begin, end, err)
			}
		}
		return nil
	})
	// Output:
	// 0 320 <nil>
	// 320 672 <nil>
	// 672 1000 <nil>
}

func ExampleDistributed() {
	var mu sync.Mutex
	_ = mpi.Local(4, func(c *mpi.Comm) error {
		p := policy.Range(0, 1000).On(mpi.On(c, exec.Serial{}))
		begin, end, err := mpi.Part(p.Plan().Space, p)
		if err != nil {
			return err
		}
		x := make([]float64, end-begin) // those of this rank, and no others
		for k := range x {
			x[k] = float64(begin + k)
		}
		var sum, largest float64
		err = exec.ParallelFold(mpi.Distributed(p, x), builtin.Sum(&sum), builtin.Max(&largest))
		mu.Lock()
		defer mu.Unlock()
		fmt.Println(sum, largest, err)
		return err
	})
	// Output:
	// 499500 999 <nil>
	// 499500 999 <nil>
	// 499500 999 <nil>
	// 499500 999 <nil>
}

func ExampleDistributedProducts() {
	_ = mpi.Local(2, func(c *mpi.Comm) error {
		p := policy.Range(0, 4).On(mpi.On(c, exec.Serial{}))
		x, y := []float64{1, 2}, []float64{10, 10} // of this rank, of four
		var dot float64
		err := exec.ParallelFold(mpi.DistributedProducts(p, x, y), builtin.Sum(&dot))
		if c.Rank() == 1 {
			fmt.Println(dot, err)
		}
		return err
	})
	// Output: 60 <nil>
}

func ExampleAllreduce() {
	_ = mpi.Local(5, func(c *mpi.Comm) error {
		var worst builtin.ValLoc[float64, int]
		mine := builtin.ValLoc[float64, int]{Val: math.Abs(float64(c.Rank() - 3)), Loc: c.Rank()}
		err := mpi.Allreduce(c, mine, builtin.MaxLoc(&worst))
		if c.Rank() == 4 {
			fmt.Printf("%v on rank %d of %d\n", worst.Val, worst.Loc, c.Size())
		}
		return err
	})
	// Output: 3 on rank 0 of 5
}

// Ranks agree on short launches, and have their results, by one message.
func ExampleSpace_Eager() {
	x := []float64{3, 1, 4, 1, 5, 9}
	err := mpi.Local(2, func(c *mpi.Comm) error {
		on := mpi.On(c, exec.Serial{}).Eager()
		var most float64
		for range 10 {
			if err := exec.ParallelReduce(policy.Range(0, len(x)).On(on), func(i int, acc *float64) { *acc = max(*acc, x[i]) }, builtin.Max(&most)); err != nil {
				return err
			}
		}
		if c.Rank() == 0 {
			fmt.Println(most)
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// 9
	// <nil>
}
