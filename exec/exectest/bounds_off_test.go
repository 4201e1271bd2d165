//go:build !gokkos_bounds

package exectest

// checksBounds says that typed views check an index in every dimension.
const checksBounds = false
