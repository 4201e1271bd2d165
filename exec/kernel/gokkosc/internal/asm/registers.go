package asm

// Registers are the registers of a machine, and what there is to know of its instructions.
type Registers struct {
	Bytes int // of a vector
	Files [kinds]File
	// Text returns the text of the nth register of a kind, of which an operand uses so many bytes.
	Text func(kind Kind, n, bytes int) string
	// Address returns the text of a place in memory: index is "" if there is none.
	Address func(base string, offset int, index string, scale int) string
	// Frame returns the text of a place in the frame.
	Frame func(offset int) string
	// Slow returns how many simple instructions take as long as an instruction, but for one.
	Slow func(op string) int
	// FromMemory says which operand of an instruction may be a vector in memory that is not aligned, and Commutes which
	// may exchange it with the next one.
	FromMemory map[string]int
	Commutes   map[string]bool
}

// A File is the registers of a kind. Those of masks and vectors have numbers.
type File struct {
	Count int
	Bytes int    // in the frame
	Copy  string // instruction from one to another
	Move  string // to and from memory
}

// Weigh returns about how many simple instructions take as long.
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
