// Command multiple_reduce is examples/multiple_reduce with a card: the mean and the mean of squares over some dimensions of
// a tensor, in one pass, there and on the host, and whether all have the same bits.
//
//	go run . -D 600,28,28,256 -space cuda 2 1     # the card that GOKKOS_DEVICE says, 0 by default
//	go run . -D 600,28,28,256 2 1                 # all spaces
package main

import (
	"os"

	"github.com/gokkos/gokkos/examples/multiple_reduce/moments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/space"
)

func main() { moments.Main(moments.Space{Name: "cuda", Open: open}) }

func open() (exec.Space, func() error, error) {
	s, err := space.Open("cuda", os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	return s, s.(*cuda.Space).Close, nil
}
