//go:build !386 && !arm && !mips && !mipsle

package teams

import (
	"fmt"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// fenced returns a copy of numbers which ends where no memory can be read, or begins where none can be read before.
func fenced(t *testing.T, x []float64, atEnd bool) []float64 {
	page := syscall.Getpagesize()
	inner := (len(x)*8 + page) / page * page
	memory, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(memory)) })
	require.NoError(t, syscall.Mprotect(memory[page:page+inner], syscall.PROT_READ|syscall.PROT_WRITE))
	at := page
	if atEnd {
		at += inner - len(x)*8
	}
	out := unsafe.Slice((*float64)(unsafe.Pointer(&memory[at])), len(x))
	copy(out, x)
	return out
}

// Vectors touch no memory beside that of the functor, and have the bits of closures, whatever the number of items, and where
// memories overlap by some.
func TestVectorsOfTeams(t *testing.T) {
	for _, size := range []int{1, 4} {
		for _, vector := range []int{1, 4, 8, 16} {
			for _, n := range []int{0, 1, 5, 15, 16, 19, 31, 32, 33, 47, 64, 101} {
				for _, atEnd := range []bool{false, true} {
					s := shape{2, size, vector}
					t.Run(fmt.Sprint(s, n, atEnd), func(t *testing.T) { vectorsOf(t, s, n, atEnd) })
				}
			}
		}
	}
}

func vectorsOf(t *testing.T, s shape, n int, atEnd bool) {
	p, rows := s.policy(exec.Serial{}), 3
	a, x, y := fenced(t, numbers(s.league*rows*n), atEnd), fenced(t, numbers(n), atEnd), fenced(t, numbers(s.league*rows), atEnd)
	var want, got float64
	require.NoError(t, exec.ParallelReduce(p, yax(rows, n, y, a, x), builtin.Sum(&want)))
	require.NoError(t, exec.ParallelReduce(p, Yax(rows, n, y, a, x), builtin.Sum(&got)))
	require.Equal(t, want, got)
	for _, by := range []int{0, 1, 3, 4} {
		if by > 0 && s.size > 1 { // members race
			continue
		}
		of := func(f func(int, []float64, []float64) func(*team.Member)) []float64 {
			memory := fenced(t, numbers(s.league*n+by), atEnd)
			require.NoError(t, exec.ParallelFor(p, f(n, memory[:s.league*n], memory[by:])))
			return memory
		}
		require.Equal(t, of(moved), of(Moved), "overlapping by %d", by)
		weigh := func(f func(int, []float64, []float64, []float64) func(*team.Member)) []float64 {
			memory, sums := fenced(t, numbers(s.league*s.size*n+by), atEnd), fenced(t, numbers(s.league*s.size), atEnd)
			require.NoError(t, exec.ParallelFor(p, f(n, memory[:s.league*s.size*n], memory[by:], sums)))
			return append(memory, sums...)
		}
		require.Equal(t, weigh(weighed), weigh(Weighed), "overlapping by %d", by)
	}
}

// A team that stops in vectors runs as the closure, with its panic, and has stored nothing before.
func TestVectorsThatStop(t *testing.T) {
	p := policy.Team(3, 4).Vector(8).On(exec.Serial{})
	of := func(f func(int, int, []float64, []float64, []float64) func(*team.Member, *float64)) (out any) {
		defer func() { out = recover().(*exec.Panic).Value }()
		_ = exec.ParallelReduce(p, f(2, 64, numbers(6), numbers(3*2*64-1), numbers(64)), builtin.Sum(new(float64)))
		return nil
	}
	require.Equal(t, fmt.Sprint(of(yax)), fmt.Sprint(of(Yax)))
}

// Reductions, ranges and products of tiles have loops in vectors.
func TestLoopsInVectors(t *testing.T) {
	if use, undo := kernel.Limit(kernel.AVX512); use < kernel.AVX2 {
		t.Skip("no vectors here")
	} else {
		undo()
	}
	for name, f := range map[string]any{"tiled": Tiled(1, 1, nil, nil, nil), "yax": Yax(1, 1, nil, nil, nil), "moved": Moved(1, nil, nil), "spread": Spread(1, nil), "weighed": Weighed(1, nil, nil, nil)} {
		require.Contains(t, fmt.Sprintf("%T", kernel.Of(f)), "AVX", name)
	}
}
