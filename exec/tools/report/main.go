// Report prints the table of a trace, see package tools:
//
//	GOKKOS_TOOLS=trace=run.json ./program
//	go run github.com/gokkos/gokkos/exec/tools/report run.json
package main

import (
	"fmt"
	"os"

	"github.com/gokkos/gokkos/exec/tools"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: report FILE, a trace that a program has written with GOKKOS_TOOLS=trace=FILE")
		os.Exit(2)
	}
	if err := report(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func report(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	var table tools.Table
	if err := table.ReadTrace(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if table.Empty() {
		return fmt.Errorf("%s has no events, expected those of a program that ran with GOKKOS_TOOLS=trace=%s and launched", name, name)
	}
	_, err = fmt.Print(&table)
	return err
}
