package space

import "fmt"

// MaxTeamSize is the number of members of the largest team that any space runs.
const MaxTeamSize = 1 << 16

// maxVectorLength is the largest number of vector lanes per member that any space runs.
const maxVectorLength = 1 << 10

// MaxScratchBytes is the most scratch memory of one level that a team may have, in bytes.
const MaxScratchBytes = 1 << 30

// A TeamShape says how many teams there are and what each of them is, as a policy plans
// it. It is a plain value.
type TeamShape struct {
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

// Valid returns an error if no space can run teams of the shape, which says what was
// given and what was expected. It begins with neither a package nor a policy: who
// returns it says whose shape it is.
func (s TeamShape) Valid() error {
	switch x, y, z := s.Dims[0], s.Dims[1], s.Dims[2]; {
	case s.League < 0:
		return fmt.Errorf("a league of %d teams, expected at least 0", s.League)
	case s.Size < 1 || s.Size > MaxTeamSize:
		return fmt.Errorf("%d members, expected 1 to %d", s.Size, MaxTeamSize)
	case min(x, y, z) < 1 || max(x, y, z) > s.Size || int64(x)*int64(y)*int64(z) != int64(s.Size): // below 2⁴⁸
		return fmt.Errorf("dimensions %d x %d x %d of a team of %d members, expected lengths with that product", x, y, z, s.Size)
	case s.Vector < 1 || s.Vector > maxVectorLength:
		return fmt.Errorf("a vector length of %d, expected 1 to %d", s.Vector, maxVectorLength)
	case s.SubGroup < 0:
		return fmt.Errorf("sub-groups of %d members, expected at least 1, or 0 for the space's own", s.SubGroup)
	}
	for level, b := range s.Scratch {
		if min(b.Team, b.Member) < 0 || max(b.Team, b.Member) > MaxScratchBytes || s.bytes(level) > MaxScratchBytes {
			return fmt.Errorf("scratch of level %d of %d bytes per team and %d bytes for each of %d members, expected 0 to %d in all, each a multiple of %d",
				level, b.Team, b.Member, s.Size, MaxScratchBytes, ScratchAlign)
		}
	}
	return nil
}

// Bytes returns the scratch memory of one level that a team needs, in bytes.
func (s TeamShape) Bytes(level int) int { return int(s.bytes(level)) }

// bytes does not overflow where no part is more than a team may have.
func (s TeamShape) bytes(level int) int64 {
	return int64(AlignScratch(s.Scratch[level].Team)) + int64(s.Size)*int64(AlignScratch(s.Scratch[level].Member))
}

// ScratchAlign is the alignment of scratch memory in bytes, that of any type.
const ScratchAlign = 16

// AlignScratch returns a number of bytes rounded up to a multiple of ScratchAlign.
func AlignScratch(bytes int) int { return (bytes + ScratchAlign - 1) &^ (ScratchAlign - 1) }
