module example.com/kernels

go 1.26.0

require github.com/gokkos/gokkos v0.0.0-00010101000000-000000000000

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace github.com/gokkos/gokkos => ../../../../../..
