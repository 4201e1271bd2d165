//go:build race

package scatter_test

const raceEnabled = true
