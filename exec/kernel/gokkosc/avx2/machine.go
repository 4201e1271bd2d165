package avx2

import "go/token"

// A reg is a value in a register: of a vector, or of an integer that is the same for all items. It
// may be written several times.
type reg struct {
	vector bool
	remade *instr // that makes it anew where it is needed, from no registers; or nil

	first, last int     // where it lives, by the numbers of instructions
	weight      float64 // how often it is used
	at          int     // the register, or -1
	slot        int     // in the frame, if it has no register
}

// An operand of an instruction is a register, memory, or text.
type operand struct {
	r     *reg
	x     bool // r is used as X, not Y
	mem   bool // (r)(index*scale) with an offset
	index *reg
	scale int
	disp  int
	arg   *argument // of the function, with disp
	text  string    // a constant, a label or a symbol
}

// An instr is an instruction, with operands in the order of the Go assembler: the last one is
// written. One without an operation is a label.
type instr struct {
	op     string
	args   []operand
	writes int  // how many of the last operands are written, if they are registers
	reads  bool // what is written is also read
	label  string
	pos    token.Position
}

// An argument is one of the function in assembly.
type argument struct {
	name   string
	goType string
	size   int
	offset int
	value  string // in Go
}

func y(r *reg) operand        { return operand{r: r} }
func x(r *reg) operand        { return operand{r: r, x: true} }
func imm(text string) operand { return operand{text: text} }

// at is the memory at base + index*scale + disp.
func at(base, index *reg, scale, disp int) operand {
	return operand{r: base, mem: true, index: index, scale: scale, disp: disp}
}

// A loopRange is the instructions of a loop.
type loopRange struct{ first, last *instr }

// A function is the instructions of one function in assembly.
type function struct {
	list  []*instr
	loops []loopRange
	frame int // bytes
}

// registers are those that the function's registers become.
var (
	vectors  = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"}
	integers = []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R15"}
)
