package asm

// Registers describes the registers of a machine, and its instructions as far as the allocation depends on them.
type Registers struct {
	Bytes int // of a vector
	Files [kinds]File
	// Text returns the text of the nth register of a kind, given the number of bytes that an operand uses.
	Text func(kind Kind, n, bytes int) string
	// Address returns the text of a place in memory: index is "" if there is none.
	Address func(base string, offset int, index string, scale int) string
	// Frame returns the text of a place in the frame.
	Frame func(offset int) string
	// Slow returns the number of simple instructions that take as long as an instruction, less one.
	Slow func(op string) int
	// FromMemory has the operand of an instruction that may be an unaligned vector in memory, by its number. Commutes has the
	// instructions that may exchange that operand with the next one.
	FromMemory map[string]int
	Commutes   map[string]bool
}

// A File is the registers of a kind, numbered from 0.
type File struct {
	Count int
	Bytes int    // in the frame
	Copy  string // instruction from one register to another
	Move  string // instruction to and from memory
}

// Weigh returns the time of instructions in simple ones, about.
func (r *Registers) Weigh(list []*Instr) (n int) {
	for _, i := range list {
		n += 1 + r.Slow(i.Op)
		for _, a := range i.Args {
			if a.mem && a.R != nil {
				n += 12
			}
		}
	}
	return n
}
