// Package inplace compiles the functors of a program in its own source files, and runs the go command on the
// result. An overlay makes each functor an argument of its generated constructor. The files of the program
// stay as they are.
package inplace
