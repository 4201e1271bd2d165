//go:build !race && !noasm

#include "textflag.h"

// func probe(c *caller)
// A goroutine begins with the bounds of its stack. A frame begins with the caller's frame
// pointer, and the return address is behind it.
TEXT ·probe(SB), NOSPLIT|NOFRAME, $0-8
	MOVD c+0(FP), R2
	MOVD g, 0(R2)
	MOVD (g), R0
	MOVD R0, 8(R2)
	MOVD 8(g), R0
	MOVD R0, 16(R2)
	MOVD R29, R1
	MOVD 8(R1), R0
	MOVD R0, 24(R2)
	MOVD (R1), R1
	MOVD 8(R1), R0
	MOVD R0, 32(R2)
	MOVD (R1), R1
	MOVD $0, R0
	CBZ  R1, done
	MOVD 8(R1), R0
done:
	MOVD R0, 40(R2)
	RET
