//go:build race || gokkos_bounds

package kernel

// possible says whether loops are used: see possible_on.go.
const possible = false
