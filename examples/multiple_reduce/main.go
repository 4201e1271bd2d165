// Multiple_reduce computes two reductions of a tensor while reading it once: the
// mean and the mean of squares over some dimensions of a tensor of shape (N, H, W, C),
// which is what a normalization layer needs to know. By default these are H, W and C,
// and there are N results of each.
//
//	go -C examples run ./multiple_reduce -D 600,28,28,256 -v 1 2 1
//
// With -space cuda the tensor is reduced on a card, and with -space mpi over ranks, each of which reads its part of a file:
//
//	go -C examples build -o /tmp/multiple_reduce ./multiple_reduce
//	mpirun --bind-to none --oversubscribe -n 4 /tmp/multiple_reduce -space mpi -in x.npy
package main

import "github.com/gokkos/gokkos/examples/multiple_reduce/moments"

func main() { moments.Main() }
