package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// counting is the kernel of a functor that adds 1 for each item.
type counting struct {
	column  Column
	functor func(i int, acc *float64)
}

func (k *counting) Open(int, space.Grid) {}

func (k *counting) Span(space.Grid) int { return 0 }

func (k *counting) RunNode(w *Walk, _, begin, end, _ int) {
	lanes := k.column.Begin(w.Worker, end-begin)
	for i := begin; i < end; i++ {
		k.functor(i, (*float64)(lanes.OfItem(i)))
	}
}

func (k *counting) About(a *About) { a.Functor = k.functor }

func (k *counting) Key() uintptr { return CodeOf(k.functor) }

func (k *counting) Release() {}

// carriedJob returns a job of 100 leaves that sums floats.
func carriedJob() *Job {
	plan := policy.Range(0, 100).Chunk(1).WithLabel("kettle").Plan()
	sum := reduce.NewSlots(reducers.New(new(float64), func(dst, src *float64) { *dst += *src }))
	k := &counting{&sum.Column, func(_ int, acc *float64) { *acc++ }}
	return NewJob(&plan, k, []Column{k.column})
}

// A functor ends its own process's goroutine, and is an error in all others.
func TestExitAsBytes(t *testing.T) {
	from, to := carriedJob(), carriedJob()
	from.SetOrigin("rank 3")
	from.Keep(7, fault{quit: true})
	data := from.AppendFault(nil)
	require.NoError(t, from.SetFault(data))
	require.NoError(t, to.SetFault(data))
	assert.True(t, from.Fault.quit)
	assert.False(t, to.Fault.quit)
	require.EqualError(t, to.Fault.err, `exec: launch of "kettle": the goroutine was ended on rank 3, in items 7 to 8, as by runtime.Goexit`)
}

// The bytes of two faults tell which one decides, by the rule of a launch's end.
func TestFirstFault(t *testing.T) {
	var faults [][]byte // the first decides over the second, and so on
	for _, fail := range []func(j *Job){
		func(j *Job) { j.Keep(-3, fault{quit: true}) },
		func(j *Job) { j.Keep(7, fault{err: errors.New("team")}) },
		func(j *Job) { j.Keep(300, j.Panicked(&Place{Node: Node{300, 301}}, "boom", nil)) },
		func(j *Job) { j.Refuse(errors.New("the space did wrong")) },
		func(j *Job) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			j.context, j.done = ctx, ctx.Done()
		},
		func(*Job) {},
	} {
		j := carriedJob()
		fail(j)
		faults = append(faults, j.AppendFault(nil))
	}
	for k, a := range faults {
		for n, b := range faults {
			assert.Equal(t, faults[min(k, n)], ranks.FirstFault(a, b), "%d and %d", k, n)
		}
	}
	assert.Equal(t, []byte("-"), ranks.FirstFault([]byte("-"), []byte("-")))
}

// Each kind of fault arrives in another process, and bytes that are cut off are no fault.
func TestFaultsAsBytes(t *testing.T) {
	for name, fail := range map[string]func(j *Job){
		"nothing": func(*Job) {},
		"panic":   func(j *Job) { j.Keep(7, j.Panicked(&Place{Node: Node{7, 8}}, "boom", []byte("stack"))) },
		"error":   func(j *Job) { j.Keep(7, j.Panicked(&Place{Node: Node{7, 8}}, errors.New("boom"), nil)) },
		"wrapped": func(j *Job) {
			j.Keep(7, j.Panicked(&Place{Node: Node{7, 8}}, fmt.Errorf("boom: %w", context.Canceled), nil))
		},
		"team":  func(j *Job) { j.Keep(7, fault{err: fmt.Errorf("apart: %w", team.ErrDivergence)}) },
		"space": func(j *Job) { j.Refuse(errors.New("the space did wrong")) },
		"cancelled": func(j *Job) {
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(fmt.Errorf("enough: %w", context.DeadlineExceeded))
			j.context, j.done = ctx, ctx.Done()
		},
	} {
		from, to := carriedJob(), carriedJob()
		from.SetOrigin("rank 3")
		fail(from)
		data := from.AppendFault([]byte("before"))[len("before"):]
		require.NoError(t, to.SetFault(data), name)
		assert.Equal(t, data, to.AppendFault(nil), name)
		assert.Equal(t, from.Failed.Load(), to.Failed.Load(), name)
		assert.Equal(t, from.heard.Load(), to.heard.Load(), name)
		assert.Equal(t, from.limit.Load(), to.limit.Load(), name)
		assert.Equal(t, from.Fault.quit, to.Fault.quit, name)
		for _, pair := range [][2]error{{from.stopErr(), to.stopErr()}, {from.Fault.err, to.Fault.err}} {
			assert.Equal(t, fmt.Sprint(pair[0]), fmt.Sprint(pair[1]), name)
			for _, e := range known {
				assert.Equal(t, errors.Is(pair[0], e), errors.Is(pair[1], e), "%s is %v", name, e)
			}
		}
		if p := from.Fault.panic; p != nil {
			require.NotNil(t, to.Fault.panic)
			assert.Equal(t, "rank 3", to.Fault.panic.Origin, name)
			to.Fault.panic.Origin = ""
			assert.Equal(t, p.Error(), to.Fault.panic.Error(), name)
			_, before := p.Value.(error)
			_, after := to.Fault.panic.Value.(error)
			assert.Equal(t, before, after, "%s: an error stays one", name)
			assert.Equal(t, errors.Is(p, context.Canceled), errors.Is(to.Fault.panic, context.Canceled), name)
		}
		for end := range data {
			broken := carriedJob()
			err := broken.SetFault(data[:end])
			require.ErrorContains(t, err, fmt.Sprintf(`launch of "kettle": %d bytes are no fault`, end), name)
			assert.True(t, broken.Failed.Load(), name)
		}
		require.Error(t, carriedJob().SetFault(append(data, 0)), name)
	}
	require.Error(t, carriedJob().SetFault([]byte{200}), "a kind that there is not")
	require.Error(t, carriedJob().SetFault(appendInts([]byte{quitFault}, math.MaxInt64)), "a place that there is not")
	j := carriedJob()
	j.Keep(1, j.Panicked(&Place{Node: Node{1, 2}}, error((*fs.PathError)(nil)), nil))
	require.NotPanics(t, func() { j.AppendFault(nil) }, "an error whose methods panic")
	huge := appendInts([]byte{quitFault + 1}, 0, 0, math.MaxInt64)
	require.Error(t, carriedJob().SetFault(huge), "a length that there is not")
}

// The fault at the lowest items counts, in whichever process it is.
func TestLowestFaultCounts(t *testing.T) {
	at := func(item int) []byte {
		j := carriedJob()
		j.Keep(item, j.Panicked(&Place{Node: Node{item, item + 1}}, fmt.Sprint(item), nil))
		return j.AppendFault(nil)
	}
	for _, order := range [][]int{{7, 30, 80}, {80, 30, 7}, {30, 7, 80}} {
		j := carriedJob()
		for _, item := range order {
			require.NoError(t, j.SetFault(at(item)))
		}
		assert.Equal(t, "7", fmt.Sprint(j.Fault.panic.Value), "%v", order)
	}
}

func TestCarriersAreUsedInOrder(t *testing.T) {
	j := carriedJob()
	space.Alone(j.Grid, j)
	_, err := j.AppendNode(nil, 0, 0, 100)
	require.ErrorContains(t, err, "expected AppendFingerprint before Open")

	j = carriedJob()
	_, err = j.AppendFingerprint(nil)
	require.NoError(t, err)
	space.Alone(j.Grid, j)
	_, err = j.AppendNode(nil, 1, 0, 100)
	require.EqualError(t, err, "exec: AppendNode of slot 1, having opened 1")
	_, err = j.AppendNode(nil, 0, 0, 64)
	require.EqualError(t, err, "exec: AppendNode of leaves 0 to 63 from slot 0, which holds 0 to 99")
	data, err := j.AppendNode([]byte("before"), 0, 0, 100)
	require.NoError(t, err)
	require.Equal(t, "before", string(data[:6]))
	require.NoError(t, j.SetNode(0, 0, 100, data[6:]))
	_, err = j.AppendNode(nil, 0, 0, 0)
	require.EqualError(t, err, "exec: AppendNode of leaves 0 to -1, which are not a node of a tree of 100 leaves")

	j = carriedJob()
	_, err = j.AppendFingerprint(nil)
	require.NoError(t, err)
	j.Open(1, 2)
	j.Keep(10, j.Panicked(&Place{Node: Node{10, 11}}, "boom", nil))
	assert.False(t, j.Accept(0, 64, 100, 1, make([]byte, 8)))
	_, err = j.AppendNode(nil, 1, 64, 100)
	require.ErrorIs(t, err, ranks.ErrFailed, "a node that was not accepted")
	j = carriedJob()
	require.NotPanics(t, func() { j.Open(1, -1) })
	require.ErrorContains(t, j.refused.err, "opened 1 workers and -1 slots")

	for name, wrong := range map[string]func(j *Job) error{
		"fingerprint": func(j *Job) error { j.Carries = false; return j.SetNode(0, 0, 64, data[6:]) },
		"node":        func(j *Job) error { return j.SetNode(0, 1, 64, data[6:]) },
		"slot":        func(j *Job) error { return j.SetNode(1, 0, 64, data[6:]) },
		"bytes":       func(j *Job) error { return j.SetNode(0, 0, 64, data[7:]) },
	} {
		j := carriedJob()
		_, err = j.AppendFingerprint(nil)
		require.NoError(t, err)
		j.Open(1, 1)
		assert.Error(t, wrong(j), name)
		assert.True(t, j.Failed.Load(), name)
		j.Carries = true
		_, err = j.AppendNode(nil, 0, 0, 64)
		assert.ErrorIs(t, err, ranks.ErrFailed, name)
	}
}

// Launches that differ have different fingerprints.
func TestFingerprints(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(j *Job){
		"as it is": func(*Job) {},
		"items":    func(j *Job) { j.Grid = space.NewGrid(101, 1, false) },
		"chunk":    func(j *Job) { j.Grid = space.NewGrid(100, 2, false) },
		"label":    func(j *Job) { j.label = "pot" },
		"functor": func(j *Job) {
			j.Runs(&counting{functor: func(_ int, acc *float64) { *acc-- }})
		},
		"kernel": func(j *Job) {
			type other struct{ counting }
			j.Runs(&other{*j.kernel.(*counting)})
		},
		"columns": func(j *Job) {
			j.Columns = append(j.Columns, &reduce.NewSlots(reducers.New(new(int32), func(_, _ *int32) {})).Column)
		},
	} {
		j, same := carriedJob(), carriedJob()
		change(j)
		change(same)
		print, err := j.AppendFingerprint(nil)
		require.NoError(t, err)
		again, err := same.AppendFingerprint(nil)
		require.NoError(t, err)
		assert.Equal(t, print, again, name)
		assert.NotContains(t, seen, string(print), "%s and %s", name, seen[string(print)])
		seen[string(print)] = name
	}
}
