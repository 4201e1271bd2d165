package cuda

import "sync"

// opens counts the spaces on each device, so that messages tell their memories apart.
var opens openings

// openings are the numbers of open spaces, by their device.
type openings struct {
	mu   sync.Mutex
	open map[[2]int]bool
}

// take returns the lowest number, from 1 on, that no open space on the device has.
func (o *openings) take(device int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		o.open = map[[2]int]bool{}
	}
	n := 1
	for o.open[[2]int{device, n}] {
		n++
	}
	o.open[[2]int{device, n}] = true
	return n
}

// give returns the number of a space that was closed.
func (o *openings) give(device, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.open, [2]int{device, n})
}
