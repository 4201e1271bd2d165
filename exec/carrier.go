package exec

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strconv"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
)

var _ space.RankCarrier = (*job)(nil)

// AppendFingerprint implements [space.Carrier].
func (j *job) AppendFingerprint(buf []byte) (longer []byte, err error) {
	if !j.guardAt(j.all(), func() bool { longer, err = j.appendFingerprint(buf); return true }) {
		return buf, space.ErrFailed
	}
	return longer, err
}

// appendFingerprint has no part in package fmt, whose share of a short launch would be seen.
func (j *job) appendFingerprint(buf []byte) ([]byte, error) {
	columns, a := j.columns, &j.about
	if a.nodes != nil {
		columns = append(columns[:len(columns):len(columns)], a.nodes.carried())
	}
	longer, err := reduce.AppendFingerprint(buf, columns)
	if err != nil {
		return buf, fmt.Errorf("exec: launch%s: %w", j.named(), err)
	}
	longer = append(append(append(longer, '\n'), reflect.TypeOf(j.kernel).String()...), '\n')
	if a.functor != nil {
		longer = append(append(longer, reflect.TypeOf(a.functor).String()...), '\n')
	}
	longer = append(appendGrid(longer, j.grid), '\n')
	if a.items != nil {
		longer = append(a.items.appendItems(longer), '\n')
	}
	if name := nameAt(a.key); name != "" {
		longer = append(append(longer, name...), '\n')
	}
	j.carries = true
	return strconv.AppendQuote(longer, j.label), nil
}

func appendGrid(buf []byte, g space.Grid) []byte {
	buf = strconv.AppendInt(append(buf, "{Items:"...), int64(g.Items), 10)
	buf = strconv.AppendInt(append(buf, " Leaf:"...), int64(g.Leaf), 10)
	buf = strconv.AppendInt(append(buf, " Leaves:"...), int64(g.Leaves), 10)
	buf = strconv.AppendInt(append(buf, " Lanes:"...), int64(g.Lanes), 10)
	return append(buf, '}')
}

// SetOrigin implements [space.RankCarrier].
func (j *job) SetOrigin(name string) { j.origin = name }

// Silent implements [space.RankCarrier].
func (j *job) Silent() bool {
	return j.about.folds != nil && j.guardAt(j.all(), func() bool { // reducers are asked
		for _, c := range j.columns {
			if o := c.Operation(); !o.Known() {
				return false
			}
		}
		return true
	})
}

// Prefixes implements [space.RankCarrier].
func (j *job) Prefixes() bool { return j.about.nodes != nil }

// nameAt returns the name of the function whose code is at an address, or "" if there is none.
func nameAt(code uintptr) string {
	if f := runtime.FuncForPC(code); f != nil {
		return f.Name()
	}
	return ""
}

// AppendNode implements [space.Carrier].
func (j *job) AppendNode(buf []byte, slot, first, last int) (longer []byte, err error) {
	switch {
	case !j.carries:
		return buf, errors.New("exec: AppendNode without a fingerprint, expected AppendFingerprint before Open")
	case !node{first, last}.isNode(j.grid.Leaves):
		return buf, fmt.Errorf("exec: AppendNode of leaves %d to %d, which are not a node of a tree of %d leaves", first, last-1, j.grid.Leaves)
	case uint(slot) >= uint(len(j.nodes)):
		return buf, fmt.Errorf("exec: AppendNode of slot %d, having opened %d", slot, len(j.nodes))
	case j.failed.Load() && (j.torn || j.held(slot) != node{first, last}):
		return buf, space.ErrFailed
	case j.held(slot) != node{first, last}:
		return buf, fmt.Errorf("exec: AppendNode of leaves %d to %d from slot %d, which holds %d to %d", first, last-1, slot, j.held(slot).first, j.held(slot).last-1)
	}
	n := node{first, last}
	at := place{node: n}
	longer = buf
	if !j.guard(&at, func() bool {
		if longer, err = reduce.AppendNode(buf, j.columns, slot); err == nil {
			if k := j.about.nodes; k != nil {
				longer, err = k.appendNode(longer, n, &at)
			}
		}
		return true
	}) {
		return buf, space.ErrFailed
	}
	if err != nil {
		return buf, err
	}
	return longer, nil
}

// SetNode implements [space.Carrier].
func (j *job) SetNode(slot, first, last int, data []byte) (err error) {
	n := node{first, last}
	if !j.ready(0, slot, n) {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.refused.err
	}
	if !j.carries {
		err = errors.New("expected AppendFingerprint before Open")
	} else if !j.guardAt(n, func() bool { err = j.putNode(slot, n, data); return true }) {
		j.hold(slot, node{})
		return space.ErrFailed
	}
	if err != nil {
		j.hold(slot, node{})
		j.refuse(fmt.Errorf("exec: launch%s: leaves %d to %d from another process: %w", j.named(), first, last-1, err))
	}
	return err
}

func (j *job) putNode(slot int, n node, data []byte) (err error) {
	if k := j.about.nodes; k != nil {
		if data, err = k.setNode(n, data); err != nil {
			return err
		}
	}
	return reduce.SetNode(j.columns, slot, data)
}
