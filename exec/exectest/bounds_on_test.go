//go:build gokkos_bounds

package exectest

const checksBounds = true
