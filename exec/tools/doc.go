// Package tools tells listeners what a program launches, copies and allocates, as the tools of Kokkos are
// told. A [Table] counts it:
//
//	var table tools.Table
//	defer tools.Listen(table.Listen)()
//	// launches
//	fmt.Println(&table)
//
// A program that was built without a thought of this writes a trace if the environment names a file:
//
//	GOKKOS_TOOLS=trace=run.json ./program
//
// The file is for chrome://tracing and ui.perfetto.dev, and
//
//	go run github.com/gokkos/gokkos/exec/tools/report run.json
//
// prints its table. Each event is in the file when it has ended, whatever becomes of the program. A %p in the name
// becomes the number of the process, for programs of several. The name has no comma: GOKKOS_TOOLS=trace=run.json,labels
// asks for labels, too.
//
// With GOKKOS_TOOLS=labels, or [LabelProfiles] in code, profiles of the CPU tell kernels apart:
//
//	go test -bench . -cpuprofile cpu.prof
//	go tool pprof -tags cpu.prof
//
// Launches have the label of their policy, see policy.Launch.WithLabel, and where their functor is in the
// source. A label is a region in a trace of package runtime/trace, too, without this package, of the goroutine
// that launches: go test -trace run.trace, go tool trace run.trace, "User-defined regions". While nobody listens,
// a launch costs one atomic load more.
package tools
