package trial

import (
	"fmt"
	"reflect"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Interpret returns the outcome of a case in the interpreter, up to the first item that stops, and that item.
func (c Case) Interpret(k *ir.Kernel) (out string, next int, err error) {
	types, err := typesOf(k)
	if err != nil {
		return "", 0, err
	}
	if last := len(k.Params) - 1; last > 0 && k.Params[last].Name == resultName {
		return c.interpretValues(k, types)
	}
	params := c.Params(types)
	if last := len(k.Params) - 1; k.Scan && last >= 0 && k.Params[last].Name == "final" {
		params[last] = c.Final()
	}
	args, err := interp.Bind(k, params...)
	if err != nil {
		return "", 0, err
	}
	for _, a := range k.Accesses {
		args.Cells = append(args.Cells, extents[a.GoElem])
	}
	var bits interp.Lanes
	var lanes []reflect.Value
	for _, p := range k.Lanes {
		if k.Scan {
			lanes = append(lanes, c.Start(Types[p.GoType], turning).Slice(0, turning))
			continue
		}
		lanes = append(lanes, c.Start(Types[p.GoType], c.leaves(k.Index.Rank > 0)))
	}
	for _, a := range k.Accs {
		bits = append(bits, toBits(lanes[a.Lanes], a.Path))
	}
	if k.Scan {
		next = c.interpretScan(k, args, bits)
	} else if k.Index.Rank > 0 {
		next = c.interpretRuns(k, args, bits)
	} else {
		next = interp.Span(k, args, c.Begin, c.End, c.Item, bits)
	}
	for _, x := range args.Contributions {
		contribute(lanes[k.Accesses[x.Access].Lanes].Index(x.Item&(c.Lanes-1)).Addr(), x)
	}
	for n, a := range k.Accs {
		fromBits(lanes[a.Lanes], a.Path, bits[n])
	}
	return Outcome(next, nil, params, lanes), next, nil
}

// resultName is the compiler's name of the parameter for the result of a functor. Random kernels have no
// other one of it.
const resultName = "dst"

// typesOf returns the types of a kernel's parameters.
func typesOf(k *ir.Kernel) (types []reflect.Type, err error) {
	for _, p := range k.Params {
		t := Types[p.Type]
		if t == nil {
			return nil, fmt.Errorf("trial: parameter %s of kernel %s has the type %s, expected one of those of package trial", p.Name, k.Name, p.Type)
		}
		types = append(types, t)
	}
	return types, nil
}
