package local

import (
	"math/rand/v2"
	"runtime"
	"time"
)

// Faults are what goes wrong in a world, and what is only late. The zero value is a world where
// nothing does. A seed decides for each rank by itself, whatever the order in which ranks run.
type Faults struct {
	Seed uint64
	// Late is the part of the calls, from 0 to 1, that begin late: by a few turns of the
	// scheduler or by microseconds.
	Late float64
	// Waiting is the part of the sends that wait until they are received.
	Waiting float64
	// Dead is the rank that dies in its call number At, of the first. It is none if At is 0.
	Dead, At int
}

func (f Faults) dies(rank, call int) bool { return f.At > 0 && rank == f.Dead && call >= f.At }

// noise is what a rank's seed decides.
type noise struct {
	rng           *rand.Rand
	late, waiting float64
}

func (f Faults) noise(rank int) noise {
	if f.Late <= 0 && f.Waiting <= 0 {
		return noise{}
	}
	return noise{rand.New(rand.NewPCG(f.Seed, uint64(rank))), f.Late, f.Waiting}
}

// pause is how late a call begins.
type pause struct {
	turns int
	time  time.Duration
}

func (n noise) pause() (p pause) {
	if n.rng == nil || n.rng.Float64() >= n.late {
		return pause{}
	}
	if p.turns = 1 + n.rng.IntN(8); p.turns == 8 {
		p.time = time.Duration(1 + n.rng.IntN(50*int(time.Microsecond)))
	}
	return p
}

func (p pause) take() {
	for range p.turns {
		runtime.Gosched()
	}
	if p.time > 0 {
		time.Sleep(p.time)
	}
}

// waits reports whether the next send waits for its receiver.
func (n noise) waits() bool { return n.rng != nil && n.rng.Float64() < n.waiting }
