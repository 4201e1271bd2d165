package trial

import (
	"math/rand/v2"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ptx/trial"
)

// PTX runs a case as PTX, in leaves of some length, and returns how what comes out differs from the interpreter.
func (c Case) PTX(k *trial.Kernel) error {
	types, err := typesOf(k.IR)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(c.Seed, 13))
	launch := trial.Case{
		Begin: c.Begin, Items: c.End - c.Begin, Blocks: 1 + r.IntN(3), Threads: 32 << r.IntN(2), Seed: c.Seed,
		Leaf: c.Lanes << r.IntN(3), Lanes: c.Lanes,
	}
	for _, a := range k.IR.Accs {
		joins := trial.Joins(a.Type)
		launch.Joins = append(launch.Joins, joins[r.IntN(len(joins))])
		launch.Identities = append(launch.Identities, toBits(c.Start(Types[a.GoType]), nil)[0])
	}
	_, err = k.Check(func() []any { return c.Params(types) }, launch)
	return err
}
