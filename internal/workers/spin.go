package workers

import (
	"runtime"
	"sync"
)

// Mutex is a sync.Mutex for what is held for some ten nanoseconds. Those who wait spin
// longer, since to park all helpers of a launch and wake them costs more than the launch.
type Mutex struct{ sync.Mutex }

// Lock locks m.
func (m *Mutex) Lock() {
	if m.TryLock() {
		return
	}
	free := false
	Spin(func() bool { free = m.TryLock(); return !free })
	if !free {
		m.Mutex.Lock()
	}
}

// Spin calls again for spinTime or until it returns false. Parking a goroutine and waking it
// costs about as much. In between it pauses: two threads of one core share what computes, and
// who spins would take it from who works. It yields now and then only: all that Spin would meet
// at the lock of the scheduler, and may come back on another core.
func Spin(again func() bool) {
	for start := Now(); Now()-start < spinTime; runtime.Gosched() {
		for range spinLooks {
			if !again() {
				return
			}
			pause()
		}
	}
}
