package suite

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
)

// node is an aligned range of leaves.
type node struct{ first, last int }

func (n node) String() string { return fmt.Sprintf("[%d,%d)", n.first, n.last) }

func (n node) holds(m node) bool { return n.first <= m.first && m.last <= n.last }

// isNode reports whether n is a node of a tree with that many leaves.
func (n node) isNode(leaves int) bool {
	if n.first < 0 || n.first >= n.last || n.last > leaves {
		return false
	}
	w := n.width()
	return n.first%w == 0 && (n.last == n.first+w || n.last == leaves)
}

// width is the number of leaves of n if the tree went on to its right.
func (n node) width() int { return 1 << bits.Len(uint(n.last-n.first-1)) }

// trace is a job that reduces nothing and checks what a space does with it.
// Each breach is filed under the rule it breaks.
type trace struct {
	leaves int
	refuse []node // the nodes that have no result
	slow   bool   // makes nodes take long enough to meet others

	mu             sync.Mutex
	breaches       map[string][]string
	opened, closed bool
	workers, most  int // most that were at work at one time
	atWork         []bool
	busy           []bool // slots in use by a method that is running
	held           []node // what the slots hold; the zero node if nothing
	ran            []int  // number of times each leaf was run
	running        int
}

// traced launches a trace and returns it, ended.
func traced(s exec.Space, leaves int, slow bool, refuse ...node) *trace {
	tr := &trace{leaves: leaves, refuse: refuse, slow: slow, breaches: map[string][]string{}, ran: make([]int, leaves)}
	const leaf = 2 // items; the last leaf is short
	err := s.Launch(space.Grid{Items: max(leaf*leaves-1, 0), Leaf: leaf, Leaves: leaves, Lanes: 1}, tr)
	tr.end(err, s.Concurrency())
	return tr
}

// breach files a breach; the lock is held.
func (tr *trace) breach(rule, format string, args ...any) {
	what := fmt.Sprintf("%d leaves: ", tr.leaves)
	if len(tr.refuse) > 0 {
		what = fmt.Sprintf("%d leaves, no result for %v: ", tr.leaves, tr.refuse)
	}
	tr.breaches[rule] = append(tr.breaches[rule], what+fmt.Sprintf(format, args...))
}

// end checks what can be known only when Launch has returned.
func (tr *trace) end(err error, concurrency int) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.closed = true
	if err != nil {
		tr.breach("error", "Launch returned %v, but a job that opens was run", err)
	}
	if !tr.opened {
		tr.breach("open", "Open was not called")
		return
	}
	if tr.running > 0 {
		tr.breach("return", "Launch returned while %d workers were running", tr.running)
	}
	if tr.most > concurrency {
		tr.breach("workers", "%d workers ran at one time, but Concurrency is %d", tr.most, concurrency)
	}
	lowest := tr.leaves
	for _, n := range tr.refuse {
		lowest = min(lowest, n.first)
	}
	for leaf, n := range tr.ran[:lowest] {
		if n == 0 {
			tr.breach("leaves", "leaf %d was not run", leaf)
		}
	}
	if root := (node{0, tr.leaves}); len(tr.refuse) == 0 && tr.leaves > 0 && (len(tr.held) == 0 || tr.held[0] != root) {
		tr.breach("root", "slots %v at the end, expected the root %v in slot 0", tr.held, root)
	}
}

// found returns the breaches of a rule, or of all rules if rule is empty.
func (tr *trace) found(rule string) (list []string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for r, b := range tr.breaches {
		if rule == "" || r == rule {
			list = append(list, b...)
		}
	}
	return list
}

// Open implements [space.Job].
func (tr *trace) Open(workers, slots int) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.opened {
		tr.breach("open", "Open was called again")
		return
	}
	if workers < 1 || slots < 1 {
		tr.breach("open", "Open(%d, %d), expected at least one worker and one slot", workers, slots)
	}
	tr.opened = true
	tr.workers = workers
	tr.atWork = make([]bool, max(workers, 0))
	tr.busy = make([]bool, max(slots, 0))
	tr.held = make([]node, max(slots, 0))
}

// Run implements [space.Job].
func (tr *trace) Run(worker, first, last, slot int) bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	n := node{first, last}
	switch tr.called("Run"); {
	case !n.isNode(tr.leaves):
		tr.breach("tree", "Run of %v, which is not a node", n)
		return false
	case worker < 0 || worker >= len(tr.atWork):
		tr.breach("workers", "Run of %v by worker %d, but Open made room for %d", n, worker, tr.workers)
		return false
	case !tr.inRange(slot):
		return false
	case tr.atWork[worker]:
		tr.breach("workers", "Run of %v by worker %d, which is running already", n, worker)
		return false
	case tr.held[slot] != node{} && len(tr.refuse) == 0: // else it may be of no use any more
		tr.breach("slots", "Run of %v into slot %d, which holds %v", n, slot, tr.held[slot])
		return false
	}
	for leaf := first; leaf < last; leaf++ {
		if tr.ran[leaf]++; tr.ran[leaf] > 1 {
			tr.breach("leaves", "leaf %d was run again", leaf)
		}
	}
	tr.atWork[worker] = true
	ok := tr.use(slot)
	tr.held[slot] = node{}
	tr.work(n)
	tr.atWork[worker] = false
	tr.free(slot)
	for _, r := range tr.refuse {
		ok = ok && !n.holds(r)
	}
	if ok {
		tr.held[slot] = n
	}
	return ok
}

// Join implements [space.Job].
func (tr *trace) Join(dst, src int) bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.called("Join")
	if !tr.inRange(dst) || !tr.inRange(src) {
		return false
	}
	d, s := tr.held[dst], tr.held[src]
	n := node{d.first, s.last}
	switch {
	case d == node{} || s == node{}:
		tr.breach("tree", "Join of slots %d and %d, which hold %v and %v; [0,0) is no result", dst, src, d, s)
		return false
	case d.last != s.first || !n.isNode(tr.leaves) || n.width() != 2*(d.last-d.first):
		tr.breach("tree", "Join of %v and %v, which are not the halves of a node", d, s)
		return false
	}
	ok := tr.use(dst) && tr.use(src)
	tr.work(n)
	tr.free(dst)
	tr.free(src)
	tr.held[dst], tr.held[src] = n, node{}
	for _, r := range tr.refuse {
		ok = ok && r != n
	}
	if !ok {
		tr.held[dst] = node{}
	}
	return ok
}

// called checks that a method may be called now.
func (tr *trace) called(method string) {
	if !tr.opened {
		tr.breach("open", "%s was called before Open", method)
	}
	if tr.closed {
		tr.breach("return", "%s was called after Launch had returned", method)
	}
}

func (tr *trace) inRange(slot int) bool {
	if slot < 0 || slot >= len(tr.held) {
		tr.breach("slots", "slot %d, but Open made room for %d", slot, len(tr.held))
		return false
	}
	return true
}

// use takes a slot for the method that is running.
func (tr *trace) use(slot int) bool {
	if tr.busy[slot] {
		tr.breach("slots", "slot %d is used by two at one time", slot)
		return false
	}
	tr.busy[slot] = true
	return true
}

func (tr *trace) free(slot int) { tr.busy[slot] = false }

// work spends the time that a node takes, without the lock.
func (tr *trace) work(n node) {
	tr.running++
	tr.most = max(tr.most, tr.running)
	tr.mu.Unlock()
	if tr.slow {
		time.Sleep(50 * time.Microsecond)
	} else if n.first%8 == 3 {
		runtime.Gosched()
	}
	tr.mu.Lock()
	tr.running--
}
