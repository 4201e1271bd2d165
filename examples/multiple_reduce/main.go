// Multiple_reduce computes two reductions of a tensor while reading it once: the
// mean and the mean of squares over some dimensions of a tensor of shape (N, H, W, C),
// which is what a normalization layer needs to know. By default these are H, W and C,
// and there are N results of each.
//
//	go run ./examples/multiple_reduce -D 600,28,28,256 -v 1 2 1
//
// All of it is in package moments, which exec/cuda/examples/multiple_reduce gives a card as well.
package main

import "github.com/gokkos/gokkos/examples/multiple_reduce/moments"

func main() { moments.Main() }
