// Package asm is code in virtual registers, as the Go assembler reads it. A machine says what its [Registers] are; the
// operations of instructions are text that nothing here interprets.
//
// A [Code] collects instructions. A [Function] has a printed form and rules in virtual registers, see [Function.Verify]. It
// removes instructions whose results nothing reads, lets others write to where their results are copied, gives registers
// by a linear scan, and keeps values without one in its frame.
package asm
