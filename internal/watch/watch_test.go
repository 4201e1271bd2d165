//go:build !race && !noasm && (amd64 || arm64)

package watch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shared memory of the tests. It is global, so that no stack has it.
var (
	x [64]float64
	n int64
	b [64]byte

	fresh = make([]byte, 2*pageSize) // where no cell is split before
)

func at[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// watched returns what is found when f says what threads do.
func watched(f func()) []*Finding {
	if err := Begin(); err != nil {
		panic(err)
	}
	f()
	Leave()
	found, _ := End()
	return found
}

// begin begins an item. Its index is the number of calls so far.
func begin() {
	index++
	Item(unsafe.Pointer(&index), 8, func(p unsafe.Pointer) string { return fmt.Sprint(*(*int)(p)) })
}

var index int

func item(f func()) {
	begin()
	f()
	Leave()
}

func rank(r int, f func()) {
	Member(r)
	f()
	Leave()
}

func TestItems(t *testing.T) {
	for _, c := range []struct {
		name  string
		races int
		run   func()
	}{
		{"each its own", 0, func() {
			for i := range 8 {
				item(func() { raceread(at(&x[i])); racewrite(at(&x[i])); raceread(at(&x[i])) })
			}
		}},
		{"all read", 0, func() {
			for range 8 {
				item(func() { raceread(at(&x[3])) })
			}
		}},
		{"write after write", 1, func() {
			item(func() { racewrite(at(&x[3])) })
			item(func() { racewrite(at(&x[3])) })
		}},
		{"read after write", 1, func() {
			item(func() { racewrite(at(&x[3])) })
			item(func() { raceread(at(&x[3])) })
		}},
		{"write after read, and another read", 1, func() {
			item(func() { raceread(at(&x[3])) })
			item(func() { raceread(at(&x[3])); racewrite(at(&x[3])) })
		}},
		{"write of the second of two readers", 1, func() {
			item(func() { raceread(at(&x[3])) })
			item(func() { raceread(at(&x[3])) })
			begin()
			racewrite(at(&x[4]))
			Leave()
			item(func() { raceread(at(&x[3])); racewrite(at(&x[3])) })
		}},
		{"neighbouring bytes", 0, func() {
			for i := range 64 {
				item(func() { racewrite(at(&b[i])) })
			}
		}},
		{"one byte", 1, func() {
			item(func() { racewrite(at(&b[5])) })
			item(func() { racewrite(at(&b[6])); raceread(at(&b[5])) })
		}},
		{"a range", 1, func() {
			item(func() { racewriterange(at(&x[0]), 64) })
			item(func() { racereadrange(at(&x[7]), 16) })
		}},
		{"atomics", 0, func() {
			for range 8 {
				item(func() { Atomic(at(&n), 8, Update) })
			}
		}},
		{"an atomic and a plain access", 1, func() {
			item(func() { Atomic(at(&n), 8, Update) })
			item(func() { raceread(at(&n)) })
		}},
		{"released and acquired", 0, func() {
			item(func() { racewrite(at(&x[0])); Atomic(at(&n), 8, Update) })
			item(func() { Atomic(at(&n), 8, Update); raceread(at(&x[0])) })
		}},
		{"by way of a third", 0, func() {
			item(func() { racewrite(at(&x[0])); Atomic(at(&n), 8, Update) })
			item(func() { Atomic(at(&n), 8, Update); Atomic(at(&x[9]), 8, Update) })
			item(func() { Atomic(at(&x[9]), 8, Update); raceread(at(&x[0])) })
		}},
		{"released too early", 1, func() {
			item(func() { Atomic(at(&n), 8, Update); racewrite(at(&x[0])) })
			item(func() { Atomic(at(&n), 8, Update); raceread(at(&x[0])) })
		}},
		{"acquired too late", 1, func() {
			item(func() { racewrite(at(&x[0])); Atomic(at(&n), 8, Update) })
			item(func() { raceread(at(&x[0])); Atomic(at(&n), 8, Update) })
		}},
		{"released by a store, and acquired by a load", 0, func() {
			item(func() { racewrite(at(&x[0])); Atomic(at(&n), 8, Store) })
			item(func() { Atomic(at(&n), 8, Load); raceread(at(&x[0])) })
		}},
		{"a load releases nothing", 1, func() {
			item(func() { Atomic(at(&n), 8, Store); racewrite(at(&x[0])); Atomic(at(&n), 8, Load) })
			item(func() { Atomic(at(&n), 8, Load); raceread(at(&x[0])) })
		}},
		{"a store acquires nothing", 1, func() {
			item(func() { racewrite(at(&x[0])); Atomic(at(&n), 8, Store) })
			item(func() { Atomic(at(&n), 8, Store); raceread(at(&x[0])) })
		}},
		{"a store hides those before it", 1, func() {
			item(func() { racewrite(at(&x[0])); Atomic(at(&n), 8, Store) })
			item(func() { Atomic(at(&n), 8, Store) })
			item(func() { Atomic(at(&n), 8, Load); raceread(at(&x[0])) })
		}},
		{"an update hides none", 0, func() {
			item(func() { racewrite(at(&x[0])); Atomic(at(&n), 8, Store) })
			item(func() { Atomic(at(&n), 8, Update) })
			item(func() { Atomic(at(&n), 8, Load); raceread(at(&x[0])) })
		}},
		{"loads and plain reads", 0, func() {
			item(func() { raceread(at(&n)) })
			item(func() { Atomic(at(&n), 8, Load) })
			item(func() { raceread(at(&n)) })
		}},
		{"a load and a write", 1, func() {
			item(func() { Atomic(at(&n), 8, Load) })
			item(func() { racewrite(at(&n)) })
		}},
		{"a write, then an atomic of its item, then one of another", 1, func() {
			item(func() { racewrite(at(&n)); Atomic(at(&n), 8, Update) })
			item(func() { Atomic(at(&n), 8, Update) })
		}},
		{"the last of all resets", 0, func() {
			for range 3 {
				item(func() { Atomic(at(&n), 8, Update) })
			}
			item(func() { Atomic(at(&n), 8, Update); racewrite(at(&n)) })
		}},
		{"a reader that reads again", 1, func() {
			item(func() { raceread(at(&x[3])) })
			item(func() { raceread(at(&x[3])); Atomic(at(&n), 8, Update); raceread(at(&x[3])); racewrite(at(&x[3])) })
		}},
		{"many readers, one of them not released", 1, func() {
			item(func() { Atomic(at(&n), 8, Update); raceread(at(&x[3])) })
			for range 4 {
				item(func() { raceread(at(&x[3])); Atomic(at(&n), 8, Update) })
			}
			item(func() { Atomic(at(&n), 8, Update); racewrite(at(&x[3])) })
		}},
		{"a plain reader, then loads", 1, func() {
			item(func() { raceread(at(&n)) })
			for range 4 {
				item(func() { Atomic(at(&n), 8, Load) })
			}
			item(func() { Atomic(at(&n), 8, Update) })
		}},
		{"a field behind a struct that was read", 1, func() {
			item(func() { racereadrange(at(&fresh[8]), 8) })
			item(func() { racewrite(at(&fresh[12])) })
		}},
		{"a struct behind its field", 1, func() {
			item(func() { racewrite(at(&b[20])) })
			item(func() { racereadrange(at(&b[16]), 8) })
		}},
		{"bytes behind an array", 0, func() {
			item(func() { racewriterange(at(&b[24]), 12) })
			item(func() { racewriterange(at(&b[36]), 12) })
		}},
		{"an earlier launch", 0, func() {
			item(func() { racewrite(at(&x[0])) })
			_, _ = End()
			_ = Begin()
			item(func() { raceread(at(&x[0])) })
		}},
		{"its own accumulator", 0, func() {
			for range 2 {
				begin()
				Own(unsafe.Pointer(&n), 8)
				racewrite(at(&n))
				Leave()
			}
		}},
	} {
		found := watched(c.run)
		assert.Len(t, found, c.races, c.name)
		for _, f := range found {
			assert.Equal(t, Race, f.Kind)
		}
	}
}

func TestTeams(t *testing.T) {
	for _, c := range []struct {
		name  string
		found []int
		run   func()
	}{
		{"no barrier", []int{Race}, func() {
			Team(64, 32)
			rank(0, func() { racewrite(at(&x[0])) })
			rank(1, func() { raceread(at(&x[0])) })
		}},
		{"a barrier", nil, func() {
			Team(64, 32)
			rank(0, func() { racewrite(at(&x[0])) })
			Met(0, true, 0)
			rank(1, func() { raceread(at(&x[0])); racewrite(at(&x[0])) })
		}},
		{"a barrier of the sub-group, within it", nil, func() {
			Team(64, 32)
			rank(40, func() { racewrite(at(&x[0])) })
			Met(32, false, 0)
			rank(41, func() { raceread(at(&x[0])) })
		}},
		{"a barrier of the sub-group, beyond it", []int{Race}, func() {
			Team(64, 32)
			rank(40, func() { racewrite(at(&x[0])) })
			Met(32, false, 0)
			rank(1, func() { raceread(at(&x[0])) })
		}},
		{"a barrier of another sub-group", []int{Race}, func() {
			Team(64, 32)
			rank(40, func() { racewrite(at(&x[0])) })
			Met(0, false, 0)
			rank(41, func() { raceread(at(&x[0])) })
		}},
		{"a barrier of the reader's sub-group", []int{Race}, func() {
			Team(64, 32)
			rank(40, func() { racewrite(at(&x[0])) })
			Met(0, false, 0)
			rank(1, func() { raceread(at(&x[0])) })
		}},
		{"scratch that is read beside its write", []int{Race}, func() {
			Scratch(0, unsafe.Pointer(&x[0]), 512, 0)
			Team(2, 32)
			rank(0, func() { raceread(at(&x[0])) })
			rank(1, func() { racewrite(at(&x[0])) })
		}},
		{"scratch that is read, and written behind a barrier", []int{Uninitialised}, func() {
			Scratch(0, unsafe.Pointer(&x[0]), 512, 0)
			Team(2, 32)
			rank(0, func() { raceread(at(&x[0])) })
			Met(0, true, 0)
			rank(1, func() { racewrite(at(&x[0])) })
		}},
		{"an accumulator of another item", []int{Accumulator}, func() {
			begin()
			Joins(unsafe.Pointer(&n), 8)
			racewrite(at(&n))
			begin()
			raceread(at(&n))
		}},
		{"the host", []int{Host}, func() {
			begin()
			racewrite(at(&n))
			done := make(chan bool)
			go func() {
				grow()
				raceread(at(&n))
				close(done)
			}()
			<-done
		}},
		{"two teams", []int{Race}, func() {
			Team(64, 32)
			rank(0, func() { racewrite(at(&x[0])) })
			Met(0, true, 0)
			Team(64, 32)
			rank(0, func() { racewrite(at(&x[0])) })
		}},
		{"the last of all teams", nil, func() {
			for range 3 {
				Team(2, 32)
				rank(0, func() { racewrite(at(&x[run.here.team])) })
				rank(1, func() {})
				Met(0, true, 0)
				rank(1, func() { Atomic(at(&n), 8, Update) })
			}
			Met(0, true, 0)
			rank(0, func() { raceread(at(&x[1])); raceread(at(&x[2])) })
		}},
		{"the first member of a sub-group counts", nil, func() {
			for range 2 {
				Team(4, 4)
				for r := range 4 {
					rank(r, func() { racewrite(at(&x[run.here.team*4+uint32(r)])) })
				}
				Met(0, false, 0)
				rank(0, func() { Atomic(at(&n), 8, Update) })
			}
			Met(0, false, 0)
			rank(3, func() { raceread(at(&x[5])) })
		}},
		{"another sub-group counts", []int{Race}, func() {
			for range 2 {
				Team(8, 4)
				rank(5, func() { racewrite(at(&x[run.here.team])) })
				Met(4, false, 0)
				rank(0, func() { Atomic(at(&n), 8, Update) })
			}
			rank(0, func() { raceread(at(&x[1])) })
		}},
		{"another sub-group hears it", []int{Race}, func() {
			Team(8, 4)
			rank(0, func() { racewrite(at(&x[1])); Atomic(at(&n), 8, Update) })
			Team(8, 4)
			rank(0, func() { Atomic(at(&n), 8, Update) })
			Met(0, false, 0)
			rank(4, func() { raceread(at(&x[1])) })
		}},
		{"vector lanes write, and their member counts", nil, func() {
			for range 2 {
				Team(1, 1)
				Member(0)
				var top byte
				BeginVector(unsafe.Pointer(&top))
				for l := range 4 {
					Vector(l)
					racewrite(at(&x[run.here.team*4+uint32(l)]))
				}
				EndVector()
				Atomic(at(&n), 8, Update)
			}
			var top byte
			BeginVector(unsafe.Pointer(&top))
			Vector(2)
			raceread(at(&x[5]))
			EndVector()
		}},
		{"one vector lane hears what another one reads", []int{Race}, func() {
			Team(1, 1)
			rank(0, func() { racewrite(at(&x[1])); Atomic(at(&n), 8, Update) })
			Team(1, 1)
			Member(0)
			var top byte
			BeginVector(unsafe.Pointer(&top))
			Vector(0)
			Atomic(at(&n), 8, Load)
			Vector(1)
			raceread(at(&x[1]))
			EndVector()
		}},
		{"and their member hears it", nil, func() {
			Team(1, 1)
			rank(0, func() { racewrite(at(&x[1])); Atomic(at(&n), 8, Update) })
			Team(1, 1)
			Member(0)
			var top byte
			BeginVector(unsafe.Pointer(&top))
			Vector(0)
			Atomic(at(&n), 8, Load)
			Vector(1)
			EndVector()
			raceread(at(&x[1]))
		}},
		{"atomics of scratch in two teams", []int{Race}, func() {
			Scratch(0, unsafe.Pointer(&b[0]), 64, 1)
			for range 2 {
				Team(1, 1)
				rank(0, func() {
					Atomic(at(&b[0]), 8, Update)
					racewrite(at(&x[1]))
					Atomic(at(&b[0]), 8, Update)
				})
			}
		}},
		{"scratch that was written by what is not seen", nil, func() {
			Scratch(0, unsafe.Pointer(&x[0]), 512, 0)
			Team(2, 32)
			x[1] = 5
			rank(0, func() { raceread(at(&x[1])) })
			x[1] = 0
		}},
		{"vector lanes", []int{Race}, func() {
			Team(2, 32)
			Member(1)
			var top byte
			BeginVector(unsafe.Pointer(&top))
			Vector(0)
			racewrite(at(&x[0]))
			Vector(1)
			raceread(at(&x[0]))
			EndVector()
			raceread(at(&x[0]))
		}},
		{"vector lanes of two loops", nil, func() {
			Team(2, 32)
			Member(1)
			var top byte
			BeginVector(unsafe.Pointer(&top))
			Vector(0)
			racewrite(at(&x[0]))
			EndVector()
			BeginVector(unsafe.Pointer(&top))
			Vector(1)
			raceread(at(&x[0]))
			EndVector()
		}},
		{"scratch", []int{Uninitialised}, func() {
			Scratch(0, unsafe.Pointer(&x[0]), 512, 0)
			Team(2, 32)
			rank(0, func() { racewrite(at(&x[0])); raceread(at(&x[0])); raceread(at(&x[1])) })
		}},
		{"scratch of an earlier team", []int{Uninitialised}, func() {
			Scratch(0, unsafe.Pointer(&x[0]), 512, 0)
			Team(2, 32)
			rank(0, func() { racewrite(at(&x[0])) })
			Team(2, 32)
			rank(1, func() { raceread(at(&x[0])) })
		}},
		{"the result of the launch", []int{OwnResult}, func() {
			Result(at(&n), 8)
			Team(2, 32)
			rank(1, func() { raceread(at(&n)) })
		}},
		{"a write in the sums of a scan", []int{WriteInSums}, func() {
			begin()
			ReadOnly()
			raceread(at(&n))
			racewrite(at(&n))
		}},
	} {
		var kinds []int
		for _, f := range watched(c.run) {
			kinds = append(kinds, f.Kind)
		}
		assert.Equal(t, c.found, kinds, c.name)
	}
}

func TestFindingsCountPairs(t *testing.T) {
	index = 100
	found := watched(func() {
		for i := range 10 {
			item(func() { racewrite(at(&x[i/2])) })
		}
	})
	require.Len(t, found, 1)
	assert.Equal(t, 5, found[0].Count)
	require.Len(t, found[0].Pairs, 3)
	p := found[0].Pairs[1]
	assert.Equal(t, at(&x[1]), p.Addr)
	assert.Equal(t, Thread{Item: "104", Team: -1, Member: -1, Vector: -1}, p.Now)
	assert.Equal(t, Thread{Item: "103", Team: -1, Member: -1, Vector: -1}, p.Before)
	assert.True(t, found[0].Now.Write && found[0].Before.Write)
	assert.Contains(t, found[0].Now.File, "watch_test.go")
	assert.Equal(t, found[0].Now.Line, found[0].Before.Line)
}

// Other goroutines, and this one between threads, are not looked at.
func TestOnlyThreadsOfTheFunctorAreSeen(t *testing.T) {
	assert.Empty(t, watched(func() {
		item(func() { racewrite(at(&x[0])) })
		racewrite(at(&x[0]))
		begin()
		Leave()
		done := make(chan struct{})
		go func() {
			defer close(done)
			racewrite(at(&x[0]))
		}()
		<-done
	}))
	var local [4]float64
	p := &local // on this goroutine's stack
	assert.Empty(t, watched(func() {
		for range 2 {
			begin()
			racewrite(at(&p[1]))
		}
	}))
}

// A launch waits for another one that is watched, and for one that does nothing not for ever.
func TestLaunchesThatWait(t *testing.T) {
	defer func(f func()) { nap = f }(nap)
	nap = func() {}
	require.NoError(t, Begin())
	second := make(chan error)
	go func() { second <- Begin() }()
	assert.ErrorIs(t, <-second, ErrStuck)

	naps, awake := make(chan bool), make(chan bool)
	nap = func() {
		select {
		case naps <- true:
			<-awake
		case <-awake: // closed
			runtime.Gosched()
		}
	}
	go func() {
		err := Begin()
		if err == nil {
			End()
		}
		second <- err
	}()
	for range 20 { // it is busy for longer than others are patient
		for range patience / 10 {
			<-naps
			awake <- true
		}
		item(func() { racewrite(at(&x[0])) })
	}
	select {
	case err := <-second:
		t.Errorf("two launches are watched at a time: %v", err)
	default:
	}
	close(awake)
	found, accesses := End()
	assert.Len(t, found, 1, "what the other one did is not in the way")
	assert.GreaterOrEqual(t, accesses, 20, "with those of this test, where it is built for it")
	assert.NoError(t, <-second)
	assert.False(t, launched)
}

// What is behind a stack does not belong to it.
func TestEndsOfAStack(t *testing.T) {
	watched(func() {
		begin()
		for addr, own := range map[uintptr]bool{run.stack.begin - 1: false, run.stack.begin: true, run.stack.end - 1: true, run.stack.end: false} {
			assert.Equal(t, own, owns(addr), run.stack.end-addr)
		}
		share(64)
		assert.True(t, owns(run.stack.end-65))
		assert.False(t, owns(run.stack.end-64))
		share(0)
	})
}

//go:noinline
func withDefer() (has bool) {
	defer func() {}()
	pc, _, _, _ := runtime.Caller(0)
	return hasDefer(pc)
}

//go:noinline
func withoutDefer() bool {
	pc, _, _, _ := runtime.Caller(0)
	return hasDefer(pc)
}

// The runtime says of a function whether it has a defer.
func TestHasDefer(t *testing.T) {
	assert.True(t, withDefer())
	assert.False(t, withoutDefer())
}

// A hook that is instrumented calls itself.
func TestNothingHereIsInstrumented(t *testing.T) {
	files := token.NewFileSet()
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	functions := 0
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, source, nil, parser.ParseComments)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				t.Errorf("%v: a function literal, which cannot be marked", files.Position(n.Pos()))
			case *ast.FuncDecl:
				functions++
				marked := n.Body == nil
				if n.Doc != nil {
					marked = marked || slices.ContainsFunc(n.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:norace" })
				}
				assert.True(t, marked, "%v: %s is not marked go:norace", files.Position(n.Pos()), n.Name.Name)
			}
			return true
		})
	}
	assert.Greater(t, functions, 30)
}
