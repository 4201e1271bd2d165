package cuda_test

import (
	"fmt"
	"strings"
)

// Texts of the kernels of these tests, by hand: one thread for each item, and a lane for each thread.

// entry returns a text with the names of its parameters.
func entry(name, parameters, body string) string {
	list := strings.Fields(parameters)
	for k, p := range list {
		list[k] = "\t.param .u64 " + p
	}
	return fmt.Sprintf(".visible .entry %s(\n%s\n)\n{\n%s\n}\n", name, strings.Join(list, ",\n"), body)
}

const head = ".version 7.0\n.target sm_70\n.address_size 64\n"

// item makes %i the number of the item of the thread, and ends threads behind the last one.
const item = `
	.reg .pred %p, %q;
	.reg .b32 %b, %n, %t;
	.reg .b64 %i, %k, %l, %u, %v, %w, %s;
	.reg .f64 %x, %y, %a;
	mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x;
	mul.wide.u32 %k, %b, %n; cvt.u64.u32 %l, %t; add.s64 %k, %k, %l;
	ld.param.u64 %l, [first]; add.s64 %k, %k, %l;
	ld.param.u64 %l, [last]; setp.ge.u64 %p, %k, %l; @%p bra DONE;
	ld.param.u64 %i, [begin]; add.s64 %i, %i, %k;
`

// stop checks that %i is less than a parameter.
func stop(parameter string, n int) string {
	return fmt.Sprintf(`
	ld.param.u64 %%l, [%s]; setp.lt.u64 %%p, %%i, %%l; @%%p bra OK%d;
	ld.param.u64 %%s, [status]; shl.b64 %%k, %%k, 16; or.b64 %%k, %%k, %d;
	atom.global.min.u64 %%l, [%%s], %%k; ld.global.u64 %%l, [%%s+8]; st.global.u64 [%%l], %%s; bra DONE;
OK%d:`, parameter, n, n, n)
}

var axpyPTX = head + entry("axpy", "begin first last status a nx sx ny sy x y", item+stop("nx", 0)+stop("ny", 1)+`
	ld.param.u64 %u, [x]; ld.param.u64 %v, [sx]; mul.lo.s64 %v, %v, %i; shl.b64 %v, %v, 3; add.s64 %u, %u, %v; ld.global.f64 %x, [%u];
	ld.param.u64 %u, [y]; ld.param.u64 %v, [sy]; mul.lo.s64 %v, %v, %i; shl.b64 %v, %v, 3; add.s64 %u, %u, %v; ld.global.f64 %y, [%u];
	ld.param.u64 %w, [a]; mov.b64 %a, %w;
	mul.rn.f64 %x, %a, %x; add.rn.f64 %y, %y, %x; st.global.f64 [%u], %y;
DONE:
	ret;`)

var tablePTX = head + entry("table", "begin first last status ny c y", item+stop("ny", 0)+`
	ld.param.u64 %u, [c]; and.b64 %v, %i, 3; shl.b64 %v, %v, 3; add.s64 %u, %u, %v; ld.global.f64 %x, [%u];
	ld.param.u64 %u, [y]; shl.b64 %v, %i, 3; add.s64 %u, %u, %v; st.global.f64 [%u], %x;
DONE:
	ret;`)

var scratchPTX = head + entry("scratch", "begin end status before league size d0 d1 d2 vector team member all team1 member1 all1 far y", `
	.reg .pred %p;
	.reg .b32 %b, %t;
	.reg .b64 %k, %l, %u;
	.reg .f64 %x;
	mov.u32 %t, %tid.x; setp.ne.u32 %p, %t, 0; @%p bra DONE;
	mov.u32 %b, %ctaid.x; cvt.u64.u32 %k, %b; ld.param.u64 %l, [begin]; add.s64 %k, %k, %l;
	ld.param.u64 %l, [all]; cvt.rn.f64.u64 %x, %l;
	ld.param.u64 %u, [y]; shl.b64 %k, %k, 3; add.s64 %u, %u, %k; st.global.f64 [%u], %x;
DONE:
	ret;`)

var wildPTX = head + entry("wild", "begin first last status y", item+`
	ld.param.u64 %u, [y]; mov.f64 %x, 0d3FF0000000000000; add.s64 %u, %u, 8000000000000; st.global.f64 [%u], %x;
DONE:
	ret;`)

// A leaf has lanes threads of a warp; the shuffles are of all threads of the warp.
var dotPTX = head + entry("dot", "begin first last status leaf lanes done out root identity op nx ny x y", `
	.reg .pred %p, %q, %r, %live;
	.reg .b32 %b, %n, %t, %lo, %hi, %lo2, %hi2, %h, %lane, %j;
	.reg .b64 %i, %k, %l, %u, %v, %w, %s, %lanes, %leaf, %end, %at, %k0, %items, %step, %number, %wide;
	.reg .f64 %x, %y, %acc, %other;
	mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x;
	mul.wide.u32 %k, %b, %n; cvt.u64.u32 %l, %t; add.s64 %k, %k, %l;
	ld.param.u64 %lanes, [lanes]; ld.param.u64 %leaf, [leaf];
	div.u64 %number, %k, %lanes; rem.u64 %w, %k, %lanes; cvt.u32.u64 %lane, %w;
	ld.param.u64 %l, [first]; mul.lo.s64 %k0, %number, %leaf; add.s64 %k0, %k0, %l;
	ld.param.u64 %l, [last]; add.s64 %end, %k0, %leaf; min.u64 %end, %end, %l;
	setp.lt.u64 %live, %k0, %l;
	sub.s64 %items, %end, %k0;
	@!%live mov.u64 %items, 0;
	add.s64 %k, %k0, %w;
	ld.param.u64 %u, [identity]; mov.b64 %acc, %u;
LOOP:
	setp.ge.u64 %p, %k, %end; @%p bra JOIN;
	@!%live bra JOIN;
	ld.param.u64 %i, [begin]; add.s64 %i, %i, %k;
	ld.param.u64 %l, [nx]; mov.u64 %s, 0; setp.ge.u64 %p, %i, %l; @%p bra STOP;
	ld.param.u64 %l, [ny]; mov.u64 %s, 1; setp.ge.u64 %p, %i, %l; @%p bra STOP;
	shl.b64 %v, %i, 3;
	ld.param.u64 %u, [x]; add.s64 %u, %u, %v; ld.global.f64 %x, [%u];
	ld.param.u64 %u, [y]; add.s64 %u, %u, %v; ld.global.f64 %y, [%u];
	mul.rn.f64 %x, %x, %y; add.rn.f64 %acc, %acc, %x;
	bra NEXT;
STOP:
	shl.b64 %v, %k, 16; or.b64 %v, %v, %s; ld.param.u64 %u, [status]; atom.global.min.u64 %l, [%u], %v; ld.global.u64 %l, [%u+8]; st.global.u64 [%l], %u;
NEXT:
	add.s64 %k, %k, %lanes; bra LOOP;
JOIN:
	bar.warp.sync 0xffffffff;
	shr.u64 %step, %lanes, 1;
HALF:
	setp.eq.u64 %p, %step, 0; @%p bra STORE;
	cvt.u32.u64 %h, %step;
	mov.b64 {%lo, %hi}, %acc;
	shfl.sync.down.b32 %lo2, %lo, %h, 31, 0xffffffff;
	shfl.sync.down.b32 %hi2, %hi, %h, 31, 0xffffffff;
	mov.b64 %other, {%lo2, %hi2};
	cvt.u64.u32 %w, %lane; setp.lt.u64 %p, %w, %step;
	add.s64 %w, %w, %step; setp.lt.and.u64 %p, %w, %items, %p;
	@%p add.rn.f64 %acc, %acc, %other;
	shr.u64 %step, %step, 1; bra HALF;
STORE:
	setp.eq.u32 %p, %lane, 0; @!%p bra DONE; @!%live bra DONE;
	div.u64 %v, %k0, %leaf; shl.b64 %v, %v, 3; ld.param.u64 %u, [out]; add.s64 %u, %u, %v; st.global.f64 [%u], %acc;
DONE:
	bar.sync 0;
	mov.u32 %n, %nctaid.x; add.s32 %n, %n, -1; mov.b32 %j, -1; setp.eq.u32 %p, %t, 0;
	ld.param.u64 %u, [done];
	@%p fence.acq_rel.gpu;
	@%p atom.global.inc.u32 %j, [%u], %n;
	@!%p bra END;
	setp.ne.u32 %q, %j, %n; @%q bra END;
	fence.acq_rel.gpu;
	ld.param.u64 %l, [last]; ld.param.u64 %k0, [first]; sub.s64 %items, %l, %k0; add.s64 %items, %items, %leaf; sub.s64 %items, %items, 1;
	div.u64 %items, %items, %leaf; div.u64 %k0, %k0, %leaf; shl.b64 %k0, %k0, 3; ld.param.u64 %u, [out]; add.s64 %u, %u, %k0;
	mov.u64 %wide, 1;
LEVEL:
	setp.ge.u64 %p, %wide, %items; @%p bra ROOT;
	mov.u64 %at, 0;
PAIR:
	add.s64 %i, %at, %wide; setp.ge.u64 %p, %i, %items; @%p bra ABOVE;
	shl.b64 %v, %at, 3; add.s64 %v, %v, %u; shl.b64 %w, %i, 3; add.s64 %w, %w, %u;
	ld.global.f64 %x, [%v]; ld.global.f64 %y, [%w]; add.rn.f64 %x, %x, %y; st.global.f64 [%v], %x;
	add.s64 %at, %i, %wide; bra PAIR;
ABOVE:
	shl.b64 %wide, %wide, 1; bra LEVEL;
ROOT:
	ld.global.f64 %x, [%u]; ld.param.u64 %v, [root]; st.global.f64 [%v], %x;
END:
	ret;`)
