package suite_test

import (
	"errors"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/exec/space/spacetest/internal/suite"
	"github.com/gokkos/gokkos/reducers/concept"
)

// TestBroken shows that the suite can fail: every space here breaks the contract
// in one way, and the cases named beside it must say so.
func TestBroken(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, above all under -race")
	}
	for _, b := range brokenSpaces {
		t.Run(strings.ReplaceAll(b.name, " ", "-"), func(t *testing.T) {
			if b.hangs {
				t.Parallel()
			}
			require.NotEmpty(t, b.caught, "a broken space names the cases that catch it")
			failed := b.try(t, b.asked)
			t.Logf("caught by %s", strings.Join(failed, ", "))
			assert.Subset(t, failed, b.caught, "cases that must fail")
			if b.only {
				assert.Subset(t, append(b.chance, b.caught...), failed, "cases that may fail")
			}
		})
	}
}

// TestSound runs the spaces that the broken ones are made of. Without this,
// a broken space may be caught for a fault it was not meant to have.
func TestSound(t *testing.T) {
	for name, launch := range map[string]launcher{
		"leafwise": leafwise, "forked": forked(fork{}), "stepped": steppedBy(dismantler{}), "carrying": carrying(courier{}), "computed": computedBy(own{}),
	} {
		t.Run(name, func(t *testing.T) {
			assert.Empty(t, broken{launch: launch}.try(t, func(string) bool { return true }))
		})
	}
}

// hang is how long a case may take here. Those that hang need it, the rest ends
// sooner by far, under -race too.
const hang = 8 * time.Second

// broken is a space with a fault.
type broken struct {
	name   string
	launch launcher
	caught []string // the cases that must fail
	chance []string // those that fail if leaves happen to run at one time
	only   bool     // no other case may fail; where it is not set, no other is run
	hangs  bool     // a case of it does, so it waits together with others

	spaceName   string
	concurrency int
	spoil       func(m *flawedMemory) // of its memory, if it has one
}

type launcher func(s *flawed, g space.Grid, j space.Job) error

// asked reports whether it matters how a case goes: whether it fails as it must, or whether
// any other does where none may.
func (b broken) asked(name string) bool { return b.only || slices.Contains(b.caught, name) }

// outcomeOf tries one case on a space.
func outcomeOf(t *testing.T, name string, s exec.Space) suite.Outcome {
	for _, c := range suite.Cases() {
		if c.Name == name {
			return c.Try(s, hang)
		}
	}
	t.Fatalf("no case %s", name)
	return suite.Outcome{}
}

// try returns the names of those of the cases that fail, each on a space of its own, up to
// the first that hangs.
func (b broken) try(t *testing.T, asked func(name string) bool) (failed []string) {
	stop := make(chan struct{})
	defer close(stop)
	for _, c := range suite.Cases() {
		if !asked(c.Name) {
			continue
		}
		o := c.Try(&flawed{broken: b, stop: stop, gate: make(chan struct{}, 1)}, hang)
		if len(o.Failures) > 0 {
			failed = append(failed, c.Name)
			first, _, _ := strings.Cut(o.Failures[0], "\n")
			t.Logf("%s: %s", c.Name, first)
		}
		if o.Hung {
			break
		}
	}
	return failed
}

// flawed makes a space of a launcher. It has what faults need to keep between
// launches.
type flawed struct {
	broken
	stop chan struct{} // closed when the test is over, to free what is stuck
	gate chan struct{} // a lock that the end of the test opens
	seen atomic.Int32

	once   sync.Once
	memory device.Memory
}

func (s *flawed) Name() string {
	if s.broken.spaceName != "" {
		return strings.TrimSpace(s.broken.spaceName) // " " asks for no name
	}
	return "broken"
}

func (s *flawed) Concurrency() int {
	if s.broken.concurrency != 0 {
		return max(s.broken.concurrency, 0)
	}
	return 4
}

// Memory returns a memory with a fault, or none.
func (s *flawed) Memory() device.Memory {
	if s.spoil == nil {
		return nil
	}
	s.once.Do(func() {
		r, m := newRoomy()
		s.spoil(m)
		s.memory = r.memory
	})
	return s.memory
}

func (s *flawed) Launch(g space.Grid, j space.Job) error { return s.launch(s, g, j) }

func (s *flawed) lock() {
	select {
	case s.gate <- struct{}{}:
	case <-s.stop:
		runtime.Goexit()
	}
}

func (s *flawed) unlock() { <-s.gate }

// enter waits until fewer than 16 launches are counted in.
func (s *flawed) enter() {
	for s.seen.Add(1) > 16 {
		s.seen.Add(-1)
		select {
		case <-s.stop:
			runtime.Goexit()
		case <-time.After(time.Millisecond):
		}
	}
}

// middle is where the node of leaves first to last-1 has its halves.
func middle(first, last int) int { return first + 1<<(bits.Len(uint(last-first-1))-1) }

func depth(leaves int) int { return bits.Len(uint(max(leaves-1, 0))) }

// leafwise is a sound space that runs leaf by leaf and joins all by itself.
func leafwise(_ *flawed, g space.Grid, j space.Job) error {
	j.Open(1, 1+depth(g.Leaves))
	if g.Leaves > 0 {
		walk(j, 0, 0, g.Leaves, 0, 1)
	}
	return nil
}

func walk(j space.Job, worker, first, last, slot, stack int) bool {
	if last-first == 1 {
		return j.Run(worker, first, last, slot)
	}
	m := middle(first, last)
	return walk(j, worker, first, m, slot, stack) && walk(j, worker, m, last, stack, stack+1) && j.Join(slot, stack)
}

// dismantler is what may be wrong with steppedBy.
type dismantler struct {
	late       bool // asks for the steps after Open
	neighbours bool // joins lanes l and l+1 first
	mixes      bool // runs the first leaf as a node
	forgets    bool // the last column
	collects   bool // columns that are not Exact
}

// steppedBy is a sound space, but for its faults, that takes steps.
func steppedBy(fault dismantler) launcher {
	return func(s *flawed, g space.Grid, j space.Job) error {
		job, ok := j.(device.Stepper)
		if !ok {
			return leafwise(s, g, j)
		}
		if fault.late {
			j.Open(1, g.Leaves+1)
		}
		steps := job.Steps()
		columns := steps.Parts().Columns
		if !fault.late {
			j.Open(1, g.Leaves+1)
		}
		done := make([]bool, g.Leaves)
		for leaf := range done {
			if leaf == 0 && fault.mixes {
				done[leaf] = j.Run(0, leaf, leaf+1, leaf)
				continue
			}
			done[leaf] = steps.RunLanes(leaf, leaf, nil)
			items := min(g.Leaf, g.Items-leaf*g.Leaf)
			for c, column := range columns {
				if fault.forgets && c > 0 && c == len(columns)-1 {
					continue
				}
				done[leaf] = done[leaf] && fault.lanes(steps, c, column.Lanes, items) && steps.EndLanes(c, leaf)
			}
		}
		for w := 1; w < g.Leaves; w *= 2 {
			for k := 0; k+w < g.Leaves; k += 2 * w {
				if done[k] = done[k] && done[k+w]; !done[k] {
					continue
				}
				done[k] = steps.JoinColumns(k, k+w, nil)
				if fault.collects && len(columns) > 0 {
					steps.Collect(0, g.Leaves, k, true)
				}
			}
		}
		return nil
	}
}

// courier is what may be wrong with carrying.
type courier struct {
	late    bool // asks for the fingerprint after Open
	forgets bool // to set the last node
	swaps   bool // the nodes of two parts
}

// carrying is a sound space, but for its faults, that runs a launch as two processes would.
func carrying(fault courier) launcher {
	return func(s *flawed, g space.Grid, j space.Job) error {
		c, ok := j.(ranks.Carrier)
		if !ok || g.Leaves < 2 {
			return leafwise(s, g, j)
		}
		if fault.late {
			j.Open(1, 1)
		}
		if _, err := c.AppendFingerprint(nil); err != nil {
			return leafwise(s, g, j)
		}
		left, err := ranks.RunShare(g, c, exec.Serial{}, 0, 2)
		if err != nil {
			return err
		}
		right, err := ranks.RunShare(g, c, exec.Serial{}, 1, 2)
		if err != nil {
			return err
		}
		nodes := append(left, right...)
		if k := len(nodes) - 1; fault.forgets && k >= 0 {
			nodes = nodes[:k]
		}
		if k := len(nodes) - 1; fault.swaps && k > 0 {
			nodes[0].Data, nodes[k].Data = nodes[k].Data, nodes[0].Data
		}
		return ranks.Assemble(g, c, nodes)
	}
}

// lanes joins the lanes of a leaf.
func (d dismantler) lanes(steps device.Steps, column, lanes, items int) bool {
	if d.neighbours {
		for w := 1; w < lanes; w *= 2 {
			for l := 0; l+w < min(lanes, items); l += 2 * w {
				if !steps.JoinLanes(column, l, l+w) {
					return false
				}
			}
		}
		return true
	}
	for h := lanes / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < items; l++ {
			if !steps.JoinLanes(column, l, l+h) {
				return false
			}
		}
	}
	return true
}

// own is what may be wrong with computedBy.
type own struct {
	late     bool // asks after Open
	unasked  bool // does not ask, and hands in zeros
	row      bool // joins items one after the other
	lanes    bool // takes the lanes of the grid for those of a column
	factor   bool // forgets the second factor
	location bool // takes 0 for the location of the first item
	guesses  bool // takes what it does not know for a sum
	codeless bool // computes nodes of a functor
	silent   bool // does not say which functor has no code
}

// computedBy is a sound space, but for its faults, that folds with code of its own.
func computedBy(fault own) launcher {
	return func(s *flawed, g space.Grid, j space.Job) error {
		job, ok := j.(device.Job)
		if !ok {
			return leafwise(s, g, j)
		}
		if fault.unasked {
			return leafwise(s, g, computing(job, func(int, int) []byte { return make([]byte, 8) }))
		}
		m := meddler{Job: j}
		if fault.late {
			j.Open(1, 1+depth(g.Leaves))
			m.open = func(int, int) {}
		}
		f, ok := job.Fold()
		if !ok {
			if fault.silent && j.(device.Job).Functor().Func != nil {
				return errors.New("broken: there is no code")
			}
			if fault.codeless {
				m = computing(job, func(int, int) []byte { return nil })
			}
			return leafwise(s, g, m)
		}
		kernel := ownCode(g, f, fault)
		if kernel != nil {
			m.run = computing(job, func(first, last int) []byte { return kernel(g, first, last) }).run
		}
		return leafwise(s, g, m)
	}
}

// computing returns a meddler that hands in nodes in place of running them.
func computing(j device.Job, value func(first, last int) []byte) meddler {
	return meddler{Job: j, run: func(worker, first, last, slot int) bool {
		return j.Accept(worker, first, last, slot, value(first, last))
	}}
}

// folding computes the bytes of a node.
type folding = func(g space.Grid, first, last int) []byte

// ownCode returns what computes nodes, or nil.
func ownCode(g space.Grid, f device.Fold, fault own) folding {
	if fault.factor {
		f.Y = nil
	}
	if fault.location {
		f.First = 0
	}
	var list []folding
	for _, c := range f.Columns {
		lanes := c.Lanes
		if fault.row {
			lanes = 1
		} else if fault.lanes {
			lanes = g.Lanes
		}
		kernel := suite.Folding(f, c.Operation, lanes)
		if kernel == nil && fault.guesses {
			kernel = suite.Folding(f, concept.Operation{Join: concept.OpSum}, lanes)
		}
		if kernel == nil {
			return nil
		}
		list = append(list, kernel)
	}
	return func(g space.Grid, first, last int) (value []byte) {
		for _, kernel := range list {
			value = append(value, kernel(g, first, last)...)
		}
		return value
	}
}

// meddler is a job between a space and the job it was given.
type meddler struct {
	space.Job
	open func(workers, slots int)
	run  func(worker, first, last, slot int) bool
	join func(dst, src int) bool
}

func (m meddler) Open(workers, slots int) {
	if m.open != nil {
		m.open(workers, slots)
		return
	}
	m.Job.Open(workers, slots)
}

func (m meddler) Run(worker, first, last, slot int) bool {
	if m.run != nil {
		return m.run(worker, first, last, slot)
	}
	return m.Job.Run(worker, first, last, slot)
}

func (m meddler) Join(dst, src int) bool {
	if m.join != nil {
		return m.join(dst, src)
	}
	return m.Job.Join(dst, src)
}

// meddle returns leafwise with a meddler.
func meddle(with func(g space.Grid, j space.Job) meddler) launcher {
	return func(s *flawed, g space.Grid, j space.Job) error {
		m := with(g, j)
		m.Job = j
		return leafwise(s, g, m)
	}
}

// fork is what may be wrong with forked.
type fork struct {
	oneWorker bool // all goroutines call themselves worker 0
	early     bool // Launch does not wait
}

// forked is a sound space, but for its faults, that runs quarters of the tree on
// goroutines of their own and joins them when all are done.
func forked(fault fork) launcher {
	return func(s *flawed, g space.Grid, j space.Job) error {
		if g.Leaves < 4 {
			return leafwise(s, g, j)
		}
		width := 1 << max(depth(g.Leaves)-2, 0)
		quarters := (g.Leaves-1)/width + 1
		j.Open(4, 4)
		ok := make([]bool, 4)
		var all sync.WaitGroup
		for q := range quarters {
			all.Add(1)
			go func() {
				defer all.Done() // even if a functor ends this goroutine
				worker := q
				if fault.oneWorker {
					worker = 0
				}
				ok[q] = j.Run(worker, q*width, min((q+1)*width, g.Leaves), q)
			}()
		}
		if fault.early {
			return nil
		}
		all.Wait()
		left := ok[0] && ok[1] && j.Join(0, 1)
		right := ok[2] && (quarters == 3 || ok[3] && j.Join(2, 3))
		if left && right {
			j.Join(0, 2)
		}
		return nil
	}
}

var brokenSpaces = []broken{
	{
		name: "has no name", launch: leafwise, spaceName: " ",
		caught: []string{"contract/identity"}, only: true,
	},
	{
		name: "has no workers", launch: leafwise, concurrency: -1,
		caught: []string{"contract/identity", "contract/workers"},
	},
	{
		name: "does not open an empty job",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			if g.Leaves == 0 {
				return nil
			}
			return leafwise(s, g, j)
		},
		caught: []string{"contract/open"}, only: true,
	},
	{
		name: "opens twice",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{open: func(workers, slots int) { j.Open(workers, slots); j.Open(workers, slots) }}
		}),
		caught: []string{"contract/open"},
	},
	{
		name: "drops the last leaf",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{run: func(worker, first, last, slot int) bool {
				return last == g.Leaves || j.Run(worker, first, last, slot)
			}}
		}),
		caught: []string{"contract/leaves", "for/range", "reduce/range", "scan/range"},
	},
	{
		name: "ignores leaf 0",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{run: func(worker, first, last, slot int) bool {
				return first == 0 || j.Run(worker, first, last, slot)
			}}
		}),
		caught: []string{"contract/leaves", "for/spans", "reduce/spans"},
	},
	{
		name: "runs a leaf twice",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{run: func(worker, first, last, slot int) bool {
				ok := j.Run(worker, first, last, slot)
				if first == g.Leaves/2 {
					ok = j.Run(worker, first, last, slot)
				}
				return ok
			}}
		}),
		caught: []string{"contract/leaves", "for/range", "scan/range", "fold/map"},
	},
	{
		name: "joins in arrival order",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			j.Open(1, 2)
			arrived := 0
			for _, parity := range []int{1, 0} { // odd leaves first
				for leaf := parity; leaf < g.Leaves; leaf += 2 {
					if !j.Run(0, leaf, leaf+1, min(arrived, 1)) || arrived > 0 && !j.Join(0, 1) {
						return nil
					}
					arrived++
				}
			}
			return nil
		},
		caught: []string{"contract/tree", "reduce/range", "contract/refused"},
	},
	{
		name: "joins backwards",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{join: func(dst, src int) bool { return j.Join(src, dst) }}
		}),
		caught: []string{"contract/tree", "reduce/range"},
	},
	{
		name: "joins from left to right",
		launch: func(_ *flawed, g space.Grid, j space.Job) error {
			j.Open(1, 2)
			for leaf := range g.Leaves {
				if !j.Run(0, leaf, leaf+1, min(leaf, 1)) || leaf > 0 && !j.Join(0, 1) {
					return nil
				}
			}
			return nil
		},
		caught: []string{"contract/tree", "reduce/range"},
	},
	{
		name: "stops the tree early",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{join: func(dst, src int) bool {
				return src == 1 || j.Join(dst, src)
			}}
		}),
		caught: []string{"contract/root", "reduce/range"},
	},
	{
		name: "leaves the root in another slot",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{
				open: func(workers, slots int) { j.Open(workers, slots+1) },
				run:  func(worker, first, last, slot int) bool { return j.Run(worker, first, last, slot+1) },
				join: func(dst, src int) bool { return j.Join(dst+1, src+1) },
			}
		}),
		caught: []string{"contract/root", "reduce/range"},
	},
	{
		name: "overwrites a partial result",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{
				run:  func(worker, first, last, slot int) bool { return j.Run(worker, first, last, min(slot, 1)) },
				join: func(dst, src int) bool { return j.Join(min(dst, 1), min(src, 1)) },
			}
		}),
		caught: []string{"contract/slots", "reduce/range"},
	},
	{
		name: "opens too few slots",
		launch: meddle(func(g space.Grid, j space.Job) meddler {
			return meddler{open: func(workers, slots int) { j.Open(workers, slots-1) }}
		}),
		caught: []string{"contract/open", "contract/slots", "reduce/range"},
	},
	{
		name: "joins what has no result",
		launch: func(_ *flawed, g space.Grid, j space.Job) error {
			return leafwise(nil, g, meddler{
				Job:  j,
				run:  func(worker, first, last, slot int) bool { j.Run(worker, first, last, slot); return true },
				join: func(dst, src int) bool { j.Join(dst, src); return true },
			})
		},
		caught: []string{"contract/refused"},
	},
	{
		name: "gives up at the first false",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			if g.Leaves < 2 {
				return leafwise(s, g, j)
			}
			// The upper half comes first.
			j.Open(1, 2)
			m := middle(0, g.Leaves)
			if j.Run(0, m, g.Leaves, 1) && j.Run(0, 0, m, 0) {
				j.Join(0, 1)
			}
			return nil
		},
		caught: []string{"contract/refused", "failure/panic"},
	},
	{
		name: "has one number for all workers", launch: forked(fork{oneWorker: true}),
		caught: []string{"contract/workers"},
	},
	{
		name: "runs more workers than it says", launch: forked(fork{}), concurrency: 2,
		caught: []string{"contract/workers"}, chance: []string{"contract/refused"}, only: true,
	},
	{
		name: "does not wait for its workers", launch: forked(fork{early: true}),
		caught: []string{"contract/leaves", "contract/return", "contract/root"},
	},
	{
		name: "leaks a goroutine per launch",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			go func() { <-s.stop }()
			return leafwise(s, g, j)
		},
		caught: []string{"launch/leaks"}, only: true,
	},
	{
		name: "is unusable after a panic",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			s.lock() // nested launches wait, so only flat cases tell
			ok := true
			m := meddler{Job: j, run: func(worker, first, last, slot int) bool {
				ok = j.Run(worker, first, last, slot)
				return ok
			}}
			_ = leafwise(s, g, m)
			if ok {
				s.unlock()
			}
			return nil
		},
		caught: []string{"contract/refused"}, hangs: true,
	},
	{
		name: "deadlocks when nested",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			s.lock()
			defer s.unlock()
			return leafwise(s, g, j)
		},
		caught: []string{"failure/nested"}, only: true, hangs: true,
	},
	{
		name: "does not survive Goexit",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			s.enter()
			err := leafwise(s, g, j)
			s.seen.Add(-1) // not deferred
			return err
		},
		caught: []string{"failure/goexit"}, hangs: true,
	},
	{
		name: "invents an error",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			_ = leafwise(s, g, j)
			if g.Leaves == 3 {
				return errors.New("broken: 3 is bad luck")
			}
			return nil
		},
		caught: []string{"contract/error", "for/range", "reduce/range"},
	},
	{
		name: "swallows that it did not run",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			if s.seen.Add(1)%50 == 0 {
				return nil
			}
			return leafwise(s, g, j)
		},
		caught: []string{"contract/open", "reduce/range"},
	},
	{
		name: "mixes up concurrent launches",
		launch: func(s *flawed, g space.Grid, j space.Job) error {
			if s.seen.Add(1) > 1 && g.Leaves > 0 {
				defer s.seen.Add(-1)
				j.Open(1, 1)
				return nil // the other launch will do it
			}
			defer s.seen.Add(-1)
			return leafwise(s, g, j)
		},
		caught: []string{"launch/nested", "failure/nested"},
	},
	{
		name:   "asks for steps too late",
		launch: steppedBy(dismantler{late: true}),
		caught: []string{"parts/steps"},
	},
	{
		name:   "joins neighbouring lanes",
		launch: steppedBy(dismantler{neighbours: true}),
		caught: []string{"parts/steps", "reduce/range"},
	},
	{
		name:   "mixes steps and nodes",
		launch: steppedBy(dismantler{mixes: true}),
		caught: []string{"parts/steps", "parts/nodes"}, only: true,
	},
	{
		name:   "forgets a column",
		launch: steppedBy(dismantler{forgets: true}),
		caught: []string{"parts/steps"},
	},
	{
		name:   "asks for the fold too late",
		launch: computedBy(own{late: true}),
		caught: []string{"parts/fold"},
	},
	{
		name:   "computes what it has not asked for",
		launch: computedBy(own{unasked: true}),
		caught: []string{"parts/fold", "parts/code"},
	},
	{
		name:   "folds in a row",
		launch: computedBy(own{row: true}),
		caught: []string{"parts/fold"}, only: true,
	},
	{
		name:   "folds what is ordered in lanes",
		launch: computedBy(own{lanes: true}),
		caught: []string{"parts/fold"}, only: true,
	},
	{
		name:   "forgets the second factor",
		launch: computedBy(own{factor: true}),
		caught: []string{"parts/fold"}, only: true,
	},
	{
		name:   "forgets where items begin",
		launch: computedBy(own{location: true}),
		caught: []string{"parts/fold"}, only: true,
	},
	{
		name:   "guesses what nobody knows",
		launch: computedBy(own{guesses: true}),
		caught: []string{"parts/fold", "fold/slice"},
	},
	{
		name:   "computes nodes of a functor",
		launch: computedBy(own{codeless: true}),
		caught: []string{"parts/code", "for/range"},
	},
	{
		name:   "does not name what has no code",
		launch: computedBy(own{silent: true}),
		caught: []string{"parts/code"},
	},
	{
		name:   "collects what has an order",
		launch: steppedBy(dismantler{collects: true}),
		caught: []string{"parts/steps"},
	},
	{
		name:   "opens before the fingerprint",
		launch: carrying(courier{late: true}),
		caught: []string{"parts/nodes"},
	},
	{
		name:   "forgets a node",
		launch: carrying(courier{forgets: true}),
		caught: []string{"parts/nodes", "reduce/range", "scan/range"},
	},
	{
		name:   "swaps nodes",
		launch: carrying(courier{swaps: true}),
		caught: []string{"parts/nodes", "reduce/range"},
	},
	{
		name: "copies more than it should", launch: leafwise,
		spoil: func(m *flawedMemory) {
			m.copy = func(c device.Copy) error { c.Bytes++; return m.Heap.Copy(c) }
		},
		caught: []string{"parts/memory"}, only: true,
	},
	{
		name: "frees what is free", launch: leafwise,
		spoil: func(m *flawedMemory) {
			m.free = func(address unsafe.Pointer) error { _ = m.Heap.Free(address); return nil }
		},
		caught: []string{"parts/memory"}, only: true,
	},
}
