//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"encoding/binary"
	"slices"
)

// Libraries before MPI 4 count bytes, and where a rank's bytes begin, as ints of 32 bits. What
// is larger goes in rounds, in each of which a rank's part has at most as many bytes as a stage
// has for it.

// stageBytes is the memory of a stage.
const stageBytes = 64 << 20

func (c *comm) fits(bytes int) bool { return c.l.f.wide || bytes <= c.l.limit }

// perRank returns the bytes of one rank's part in a round, the same on all ranks.
func (c *comm) perRank() int { return max(min(c.l.limit, stageBytes)/c.size, 1) }

// turns returns the rounds that parts of up to so many bytes take.
func (c *comm) turns(most int) int { return (most + c.perRank() - 1) / c.perRank() }

// agreeWith tells all ranks in how many rounds the bytes of the root go, or 0 if at once.
func (c *comm) agreeWith(root, bytes int, counts []int) (int, error) {
	if c.l.f.wide {
		return 0, nil
	}
	var message [8]byte
	if c.rank == root && !c.fits(bytes) {
		binary.LittleEndian.PutUint64(message[:], uint64(c.turns(slices.Max(counts))))
	}
	err := c.Bcast(message[:], root)
	return int(binary.LittleEndian.Uint64(message[:])), err
}

// agree is agreeWith where each rank has bytes of its own.
func (c *comm) agree(bytes, most int) (int, error) {
	if c.l.f.wide {
		return 0, nil
	}
	var own [16]byte
	binary.LittleEndian.PutUint64(own[:], uint64(bytes))
	binary.LittleEndian.PutUint64(own[8:], uint64(most))
	all := make([]byte, len(own)*c.size)
	if err := c.Allgather(own[:], all); err != nil {
		return 0, err
	}
	fit := true
	for b := range slices.Chunk(all, len(own)) {
		fit = fit && c.fits(int(binary.LittleEndian.Uint64(b)))
		most = max(most, int(binary.LittleEndian.Uint64(b[8:])))
	}
	if fit {
		return 0, nil
	}
	return c.turns(most), nil
}

// A round moves bytes begin to end of each rank's part, as far as it has them.
type round struct{ begin, end int }

func (c *comm) rounds(turns int, f func(r round) error) error {
	for k := range turns {
		if err := f(round{k * c.perRank(), (k + 1) * c.perRank()}); err != nil {
			return err
		}
	}
	return nil
}

// of returns what a part has in this round.
func (r round) of(part []byte) []byte {
	return part[min(r.begin, len(part)):min(r.end, len(part))]
}

// A stage has what a round moves of all parts, one after the other.
type stage struct {
	bytes  []byte
	counts []int
}

func (r round) stage(counts []int) stage {
	s := stage{counts: make([]int, len(counts))}
	sum := 0
	for k, n := range counts {
		s.counts[k] = min(r.end, n) - min(r.begin, n)
		sum += s.counts[k]
	}
	s.bytes = make([]byte, sum)
	return s
}

// spread copies a stage to the places of its bytes in all.
func (s stage) spread(all []byte, counts []int, r round) {
	s.each(all, counts, r, func(stage, place []byte) { copy(place, stage) })
}

// collect copies the bytes of a round from all to the stage.
func (s stage) collect(all []byte, counts []int, r round) {
	s.each(all, counts, r, func(stage, place []byte) { copy(stage, place) })
}

func (s stage) each(all []byte, counts []int, r round, f func(stage, place []byte)) {
	from := 0
	for k, n := range counts {
		f(s.bytes[from:from+s.counts[k]], r.of(all[:n]))
		from += s.counts[k]
		all = all[n:]
	}
}
