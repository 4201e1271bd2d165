module github.com/gokkos/gokkos/exec/cuda/endtoend

go 1.26.0

replace (
	github.com/gokkos/gokkos => ../../..
	github.com/gokkos/gokkos/examples => ../../../examples
	github.com/gokkos/gokkos/exec/cuda => ..
	github.com/gokkos/gokkos/exec/kernel/gokkosc => ../../kernel/gokkosc
	github.com/gokkos/gokkos/exec/mpi => ../../mpi
)

require (
	github.com/gokkos/gokkos v0.0.0-00010101000000-000000000000
	github.com/gokkos/gokkos/examples v0.0.0-00010101000000-000000000000
	github.com/gokkos/gokkos/exec/cuda v0.0.0-00010101000000-000000000000
	github.com/gokkos/gokkos/exec/kernel/gokkosc v0.0.0-00010101000000-000000000000
	github.com/gokkos/gokkos/exec/mpi v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
