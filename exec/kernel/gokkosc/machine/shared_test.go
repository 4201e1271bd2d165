package machine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
)

// mirrored lets each of 64 threads store its number in shared memory, and return the number of the thread at
// the mirrored position. With a part replaced it is wrong.
func mirrored(part, by string) string {
	return strings.Replace(`
	.shared .align 8 .b8 of[4];
	.shared .align 8 .b8 all[512];
	mov.u64 %rd5, all;
	add.s64 %rd6, %rd5, %rd3;
	sub.s64 %rd7, 504, %rd3;
	add.s64 %rd7, %rd7, %rd5;
	mov.b32 %r2, 3;
again:
	st.shared.u64 [%rd6], %rd3;
	bar.sync 0; // stored
	ld.shared.u64 %rd8, [%rd7];
	bar.sync 0; // loaded
	add.s32 %r2, %r2, -1;
	setp.ne.s32 %p1, %r2, 0;
	@%p1 bra again;
	st.global.u64 [%rd4], %rd8;
	ret;`, part, by, 1)
}

// Threads of a block share memory, and use addresses that other threads have used behind a barrier.
func TestShared(t *testing.T) {
	y, err := run(t, mirrored("", ""), 64)
	require.NoError(t, err)
	for n := range y {
		require.EqualValues(t, 8*(63-n), y[n])
	}
	for part, c := range map[string]struct{ by, want string }{
		"bar.sync 0; // stored":        {"", "of shared memory is loaded before it is stored"},
		"bar.sync 0; // loaded":        {"", "by another thread, without a barrier"},
		"st.shared.u64 [%rd6], %rd3;":  {"", "is loaded before it is stored"},
		"st.shared.u64 [%rd6]":         {"st.shared.u64 [%rd5]", "was stored by another thread, without a barrier"},
		"ld.shared.u64 %rd8, [%rd7]":   {"ld.shared.u64 %rd8, [%rd7+8]", "of shared memory, which has 520"},
		"ld.shared.u64 %rd8, [%rd7];":  {"ld.shared.u32 %r3, [%rd7+2];", "4 bytes at"},
		"mov.u64 %rd5, all":            {"mov.u64 %rd5, none", "no array none in constant or shared memory"},
		".b8 all[512]":                 {".b8 of[512]", "array of is there twice"},
		".shared .align 8 .b8 all[512": {".shared .align 8 .b8 all[99999", "or there are more than 49152"},
	} {
		m, err := machine.Parse(text(mirrored(part, c.by)))
		if err == nil {
			mem := &machine.Memory{}
			err = m.Run(mem, machine.Launch{Entry: "e", Blocks: 1, Threads: 64, Params: []uint64{0, mem.Map(bytes(y))}})
		}
		assert.ErrorContains(t, err, c.want, part)
	}
}

// A shuffle by number gives the value of that thread of the warp.
func TestShuffleByNumber(t *testing.T) {
	y, err := run(t, "and.b32 %r2, %r1, 28; shfl.sync.idx.b32 %r3, %r1, %r2, 31, -1; cvt.u64.u32 %rd5, %r3; st.global.u64 [%rd4], %rd5; ret;", 64)
	require.NoError(t, err)
	for n := range y {
		assert.EqualValues(t, n&^3, y[n])
	}
}

// A ballot gives all threads the predicates of all, and waits for the ones that come later.
func TestBallot(t *testing.T) {
	const odd = "and.b32 %r2, %r1, 1; setp.ne.s32 %p1, %r2, 0; @%p1 bra later; mov.b32 %r2, 0; later: "
	y, err := run(t, odd+"vote.sync.ballot.b32 %r3, %p1, -1; popc.b32 %r4, %r3; mov.b64 %rd5, {%r3, %r4}; st.global.u64 [%rd4], %rd5; ret;", 64)
	require.NoError(t, err)
	for n := range y {
		assert.EqualValues(t, 16<<32|0xaaaaaaaa, y[n])
	}
	_, err = run(t, odd+"@%p1 vote.sync.ballot.b32 %r3, %p1, -1; ret;", 32)
	assert.ErrorContains(t, err, "some threads of a warp do not take part in")
}

// rows lets each row of four threads pass a number on by shared memory: its first thread stores, and all load. Then all add it to
// one sum.
const rows = `
	.shared .align 8 .b8 all[128];
	mov.u64 %rd5, all;
	mov.b32 %r4, 15;
	and.b32 %r2, %r1, 28;
	shl.b32 %r3, %r4, %r2;
	and.b32 %r5, %r1, 3;
	setp.eq.s32 %p1, %r5, 0;
	shl.b32 %r6, %r2, 1;
	cvt.u64.u32 %rd6, %r6;
	add.s64 %rd6, %rd5, %rd6;
	@%p1 st.shared.u32 [%rd6], %r2;
	bar.warp.sync %r3; // stored
	ld.shared.u32 %r7, [%rd6];
	bar.warp.sync %r3; // loaded
	mov.b32 %r8, 0;
	@%p1 st.shared.u32 [%rd6], %r8;
	bar.sync 0;
	atom.shared.add.u32 %r8, [%rd5], %r7;
	bar.sync 0; // added
	ld.shared.u32 %r8, [%rd5];
	add.s32 %r8, %r8, %r7;
	cvt.u64.u32 %rd7, %r8;
	st.global.u64 [%rd4], %rd7;
	ret;`

// Threads of a part of a warp wait for one another, and atomic operations of threads do not get into each other's way.
func TestParts(t *testing.T) {
	y, err := run(t, rows, 32)
	require.NoError(t, err)
	for n := range y {
		require.EqualValues(t, 4*(0+4+8+12+16+20+24+28)+n&^3, y[n])
	}
	for part, want := range map[string]string{
		"bar.warp.sync %r3; // stored": "of shared memory",
		"bar.warp.sync %r3; // loaded": "was loaded by another thread, without a barrier",
		"bar.sync 0; // added":         "was stored by another thread, without a barrier",
	} {
		_, err := run(t, strings.Replace(rows, part, "", 1), 32)
		require.ErrorContains(t, err, want, part)
	}
	_, err = run(t, strings.Replace(rows, "shl.b32 %r3, %r4, %r2", "shl.b32 %r3, %r4, 4", 1), 32)
	require.ErrorContains(t, err, "a shuffle of the threads 0xf0, expected the thread among them")
}
