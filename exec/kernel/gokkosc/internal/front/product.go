package front

import (
	"go/token"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// sum refuses a product as a summand, and notes others.
func (f *frame) sum(x number, at token.Pos) {
	if x.product != token.NoPos {
		f.noRounding(x.product)
	}
	f.summands[x.v] = at
}

// noProduct refuses a product that a loop carries to where it is a summand.
func (l *lowering) noProduct(carried *ir.Value, at token.Pos) {
	if _, ok := l.summands[carried]; ok {
		l.noRounding(at)
	}
}

func (l *lowering) noProductCarried(carried *ir.Value, x number) {
	if x.product != token.NoPos {
		l.noProduct(carried, x.product)
	}
}

func (l *lowering) noRounding(at token.Pos) {
	if l.world.config.Rounded {
		if !l.fuses.IsValid() {
			l.fuses = l.position(at)
		}
		return
	}
	l.refuse(at, "write float64(x*y), or float32(x*y), which rounds it", "Go may fuse this product with a sum, with other bits on some CPUs")
}
