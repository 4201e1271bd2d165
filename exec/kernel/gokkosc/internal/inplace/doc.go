// Package inplace compiles the functors of a program where they stand, and runs the go command on the result: an overlay
// in which each functor is an argument of its generated constructor. The files of the program stay as they are.
package inplace
