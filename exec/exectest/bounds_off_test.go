//go:build !gokkos_bounds

package exectest_test

// checksBounds says that typed views check an index in every dimension.
const checksBounds = false
