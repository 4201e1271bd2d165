package main

func Example_main() {
	main()
	// Output:
	// serial     1 workers: 0x1.f32b977a1149cp+10 <nil>
	// goroutines 2 workers: 0x1.f32b977a1149cp+10 <nil>
	// goroutines 7 workers: 0x1.f32b977a1149cp+10 <nil>
	// simgpu     1 workers: 0x1.f32b977a1149cp+10 <nil>
}
