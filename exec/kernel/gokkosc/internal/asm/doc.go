// Package asm is code in virtual registers, as the Go assembler reads it. A machine names its [Registers];
// the operations of instructions are text that the package does not interpret.
//
// A [Code] collects instructions. A [Function] has a printed form and rules in virtual registers, see
// [Function.Verify]. The package removes instructions whose results nothing reads, and copies that the
// instruction in front can make itself. A linear scan gives registers; values without a register are in the
// frame.
package asm
