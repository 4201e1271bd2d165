package suite

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// The columns of stepped: joined as the tree says, and in any order.
const (
	ordered = iota
	exact
	stepColumns
)

// stepped is a job whose values say how they were joined, whether a space runs nodes or takes
// steps. An item is of its leaf and lane: leaf 2, lane 3 is "2.3".
type stepped struct {
	grid space.Grid

	mu        sync.Mutex
	breaches  []string
	asked     bool // for steps, by whoever opens it next
	stepping  bool // by who opened it last
	everSteps bool
	printed   bool // asked for its fingerprint
	opened    bool
	memo      any
	lanes     [stepColumns][]string
	slots     [stepColumns][]string
}

func newStepped(items, leaf, lanes int) *stepped {
	return &stepped{grid: space.Grid{Items: items, Leaf: leaf, Leaves: (items + leaf - 1) / leaf, Lanes: lanes}}
}

// breach keeps what the space did wrong; the lock is held.
func (j *stepped) breach(format string, args ...any) {
	j.breaches = append(j.breaches, fmt.Sprintf(format, args...))
}

// leaf returns the lanes of a leaf, as far as it has items.
func (j *stepped) leaf(leaf int) []string {
	lanes := make([]string, j.grid.Lanes)
	for l := range min(j.grid.Lanes, j.grid.Items-leaf*j.grid.Leaf) {
		lanes[l] = fmt.Sprintf("%d.%d", leaf, l)
	}
	return lanes
}

// node returns the value of the leaves first to last-1.
func (j *stepped) node(first, last int) string {
	leaves := make([]string, 0, last-first)
	for leaf := first; leaf < last; leaf++ {
		leaves = append(leaves, butterfly(j.leaf(leaf)))
	}
	return pairs(leaves)
}

// end checks the root.
func (j *stepped) end(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case err != nil:
		j.breach("Launch returned %v", err)
		return
	case j.grid.Leaves == 0:
		return // contract/open looks after Open
	case !j.opened:
		j.breach("Launch did not call Open")
		return
	}
	want := j.node(0, j.grid.Leaves)
	if got := j.slots[ordered][0]; got != want {
		j.breach("slot 0 holds %s, expected %s", got, want)
	}
	if got, want := sorted(j.slots[exact][0]), sorted(want); !slices.Equal(got, want) {
		j.breach("slot 0 of a column that is Exact holds %v, expected %v", got, want)
	}
}

// sorted returns the items of a value, in order.
func sorted(value string) []string {
	items := strings.Fields(strings.NewReplacer("(", "", ")", "").Replace(value))
	slices.Sort(items)
	return items
}

// Open implements [space.Job].
func (j *stepped) Open(workers, slots int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened && !j.printed {
		j.breach("Open was called twice")
	}
	j.opened, j.stepping, j.asked = true, j.asked, false
	if j.stepping && workers != 1 {
		j.breach("Open of %d workers by a space that takes steps, expected 1", workers)
	}
	for c := range j.slots {
		j.slots[c] = make([]string, slots)
	}
}

// Run implements [space.Job].
func (j *stepped) Run(_, first, last, slot int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stepping {
		j.breach("Run of leaves %d to %d by a space that takes steps", first, last-1)
	}
	for c := range j.slots {
		j.slots[c][slot] = j.node(first, last)
	}
	return true
}

// Join implements [space.Job].
func (j *stepped) Join(dst, src int) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.stepping {
		j.breach("Join of slots %d and %d by a space that takes steps", dst, src)
	}
	j.join(dst, src, nil)
	return true
}

func (j *stepped) join(dst, src int, out []bool) {
	for c, slots := range j.slots {
		if out == nil || !out[c] {
			slots[dst] = joined(slots[dst], slots[src])
		}
	}
}

// Steps implements [device.Stepper].
func (j *stepped) Steps() device.Steps {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened && !j.printed {
		j.breach("Steps was called after Open")
	}
	j.asked, j.everSteps = true, true
	return steps{j}
}

type steps struct{ *stepped }

func (s steps) Parts() device.Parts {
	column := device.Column{Reducer: "ordered", Bytes: 8, Flat: true, Lanes: s.grid.Lanes}
	parts := device.Parts{Kernel: "range", Columns: []device.Column{column, column}, Reorders: true}
	parts.Columns[exact].Reducer, parts.Columns[exact].Exact = "exact", true
	return parts
}

func (s steps) Memo() *any { return &s.memo }

func (s steps) ObserveTeams(device.TeamObserver) {}

func (s steps) RunLanes(leaf, _ int, order []int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	lanes := slices.Sorted(slices.Values(order))
	for k, l := range lanes {
		if l != k || len(lanes) != s.grid.Lanes {
			s.breach("RunLanes of leaf %d with the order %v, expected each of %d lanes once", leaf, order, s.grid.Lanes)
			break
		}
	}
	for c := range s.lanes {
		s.lanes[c] = s.leaf(leaf)
	}
	return true
}

func (s steps) JoinLanes(column, dst, src int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	lanes := s.lanes[column]
	if lanes[dst] == "" || lanes[src] == "" {
		s.breach("JoinLanes of lanes %d and %d, expected two that hold items", dst, src)
	}
	lanes[dst], lanes[src] = joined(lanes[dst], lanes[src]), ""
	return true
}

func (s steps) EndLanes(column, slot int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	lanes := s.lanes[column]
	s.slots[column][slot], lanes[0] = lanes[0], ""
	if left := strings.Join(lanes, ""); left != "" {
		s.breach("EndLanes with lanes that are not joined: %s", left)
	}
	return true
}

func (s steps) JoinColumns(dst, src int, out []bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.join(dst, src, out)
	return true
}

func (s steps) Collect(column, dst, src int, first bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if column != exact {
		s.breach("Collect of a column that is not Exact")
	}
	slots := s.slots[column]
	if first {
		slots[dst] = ""
	}
	slots[dst] = joined(slots[dst], slots[src])
	return true
}
