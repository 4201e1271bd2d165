// Package asm is code in virtual registers, as the Go assembler reads it. A machine says what its [Registers] are; the
// operations of instructions are text that nothing here interprets.
//
// A [Code] collects instructions. A [Function] has a printed form and rules in virtual registers, see [Function.Verify].
// It removes instructions whose results nothing reads, and copies that the instruction in front can make itself. A
// linear scan gives registers; values without a register are in the frame.
package asm
