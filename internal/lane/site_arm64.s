//go:build !noasm

#include "textflag.h"

// func callersReturn() uintptr
// R29 is the frame of Site, where the frame pointer of Site's caller is saved; the return address lies above a saved one.
TEXT ·callersReturn(SB), NOSPLIT|NOFRAME, $0-8
	MOVD (R29), R0
	MOVD 8(R0), R0
	MOVD R0, ret+0(FP)
	RET

// func callersCallerReturn() uintptr
TEXT ·callersCallerReturn(SB), NOSPLIT|NOFRAME, $0-8
	MOVD (R29), R0
	MOVD (R0), R0
	MOVD 8(R0), R0
	MOVD R0, ret+0(FP)
	RET
