// Gokkosvet reports what is wrong or not portable in the functors of gokkos, and what a launch
// that is watched does not see in them:
//
//	go install github.com/gokkos/gokkos/exec/check/gokkosvet@latest
//	gokkosvet ./...
//	go vet -vettool=$(which gokkosvet) ./...
//
// Package analyzer has the list. With -gokkos.fused, it also reports products that are added to
// something, which some processors round once and others twice.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/gokkos/gokkos/exec/check/gokkosvet/analyzer"
)

func main() { multichecker.Main(analyzer.Analyzer) }
