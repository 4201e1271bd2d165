// Gokkosvet reports mistakes in the functors of gokkos, and what is not portable in them, before
// they run:
//
//	go build -o gokkosvet ./gokkosvet
//	go vet -vettool=$PWD/gokkosvet ./...
//
// Package analyzer has the list of what it reports and how to leave something out. With
// -gokkos.unwatched, it also reports what a launch that is watched does not see, with -gokkos.fused
// products that are added to something, which some processors round once and others twice. It writes the conversions itself:
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
