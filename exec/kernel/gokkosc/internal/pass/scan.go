package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// OfPass turns the kernel of a scan into the kernel of its last pass, or of an earlier one. The parameter
// that tells them apart becomes a constant.
func OfPass(k *ir.Kernel, last bool) {
	final := len(k.Params) - 1
	bits := map[bool]uint64{true: 1}[last]
	for n := len(k.Scalars) - 1; n >= 0; n-- {
		if k.Scalars[n].Param != final {
			continue
		}
		for _, v := range k.Setup.Values {
			switch {
			case v.Op != ir.Uniform || v.Index < n:
			case v.Index > n:
				v.Index--
			default:
				v.Op, v.Index, v.Bits = ir.Const, 0, bits
			}
		}
		k.Scalars = append(k.Scalars[:n], k.Scalars[n+1:]...)
	}
	k.Params = k.Params[:final]
}
