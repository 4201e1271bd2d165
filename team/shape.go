package team

// Auto is the size of a team whose size does not matter. It stands for [AutoSize].
const Auto = -1

// AutoSize is the number of members that [Auto] stands for, on every machine: those of
// a warp.
const AutoSize = 32

// MaxSize is the number of members of the largest team that any space runs.
const MaxSize = 1 << 16

// A Shape says how many teams there are and what each of them is, as a policy plans
// it. It is a plain value.
type Shape struct {
	League   int            // number of teams
	Size     int            // members per team; 0 says that there are no teams
	Dims     [3]int         // lengths of the team in x, y and z, whose product is Size
	Vector   int            // vector lanes per member
	SubGroup int            // members per sub-group, 0 for the space's own
	Scratch  [2]ScratchSize // what may be asked for of each level
}

// ScratchSize is an amount of scratch memory of one level.
type ScratchSize struct {
	Team   int // bytes per team, shared by its members
	Member int // bytes per member
}

// Bytes returns the scratch memory of one level that a team needs, in bytes.
func (s Shape) Bytes(level int) int {
	return alignUp(s.Scratch[level].Team) + s.Size*alignUp(s.Scratch[level].Member)
}

// scratchAlign is the alignment of scratch memory in bytes, that of any type.
const scratchAlign = 16

func alignUp(bytes int) int { return (bytes + scratchAlign - 1) &^ (scratchAlign - 1) }
