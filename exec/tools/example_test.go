package tools_test

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strings"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
)

func ExampleListen() {
	stop := tools.Listen(func(e tools.Event) (end func(error)) {
		fmt.Printf("begin %v %q of %d items on %s\n", e.Kind, e.Label, e.Items, e.Space)
		return func(err error) { fmt.Printf("end %q: %v\n", e.Label, err) }
	})
	defer stop()
	var sum int
	err := exec.ParallelReduce(policy.Range(0, 100).On(exec.Serial{}).WithLabel("numbers"), func(i int, acc *int) { *acc += i }, builtin.Sum(&sum))
	fmt.Println(sum, err)
	// Output:
	// begin reduce "numbers" of 100 items on serial
	// end "numbers": <nil>
	// 4950 <nil>
}

func ExampleStartRegion() {
	defer tools.Listen(func(e tools.Event) (end func(error)) {
		fmt.Printf("%v %s in %q\n", e.Kind, e.Label, e.Region)
		return nil
	})()
	step := tools.StartRegion("step")
	solve := tools.StartRegion("solve")
	exec.Must(exec.ParallelFor(policy.Range(0, 10).On(exec.Serial{}).WithLabel("axpy"), func(int) {}))
	solve()
	step()
	// Output:
	// region step in ""
	// region solve in "step"
	// for axpy in "step/solve"
}

func ExampleDo() {
	defer tools.Listen(func(e tools.Event) (end func(error)) {
		return func(err error) { fmt.Println(e.Kind, e.Label, "ended:", err) }
	})()
	err := tools.Do(tools.Event{Kind: tools.Copy, Label: "halo", Bytes: 800}, func() error { return errors.New("no neighbour") })
	fmt.Println(err)
	// Output:
	// copy halo ended: no neighbour
	// no neighbour
}

func ExampleOn() {
	fmt.Println(tools.On())
	stop := tools.Listen(func(tools.Event) func(error) { return nil })
	fmt.Println(tools.On())
	stop()
	fmt.Println(tools.On())
	// Output:
	// false
	// true
	// false
}

func ExampleTable() {
	var table tools.Table
	stop := tools.Listen(table.Listen)
	for range 10 {
		exec.Must(exec.ParallelFor(policy.Range(0, 1000).On(exec.Serial{}).WithLabel("axpy"), func(int) {}))
	}
	stop()
	for line := range strings.Lines(table.String()) {
		f := strings.Fields(line)
		fmt.Println(f[0], f[len(f)-1]) // what is between are times
	}
	// Output:
	// calls what
	// 10 serial
}

func ExampleTable_ReadTrace() {
	trace := `[
{"name":"axpy","cat":"for","ph":"X","ts":0,"dur":600,"pid":1,"tid":1,"args":{"label":"axpy","space":"serial","items":1000}},
{"name":"x to y","cat":"copy","ph":"X","ts":600,"dur":200,"pid":1,"tid":1,"args":{"label":"x to y","space":"host","from":"H200","bytes":400000}},
{"name":"axpy","cat":"for","ph":"X","ts":800,"dur":200,"pid":1,"tid":1,"args":{"label":"axpy","space":"serial","items":1000}}`
	var table tools.Table
	err := table.ReadTrace(strings.NewReader(trace))
	fmt.Print(&table)
	fmt.Println(err)
	// Output:
	// calls     ms  µs each   share  ns/item  GB/s  what
	//     2  0.800    400.0  80.0 %      400        for axpy on serial
	//     1  0.200    200.0  20.0 %              2  copy x to y, H200 to host
	// <nil>
}

func ExampleTable_String() {
	var table tools.Table
	fmt.Println(table.String())
	// Output: calls  ms  µs each  share  ns/item  GB/s  what
}

func ExampleWriteTrace() {
	var file strings.Builder // or what os.Create returns
	stop := tools.Listen(tools.WriteTrace(&file, func(err error) { fmt.Println(err) }))
	exec.Must(exec.ParallelFor(policy.Range(0, 1000).On(exec.Serial{}).WithLabel("axpy"), func(int) {}))
	stop()
	var table tools.Table
	fmt.Println(table.ReadTrace(strings.NewReader(file.String())))
	fmt.Println(strings.Contains(table.String(), "for axpy (example_test.go:"))
	// Output:
	// <nil>
	// true
}

func ExampleKind_String() {
	fmt.Println(tools.For, tools.Allocation)
	// Output: for allocation
}

func ExampleTable_Listen() {
	var table tools.Table
	end := table.Listen(tools.Event{Kind: tools.Region, Label: "input"})
	end(nil)
	fmt.Println(strings.Contains(table.String(), "region input"))
	// Output: true
}

func ExampleLabelProfiles() {
	defer tools.LabelProfiles()() // and pprof.StartCPUProfile
	x := make([]float64, 10)
	err := exec.ParallelFor(policy.Range(0, len(x)).On(exec.Serial{}).WithLabel("axpy"), func(i int) {
		if i == 0 {
			var profile strings.Builder
			fmt.Println(pprof.Lookup("goroutine").WriteTo(&profile, 1), strings.Contains(profile.String(), `{"kernel":"axpy"}`))
		}
		x[i]++
	})
	fmt.Println(err)
	// Output:
	// <nil> true
	// <nil>
}

func ExampleLabels() {
	defer tools.LabelProfiles()()
	pprof.Do(tools.Labels(tools.Event{Kind: tools.Copy, Label: "halo"}), pprof.Labels(), func(ctx context.Context) {
		fmt.Println(pprof.Label(ctx, "kernel"))
	})
	// Output: halo true
}

func ExampleTable_Empty() {
	var table tools.Table
	stop := tools.Listen(table.Listen)
	defer stop()
	fmt.Println(table.Empty())
	exec.Must(exec.ParallelFor(policy.Range(0, 10).On(exec.Serial{}), func(int) {}))
	fmt.Println(table.Empty())
	// Output:
	// true
	// false
}
