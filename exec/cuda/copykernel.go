package cuda

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/space"
)

// kernelCopy copies the runs first to last-1 of a box, both sides of which are on the device, by a kernel:
// a thread for each unit of 1 to 8 bytes.
func (m *memory) kernelCopy(q *queue, c space.Copy, first, last int) error {
	unit := unitOf(c)
	extents, dst, src := append([]int{}, c.Extents...), append([]int{}, c.Dst.Strides...), append([]int{}, c.Src.Strides...)
	units := c.Bytes / unit // of a run, which are one more extent
	if units > 1 || len(extents) == 0 {
		extents, dst, src = append(extents, units), append(dst, unit), append(src, unit)
	}
	f, err := m.d.codes.function(m.d.driver, copyKey{unit, len(extents)})
	if err != nil {
		return err
	}
	p := []uint64{uint64(addressOf(c.Dst.Address)), uint64(addressOf(c.Src.Address)), uint64(first * units), uint64(last * units)}
	for _, list := range [][]int{extents, dst, src} {
		for _, x := range list {
			p = append(p, uint64(x))
		}
	}
	return launch(q, f, (last-first)*units, p)
}

// unitOf returns the largest number of bytes that all addresses of a copy are a multiple of, and the runs.
func unitOf(c space.Copy) int {
	all := uint64(addressOf(c.Dst.Address)) | uint64(addressOf(c.Src.Address)) | uint64(c.Bytes) | 8
	for d, e := range c.Extents {
		if e > 1 {
			all |= uint64(c.Dst.Strides[d]) | uint64(c.Src.Strides[d])
		}
	}
	return int(all & -all)
}

// copyKey tells kernels that copy apart.
type copyKey struct{ unit, rank int }

func (k copyKey) entry() string { return fmt.Sprintf("gokkos_copy_%d_%d", k.unit, k.rank) }

// text returns the kernel. Its parameters are the addresses, the first unit and the one behind the last, and
// for each dimension the extents, the strides there, the strides here.
func (k copyKey) text() string {
	var w strings.Builder
	o := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	o(".version 7.0\n.target sm_70\n.address_size 64\n")
	o(".visible .entry %s(", k.entry())
	for n := range 4 + 3*k.rank {
		comma := ","
		if n == 3+3*k.rank {
			comma = ""
		}
		o("\t.param .u64 p%d%s", n, comma)
	}
	o(")\n{")
	o("\t.reg .pred %%out;\n\t.reg .b32 %%block, %%size, %%thread;\n\t.reg .b64 %%t, %%i, %%last, %%x, %%e, %%stride, %%dst, %%src;")
	register, load := "b64", "b64"
	if k.unit < 8 {
		register, load = "b32", fmt.Sprintf("u%d", 8*k.unit)
	}
	o("\t.reg .%s %%v;", register)
	o("\tmov.u32 %%block, %%ctaid.x;\n\tmov.u32 %%size, %%ntid.x;\n\tmov.u32 %%thread, %%tid.x;")
	o("\tmul.wide.u32 %%i, %%block, %%size;\n\tcvt.u64.u32 %%t, %%thread;\n\tadd.s64 %%i, %%i, %%t;")
	o("\tld.param.u64 %%t, [p2];\n\tld.param.u64 %%last, [p3];\n\tadd.s64 %%i, %%i, %%t;")
	o("\tsetp.ge.u64 %%out, %%i, %%last;\n\t@%%out bra DONE;")
	o("\tld.param.u64 %%dst, [p0];\n\tld.param.u64 %%src, [p1];")
	for d := k.rank - 1; d >= 0; d-- {
		x := "%i"
		if d > 0 {
			x = "%x"
			o("\tld.param.u64 %%e, [p%d];\n\trem.u64 %%x, %%i, %%e;\n\tdiv.u64 %%i, %%i, %%e;", 4+d)
		}
		o("\tld.param.u64 %%stride, [p%d];\n\tmad.lo.s64 %%dst, %s, %%stride, %%dst;", 4+k.rank+d, x)
		o("\tld.param.u64 %%stride, [p%d];\n\tmad.lo.s64 %%src, %s, %%stride, %%src;", 4+2*k.rank+d, x)
	}
	o("\tld.global.%s %%v, [%%src];\n\tst.global.%s [%%dst], %%v;", load, load)
	o("DONE:\n\tret;\n}")
	return w.String()
}
