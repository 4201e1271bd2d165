package main

import "os"

// Without a card the program takes Serial, which has the same bits.
func Example_main() {
	os.Setenv("GOKKOS_CUDA", "/nowhere/libcuda.so.1")
	defer os.Unsetenv("GOKKOS_CUDA")
	main()
	// Output: 3.141592653589876 0x1.921fb54442dd3p+01
}
