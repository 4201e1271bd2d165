//go:build race || noasm || !(amd64 || arm64)

package watch

import "errors"

// Possible reports whether accesses can be seen in this build: see hooks.go.
const Possible = false

//go:norace
func probe(*caller, int, int) {}

//go:norace
func room() uintptr { return hookRoom }

//go:norace
func pin() int { return 0 }

//go:norace
func unpin() {}

//go:norace
func findFunc(uintptr) funcInfo { return funcInfo{} }

// counters are there in builds with hooks only.
var counters region

// constants are asked for in builds with hooks only.
var constants region

// zeros are asked for in builds with hooks only.
var zeros region

var errAge = errors.New("nothing is seen in this build")

//go:norace
func canTellAge() bool { return false }

//go:norace
func isOld(uintptr) bool { return false }
