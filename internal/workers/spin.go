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

// Spin calls again for some ten microseconds or until it returns false. Parking
// a goroutine and waking it costs about as much. It yields now and then only: all that
// Spin would meet at the lock of the scheduler.
func Spin(again func() bool) {
	for range 8 {
		for range 1024 {
			if !again() {
				return
			}
		}
		runtime.Gosched()
	}
}
