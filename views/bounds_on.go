//go:build gokkos_bounds

package views

// checked says whether typed views check an index in every dimension.
const checked = true
