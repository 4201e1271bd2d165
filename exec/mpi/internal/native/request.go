//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// A request is a message that goes on. The library writes to its slot and to the memory that is
// pinned, so it is kept in library.open, also if the program forgets it, until it is done.
type request struct {
	slot
	c         *comm
	what      string
	receives  bool
	cancelled bool // was asked for
	pinned    runtime.Pinner
	done      bool
	result    link.Status
	err       error
}

func (c *comm) Isend(dst, tag int, b []byte) (link.Request, error) {
	if err := checkMessage("Isend to", dst, tag, c.size, false); err != nil {
		return nil, err
	}
	r := &request{c: c, what: "Isend", result: link.Status{Source: c.rank, Tag: tag, Bytes: len(b)}}
	r.wait = wait{c: c, what: r.what, peer: dst}
	return r.begin(c.l.f.Send, b, uintptr(dst), uintptr(tag))
}

func (c *comm) Irecv(src, tag int, b []byte) (link.Request, error) {
	if err := checkMessage("Irecv from", src, tag, c.size, true); err != nil {
		return nil, err
	}
	r := &request{c: c, what: "Irecv", receives: true}
	r.wait = wait{c: c, what: r.what, peer: src}
	return r.begin(c.l.f.Recv, b, c.l.rank(src), c.l.tagged(tag))
}

func (r *request) begin(p pair, b []byte, peer, tag uintptr) (link.Request, error) {
	c, l := r.c, r.c.l
	if err := c.ready(); err != nil {
		return nil, err
	}
	t, err := c.typeFor(len(b))
	if err != nil {
		return nil, err
	}
	defer t.free() // the library keeps it as long as it needs it
	r.pinned.Pin(r)
	r.pinned.Pin(at(b))
	l.mu.Lock()
	l.open[r] = struct{}{}
	l.mu.Unlock()
	if code := l.call(p.begin, uintptr(at(b)), t.count, t.handle, peer, tag, c.handle, uintptr(unsafe.Pointer(&r.handle))); code != 0 {
		r.close()
		return nil, c.failed(r.what, code)
	}
	return r, nil
}

// close gives up what the library does not need any more.
func (r *request) close() {
	r.pinned.Unpin()
	r.c.l.mu.Lock()
	delete(r.c.l.open, r)
	r.c.l.mu.Unlock()
}

func (r *request) Wait() (link.Status, error) {
	if r.done {
		return r.result, r.err
	}
	if err := r.c.l.ready(); err != nil {
		return link.Status{}, err
	}
	l := r.c.l
	l.endings.begin(&r.wait)
	defer l.endings.end(&r.wait)
	if l.waits {
		return r.end(l.call(l.f.Wait, uintptr(unsafe.Pointer(&r.handle)), uintptr(unsafe.Pointer(&r.status))))
	}
	return r.end(l.complete(&r.slot))
}

func (r *request) Test() (bool, link.Status, error) {
	if r.done {
		return true, r.result, r.err
	}
	if err := r.c.l.ready(); err != nil {
		return true, link.Status{}, err
	}
	l := r.c.l
	r.flag = 0
	code := l.call(l.f.Test, uintptr(unsafe.Pointer(&r.handle)), uintptr(unsafe.Pointer(&r.flag)), uintptr(unsafe.Pointer(&r.status)))
	if code == 0 && r.flag == 0 {
		return r.goesOn()
	}
	s, err := r.end(code)
	return true, s, err
}

// goesOn is what Test returns where the request is not done: an error if it will never be. A Send
// cannot be given up, and ends the job then, as calls do that wait.
func (r *request) goesOn() (bool, link.Status, error) {
	if r.c.quiet {
		return false, link.Status{}, nil
	}
	e := &r.c.l.endings
	if r.wait.since == 0 {
		r.wait.since = e.pulse.Load() + 1
	}
	why := e.inVain(&r.wait)
	if why == nil {
		return false, link.Status{}, nil
	}
	if !r.receives {
		r.c.Abort(1, why.Error())
	}
	r.wait.since = 0 // so that the watch leaves the request to this call
	if err := r.Cancel(); err != nil {
		return true, link.Status{}, err
	}
	if s, err := r.Wait(); err != nil || !s.Cancelled {
		return true, s, err
	}
	r.result, r.err = link.Status{}, why
	return true, r.result, r.err
}

// end keeps how the request ended.
func (r *request) end(code int32) (link.Status, error) {
	r.done = true
	r.close()
	if code != 0 {
		r.result, r.err = link.Status{}, r.c.failed(r.what, code)
		return r.result, r.err
	}
	if r.cancelled {
		r.flag = 0
		if code := r.c.l.call(r.c.l.f.TestCancelled, uintptr(unsafe.Pointer(&r.status)), uintptr(unsafe.Pointer(&r.flag))); code != 0 {
			r.err = r.c.failed("Test_cancelled", code)
			return r.result, r.err
		}
		if r.flag != 0 {
			r.result = link.Status{Cancelled: true}
			return r.result, nil
		}
	}
	if r.receives {
		r.result, r.err = r.c.describe(&r.slot)
	}
	return r.result, r.err
}

func (r *request) Cancel() error {
	if r.done || r.cancelled {
		return nil
	}
	if err := r.c.l.ready(); err != nil {
		return err
	}
	if code := r.c.l.call(r.c.l.f.Cancel, uintptr(unsafe.Pointer(&r.handle))); code != 0 {
		return r.c.failed("Cancel of "+r.what, code)
	}
	r.cancelled = true
	return nil
}

// idle is an error if requests are not done, of a communicator or, for nil, of any. what names the
// call.
func (l *library) idle(what string, c *comm) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for r := range l.open {
		if r.c == c || c == nil && !r.c.quiet {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("mpi: %s with %d requests that are not done: each needs a Wait, or a Test that is true", what, n)
	}
	return nil
}
