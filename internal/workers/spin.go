package workers

import (
	"runtime"
	"sync"
)

// mutex is a sync.Mutex for what is held for some ten nanoseconds. Those who wait spin
// longer, since to park all helpers of a launch and wake them costs more than the launch.
type mutex struct{ sync.Mutex }

// Lock locks m.
func (m *mutex) Lock() {
	if m.TryLock() {
		return
	}
	free := false
	spin(func() bool { free = m.TryLock(); return !free })
	if !free {
		m.Mutex.Lock()
	}
}

// spin calls again for some ten microseconds or until it returns false. Parking
// a goroutine and waking it costs about as much. It yields now and then only: all that
// spin would meet at the lock of the scheduler.
func spin(again func() bool) {
	for range 8 {
		for range 1024 {
			if !again() {
				return
			}
		}
		runtime.Gosched()
	}
}
