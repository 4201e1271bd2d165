//go:build !race

package scatter_test

const raceEnabled = false
