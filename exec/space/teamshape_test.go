package space_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
)

func TestValidShapes(t *testing.T) {
	for want, change := range map[string]func(s *space.TeamShape){
		"a league of -1 teams, expected at least 0":            func(s *space.TeamShape) { s.League = -1 },
		"0 members, expected 1 to 65536":                       func(s *space.TeamShape) { s.Size = 0 },
		"65537 members":                                        func(s *space.TeamShape) { s.Size = space.MaxTeamSize + 1 },
		"dimensions 12 x 0 x 1 of a team of 12":                func(s *space.TeamShape) { s.Dims[1] = 0 },
		"dimensions 3 x 4 x 2 of a team of 12":                 func(s *space.TeamShape) { s.Dims = [3]int{3, 4, 2} },
		"dimensions -3 x -4 x 1 of a team of 12":               func(s *space.TeamShape) { s.Dims = [3]int{-3, -4, 1} },
		"dimensions 65536 x 65536 x 1 of a team of 65536":      func(s *space.TeamShape) { s.Size, s.Dims = 1<<16, [3]int{1 << 16, 1 << 16, 1} },
		"a vector length of 0, expected 1 to 1024":             func(s *space.TeamShape) { s.Vector = 0 },
		"a vector length of 1025":                              func(s *space.TeamShape) { s.Vector = 1025 },
		"sub-groups of -1 members":                             func(s *space.TeamShape) { s.SubGroup = -1 },
		"scratch of level 0 of -1 bytes per team":              func(s *space.TeamShape) { s.Scratch[0].Team = -1 },
		"scratch of level 1 of 0 bytes per team and -16 bytes": func(s *space.TeamShape) { s.Scratch[1].Member = -16 },
		"scratch of level 1 of 16 bytes per team and 1073741824 bytes for each of 12 members, expected 0 to 1073741824 in all, each a multiple of 16": func(s *space.TeamShape) {
			s.Scratch[1] = space.ScratchSize{16, 1 << 30}
		},
		"scratch of level 0 of 1073741809 bytes per team and 1 bytes": func(s *space.TeamShape) { s.Scratch[0] = space.ScratchSize{1<<30 - 15, 1} },
		"bytes for each of 12 members, expected":                      func(s *space.TeamShape) { s.Scratch[0].Member = math.MaxInt },
	} {
		s := space.TeamShape{League: 2, Size: 12, Dims: [3]int{12, 1, 1}, Vector: 1, SubGroup: 8}
		require.NoError(t, s.Valid())
		change(&s)
		require.ErrorContains(t, s.Valid(), want)
	}
	s := space.TeamShape{League: 0, Size: space.MaxTeamSize, Dims: [3]int{1 << 6, 1 << 5, 1 << 5}, Vector: 1024, Scratch: [2]space.ScratchSize{{0, 1 << 14}, {1 << 30, 0}}}
	require.NoError(t, s.Valid())
	require.Equal(t, []int{1 << 30, 1 << 30}, []int{s.Bytes(0), s.Bytes(1)})
}
