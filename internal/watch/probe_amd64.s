//go:build !race && !noasm

#include "textflag.h"

// func probe(c *caller)
// A goroutine begins with the bounds of its stack. A frame begins with the caller's frame
// pointer, and the return address is behind it.
TEXT ·probe(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ c+0(FP), DI
	MOVQ (TLS), AX
	MOVQ AX, 0(DI)
	MOVQ (AX), CX
	MOVQ CX, 8(DI)
	MOVQ 8(AX), CX
	MOVQ CX, 16(DI)
	MOVQ BP, BX
	MOVQ 8(BX), AX
	MOVQ AX, 24(DI)
	MOVQ (BX), BX
	MOVQ 8(BX), AX
	MOVQ AX, 32(DI)
	MOVQ (BX), BX
	XORQ AX, AX
	TESTQ BX, BX
	JEQ  done
	MOVQ 8(BX), AX
done:
	MOVQ AX, 40(DI)
	RET
