package cuda_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/tensor"
)

// The program runs on a card where there is one. The bits are the same anywhere.
func Example() {
	var on exec.Space = exec.Serial{}
	if card, err := cuda.Open(0); err == nil {
		defer card.Close()
		on = card
	}
	h := views.Must(views.Of1("h", []float64{1, 2, 3}))
	x := views.Must(views.MirrorCopy(views.MemoryOf(on), h))
	var sum float64
	err := exec.ParallelReduce(policy.Range(0, 3).On(on), Dot(x, x), builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 14 <nil>
}

// No machine has a device of that number.
func ExampleOpen() {
	_, err := cuda.Open(1000)
	fmt.Println(err != nil && strings.HasPrefix(err.Error(), "cuda: "))
	// Output: true
}

// All cards of the machine are one space, on which a program for one card runs unchanged.
func ExampleTogether() {
	var on exec.Space = exec.Serial{}
	if cards, err := cuda.Together(); err == nil {
		defer cards.Close()
		on = cards
	}
	x := views.Must(views.MirrorCopy(views.MemoryOf(on), views.Must(views.Of1("h", []float64{1, 2, 3}))))
	var sum float64
	err := exec.ParallelReduce(policy.Range(0, 3).On(on), Dot(x, x), builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output: 14 <nil>
}

func ExampleDevices() {
	n, err := cuda.Devices()
	fmt.Println(n > 0 || err != nil)
	// Output: true
}

// Two halves of a card, each of which runs its launches one after another.
func ExampleSpace_Partition() {
	card, err := cuda.Open(0)
	if err != nil {
		fmt.Println(2) // for want of a card
		return
	}
	defer card.Close()
	parts, _ := card.Partition(2)
	fmt.Println(len(parts))
	// Output: 2
}

// A view in the memory of a card is folded there: what it comes to has the bits of any other space.
func ExampleSpace_FoldsMemory() {
	var on exec.Space = exec.Serial{}
	if card, err := cuda.Open(0); err == nil {
		defer card.Close()
		on = card
	}
	h := views.Must(views.Of1("h", []float64{1, -2, 3}))
	x := views.Must(views.MirrorCopy(views.MemoryOf(on), h))
	var sum float64
	var least builtin.ValLoc[float64, int]
	err := exec.ParallelFold(views.Source(x, policy.On(on)), builtin.Sum(&sum), builtin.MinLoc(&least))
	fmt.Println(sum, least.Val, least.Loc, err)
	// Output: 2 -2 1 <nil>
}

// Views in the memory of a card are scanned there.
func ExampleSpace_ScansMemory() {
	var on exec.Space = exec.Serial{}
	if card, err := cuda.Open(0); err == nil {
		defer card.Close()
		on = card
	}
	counts := views.Must(views.Of1("counts", []int{3, 1, 4}))
	x := views.Must(views.MirrorCopy(views.MemoryOf(on), counts))
	var total int
	err := algorithms.ExclusiveScan(x, x, builtin.Sum(&total), policy.On(on))
	exec.Must(views.DeepCopy(counts, x))
	fmt.Println(slices.Collect(counts.Values()), total, err)
	// Output: [0 3 4] 8 <nil>
}

// A tensor in the memory of a card is reduced there.
func ExampleSpace_FoldTensor() {
	var on exec.Space = exec.Serial{}
	if card, err := cuda.Open(0); err == nil {
		defer card.Close()
		on = card
	}
	h := views.Must(views.Of2("h", []float64{1, 2, 3, 4, 5, 6}, 2, 3))
	x := views.Must(views.MirrorCopy(views.MemoryOf(on), h))
	sums := views.Must(views.New1[float64]("sums", 2))
	err := tensor.Reduce(tensor.Over(x, 1).On(on), tensor.Fold(builtin.Sum[float64], tensor.Into(sums)))
	fmt.Println(slices.Collect(sums.Values()), err)
	// Output: [6 15] <nil>
}

// Random numbers are made in the memory of a card, with the bits that they have everywhere.
func ExampleSpace_FillRandom() {
	var on exec.Space = exec.Serial{}
	if card, err := cuda.Open(0); err == nil {
		defer card.Close()
		on = card
	}
	x := views.Must(views.NewIn[int](views.MemoryOf(on), "x", []int{5}))
	err := random.FillUniform(x, random.New(1), 1, 7, policy.On(on))
	back := views.Must(views.MirrorCopy(views.Host, x))
	fmt.Println(slices.Collect(back.Values()), err)
	// Output: [5 4 6 2 2] <nil>
}

// A launch that GOKKOS_SPACE=cuda would have.
func ExampleSpace() {
	on, err := space.Open("cuda", func(key string) string { return map[string]string{"GOKKOS_DEVICE": "one"}[key] })
	fmt.Println(on, err)
	// Output: <nil> cuda: GOKKOS_DEVICE="one", expected the number of a device, from 0 on, numbers such as 0,1, or all
}

// A device that is lost stays lost for this process, which can go on elsewhere.
func ExampleErrLost() {
	launch := func(on exec.Space) error {
		return exec.ParallelFor(policy.Range(0, 1).On(on), func(int) {})
	}
	err := launch(exec.Serial{})
	fmt.Println(errors.Is(err, cuda.ErrLost))
	// Output: false
}
