// Walk runs one program on the spaces that -space names, and prints the hash of all bits that it comes to on each:
//
//	go -C examples run ./walk -space all,cuda
package main

import (
	"fmt"
	"io"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/examples/walk/prefix"
	"github.com/gokkos/gokkos/exec"
)

func main() { spaces.Choice{Name: "all", Timed: true}.Main("walk", run) }

func run(w io.Writer, on exec.Space) ([]any, error) {
	hash, err := prefix.Hash(on)
	if err == nil {
		fmt.Fprintf(w, "%-10s %016x\n", on.Name(), hash)
	}
	return []any{hash}, err
}
