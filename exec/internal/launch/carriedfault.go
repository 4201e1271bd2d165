package launch

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/team"
)

// These are the kinds of a fault in bytes.
const (
	noFault = iota
	panicFault
	panicErrorFault // the value is an error
	quitFault
	errorFault
	stopFault   // the space broke its contract
	cancelFault // the launch was cancelled
)

// known lists the errors that errors.Is finds in another process, too.
var known = []error{team.ErrDivergence, space.ErrClosed, context.Canceled, context.DeadlineExceeded}

// farError is an error of another process.
type farError struct {
	text string
	is   []error // the errors of known that it wraps
}

func (e *farError) Error() string   { return e.text }
func (e *farError) Unwrap() []error { return e.is }

// AppendFault implements [ranks.Carrier].
func (j *Job) AppendFault(buf []byte) []byte {
	j.Cancelled() // the last look: other processes hear of no later cancel
	j.mu.Lock()
	defer j.mu.Unlock()
	limit := j.limit.Load()
	switch f := j.Fault; {
	case !j.Failed.Load():
		return append(appendRank(buf, math.MaxUint8, 0), noFault)
	case f.panic != nil:
		kind := byte(panicFault)
		err, ok := f.panic.Value.(error)
		if ok {
			kind = panicErrorFault
		}
		buf = appendInts(append(appendRank(buf, 0, limit), kind), limit, int64(f.panic.Begin), int64(f.panic.End))
		buf = appendText(appendError(buf, fmt.Sprint(f.panic.Value), err), string(f.panic.Stack))
		return appendText(appendText(buf, f.panic.Index), cmp.Or(f.panic.Origin, j.origin))
	case f.quit:
		buf = appendInts(append(appendRank(buf, 0, limit), quitFault), limit)
		return appendText(buf, cmp.Or(j.origin, "another process"))
	case f.err != nil:
		return appendError(appendInts(append(appendRank(buf, 0, limit), errorFault), limit), f.err.Error(), f.err)
	}
	kind := byte(stopFault)
	if j.refused.err == nil {
		kind = cancelFault
	}
	err := j.stopErr()
	return appendError(append(appendRank(buf, kind, 0), kind), err.Error(), err)
}

// faultRank is the number of bytes by which faults are compared.
const faultRank = 9

// appendRank appends the faultRank bytes by which [ranks.FirstFault] compares faults: the kind, and the
// leaf of a fault in items.
func appendRank(buf []byte, kind byte, leaf int64) []byte {
	return binary.BigEndian.AppendUint64(append(buf, kind), uint64(leaf)^1<<63)
}

// SetFault implements [ranks.Carrier].
func (j *Job) SetFault(data []byte) error {
	r := faultReader{data: data}
	r.take(faultRank)
	kind := r.byte()
	var f fault
	var stop error
	limit := int64(math.MaxInt64)
	switch kind {
	case noFault:
	case panicFault, panicErrorFault:
		limit = r.int()
		begin, end := r.int(), r.int()
		err := r.error()
		value := any(err.text)
		if kind == panicErrorFault {
			value = err
		}
		f.panic = &space.Panic{
			Value: value, Begin: int(begin), End: int(end), Label: j.label,
			Stack: []byte(r.text()), Index: r.text(), Origin: r.text(),
		}
	case quitFault:
		limit = r.int()
		begin, end := j.itemsAt(limit)
		f.err = fmt.Errorf("exec: launch%s: the goroutine was ended on %s, in items %d to %d, as by runtime.Goexit",
			j.named(), r.text(), begin, end)
	case errorFault:
		limit = r.int()
		f.err = r.error()
	case stopFault, cancelFault:
		stop = r.error()
	default:
		r.torn = true
	}
	if r.torn || len(r.data) > 0 || kind != noFault && stop == nil && limit == math.MaxInt64 {
		err := fmt.Errorf("exec: launch%s: %d bytes are no fault of another process", j.named(), len(data))
		j.Refuse(err)
		return err
	}
	j.told = true
	switch {
	case stop != nil:
		j.stopFor(stop, kind == cancelFault)
	case kind != noFault:
		j.Keep(int(limit), f)
	}
	return nil
}

// itemsAt returns the items of a leaf, or all items if there is no such leaf.
func (j *Job) itemsAt(leaf int64) (begin, end int) {
	if leaf < 0 || leaf >= int64(j.Grid.Leaves) {
		return 0, j.Grid.Items
	}
	begin = int(leaf) * j.Grid.Leaf
	return begin, min(begin+j.Grid.Leaf, j.Grid.Items)
}

// stopFor stops the launch for a reason that processes share.
func (j *Job) stopFor(err error, cancelled bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if cancelled {
		j.ended.set(err, true)
		j.heard.Store(true)
	} else {
		j.refused.set(err, true)
	}
	j.Failed.Store(true)
}

func appendInts(buf []byte, values ...int64) []byte {
	for _, v := range values {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(v))
	}
	return buf
}

func appendText(buf []byte, text string) []byte {
	return append(appendInts(buf, int64(len(text))), text...)
}

// appendError appends the errors of known that err wraps, and a text.
func appendError(buf []byte, text string, err error) []byte {
	return appendText(appendInts(buf, knownIn(err)), text)
}

// knownIn returns one bit for each error of known that err wraps. If a method of err panics, later errors
// have no bit.
func knownIn(err error) (is int64) {
	defer func() { _ = recover() }()
	for k, e := range known {
		if errors.Is(err, e) {
			is |= 1 << k
		}
	}
	return is
}

// faultReader reads what appendInts, appendText and appendError have written. It sets torn if fewer bytes are
// left than it was asked for, or if a length is negative.
type faultReader struct {
	data []byte
	torn bool
}

func (r *faultReader) take(n int64) []byte {
	if n < 0 || n > int64(len(r.data)) {
		r.torn = true
		return make([]byte, faultRank)
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *faultReader) byte() byte   { return r.take(1)[0] }
func (r *faultReader) int() int64   { return int64(binary.LittleEndian.Uint64(r.take(8))) }
func (r *faultReader) text() string { return string(r.take(r.int())) }

func (r *faultReader) error() *farError {
	is := r.int()
	err := &farError{text: r.text()}
	for k, e := range known {
		if is>>k&1 == 1 {
			err.is = append(err.is, e)
		}
	}
	return err
}
