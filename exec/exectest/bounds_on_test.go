//go:build gokkos_bounds

package exectest_test

const checksBounds = true
