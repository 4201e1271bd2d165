//go:build race || gokkos_bounds

package kernels

const closures = true
