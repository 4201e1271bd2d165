// Gokkosvet reports mistakes in functors of gokkos, and code that is not portable, before the functors run:
//
//	go build -o gokkosvet ./gokkosvet
//	go vet -vettool=$PWD/gokkosvet ./...
//
// The documentation of package analyzer lists the reports, and says how to suppress a report. With
// -gokkos.unwatched, gokkosvet also reports mistakes that a watched launch does not see. With -gokkos.fused
// it reports products that are added to something: some processors round them once, others twice. Flag -fix
// writes the conversions that round them:
//
//	./gokkosvet -gokkos.fused -fix ./...
package main

import (
	"runtime/debug"

	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/analyzer"
)

func main() {
	debug.SetGCPercent(400) // a package is small, and what has run it is garbage
	multichecker.Main(analyzer.Analyzer)
}
