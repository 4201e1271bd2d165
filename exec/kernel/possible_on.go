//go:build !race && !gokkos_bounds

package kernel

// possible says whether loops are used. The race detector, and views that check each index, must
// see what functors do.
const possible = true
