// Package programs has tests that gokkosc runs, as it compiles the functors of programs where they stand: whole programs
// of the module examples on a card that the machine for PTX stands in for.
//
//	gokkosc test -ptx -tags gokkos_programs .
package programs
