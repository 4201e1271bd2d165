//go:build !gokkos_bounds

package memory

// ChecksDimensions reports whether typed views check each index against the extent of its dimension.
const ChecksDimensions = false
