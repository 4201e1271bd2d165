module github.com/gokkos/gokkos/exec/mpi

go 1.26.0

replace github.com/gokkos/gokkos => ../..

require github.com/gokkos/gokkos v0.0.0-00010101000000-000000000000
