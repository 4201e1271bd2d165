package arguments

import (
	"flag"
	"fmt"
	"os"
)

// Parse parses the flags of a program of this name, which takes nothing else: other arguments end it with status 2.
func Parse(name string) {
	flag.Parse()
	if err := noneOf(flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(2)
	}
}

// noneOf is an error if there are arguments.
func noneOf(arguments []string) error {
	if len(arguments) > 0 {
		return fmt.Errorf("arguments %q, expected none but flags; -help lists them", arguments)
	}
	return nil
}
