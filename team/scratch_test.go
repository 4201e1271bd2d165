package team

import (
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/teams"
)

// withScratch returns the shape of a league of teams with scratch memory.
func withScratch(league, size int, level0, level1 space.ScratchSize) space.TeamShape {
	s := flat(league, size)
	s.Scratch = [2]space.ScratchSize{level0, level1}
	return s
}

func address[T any](x []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }

func TestScratchIsSharedByTheTeam(t *testing.T) {
	for _, size := range []int{1, 2, 7, 33} {
		type region struct{ begin, end uintptr }
		var own []region
		var shared [3]uintptr
		shape := withScratch(3, size, space.ScratchSize{Team: 80, Member: 40}, space.ScratchSize{Team: 3, Member: 8})
		require.NoError(t, runs(t, shape, teams.Settings{Schedule: 5}, func(m *Member) {
			m.Barrier()
			own = own[:0]
			m.Barrier()
			a, b, c := Scratch[float64](m, 0, 8), Scratch[byte](m, 1, 3), Scratch[[2]int32](m, 0, 2)
			x, y, z := MemberScratch[int16](m, 0, 9), MemberScratch[uint64](m, 1, 1), MemberScratch[byte](m, 0, 8)
			require.Equal(t, []int{8, 3, 2, 9, 1, 8}, []int{cap(a), cap(b), cap(c), cap(x), cap(y), cap(z)})
			here := [3]uintptr{address(a), address(b), address(c)}
			Single(m, func() { shared = here })
			m.Barrier()
			require.Equal(t, shared, here)
			if m.Rank() == 0 {
				own = append(own, region{address(a), address(a) + 64}, region{address(b), address(b) + 3}, region{address(c), address(c) + 16})
			}
			own = append(own, region{address(x), address(x) + 18}, region{address(y), address(y) + 8}, region{address(z), address(z) + 8})
			m.Barrier()
			for k, p := range own {
				require.Zero(t, p.begin%space.ScratchAlign)
				for _, q := range own[:k] {
					require.True(t, p.end <= q.begin || q.end <= p.begin)
				}
			}
			for _, k := range a {
				require.True(t, k == 0 || k == float64(m.Size()))
			}
			m.Barrier()
			a[7]++ // all members write the last element, the next team finds none of it
			x[8]++
			m.Barrier()
			require.Equal(t, float64(m.Size()), a[7])
			require.Equal(t, int16(1), x[8])
			m.Barrier()
			for k := range a {
				a[k] = float64(m.Size())
			}
			require.Empty(t, Scratch[int](m, 0, 0))
			require.Len(t, Scratch[struct{}](m, 0, 1<<20), 1<<20)
		}))
	}
}

func TestScratchBeginsAsZeroOrPoison(t *testing.T) {
	for _, poisoned := range []bool{false, true} {
		shape := withScratch(3, 2, space.ScratchSize{Team: 64, Member: 16}, space.ScratchSize{Member: 12})
		require.NoError(t, runs(t, shape, teams.Settings{Poison: poisoned}, func(m *Member) {
			a, b := Scratch[float64](m, 0, 8), MemberScratch[float32](m, 1, 3)
			m.Barrier()
			for _, x := range a {
				require.Equal(t, poisoned, math.IsNaN(x))
				require.True(t, poisoned || x == 0)
			}
			for _, x := range b {
				require.Equal(t, poisoned, x != x)
				require.Equal(t, poisoned, math.Float32bits(x) == 0xFFF4DEAD)
			}
			m.Barrier()
			clear(b)
			for k := range a {
				a[k] = 5
			}
		}))
	}
}

// What is left of a level can be asked for, to the last byte; nothing always can.
func TestScratchIsUsedToTheEnd(t *testing.T) {
	for _, size := range []int{1, 2} {
		shape := withScratch(1, size, space.ScratchSize{Team: 20, Member: 28}, space.ScratchSize{})
		require.NoError(t, runs(t, shape, teams.Settings{}, func(m *Member) {
			require.Len(t, Scratch[byte](m, 0, 17), 17)
			require.Empty(t, Scratch[byte](m, 0, 0))
			require.Len(t, MemberScratch[[12]byte](m, 0, 1), 1)
			require.Len(t, MemberScratch[[12]byte](m, 0, 1), 1)
			require.Empty(t, MemberScratch[int](m, 0, 0))
		}))
	}
	err := runs(t, withScratch(1, 2, space.ScratchSize{Team: 20}, space.ScratchSize{}), teams.Settings{}, func(m *Member) {
		Scratch[byte](m, 0, 17)
		Scratch[byte](m, 0, 1)
	})
	require.ErrorContains(t, err, "for 1 uint8 (1 bytes from byte 32 on) where 17 of 20 bytes are used")
}

func TestScratchBytesAddUp(t *testing.T) {
	require.Equal(t, []int{0, 16, 16, 32, 0}, []int{ScratchBytes[byte](0), ScratchBytes[byte](1), ScratchBytes[float64](2), ScratchBytes[float64](3), ScratchBytes[struct{}](9)})
	for _, bytes := range []int{ScratchBytes[int](-1), ScratchBytes[int](math.MaxInt), ScratchBytes[byte](space.MaxScratchBytes + 1)} {
		require.Greater(t, bytes, space.MaxScratchBytes)
	}
	require.Equal(t, space.MaxScratchBytes, ScratchBytes[byte](space.MaxScratchBytes))
	shape := withScratch(1, 2, space.ScratchSize{Team: ScratchBytes[byte](5) + ScratchBytes[int32](7) + ScratchBytes[float64](1)}, space.ScratchSize{})
	require.NoError(t, runs(t, shape, teams.Settings{}, func(m *Member) {
		Scratch[float64](m, 0, 1)
		Scratch[byte](m, 0, 5)
		Scratch[int32](m, 0, 7)
	}))
}

func TestAlignedMemory(t *testing.T) {
	var keep [][]uint64
	for words := range 40 {
		x := aligned(2 * words)
		keep = append(keep, x)
		require.Len(t, x, 2*words)
		require.Zero(t, address(x)%space.ScratchAlign)
	}
	require.Len(t, keep, 40)
}

func TestMisuseOfScratch(t *testing.T) {
	type node struct {
		_ float64
		_ [1]struct{ to *int }
	}
	for name, c := range map[string]struct {
		want string
		body func(m *Member)
	}{
		"level":    {"scratch of level 2: there are levels 0 and 1", func(m *Member) { Scratch[int](m, 2, 1) }},
		"below":    {"scratch of level -1: there are levels 0 and 1", func(m *Member) { MemberScratch[int](m, -1, 1) }},
		"negative": {"scratch of level 1 for -3 int: need at least 0", func(m *Member) { Scratch[int](m, 1, -3) }},
		"pointers": {"for 1 team.node: scratch memory holds plain values, and a *int refers to memory elsewhere", func(m *Member) { Scratch[node](m, 0, 1) }},
		"strings":  {"and a string refers", func(m *Member) { MemberScratch[string](m, 0, 1) }},
		"empties":  {"and a func() refers", func(m *Member) { MemberScratch[[0]func()](m, 0, 1) }},
		"overflow": {"an int cannot count the bytes", func(m *Member) { Scratch[[3]int](m, 0, math.MaxInt/8) }},
		"too much": {"scratch of level 0 for 300 float64 (2400 bytes from byte 48 on) where 36 of 2048 bytes are used: ask the policy for more", func(m *Member) {
			Scratch[float32](m, 0, 9)
			Scratch[float64](m, 0, 300)
		}},
		"too much of one": {"scratch of level 0 for 3 float64 (24 bytes) where 0 of 16 bytes are used", func(m *Member) { MemberScratch[float64](m, 0, 3) }},
		"nothing planned": {"scratch of level 1 for 1 uint8 (1 bytes) where 0 of 0 bytes are used", func(m *Member) { Scratch[byte](m, 1, 1) }},
	} {
		for _, size := range []int{1, 3} {
			t.Run(name, func(t *testing.T) {
				shape := withScratch(1, size, space.ScratchSize{Team: 2048, Member: 16}, space.ScratchSize{})
				var misuse *lane.Misuse
				if size == 1 {
					r := newRunner(shape, teams.Settings{}, c.body)
					defer func() {
						var ok bool
						misuse, ok = recover().(*lane.Misuse)
						require.True(t, ok)
						require.ErrorContains(t, misuse, c.want)
					}()
					_ = r.Run(nil, 0)
					return
				}
				require.ErrorAs(t, runs(t, shape, teams.Settings{}, c.body), &misuse)
				require.ErrorContains(t, misuse, c.want)
			})
		}
	}
}

func TestMembersThatAskForDifferentScratch(t *testing.T) {
	for name, c := range map[string]struct {
		want string
		body func(m *Member)
	}{
		"n":     {"in call 2 member 0 for 4 int of level 0, at scratch_test.go:", func(m *Member) { Scratch[int](m, 0, 1); Scratch[int](m, 0, 4+m.Rank()/2) }},
		"type":  {"and member 1 for 4 float64 of level 0", func(m *Member) { pick(m, func() { Scratch[int](m, 0, 4) }, func() { Scratch[float64](m, 0, 4) }) }},
		"level": {"and member 1 for 4 int of level 1", func(m *Member) { Scratch[int](m, min(m.Rank(), 1), 4) }},
		"fewer": {"member 1 returned after 0 calls, and member 0 made call 1, for 4 int of level 0, at scratch_test.go:", func(m *Member) {
			pick(m, func() { Scratch[int](m, 0, 4) }, func() {})
		}},
		"more": {"member 0 returned after 0 calls, and member 1 makes call 1, for 4 int of level 0", func(m *Member) {
			pick(m, func() {}, func() { Scratch[int](m, 0, 4) })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			shape := withScratch(1, 3, space.ScratchSize{Team: 64}, space.ScratchSize{Team: 64})
			err := runs(t, shape, teams.Settings{}, c.body)
			var misuse *lane.Misuse
			require.ErrorAs(t, err, &misuse)
			require.ErrorContains(t, misuse, "members of a team ask for different scratch: ")
			require.ErrorContains(t, misuse, c.want)
			require.False(t, strings.Contains(misuse.Error(), "scratch.go"), misuse.Error())
		})
	}
}

// pick calls f in member 0 and g in the others.
func pick(m *Member, f, g func()) {
	if m.Rank() == 0 {
		f()
		return
	}
	g()
}

func TestScratchDoesNotAllocate(t *testing.T) {
	type pair struct{ x, _ float32 }
	e := lane.New()
	r := newRunner(withScratch(1, 4, space.ScratchSize{Team: 64, Member: 64}, space.ScratchSize{}), teams.Settings{}, func(m *Member) {
		Scratch[pair](m, 0, 8)[m.Rank()].x++
		MemberScratch[int](m, 0, 8)[7]++
	})
	require.NoError(t, e.Do(func() {
		require.Zero(t, testing.AllocsPerRun(100, func() { require.NoError(t, r.Run(e, 0)) }))
	}))
	require.NoError(t, e.Close())
}

func BenchmarkScratch(b *testing.B) {
	for name, size := range map[string]int{"none": 0, "2 KiB": 2048} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			err := runs(b, withScratch(b.N, 1, space.ScratchSize{Team: size}, space.ScratchSize{}), teams.Settings{}, func(m *Member) {
				if size > 0 {
					Scratch[float64](m, 0, 256)[3]++
				}
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}
