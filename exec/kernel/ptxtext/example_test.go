package ptxtext_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/ptxtext"
)

// Each thread of this entry doubles the number that is its own.
func ExampleWriter() {
	var w ptxtext.Writer
	x := w.Address("x")
	thread := w.Wide(w.Special("tid.x"))
	at := w.To("b64", "add.s64", x, w.To("b64", "shl.b64", thread, 3))
	twice := w.To("f64", "mul.rn.f64", w.To("f64", "ld.global.f64", "["+at+"]"), "0d4000000000000000")
	w.Op("st.global.f64 [%s], %s", at, twice)
	w.Op("ret")
	fmt.Print(ptxtext.Module(w.Entry("double", []string{"x"}, nil)))
	// Output:
	// .version 6.0
	// .target sm_70
	// .address_size 64
	//
	// .visible .entry double(
	// 	.param .u64 x
	// )
	// {
	// 	.reg .f64 %fd<3>;
	// 	.reg .b64 %rd<6>;
	// 	.reg .b32 %r<2>;
	//
	// 	ld.param.u64 %rd1, [x];
	// 	cvta.to.global.u64 %rd2, %rd1;
	// 	mov.u32 %r1, %tid.x;
	// 	cvt.u64.u32 %rd3, %r1;
	// 	shl.b64 %rd4, %rd3, 3;
	// 	add.s64 %rd5, %rd2, %rd4;
	// 	ld.global.f64 %fd1, [%rd5];
	// 	mul.rn.f64 %fd2, %fd1, 0d4000000000000000;
	// 	st.global.f64 [%rd5], %fd2;
	// 	ret;
	// }
}
