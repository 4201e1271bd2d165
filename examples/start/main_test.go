package main

import (
	"math"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

// The picture and what is found have the same bits on Serial, on Goroutines, and on three devices under eight schedules.
func TestSpaces(t *testing.T) {
	exectest.TestKernel(t, func(space exec.Space) any {
		counts, err := visits(space, 60, 40, 50)
		if err != nil {
			t.Fatal(err)
		}
		found, err := chaos(space, 60)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := counts.Slice()
		return []any{all, found}
	})
}

// The reducer is associative, and what no columns give changes nothing.
func TestReducer(t *testing.T) {
	var result Chaos
	reducertest.Check(t, joined(&result), []Chaos{{1, 3.6}, {4, 3.9}, {0, math.Inf(1)}})
}

// Chaos begins where period doubling ends, at 3.5699.
func TestChaos(t *testing.T) {
	found, err := chaos(exec.Serial{}, 1200)
	if err != nil || found.From < 3.5699 || found.From > 3.575 {
		t.Errorf("chaos from %v, %v, expected from 3.5699 to 3.575", found.From, err)
	}
}
