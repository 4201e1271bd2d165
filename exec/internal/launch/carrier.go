package launch

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strconv"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/internal/reduce"
)

var _ ranks.Carrier = (*Job)(nil)

// AppendFingerprint implements [ranks.Carrier].
func (j *Job) AppendFingerprint(buf []byte) (longer []byte, err error) {
	if !j.GuardAt(j.All(), func() bool { longer, err = j.appendFingerprint(buf); return true }) {
		return buf, ranks.ErrFailed
	}
	return longer, err
}

// appendFingerprint uses package fmt for errors only: formatting would show in the time of a short launch.
func (j *Job) appendFingerprint(buf []byte) ([]byte, error) {
	columns, a := j.Columns, j.ask()
	if a.Nodes != nil {
		columns = append(columns[:len(columns):len(columns)], a.Nodes.Carried())
	}
	longer, err := reduce.AppendFingerprint(buf, columns)
	if err != nil {
		return buf, fmt.Errorf("exec: launch%s: %w", j.named(), err)
	}
	longer = append(append(append(longer, '\n'), reflect.TypeOf(j.kernel).String()...), '\n')
	if a.Functor != nil {
		longer = append(append(longer, reflect.TypeOf(a.Functor).String()...), '\n')
	}
	longer = append(appendGrid(longer, j.Grid), '\n')
	if a.Items != nil {
		longer = append(a.Items.AppendItems(longer), '\n')
	}
	if name := NameAt(j.kernel.Key()); name != "" {
		longer = append(append(longer, name...), '\n')
	}
	j.Carries = true
	return strconv.AppendQuote(longer, j.label), nil
}

func appendGrid(buf []byte, g space.Grid) []byte {
	buf = strconv.AppendInt(append(buf, "{Items:"...), int64(g.Items), 10)
	buf = strconv.AppendInt(append(buf, " Leaf:"...), int64(g.Leaf), 10)
	buf = strconv.AppendInt(append(buf, " Leaves:"...), int64(g.Leaves), 10)
	buf = strconv.AppendInt(append(buf, " Lanes:"...), int64(g.Lanes), 10)
	return append(buf, '}')
}

// SetOrigin implements [ranks.Carrier].
func (j *Job) SetOrigin(name string) { j.origin = name }

// Silent implements [ranks.Carrier].
func (j *Job) Silent() bool {
	return j.ask().Folds != nil && j.GuardAt(j.All(), func() bool { // calls methods of reducers
		for _, c := range j.Columns {
			if o := c.Operation(); !o.Known() {
				return false
			}
		}
		return true
	})
}

// Prefixes implements [ranks.Carrier].
func (j *Job) Prefixes() bool { return j.ask().Nodes != nil }

// NameAt returns the name of the function with code at an address, or "" if there is none.
func NameAt(code uintptr) string {
	if f := runtime.FuncForPC(code); f != nil {
		return f.Name()
	}
	return ""
}

// AppendNode implements [ranks.Carrier].
func (j *Job) AppendNode(buf []byte, slot, first, last int) (longer []byte, err error) {
	switch {
	case !j.Carries:
		return buf, errors.New("exec: AppendNode without a fingerprint, expected AppendFingerprint before Open")
	case !Node{first, last}.isNode(j.Grid.Leaves):
		return buf, fmt.Errorf("exec: AppendNode of leaves %d to %d, which are not a node of a tree of %d leaves", first, last-1, j.Grid.Leaves)
	case uint(slot) >= uint(len(j.nodes)):
		return buf, fmt.Errorf("exec: AppendNode of slot %d, having opened %d", slot, len(j.nodes))
	case j.Failed.Load() && (j.torn || j.held(slot) != Node{first, last}):
		return buf, ranks.ErrFailed
	case j.held(slot) != Node{first, last}:
		return buf, fmt.Errorf("exec: AppendNode of leaves %d to %d from slot %d, which holds %d to %d", first, last-1, slot, j.held(slot).First, j.held(slot).Last-1)
	}
	n := Node{first, last}
	at := Place{Node: n}
	longer = buf
	if !j.guard(&at, func() bool {
		if longer, err = reduce.AppendNode(buf, j.Columns, slot); err == nil {
			if k := j.ask().Nodes; k != nil {
				longer, err = k.AppendNode(longer, n, &at)
			}
		}
		return true
	}) {
		return buf, ranks.ErrFailed
	}
	if err != nil {
		return buf, err
	}
	return longer, nil
}

// SetNode implements [ranks.Carrier].
func (j *Job) SetNode(slot, first, last int, data []byte) (err error) {
	n := Node{first, last}
	if !j.ready(0, slot, n) {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.refused.err
	}
	if !j.Carries {
		err = errors.New("expected AppendFingerprint before Open")
	} else if !j.GuardAt(n, func() bool { err = j.putNode(slot, n, data); return true }) {
		j.hold(slot, Node{})
		return ranks.ErrFailed
	}
	if err != nil {
		j.hold(slot, Node{})
		j.Refuse(fmt.Errorf("exec: launch%s: leaves %d to %d from another process: %w", j.named(), first, last-1, err))
	}
	return err
}

// putLeaves is putNode, of a node of which a leaf may be in lanes, or in members of teams.
func (j *Job) putLeaves(worker, slot int, n Node, data []byte) error {
	if n.Last-n.First > 1 || j.ask().Nodes != nil {
		return j.putNode(slot, n, data)
	}
	members := 1
	if a := j.ask(); a.Teams != nil {
		members = a.Teams.Shape().Size
	}
	return reduce.SetLeaf(j.Columns, worker, slot, min(j.leaf(), j.Grid.Items-n.First*j.leaf()), members, data)
}

func (j *Job) putNode(slot int, n Node, data []byte) (err error) {
	if k := j.ask().Nodes; k != nil {
		if data, err = k.SetNode(n, data); err != nil {
			return err
		}
	}
	return reduce.SetNode(j.Columns, slot, data)
}
