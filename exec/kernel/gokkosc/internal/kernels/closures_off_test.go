//go:build !race && !gokkos_bounds

package kernels

// closures says that this build runs no loops.
const closures = false
