package pass

import (
	"encoding/binary"
	"hash/maphash"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Fixpoint returns a pass that runs others in turn until together they leave a kernel as it is. The name of
// the pass contains the names of the others. [ir.Kernel.Verify] takes half of the time of a pass, so Run
// verifies the kernel behind the last round only.
func Fixpoint(passes ...Pass) Pass {
	var names []string
	for _, p := range passes {
		names = append(names, p.Name)
	}
	return Pass{strings.Join(names, "+"), func(k *ir.Kernel) { repeat(k, passes) }}
}

// maxRounds bounds the rounds of a fixpoint. The kernels of our tests need 3, of which the last changes nothing.
const maxRounds = 16

// repeat runs passes until a round changes nothing.
func repeat(k *ir.Kernel, passes []Pass) {
	before := fingerprint(k)
	for range maxRounds {
		for _, p := range passes {
			p.Run(k)
		}
		after := fingerprint(k)
		if after == before {
			return
		}
		before = after
	}
}

var seed = maphash.MakeSeed()

// fingerprint returns a hash of the operations of a kernel, their order and their arguments.
func fingerprint(k *ir.Kernel) uint64 {
	h := hasher{}
	h.Hash.SetSeed(seed)
	for _, c := range k.Checks {
		h.values([]*ir.Value{c.Base, c.Step, c.Limit, c.When})
	}
	h.block(k.Setup)
	h.block(k.Body)
	return h.Sum64()
}

type hasher struct{ maphash.Hash }

func (h *hasher) add(numbers ...uint64) {
	for _, n := range numbers {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], n)
		h.Write(b[:])
	}
}

func (h *hasher) values(list []*ir.Value) {
	h.add(uint64(len(list)))
	for _, v := range list {
		if v != nil {
			h.add(uint64(v.ID))
		}
	}
}

func (h *hasher) block(b *ir.Block) {
	h.values(b.Params)
	for _, v := range b.Values {
		h.add(uint64(v.ID), uint64(v.Op), uint64(v.Index), v.Bits)
		h.values(v.Args)
		for _, inner := range v.Blocks {
			h.block(inner)
		}
	}
	h.values(b.Yield)
}

// A Pass changes a kernel.
type Pass struct {
	Name string
	Run  func(k *ir.Kernel)
}
