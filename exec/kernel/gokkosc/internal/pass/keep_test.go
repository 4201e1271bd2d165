package pass_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// Stores and loads that stay, and their number, if memories of one type may overlap.
func TestKeep(t *testing.T) {
	for functor, want := range map[string]struct{ loads, stores, ifs int }{
		"func(i int) { y[i] = 2; x[i] = y[i] }":                                          {0, 2, 0},
		"func(i int) { y[i] = 2; x[i] = 3; y[i] = y[i] }":                                {1, 3, 0}, // x may be y
		"func(i int) { y[i] = 2; n[i] = 3; y[i] = y[i] }":                                {0, 2, 0},
		"func(i int) { y[i] = 2; y[i+1] = 3; y[i+1] += y[i] }":                           {0, 2, 0},
		"func(i int) { y[i] = 2; y[m] = 3; x[i] = y[i] }":                                {1, 3, 0}, // m may be i
		"func(i int) { y[i] = 1; y[i] = 2 }":                                             {0, 1, 0},
		"func(i int) { y[i] = 1; y[m] = x[i]; y[i] = 2 }":                                {1, 3, 0}, // x may be y
		"func(i int) { b[i] = uint8(n[i]); n[i] = int(b[i]); b[i] = 3 }":                 {1, 2, 0},
		"func(i int) { y[i] = 1; if m > 3 { y[i] = 2 }; if m > 4 { y[i] += 3 } }":        {0, 1, 0},
		"func(i int) { if m > 3 { y[i] = 2 } else { y[i] = 1 } }":                        {0, 1, 0},
		"func(i int) { if m > 3 { b[i] = 2 } else { b[i] = 1 } }":                        {0, 1, 0},
		"func(i int) { if m > 3 { y[i] = 2; x[i] = 4 } else { y[i] = 1; x[i] = 5 } }":    {0, 2, 0},
		"func(i int) { if m > 3 { y[i] = 2; x[i] = 4 } else { x[i] = 5; y[i] = 1 } }":    {0, 4, 1}, // x may be y
		"func(i int) { if m > 3 { y[i] = 2; n[i] = int(x[i]) } else { y[i] = 1 } }":      {1, 3, 1}, // x may be y
		"func(i int) { if m > 3 { y[i] = 2 } }":                                          {0, 1, 1}, // others may own it
		"func(i int) { v := y[i]; if m > 3 { y[i] = v + 2 } }":                           {1, 1, 1},
		"func(i int) { y[i] = 1; x[i] = 5; if m > 3 { y[i] = 2 } }":                      {0, 3, 1}, // not known any more
		"func(i int) { y[i] = 1; if m > 3 { x[i] = 5 }; if m > 4 { y[i] = 2 } }":         {0, 3, 2},
		"func(i int) { y[i] = 1; for j := range m { y[i] += x[j] } }":                    {2, 2, 0}, // x may be y
		"func(i int) { for j := range m { y[j] = 1; y[j] = y[j] + 2 } }":                 {0, 1, 0},
		"func(i int) { y[i] = 1; s := 0.0; for range m { s += y[i] }; y[i] = s }":        {0, 1, 0},
		"func(i int) { y[i] = 1; for range m { if y[i] > 9 { break }; y[i] += 1 } }":     {1, 2, 1},
		"func(i int) { y[i] = 1; if m > 3 { if m > 5 { y[i] = 2 } else { y[i] = 3 } } }": {0, 1, 0},
	} {
		k := lower(t, "x, y []float64, n, c []int, b []uint8, m int", functor)
		run(t, k, pass.Common, pass.Keep, pass.Choose)
		assert.Equal(t, want.loads, count(k.Body, ir.Load), "loads of %s\n%s", functor, k)
		assert.Equal(t, want.stores, count(k.Body, ir.Store), "stores of %s\n%s", functor, k)
		assert.Equal(t, want.ifs, count(k.Body, ir.If), "ifs of %s\n%s", functor, k)
	}
}

// On a device, an item that stops has done the stores in front of the stop.
func TestKeepExactly(t *testing.T) {
	for functor, stores := range map[string]int{
		"func(i int) { y[i] = 1; y[i] = float64(n[i+m]) }":                                                 2,
		"func(i int) { y[i] = 1; y[i] = 2 }":                                                               1,
		"func(i int) { v := m; if m > 3 { y[i] = 1; v = n[i+m] } else { y[i] = 3 }; y[i+1] = float64(v) }": 3,
	} {
		k := lower(t, "y []float64, n []int, m int", functor)
		run(t, k, pass.Common, pass.KeepExactly)
		assert.Equal(t, stores, count(k.Body, ir.Store), "%s\n%s", functor, k)
	}
}
