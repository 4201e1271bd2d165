//go:build !race && !noasm

#include "textflag.h"

// func probe(c *caller, frames, depth int)
// A goroutine begins with the bounds of its stack. A frame begins with the caller's frame
// pointer, and the return address is behind it.
TEXT ·probe(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ c+0(FP), DI
	MOVQ frames+8(FP), SI
	MOVQ depth+16(FP), DX
	MOVQ (TLS), AX
	MOVQ AX, 0(DI)
	MOVQ (AX), CX
	MOVQ CX, 8(DI)
	MOVQ 8(AX), CX
	MOVQ CX, 16(DI)
	ADDQ $24, DI
	MOVQ BP, BX
skip:
	TESTQ SI, SI
	JEQ  next
	MOVQ (BX), BX
	DECQ SI
	JMP  skip
next:
	MOVQ 8(BX), AX
	MOVQ AX, (DI)
	ADDQ $8, DI
	MOVQ (BX), BX
	DECQ DX
	JEQ  done
	TESTQ BX, BX
	JNE  next
	MOVQ $0, (DI)
done:
	RET

// func room() uintptr
TEXT ·room(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ (TLS), AX
	MOVQ SP, CX
	SUBQ (AX), CX
	MOVQ CX, ret+0(FP)
	RET
