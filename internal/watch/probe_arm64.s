//go:build !race && !noasm

#include "textflag.h"

// func probe(c *caller, frames, depth int)
// A goroutine begins with the bounds of its stack. A frame begins with the caller's frame
// pointer, and the return address is behind it.
TEXT ·probe(SB), NOSPLIT|NOFRAME, $0-24
	MOVD c+0(FP), R2
	MOVD frames+8(FP), R4
	MOVD depth+16(FP), R3
	MOVD g, 0(R2)
	MOVD (g), R0
	MOVD R0, 8(R2)
	MOVD 8(g), R0
	MOVD R0, 16(R2)
	ADD  $24, R2
	MOVD R29, R1
skip:
	CBZ  R4, next
	MOVD (R1), R1
	SUB  $1, R4
	B    skip
next:
	MOVD 8(R1), R0
	MOVD R0, (R2)
	ADD  $8, R2
	MOVD (R1), R1
	SUBS $1, R3
	BEQ  done
	CBNZ R1, next
	MOVD ZR, (R2)
done:
	RET

// func room() uintptr
TEXT ·room(SB), NOSPLIT|NOFRAME, $0-8
	MOVD (g), R0
	MOVD RSP, R1
	SUB  R0, R1
	MOVD R1, ret+0(FP)
	RET

// func returnPC(arg *uintptr) uintptr
TEXT ·returnPC(SB), NOSPLIT|NOFRAME, $0-16
	MOVD 8(R29), R0
	MOVD R0, ret+8(FP)
	RET
