package machine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
)

// text is a module with one entry, of two parameters that are the addresses %rd1 and %rd2; %rd3 is eight times the thread.
func text(body string) string {
	return ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry e(.param .u64 x, .param .u64 y)\n{\n" +
		"\t.reg .f64 %fd<9>;\n\t.reg .f32 %f<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .b32 %r<9>;\n\t.reg .pred %p<9>;\n" +
		"\tld.param.u64 %rd1, [x];\n\tld.param.u64 %rd2, [y];\n\tmov.u32 %r1, %tid.x;\n\tcvt.u64.u32 %rd3, %r1;\n\tshl.b64 %rd3, %rd3, 3;\n\tadd.s64 %rd4, %rd2, %rd3;\n" +
		body + "\n}\n"
}

func bytes(x []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 8*len(x))
}

// run runs a text with so many threads, the elements x, and as many elements y as there are threads.
func run(t *testing.T, body string, threads int, x ...uint64) ([]uint64, error) {
	t.Helper()
	m, err := machine.Parse(text(body))
	require.NoError(t, err)
	y := make([]uint64, threads)
	for seed := range uint64(20) { // in other orders as well
		mem := &machine.Memory{}
		err = m.Run(mem, machine.Launch{Entry: "e", Blocks: 1, Threads: threads, Params: []uint64{mem.Map(bytes(x)), mem.Map(bytes(y))}, Seed: seed})
		if err != nil {
			return nil, err
		}
	}
	return y, nil
}

// Parse refuses code outside of the subset, and code that the driver's compiler refuses.
func TestRefused(t *testing.T) {
	for body, want := range map[string]string{
		"add.rn.f64 %fd1, %fd2, %rd3; ret;":             "register %rd3 is a .b64, expected a .f64",
		"add.f64 %fd1, %fd2, %fd3; ret;":                `instruction "add.f64" is not in the subset`,
		"add.rn.ftz.f32 %f1, %f2, %f3; ret;":            "is not in the subset",
		"fma.rn.f32 %f1, %f2, %f3, %f4; ret;":           "is not in the subset",
		"add.s64 %rd1, %rd2, %r3; ret;":                 "register %r3 is a .b32, expected a .b64",
		"add.s64 %rd1, %rd2, %rd9; ret;":                "register %rd9 is not declared",
		"add.s64 %rd1, %rd2; ret;":                      `";", expected ","`,
		"add.s64 %rd1, %rd2, %rd3, %rd4; ret;":          `",", expected ";"`,
		"add.s64 5, %rd2, %rd3; ret;":                   "register 5 is not declared",
		"add.rn.f64 %fd1, %fd2, 1; ret;":                "expected a register or a constant of type .f64",
		"add.rn.f64 %fd1, %fd2, 0f3F800000; ret;":       "expected a register or a constant of type .f64",
		"add.s32 %r1, %r2, 0x100000000; ret;":           "expected a register or a constant of type .b32",
		"and.pred %p1, %p2, 1; ret;":                    "expected a register or a constant of type .pred",
		"setp.lt.s64 %r1, %rd1, %rd2; ret;":             "register %r1 is a .b32, expected a .pred",
		"shl.b64 %rd1, %rd2, %rd3; ret;":                "register %rd3 is a .b64, expected a .b32",
		"mov.b64 %rd1, %r2; ret;":                       "register %r2 is a .b32, expected a .b64 or .f64",
		"mov.b64 {%r1, %rd2}, %fd1; ret;":               "register %rd2 is a .b64, expected a .b32",
		"st.global.s8 [%rd1], %r2; ret;":                "is not in the subset",
		"ld.global.f64 %rd1, [%rd2]; ret;":              "register %rd1 is a .b64, expected a .f64",
		"ld.global.f64 %fd1, [%r2]; ret;":               "register %r2 is a .b32, expected a .b64",
		"st.global.u32 [%rd1], %rd2; ret;":              "register %rd2 is a .b64, expected a .b32",
		"mov.u64 %rd1, z; ret;":                         "no array z in constant or shared memory",
		"ld.param.u64 %rd1, [z]; ret;":                  "entry e has no parameter z",
		"@%rd1 bra a; a: ret;":                          "register %rd1 is a .b64, expected a .pred",
		"bra b; a: ret;":                                "entry e has no label b",
		"a: ret; a: ret;":                               "label a is there twice",
		"bra a; ret; a:":                                "a label behind its end",
		"@%p1 ret;":                                     "does not end with ret or bra",
		"mov.u32 %r1, %laneid; ret;":                    `"%laneid", expected a special register`,
		"add.s32 %r1, %tid.x, 1; ret;":                  "register %tid.x is not declared",
		".reg .b64 %rd<3>; ret;":                        "registers %rd, expected a name",
		".reg .b8 %h<3>; ret;":                          "registers of type .b8",
		"bar.sync 1; ret;":                              `"1", expected "0"`,
		"shfl.sync.down.b32 %r1, %rd2, 1, 31, -1; ret;": "register %rd2 is a .b64, expected a .b32",
		"bar.red.or.pred %p1, 1, %p2; ret;":             `"1", expected "0"`,
		"atom.global.inc.u32 %rd1, [%rd2], %r3; ret;":   "register %rd1 is a .b64, expected a .b32",
		"atom.global.min.u64 %rd1, [%rd2], %r3; ret;":   "register %r3 is a .b32, expected a .b64",
		"neg.s32 %r2, %r1; max.s32 %r3, %r1, %r2; ret;": "max.s32 of a number and its negation, which ptxas gets wrong",
		"neg.s32 %r2, %r1; min.s32 %r3, %r2, %r1; ret;": "min.s32 of a number and its negation, which ptxas gets wrong",
	} {
		_, err := machine.Parse(text(body))
		assert.ErrorContains(t, err, want, body)
		assert.ErrorContains(t, err, "machine: line ", body)
	}
	for module, want := range map[string]string{
		"":                                       "the text ends too early",
		".version 8.0":                           "version 8.0, expected 6.0 or 7.0",
		".version 6.0\n.target sm_20":            `line 2: "sm_20", expected "sm_70"`,
		text("ret;") + ".visible .func":          `".func", expected ".entry"`,
		constants(".align 4 .b64 c[1] = {1}"):    `"4", expected "8"`,
		constants(".align 8 .f64 c[1] = {1}"):    "an array of type .f64, expected .b8, .b16, .b32 or .b64",
		constants(".align 8 .b64 c[9000] = {1}"): "array c has no number of elements, or more than 65536 bytes",
		constants(".align 8 .b64 c[2] = {1}"):    `"}", expected ","`,
		constants(".align 8 .b8 c[1] = {0x100}"): "an element of c",
		constants(".align 8 .b8 c[1] = {1};.const .align 8 .b8 c[1] = {1}"): "array c is there twice",
		strings.Replace(text("ret;"), ".param .u64 y", ".param .u64 x", 1):  "parameter x is there twice",
	} {
		_, err := machine.Parse(module)
		assert.ErrorContains(t, err, want)
	}
}

// Instructions follow the PTX ISA, also if Go's operators differ from it.
func TestInstructions(t *testing.T) {
	f := math.Float64bits
	negative := func(x int64) uint64 { return uint64(x) }
	zero := f(math.Copysign(0, -1))
	for body, want := range map[string]uint64{
		"min.f64 %fd1, %fd2, %fd3;":                                                               f(1), // of 1 and NaN
		"max.f64 %fd1, %fd3, %fd2;":                                                               f(1),
		"min.f64 %fd1, %fd5, %fd4;":                                                               zero, // of +0 and -0
		"max.f64 %fd1, %fd4, %fd5;":                                                               f(0),
		"copysign.f64 %fd1, %fd4, %fd2;":                                                          f(-1),
		"cvt.rpi.f64.f64 %fd1, 0dBFD0000000000000;":                                               zero, // of -1/4
		"cvt.rni.f64.f64 %fd1, 0d4004000000000000;":                                               f(2), // of 2.5
		"cvt.rzi.s64.f64 %rd5, 0d43F0000000000000;":                                               math.MaxInt64,
		"cvt.rzi.s64.f64 %rd5, 0dC3F0000000000000;":                                               1 << 63,
		"cvt.rzi.u64.f64 %rd5, 0dBFF8000000000000;":                                               0, // of -1.5
		"cvt.rzi.u64.f64 %rd5, 0d43E0000000000000;":                                               1 << 63,
		"cvt.rzi.s64.f64 %rd5, %fd3;":                                                             0xdeadbeefcafef00d,
		"div.s64 %rd5, %rd1, 0;":                                                                  0xdeadbeefcafef00d,
		"rem.s64 %rd5, 0x8000000000000000, -1;":                                                   0xdeadbeefcafef00d,
		"shl.b64 %rd5, 1, 64;":                                                                    0,
		"shl.b64 %rd5, 1, -1;":                                                                    0,
		"shr.s64 %rd5, -5, 100;":                                                                  math.MaxUint64,
		"shr.u64 %rd5, -5, 64;":                                                                   0,
		"cvt.rn.f64.u64 %fd1, 0xfffffffffffffbff;":                                                f(0x1p64 - 2048),
		"cvt.rn.f64.s64 %fd1, 9007199254740993;":                                                  f(0x1p53),
		"mul.wide.u32 %rd5, %r2, %r2;":                                                            0xfffffffe00000001,
		"mul.hi.u64 %rd5, -1, -1;":                                                                math.MaxUint64 - 1,
		"st.global.u32 [%rd4], %r2; ld.global.s8 %r3, [%rd4+1]; cvt.u64.u32 %rd5, %r3;":           math.MaxUint32,
		"st.global.u32 [%rd4], %r2; ld.global.u16 %r3, [%rd4+2]; cvt.u64.u32 %rd5, %r3;":          math.MaxUint16,
		"st.global.u16 [%rd4], %r2; ld.global.s16 %r3, [%rd4]; cvt.s64.s32 %rd5, %r3;":            negative(-1),
		"popc.b64 %r3, 0xff00; cvt.u64.u32 %rd5, %r3;":                                            8,
		"mov.b64 {%r3, %r4}, %fd2; mov.b64 %rd5, {%r4, %r3};":                                     f(1)<<32 | f(1)>>32,
		"neg.s32 %r3, %r2; mov.b32 %r2, 5; max.s32 %r3, %r2, %r3; cvt.u64.u32 %rd5, %r3;":         5, // of 5 and 1
		"setp.neu.f64 %p1, %fd3, %fd3; selp.b64 %rd5, 1, 2, %p1;":                                 1,
		"setp.lt.u64 %p1, -1, 1; selp.b64 %rd5, 1, 2, %p1;":                                       2,
		".reg .b16 %h<2>; cvt.u16.u32 %h1, 0x3555; cvt.f32.f16 %f1, %h1; cvt.f64.f32 %fd1, %f1;":  f(0x1.554p-2),
		".reg .b16 %h<2>; cvt.u16.u32 %h1, 0x78001; cvt.f32.f16 %f1, %h1; cvt.f64.f32 %fd1, %f1;": f(-0x1p-24),
		"cvt.s64.s32 %rd5, %r2;":                                                                  negative(-1),
		"cvt.rn.f32.f64 %f1, 0d36A0000000000000; mov.b32 %r3, %f1; cvt.u64.u32 %rd5, %r3;":        1, // no denormal is flushed
	} {
		set := "mov.f64 %fd2, 0d3FF0000000000000; mov.f64 %fd3, 0d7FF8000000000000; mov.f64 %fd4, 0d8000000000000000; mov.f64 %fd5, 0d0000000000000000; mov.b32 %r2, -1;\n"
		store := "\nst.global.u64 [%rd4], %rd5; ret;"
		if strings.Contains(body, " %fd1,") {
			store = "\nst.global.f64 [%rd4], %fd1; ret;"
		}
		y, err := run(t, set+body+store, 1)
		require.NoError(t, err, body)
		assert.Equal(t, want, y[0], "%s gives %#x, expected %#x", body, y[0], want)
	}
}

// Threads part at branches, and meet at shuffles and at barriers, in whatever order they come.
func TestThreads(t *testing.T) {
	// Thread n counts to n in a loop, and adds the value of thread n+1.
	y, err := run(t, `
	mov.b32 %r2, 0;
again:
	setp.ge.s32 %p1, %r2, %r1;
	@%p1 bra out;
	add.s32 %r2, %r2, 1;
	bra again;
out:
	shfl.sync.down.b32 %r3, %r2, 1, 31, -1;
	add.s32 %r3, %r3, %r2;
	cvt.u64.u32 %rd5, %r3;
	st.global.u64 [%rd4], %rd5;
	ret;`, 64)
	require.NoError(t, err)
	for n, got := range y {
		want := 2*n + 1
		if n%32 == 31 {
			want = 2 * n // there is no thread above it
		}
		assert.EqualValues(t, want, got, n)
	}
	// Threads of one warp end early. The threads of the other warps read the values that the first has stored
	// before the barrier.
	y, err = run(t, `
	setp.ge.s32 %p1, %r1, 64;
	@%p1 ret;
	st.global.u64 [%rd4], %rd3;
	bar.sync 0;
	sub.s64 %rd6, 504, %rd3;
	add.s64 %rd6, %rd6, %rd2;
	ld.global.u64 %rd7, [%rd6];
	bar.sync 0;
	st.global.u64 [%rd4], %rd7;
	ret;`, 70)
	require.NoError(t, err)
	for n := range 64 {
		assert.EqualValues(t, 8*(63-n), y[n], n)
	}
	y, err = run(t, "atom.global.min.u64 %rd5, [%rd1], %rd3; ret;", 64)
	assert.ErrorContains(t, err, "not memory of the launch")
	assert.Nil(t, y)
	x := []uint64{100}
	_, err = run(t, "atom.global.min.u64 %rd5, [%rd1], %rd3; ret;", 64, x...)
	require.NoError(t, err)
	assert.Zero(t, x[0])
}

// constants is a module with arrays in constant memory before its entry.
func constants(text1 string) string {
	return strings.Replace(text("ret;"), ".visible", ".const "+text1+";\n.visible", 1)
}

// Arrays in constant memory have the elements that they are declared with, and nothing else loads from there.
func TestConstants(t *testing.T) {
	load := func(what string) (uint64, error) {
		body := "mov.u64 %rd5, c; add.s64 %rd5, %rd5, %rd3; " + what + " st.global.u64 [%rd4], %rd6; ret;"
		module := strings.Replace(text(body), ".visible", ".const .align 8 .b64 c[3] = {0x7, 0xffffffffffffffff, 9};\n.const .align 8 .b8 d[2] = {1, 0x80};\n.visible", 1)
		m, err := machine.Parse(module)
		require.NoError(t, err)
		mem, y := &machine.Memory{}, make([]uint64, 3)
		err = m.Run(mem, machine.Launch{Entry: "e", Blocks: 1, Threads: 3, Params: []uint64{0, mem.Map(bytes(y))}})
		return y[1], err
	}
	x, err := load("ld.const.u64 %rd6, [%rd5];")
	require.NoError(t, err)
	assert.Equal(t, uint64(math.MaxUint64), x)
	x, err = load("mov.u64 %rd7, d; ld.const.s8 %r2, [%rd7+1]; cvt.u64.u32 %rd6, %r2;")
	require.NoError(t, err)
	assert.Equal(t, uint64(0xffffff80), x)
	x, err = load("ld.const.u64 %rd6, [c+16];")
	require.NoError(t, err)
	assert.Equal(t, uint64(9), x)
	_, err = load("ld.const.u64 %rd6, [c+24];")
	assert.ErrorContains(t, err, "are not memory of the launch")
	_, err = machine.Parse(strings.Replace(text("ld.global.u64 %rd6, [c]; ret;"), ".visible", ".const .align 8 .b64 c[1] = {7};\n.visible", 1))
	assert.ErrorContains(t, err, "register c is not declared")
	_, err = load("ld.global.u64 %rd6, [%rd5];")
	assert.ErrorContains(t, err, "are not memory of the launch")
	_, err = load("ld.const.u64 %rd6, [%rd5+8];")
	assert.ErrorContains(t, err, "are not memory of the launch")
}

// counted lets the block that ends last store the sum of all blocks' values, thread by thread, in y. With a
// part replaced its loads are of nothing that is sure to be there.
func counted(part, by string) string {
	return strings.Replace(`
	mov.u32 %r2, %ctaid.x;
	cvt.u64.u32 %rd5, %r2;
	shl.b64 %rd6, %rd5, 9;
	add.s64 %rd6, %rd6, %rd4;
	st.global.u64 [%rd6], %rd5;
	bar.sync 0;
	mov.u32 %r3, %nctaid.x;
	add.s32 %r3, %r3, -1;
	mov.b32 %r4, -1;
	setp.eq.s32 %p1, %r1, 0;
	@%p1 fence.acq_rel.gpu;
	@%p1 atom.global.inc.u32 %r4, [%rd1], %r3;
	setp.eq.s32 %p2, %r4, %r3;
	bar.red.or.pred %p3, 0, %p2;
	@!%p3 ret;
	fence.acq_rel.gpu;
	mov.b64 %rd7, 0;
	mov.b64 %rd8, %rd4;
again:
	ld.global.u64 %rd6, [%rd8];
	add.s64 %rd7, %rd7, %rd6;
	add.s64 %rd8, %rd8, 512;
	add.s32 %r3, %r3, -1;
	setp.ge.s32 %p1, %r3, 0;
	@%p1 bra again;
	st.global.u64 [%rd4], %rd7;
	ret;`, part, by, 1)
}

// Blocks see stores of other blocks if these publish them, and only then.
func TestBlocks(t *testing.T) {
	const blocks = 5
	run := func(part, by string, seed uint64) ([]uint64, []uint64, error) {
		m, err := machine.Parse(text(counted(part, by)))
		require.NoError(t, err)
		x, y := make([]uint64, 1), make([]uint64, 64*blocks)
		mem := &machine.Memory{}
		err = m.Run(mem, machine.Launch{Entry: "e", Blocks: blocks, Threads: 64, Params: []uint64{mem.Map(bytes(x)), mem.Map(bytes(y))}, Seed: seed})
		return x, y, err
	}
	for seed := range uint64(20) {
		x, y, err := run("ret;", "ret;", seed)
		require.NoError(t, err)
		assert.Zero(t, x[0], "it counts from 0 again")
		for k := range 64 {
			require.EqualValues(t, 0+1+2+3+4, y[k])
		}
	}
	for left, want := range map[string]string{
		"bar.sync 0;":                  "and not published by a barrier, a fence and an atomic operation",
		"@%p1 fence.acq_rel.gpu;":      "and not published by a barrier, a fence and an atomic operation",
		"bar.red.or.pred %p3, 0, %p2;": "without a fence behind an atomic operation and a barrier",
		"@!%p3 ret;":                   "and not published by a barrier, a fence and an atomic operation",
		"\n\tfence.acq_rel.gpu;":       "without a fence behind an atomic operation and a barrier",
	} {
		found := 0
		for seed := range uint64(20) {
			by := ""
			if strings.HasPrefix(left, "bar.red") {
				by = "setp.eq.s32 %p3, %r4, %r3;" // the thread goes on that has counted
			}
			if _, _, err := run(left, by, seed); err != nil {
				found++
				assert.ErrorContains(t, err, want, left)
			}
		}
		assert.NotZero(t, found, left)
	}
}

// Threads of a block see the stores of its other threads behind a barrier.
func TestThreadsOfBlocks(t *testing.T) {
	const order = "atom.global.inc.u32 %r4, [%rd1], 7;" // by which it matters
	for between, fine := range map[string]bool{"bar.sync 0;": true, "": false} {
		_, err := run(t, order+"st.global.u64 [%rd4], %rd3;"+between+"xor.b64 %rd5, %rd3, 8; add.s64 %rd5, %rd5, %rd2; ld.global.u64 %rd6, [%rd5]; ld.global.u64 %rd6, [%rd4]; ret;", 64, 0)
		if fine {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, "it loads what another thread has stored, without a barrier")
		}
	}
}

// What PTX leaves open is an error that names the line.
func TestMistakes(t *testing.T) {
	for body, want := range map[string]string{
		"ld.global.u64 %rd5, [%rd1+16]; ret;":                                     "line 17 (ld.global.u64 %rd5, [%rd1+16]; ret;), block 0, thread ",
		"ld.global.u64 %rd5, [%rd1+4]; ret;":                                      "is no multiple of 8",
		"st.global.u64 [%rd4+8], %rd1; ret;":                                      "thread 39: 8 bytes at",
		"add.s64 %rd5, %rd6, 1; ret;":                                             "register %rd6 is read before it is written",
		"setp.eq.s32 %p1, %r1, 3; @%p1 mov.b32 %r2, 1; add.s32 %r3, %r2, 1; ret;": ": register %r2 is read before it is written",
		"a: bra a;": "the launch does not end",
		"setp.eq.s32 %p1, %r1, 3; @%p1 bra a; shfl.sync.down.b32 %r2, %r1, 1, 31, -1; ret; a: bar.sync 0; ret;": "wait at a shuffle for others, which never come",
		"setp.eq.s32 %p1, %r1, 3; @%p1 shfl.sync.down.b32 %r2, %r1, 1, 31, -1; ret;":                            "do not take part in",
		"shfl.sync.down.b32 %r2, %r1, 1, 31, 15; ret;":                                                          "a shuffle of the threads 0xf, expected the thread among them",
		"ld.global.nc.u64 %rd5, [%rd4]; st.global.u64 [%rd4], %rd5; ret;":                                       "is stored to, and loaded by ld.global.nc",
	} {
		_, err := run(t, body, 40, 1, 2)
		assert.ErrorContains(t, err, want, body)
	}
	m, err := machine.Parse(text("ret;"))
	require.NoError(t, err)
	for want, l := range map[string]machine.Launch{
		`no entry "f", expected one of ["e"]`: {Entry: "f", Blocks: 1, Threads: 1, Params: []uint64{0, 0}},
		"0 blocks of 1 threads":               {Entry: "e", Threads: 1, Params: []uint64{0, 0}},
		"1025 threads":                        {Entry: "e", Blocks: 1, Threads: 1025, Params: []uint64{0, 0}},
		"1 parameters, expected 2":            {Entry: "e", Blocks: 1, Threads: 1, Params: []uint64{0}},
	} {
		assert.ErrorContains(t, m.Run(&machine.Memory{}, l), want)
	}
}

// Parts of one array overlap as they do in Go.
func TestMap(t *testing.T) {
	x := make([]uint64, 10)
	mem := &machine.Memory{}
	a, b, c := mem.Map(bytes(x[4:8])), mem.Map(bytes(x[:5])), mem.Map(bytes(x[7:]))
	assert.Equal(t, []uint64{32, 24}, []uint64{a - b, c - a})
	assert.Zero(t, mem.Map(nil))
	m, err := machine.Parse(text("st.global.u64 [%rd1+32], %rd1; ld.global.nc.u64 %rd5, [%rd2]; ret;"))
	require.NoError(t, err)
	err = m.Run(mem, machine.Launch{Entry: "e", Blocks: 1, Threads: 1, Params: []uint64{b, a}})
	assert.ErrorContains(t, err, "loaded by ld.global.nc", "the same element")
	require.NoError(t, m.Run(mem, machine.Launch{Entry: "e", Blocks: 1, Threads: 1, Params: []uint64{b + 8, a}}))
	assert.Equal(t, b+8, x[5])
}

func ExampleModule_Run() {
	m, err := machine.Parse(`.version 6.0
.target sm_70
.address_size 64
.visible .entry double(.param .u64 x)
{
	.reg .b64 %rd<5>;
	.reg .b32 %r<2>;
	mov.u32 %r1, %tid.x;
	cvt.u64.u32 %rd1, %r1;
	shl.b64 %rd1, %rd1, 3;
	ld.param.u64 %rd2, [x];
	add.s64 %rd3, %rd2, %rd1;
	ld.global.u64 %rd4, [%rd3];
	shl.b64 %rd4, %rd4, 1;
	st.global.u64 [%rd3], %rd4;
	ret;
}
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []uint64{1, 2, 3}
	mem := &machine.Memory{}
	fmt.Println(m.Run(mem, machine.Launch{Entry: "double", Blocks: 1, Threads: 3, Params: []uint64{mem.Map(bytes(x))}}), x)
	// Output: <nil> [2 4 6]
}
