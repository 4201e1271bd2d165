package cuda

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/space/device"
)

// kernelCopy copies the runs first to last-1 of a box, both sides of which the device can access, by a kernel:
// a thread for each unit of 1 to 8 bytes.
func (d *card) kernelCopy(q *queue, c device.Copy, first, last int) error {
	unit := unitOf(c)
	extents, dst, src := append([]int{}, c.Extents...), append([]int{}, c.Dst.Strides...), append([]int{}, c.Src.Strides...)
	units := c.Bytes / unit // of a run, which are one more extent
	if units > 1 || len(extents) == 0 {
		extents, dst, src = append(extents, units), append(dst, unit), append(src, unit)
	}
	f, err := d.codes.function(d.driver, copyKey{unit, len(extents)})
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
func unitOf(c device.Copy) int {
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
	o("\t.reg .pred %%p<2>;\n\t.reg .b32 %%r<5>;\n\t.reg .b64 %%rd<9>;\n")
	value, load := "%r4", fmt.Sprintf("u%d", 8*k.unit)
	if k.unit == 8 {
		value = "%rd8"
	}
	// rd1 is the number of the unit, rd2 the address that it goes to, rd3 where it comes from.
	o("\tmov.u32 %%r1, %%ctaid.x;\n\tmov.u32 %%r2, %%ntid.x;\n\tmul.wide.u32 %%rd1, %%r1, %%r2;")
	o("\tmov.u32 %%r3, %%tid.x;\n\tcvt.u64.u32 %%rd4, %%r3;\n\tadd.s64 %%rd1, %%rd1, %%rd4;")
	o("\tld.param.u64 %%rd4, [p2];\n\tadd.s64 %%rd1, %%rd1, %%rd4;")
	o("\tld.param.u64 %%rd4, [p3];\n\tsetp.ge.u64 %%p1, %%rd1, %%rd4;\n\t@%%p1 bra $done;")
	o("\tld.param.u64 %%rd2, [p0];\n\tld.param.u64 %%rd3, [p1];")
	for d := k.rank - 1; d >= 0; d-- {
		index := "%rd1"
		if d > 0 {
			index = "%rd6"
			o("\tld.param.u64 %%rd5, [p%d];\n\trem.u64 %%rd6, %%rd1, %%rd5;\n\tdiv.u64 %%rd1, %%rd1, %%rd5;", 4+d)
		}
		for side, address := range []string{"%rd2", "%rd3"} {
			o("\tld.param.u64 %%rd7, [p%d];\n\tmul.lo.s64 %%rd7, %s, %%rd7;\n\tadd.s64 %[3]s, %[3]s, %%rd7;", 4+(1+side)*k.rank+d, index, address)
		}
	}
	o("\tcvta.to.global.u64 %%rd2, %%rd2;\n\tcvta.to.global.u64 %%rd3, %%rd3;")
	o("\tld.global.%s %s, [%%rd3];\n\tst.global.%s [%%rd2], %s;", load, value, load, value)
	o("$done:\n\tret;\n}")
	return w.String()
}
