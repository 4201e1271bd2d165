module github.com/gokkos/gokkos/exec/cuda

go 1.26.0

replace github.com/gokkos/gokkos => ../..

require (
	github.com/ebitengine/purego v0.11.3
	github.com/gokkos/gokkos v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
	github.com/x448/float16 v0.8.4
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.41.0 // indirect
)
