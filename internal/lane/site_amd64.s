//go:build !noasm

#include "textflag.h"

// func callersReturn() uintptr
// BP is the frame of Site, where the frame pointer of Site's caller is saved; the return address lies above a saved one.
TEXT ·callersReturn(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ (BP), AX
	MOVQ 8(AX), AX
	MOVQ AX, ret+0(FP)
	RET

// func callersCallerReturn() uintptr
TEXT ·callersCallerReturn(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ (BP), AX
	MOVQ (AX), AX
	MOVQ 8(AX), AX
	MOVQ AX, ret+0(FP)
	RET
