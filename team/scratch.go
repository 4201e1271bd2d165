package team

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/teams"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// Scratch returns n values of type T that the members of m's team share, in the team's
// scratch memory of that level (0 or 1). It is the team_scratch of Kokkos.
//
// All members make the same calls in the same order; each call returns other memory, the
// same to all members. A call is no barrier. The memory is the team's until its functor
// returns. Its content is undefined until written: the CPU spaces zero it, the simulated
// GPU poisons it.
//
// Units: a level holds what the policy planned, in bytes. Every call begins at a multiple
// of 16 bytes, so that two calls for 12 bytes take 28. [ScratchBytes] adds them up.
//
// Errors: a T that holds pointers, strings, slices, maps, interfaces, functions or
// channels; an n below 0; another level; more than the policy planned; calls that differ
// between members, in number, level, type or n.
//
//go:noinline
func Scratch[T any](m *Member, level, n int) []T {
	t := reflect.TypeFor[T]()
	bytes := m.runner().arena.check(level, n, t)
	if m.size != 1 && m.run.arena.planned { // without scratch memory only n = 0 is no error
		m.run.arena.agree(m, request{level, n, t, m.rank, lane.Site()})
	}
	at := reserve(&m.scratch.team, m.run.shape.Scratch[level].Team, request{level: level, n: n, t: t}, bytes)
	return view[T](m, level, at, n)
}

// MemberScratch is [Scratch] for the calling member alone: each call returns memory that
// no other member is given, and the calls of other members do not matter. It is the
// thread_scratch of Kokkos.
func MemberScratch[T any](m *Member, level, n int) []T {
	t := reflect.TypeFor[T]()
	bytes := m.runner().arena.check(level, n, t)
	plan := m.run.shape.Scratch[level]
	at := reserve(&m.scratch.own, plan.Member, request{level: level, n: n, t: t}, bytes)
	return view[T](m, level, space.AlignScratch(plan.Team)+m.rank*space.AlignScratch(plan.Member)+at, n)
}

// view returns n values at an offset in bytes of a level.
func view[T any](m *Member, level, at, n int) []T {
	var x T
	if n == 0 || unsafe.Sizeof(x) == 0 {
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&m.run.arena.levels[level][at/wordBytes])), n)
}

// reserve takes bytes of the limit and returns where they begin.
func reserve(used *[2]int, limit int, r request, bytes int) int {
	if bytes == 0 {
		return 0
	}
	at := space.AlignScratch(used[r.level])
	if bytes > limit-at {
		from := ""
		if at != used[r.level] {
			from = fmt.Sprintf(" from byte %d on", at)
		}
		misuse("scratch of level %d for %v (%d bytes%s) where %d of %d bytes are used: ask the policy for more", r.level, r, bytes, from, used[r.level], limit)
	}
	used[r.level] = at + bytes
	return at
}

// A cursor is how much scratch memory one member has taken.
type cursor struct {
	calls     int    // of Scratch
	team, own [2]int // bytes used of each level
}

// A request is a call of Scratch.
type request struct {
	level, n int
	t        reflect.Type
	rank     int
	site     uintptr
}

func (r request) String() string { return fmt.Sprintf("%d %v", r.n, r.t) }

func (r request) at() string {
	f, _ := runtime.CallersFrames([]uintptr{r.site}).Next()
	return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
}

// arena is the scratch memory of the teams that one Runner runs: for each level that of
// the team, then that of each member.
type arena struct {
	levels  [2][]uint64
	planned bool // a level has memory
	fill    uint64

	plain        []reflect.Type // types that are known to hold no pointers
	requests     []request      // the calls of Scratch that the running team has made
	returned     bool           // a member has returned, having made all these calls
	returnedRank int            // its rank
}

const (
	wordBytes = 8
	poison    = 0xFFF4DEAD_FFF4DEAD // a NaN, as are its halves
)

func newArena(shape space.TeamShape, s teams.Settings) (a arena) {
	for level := range a.levels {
		bytes := shape.Bytes(level)
		a.levels[level] = aligned(bytes / wordBytes)
		a.planned = a.planned || bytes > 0
	}
	if s.Poison {
		a.fill = poison
	}
	return a
}

// watch says where the memory is.
func (a *arena) watch() {
	for level, words := range a.levels {
		if len(words) > 0 {
			watch.Scratch(level, unsafe.Pointer(unsafe.SliceData(words)), uintptr(len(words))*wordBytes, a.fill)
		}
	}
}

// aligned returns words that begin at a multiple of space.ScratchAlign bytes.
func aligned(words int) []uint64 {
	if words == 0 {
		return nil
	}
	x := make([]uint64, words+1)
	if uintptr(unsafe.Pointer(&x[0]))%space.ScratchAlign != 0 {
		x = x[1:]
	}
	return x[:words:words]
}

// clear readies the memory for the next team.
func (a *arena) clear() {
	if !a.planned {
		return
	}
	a.requests, a.returned = a.requests[:0], false
	for _, words := range &a.levels {
		if a.fill == 0 {
			clear(words)
			continue
		}
		for k := range words {
			words[k] = a.fill
		}
	}
}

// ScratchBytes returns the bytes to plan for a call of [Scratch] or [MemberScratch] with
// that T and n, whatever the calls before it: a multiple of 16. Those of several calls are
// added. It is the shmem_size of Kokkos.
//
// Errors: for an n below 0, or more than any policy can plan, it returns more than that.
func ScratchBytes[T any](n int) int {
	size := collective.SizeOf[T]()
	switch {
	case size == 0 && n >= 0:
		return 0
	case n < 0 || n > space.MaxScratchBytes/size:
		return space.MaxScratchBytes + space.ScratchAlign
	}
	return space.AlignScratch(n * size)
}

// check returns the size of n values of type t, in bytes. It ends the launch if scratch
// memory cannot hold such values.
func (a *arena) check(level, n int, t reflect.Type) int {
	switch {
	case level != 0 && level != 1:
		misuse("scratch of level %d: there are levels 0 and 1", level)
	case n < 0:
		misuse("scratch of level %d for %d %v: need at least 0", level, n, t)
	case !slices.Contains(a.plain, t):
		if p := memory.PointerIn(t); p != nil {
			misuse("scratch of level %d for %d %v: scratch memory holds plain values, and a %v refers to memory elsewhere", level, n, t, p)
		}
		a.plain = append(a.plain, t)
	}
	size := int(t.Size())
	if size > 0 && n > math.MaxInt/size {
		misuse("scratch of level %d for %d %v: an int cannot count the bytes", level, n, t)
	}
	return n * size
}

// agree ends the launch if a member's call differs from the same call of the first member to
// make it.
func (a *arena) agree(m *Member, r request) {
	k := m.scratch.calls
	m.scratch.calls++
	switch {
	case k < len(a.requests):
		if x := a.requests[k]; x.level != r.level || x.n != r.n || x.t != r.t {
			misuse("members of a team ask for different scratch: in call %d member %d for %v of level %d, at %s, and member %d for %v of level %d",
				k+1, x.rank, x, x.level, x.at(), r.rank, r, r.level)
		}
	case a.returned:
		misuse("members of a team ask for different scratch: member %d returned after %d calls, and member %d makes call %d, for %v of level %d",
			a.returnedRank, k, r.rank, k+1, r, r.level)
	default:
		a.requests = append(a.requests, r)
	}
}

// leave is called when a member returns. It ends the launch if others have made more calls.
func (a *arena) leave(m *Member) {
	if k := m.scratch.calls; k < len(a.requests) {
		x := a.requests[k]
		panic(&lane.Misuse{Err: fmt.Errorf("team: members of a team ask for different scratch: member %d returned after %d calls, and member %d made call %d, for %v of level %d, at %s",
			m.rank, k, x.rank, k+1, x, x.level, x.at())})
	}
	a.returned, a.returnedRank = true, m.rank
}
