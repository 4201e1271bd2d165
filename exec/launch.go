package exec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// column is one reduction of a launch, its value type hidden.
type column = reducers.Column

// kernel is what a pattern makes of a functor: the loop over a leaf's items.
type kernel interface {
	open(workers int, g space.Grid, p *poller)
	// run runs the items begin to end, which are the given leaf, and adds them
	// to the lanes of the columns, fewer of them if the poller says that the launch is
	// cancelled.
	run(worker, leaf, begin, end int)
	// key tells functors apart, whatever they have captured; 0 is one of which nothing
	// is to be remembered.
	key() uintptr
	// release lets go of everything that a caller gave, so that the kernel may be
	// kept for another launch.
	release()
}

// nodeKernel is a kernel that may run several leaves in one call.
type nodeKernel interface {
	// span returns the most leaves that runNode takes at once, 0 if it takes none.
	span(g space.Grid) int
	// runNode reduces the items begin to end, which are the leaves of a node, into a
	// slot. *at is that node; if one of its leaves panics, *at is then that leaf.
	runNode(worker, slot, begin, end, leaf int, at *node)
}

// slotStride is how many slots next to each other one worker uses, so that those of two
// workers are mostly in lines of their own; a value of lineBytes fills a line.
const (
	slotStride = 8
	lineBytes  = 64
)

// job is the one Job that all patterns use.
type job struct {
	grid    space.Grid
	chunked bool // the policy asks for a chunk
	label   string
	kernel  kernel
	hints   space.Hints
	whole   nodeKernel // the kernel, if it is one
	span    int        // see there
	columns []column
	workers int
	nodes   []node          // what each slot holds; walks use further slots behind
	depth   int             // slots that a walk needs besides its root
	at      []place         // what each worker is working on
	stepped bool            // a device takes the job's steps
	memo    any             // what the device keeps for the next pass
	lanesAt [][]int         // where each worker has the lanes of its leaf, nil for their own places
	done    <-chan struct{} // closed when the launch is cancelled
	context context.Context
	poll    poller // when workers look whether it is

	limit  atomic.Int64 // leaves from here on need not run
	failed atomic.Bool  // fault or stop is set
	heard  atomic.Bool  // the launch is cancelled: what runs ends early, and has no result
	mu     sync.Mutex
	fault  fault // what went wrong at the lowest items
	stop   error // the launch was cancelled, or the space or the policy is at fault

	kept []kernel // those that the job has run, see take
}

// fault is what went wrong in a functor or a reducer; at most one field is set.
type fault struct {
	panic *Panic
	quit  bool  // runtime.Goexit was called
	err   error // the functor asked its team for what cannot be
}

// raise makes the caller's goroutine go the way that the functor went.
func (f fault) raise() error {
	switch {
	case f.panic != nil:
		panic(f.panic)
	case f.quit:
		runtime.Goexit()
	}
	return f.err
}

// node is an aligned range of leaves.
type node struct{ first, last int }

// place is a node in a line of the cache of its own.
type place struct {
	node
	_ [lineBytes - unsafe.Sizeof(node{})]byte
}

// isNode reports whether n is a node of a tree with that many leaves.
func (n node) isNode(leaves int) bool {
	if n.first < 0 || n.first >= n.last || n.last > leaves {
		return false
	}
	w := tree.CeilPow2(n.last - n.first)
	return n.first%w == 0 && (n.last == n.first+w || n.last == leaves)
}

// launch runs a kernel over the items of a plan and stores the results of the
// columns. On an error or a panic, no result place has been written.
func (j *job) launch(plan *policy.Plan, k kernel) error {
	on, err := check(plan, j.columns)
	if err != nil {
		return err
	}
	j.plan(plan, k)
	if err := j.run(on); err != nil {
		return err
	}
	if err := j.store(); err != nil {
		return err
	}
	j.give()
	return nil
}

// check validates everything a launch is given before anything runs.
func check(plan *policy.Plan, columns []column) (Space, error) {
	switch {
	case plan.Err != nil:
		return nil, plan.Err
	case plan.Team.Size != 0 && (plan.Team.Valid() != nil || plan.Team.League != plan.Items):
		return nil, fmt.Errorf("exec: the policy plans %d items and a shape of teams that is %+v: %w", plan.Items, plan.Team, cmp.Or(plan.Team.Valid(), errLeague))
	case plan.Items < 0 || plan.Chunk < 0:
		return nil, fmt.Errorf("exec: the policy plans %d items and a chunk of %d, expected neither below 0", plan.Items, plan.Chunk)
	}
	for _, c := range columns {
		if err := c.Err(); err != nil {
			return nil, err
		}
	}
	if err := checkPlaces(columns); err != nil {
		return nil, err
	}
	if plan.Space == nil {
		return Default()
	}
	return plan.Space, nil
}

// checkPlaces returns an error if results of the columns would be written to the same memory.
func checkPlaces(columns []column) error {
	var room [8]any
	places := room[:0]
	for _, c := range columns {
		places = append(places, c.Place())
	}
	return reducers.CheckPlaces(places)
}

var errLeague = errors.New("expected as many teams as items")

// newJob returns a job that is not to be kept.
func newJob(plan *policy.Plan, k kernel, columns []column) *job {
	j := &job{columns: columns}
	j.plan(plan, k)
	return j
}

// plan readies the job for a launch.
func (j *job) plan(plan *policy.Plan, k kernel) {
	j.grid = space.NewGrid(plan.Items, plan.Chunk, plan.Whole)
	j.hints = space.Hints{SlotStride: slotStride}
	for _, c := range j.columns {
		if c.Profile(1).Bytes >= lineBytes {
			j.hints.SlotStride = 1
		}
	}
	j.chunked = plan.Chunk > 0
	j.label = plan.Label
	j.kernel = k
	if j.context = plan.Context; j.context != nil {
		j.done = j.context.Done()
	}
	j.limit.Store(math.MaxInt64)
}

// run launches the job and reports how it went.
func (j *job) run(on Space) error {
	if j.cancelled() {
		return j.stop
	}
	if j.label != "" && trace.IsEnabled() {
		defer trace.StartRegion(context.Background(), j.label).End()
	}
	err := on.Launch(j.grid, j)
	j.cancelled() // a functor that cancels in the last leaf is heard as well
	if j.failed.Load() {
		j.mu.Lock()
		defer j.mu.Unlock()
		if err := j.fault.raise(); err != nil {
			return err
		}
		return j.stop
	}
	switch {
	case err != nil:
		return err
	case j.grid.Leaves > 0 && (len(j.nodes) == 0 || j.nodes[0] != j.all()):
		return fmt.Errorf("exec: space %s returned without the root of the reduction tree in slot 0", on.Name())
	}
	return nil
}

// store finishes the columns and then writes all the result places, so that a
// panic in one Final leaves every result place alone.
func (j *job) store() error {
	if len(j.columns) == 0 {
		return nil
	}
	all := j.all()
	ok := j.guard(&all, func() bool {
		for _, c := range j.columns {
			if j.grid.Leaves == 0 {
				c.Open(1, 1, 1)
				c.Clear(0)
			}
			c.Finish(0)
		}
		for _, c := range j.columns {
			c.Store(0)
		}
		return true
	})
	if !ok {
		return j.fault.raise()
	}
	return nil
}

// all is the root of the reduction tree.
func (j *job) all() node { return node{0, j.grid.Leaves} }

// Hints implements [space.Hinter]. Nothing is to be remembered where a chunk was asked for or
// items do not share leaves: they may be few and heavy then.
func (j *job) Hints() space.Hints {
	h := j.hints
	if !j.chunked && j.grid.Leaf != 1 {
		h.Functor = j.kernel.key()
	}
	return h
}

// codeOf returns the address of a function's code, which tells functors apart.
func codeOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }

// Open implements [space.Job].
func (j *job) Open(workers, slots int) {
	j.workers, j.nodes, j.at = workers, reuse.Resize(j.nodes[:0], slots), reuse.Resize(j.at, workers)
	clear(j.nodes)
	stride := j.hints.SlotStride
	j.depth = (bits.Len(uint(max(j.grid.Leaves-1, 0))) + stride - 1) &^ (stride - 1)
	all := j.all()
	j.guard(&all, func() bool {
		for _, c := range j.columns {
			c.Open(workers, slots+workers*j.depth, j.grid.Lanes)
		}
		j.kernel.open(workers, j.grid, j.poller(workers))
		j.span = 0
		if whole, ok := j.kernel.(nodeKernel); ok && !j.stepped {
			j.whole, j.span = whole, whole.span(j.grid)
		}
		return true
	})
}

// Run implements [space.Job].
func (j *job) Run(worker, first, last, slot int) bool {
	n := node{first, last}
	if !j.ready(worker, slot, n) {
		return false
	}
	at := &j.at[worker].node
	return j.guard(at, func() bool {
		return j.walk(worker, n, slot, len(j.nodes)+worker*j.depth, at)
	})
}

// ready takes note of what a worker runs into a slot, or refuses it.
func (j *job) ready(worker, slot int, n node) bool {
	switch {
	case slot < 0 || slot >= len(j.nodes) || worker < 0 || worker >= j.workers:
		return j.refuse(fmt.Errorf("exec: the space ran worker %d and slot %d, having opened %d workers and %d slots", worker, slot, j.workers, len(j.nodes)))
	case !n.isNode(j.grid.Leaves):
		return j.refuse(fmt.Errorf("exec: the space ran leaves %d to %d, which are not a node of a tree of %d leaves", n.first, n.last-1, j.grid.Leaves))
	}
	j.nodes[slot] = n
	j.at[worker].node = n
	return true
}

// walk reduces the node n into a slot, depth first, and uses further slots from
// stack on. It keeps in *at what it is working on.
func (j *job) walk(worker int, n node, slot, stack int, at *node) bool {
	if leaves := n.last - n.first; leaves == 1 || leaves <= j.span {
		if int64(n.first) >= j.limit.Load() || j.stopped() {
			return false
		}
		*at = n
		begin := n.first * j.grid.Leaf
		items := min(j.grid.Items-begin, leaves*j.grid.Leaf)
		switch {
		case leaves <= j.span:
			j.whole.runNode(worker, slot, begin, begin+items, j.grid.Leaf, at)
		default:
			j.kernel.run(worker, n.first, begin, begin+items)
			for _, c := range j.columns {
				c.End(worker, slot, items)
			}
		}
		return !j.heard.Load()
	}
	middle := n.first + tree.CeilPow2(n.last-n.first)/2
	if !j.walk(worker, node{n.first, middle}, slot, stack, at) || !j.walk(worker, node{middle, n.last}, stack, stack+1, at) {
		return false
	}
	*at = n
	return j.join(slot, stack)
}

// join joins slot src of every column into slot dst.
func (j *job) join(dst, src int) bool {
	for _, c := range j.columns {
		c.Join(dst, src)
	}
	return true
}

// Join implements [space.Job].
func (j *job) Join(dst, src int) bool {
	n, ok := j.joined(dst, src)
	return ok && j.guard(&n, func() bool { return j.join(dst, src) })
}

// joined takes note of a join and returns the node that two slots become, or refuses it.
func (j *job) joined(dst, src int) (n node, ok bool) {
	if top := len(j.nodes); dst < 0 || dst >= top || src < 0 || src >= top {
		return n, j.refuse(fmt.Errorf("exec: the space joined slots %d and %d, having opened %d", dst, src, top))
	}
	d, s := j.nodes[dst], j.nodes[src]
	n = node{d.first, s.last}
	if d.last != s.first || !n.isNode(j.grid.Leaves) || tree.CeilPow2(n.last-n.first) != 2*(d.last-d.first) {
		return n, j.refuse(fmt.Errorf("exec: the space joined leaves %d to %d with leaves %d to %d, which are not the halves of a node", d.first, d.last-1, s.first, s.last-1))
	}
	j.nodes[dst] = n
	return n, true
}

// breach is panicked with where a policy breaks its contract, which is an error of
// the launch and no panic of the functor's.
type breach struct{ err error }

// refuse keeps what a space or a policy did against its contract.
func (j *job) refuse(err error) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stop = err
	j.failed.Store(true)
	return false
}

// guard returns what f returns, or false if f panics. The panic is kept, as one
// in the items of *at at that moment.
func (j *job) guard(at *node, f func() bool) bool {
	returned := false
	defer func() {
		if returned {
			return
		}
		switch value := recover().(type) {
		case nil: // the functor called runtime.Goexit, which goes on after this
			j.keep(*at, fault{quit: true})
		case breach:
			j.limit.Store(0)
			j.refuse(value.err)
		case *teamFault:
			j.keep(*at, j.teamFault(value))
		case *lane.Panic: // beside the members of a team
			j.keep(*at, j.panicked(*at, value.Value, value.Stack))
		default:
			j.keep(*at, j.panicked(*at, value, debug.Stack()))
		}
	}()
	ok := f()
	returned = true
	return ok
}

// keep remembers the fault at the lowest items. Leaves above it need not run, those
// below may still fail.
func (j *job) keep(n node, f fault) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if int64(n.first) < j.limit.Load() {
		j.limit.Store(int64(n.first))
		j.fault = f
		j.failed.Store(true)
	}
}

// panicked returns the fault of a panic in the items of a node.
func (j *job) panicked(n node, value any, stack []byte) fault {
	if m, ok := value.(*lane.Misuse); ok {
		return fault{err: fmt.Errorf("exec: launch%s: %w", j.named(), m.Err)}
	}
	begin, end := n.first*j.grid.Leaf, n.last*j.grid.Leaf
	if n.last == j.grid.Leaves {
		end = j.grid.Items
	}
	return fault{panic: &Panic{value, stack, begin, end, j.label}}
}

// teamFault returns the fault of a team.
func (j *job) teamFault(t *teamFault) fault {
	var p *lane.Panic
	var m *lane.Misuse
	switch {
	case errors.As(t.err, &m):
		return fault{err: fmt.Errorf("exec: launch%s, team %d of %d: %w", j.named(), t.item, j.grid.Items, m.Err)}
	case errors.As(t.err, &p):
		return fault{panic: &Panic{p.Value, p.Stack, t.item, t.item + 1, j.label}}
	}
	return fault{err: fmt.Errorf("exec: launch%s, team %d of %d: %w: %w", j.named(), t.item, j.grid.Items, ErrDivergence, t.err)}
}

// named returns the label of the launch for use in a message.
func (j *job) named() string {
	if j.label == "" {
		return ""
	}
	return fmt.Sprintf(" of %q", j.label)
}

// stopped reports whether leaves need not run as the launch is cancelled. Where a chunk was
// asked for, which is for heavy items, it looks.
func (j *job) stopped() bool { return j.heard.Load() || j.chunked && j.cancelled() }

// cancelled reports whether the policy's context was cancelled, and keeps why.
func (j *job) cancelled() bool {
	if j.done == nil {
		return false
	}
	select {
	case <-j.done:
	default:
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.heard.Load() {
		j.stop = fmt.Errorf("exec: launch%s cancelled: %w", j.named(), context.Cause(j.context))
		j.failed.Store(true)
		j.heard.Store(true)
	}
	return true
}
