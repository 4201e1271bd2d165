package cardtest

import (
	"runtime"
	"testing"
	"time"
)

// close waits until all is free.
func (m *Memory) close(t testing.TB) {
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		runtime.GC()
		left := m.card.Counts().Allocated
		if left == 0 || t.Failed() {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("cardtest: %d allocations were not freed", left)
			return
		}
	}
}
