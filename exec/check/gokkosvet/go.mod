module github.com/gokkos/gokkos/exec/check/gokkosvet

go 1.26.0

require golang.org/x/tools v0.52.0

require (
	github.com/gokkos/gokkos v0.0.0-00010101000000-000000000000
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

replace github.com/gokkos/gokkos => ../../..
