//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// A comm is one communicator of the library.
type comm struct {
	l          *library
	handle     uintptr
	rank, size int
	name       string
	world      bool
	closed     atomic.Bool
}

// newComm returns a communicator whose handle the library has just made.
func (l *library) newComm(handle uintptr, name string) (*comm, error) {
	var rank, size int32
	if code := l.call(l.f.CommSetErrhandler, handle, l.errorsReturn); code != 0 {
		return nil, l.check("Comm_set_errhandler", code)
	}
	if code := l.call(l.f.CommRank, handle, uintptr(unsafe.Pointer(&rank))); code != 0 {
		return nil, l.check("Comm_rank", code)
	}
	if code := l.call(l.f.CommSize, handle, uintptr(unsafe.Pointer(&size))); code != 0 {
		return nil, l.check("Comm_size", code)
	}
	return &comm{l: l, handle: handle, rank: int(rank), size: int(size), name: name}, nil
}

func (c *comm) Rank() int    { return c.rank }
func (c *comm) Size() int    { return c.size }
func (c *comm) Name() string { return c.name }

func (c *comm) ready() error {
	if c.closed.Load() {
		return fmt.Errorf("mpi: %s: %w", c.name, link.ErrClosed)
	}
	return c.l.ready()
}

// do calls p, and returns when it is done. args are those of both of its forms.
//
//go:uintptrescapes
func (c *comm) do(p pair, args ...uintptr) error {
	if err := c.ready(); err != nil {
		return err
	}
	if c.l.waits {
		if code := c.l.call(p.waits, args...); code != 0 {
			return c.failed(p.name, code)
		}
		return nil
	}
	s := slots.Get().(*slot) // on the heap, and kept by the last line
	code := c.l.call(p.begin, append(slices.Clip(args), uintptr(unsafe.Pointer(&s.handle)))...)
	if code == 0 {
		code = c.l.complete(s)
	}
	slots.Put(s)
	if code != 0 {
		return c.failed(p.name, code)
	}
	return nil
}

func (c *comm) failed(what string, code int32) error {
	return c.l.check(fmt.Sprintf("%s on rank %d of %s", what, c.rank, c.name), code)
}

func (c *comm) Send(dst, tag int, b []byte) error {
	if err := checkMessage("Send to", dst, tag, c.size, false); err != nil {
		return err
	}
	t, err := c.typeFor(len(b))
	if err != nil {
		return err
	}
	defer t.free()
	return c.do(c.l.f.Send, uintptr(at(b)), t.count, t.handle, uintptr(dst), uintptr(tag), c.handle)
}

func (c *comm) Recv(src, tag int, b []byte) (link.Status, error) {
	if err := checkMessage("Recv from", src, tag, c.size, true); err != nil {
		return link.Status{}, err
	}
	if err := c.ready(); err != nil {
		return link.Status{}, err
	}
	t, err := c.typeFor(len(b))
	if err != nil {
		return link.Status{}, err
	}
	defer t.free()
	s := slots.Get().(*slot)
	defer slots.Put(s)
	l := c.l
	var code int32
	if l.waits {
		code = l.call(l.f.Recv.waits, uintptr(at(b)), t.count, t.handle, l.rank(src), l.tagged(tag), c.handle, uintptr(unsafe.Pointer(&s.status)))
	} else if code = l.call(l.f.Recv.begin, uintptr(at(b)), t.count, t.handle, l.rank(src), l.tagged(tag), c.handle, uintptr(unsafe.Pointer(&s.handle))); code == 0 {
		code = l.complete(s)
	}
	runtime.KeepAlive(b)
	if code != 0 {
		return link.Status{}, c.failed("Recv", code)
	}
	return c.describe(s)
}

// rank and tagged return what stands for a source and a tag in this library.
func (l *library) rank(src int) uintptr {
	if src == link.AnySource {
		return uintptr(l.anySource)
	}
	return uintptr(src)
}

func (l *library) tagged(tag int) uintptr {
	if tag == link.AnyTag {
		return uintptr(l.anyTag)
	}
	return uintptr(tag)
}

// describe returns what the status of a slot says.
func (c *comm) describe(s *slot) (link.Status, error) {
	l := c.l
	if code := l.call(l.f.GetElements, uintptr(unsafe.Pointer(&s.status)), l.byteType, uintptr(unsafe.Pointer(&s.count))); code != 0 {
		return link.Status{}, c.failed("Get_elements", code)
	}
	return link.Status{Source: int(s.status[l.source]), Tag: int(s.status[l.tag]), Bytes: int(s.count)}, nil
}

func (c *comm) Probe(src, tag int) (link.Status, error) {
	if err := checkMessage("Probe of", src, tag, c.size, true); err != nil {
		return link.Status{}, err
	}
	if err := c.ready(); err != nil {
		return link.Status{}, err
	}
	s := slots.Get().(*slot)
	defer slots.Put(s)
	l := c.l
	var code int32
	if l.waits {
		code = l.call(l.f.Probe, l.rank(src), l.tagged(tag), c.handle, uintptr(unsafe.Pointer(&s.status)))
	} else {
		s.flag = 0
		for n := 0; code == 0 && s.flag == 0; n++ {
			if n > 0 {
				rest(n)
			}
			code = l.call(l.f.Iprobe, l.rank(src), l.tagged(tag), c.handle, uintptr(unsafe.Pointer(&s.flag)), uintptr(unsafe.Pointer(&s.status)))
		}
	}
	if code != 0 {
		return link.Status{}, c.failed("Probe", code)
	}
	return c.describe(s)
}

func (c *comm) Split(color, key int) (link.Link, error) {
	if color < 0 && color != link.NoColor {
		return nil, fmt.Errorf("link: Split of %s with color %d, expected 0 or more, or NoColor", c.name, color)
	}
	// All ranks are here after it, so the call that follows does not keep others waiting where
	// calls are made one at a time.
	if err := c.Barrier(); err != nil {
		return nil, err
	}
	value := uintptr(color)
	if color == link.NoColor {
		value = uintptr(c.l.undefined)
	}
	s := new(slot)
	if code := c.l.call(c.l.f.CommSplit, c.handle, value, uintptr(key), uintptr(unsafe.Pointer(&s.handle))); code != 0 {
		return nil, c.failed("Comm_split", code)
	}
	if color == link.NoColor {
		return nil, nil
	}
	return c.child(s, fmt.Sprintf("%s/%d", c.name, color))
}

func (c *comm) Dup() (link.Link, error) {
	if err := c.Barrier(); err != nil {
		return nil, err
	}
	s := new(slot)
	if code := c.l.call(c.l.f.CommDup, c.handle, uintptr(unsafe.Pointer(&s.handle))); code != 0 {
		return nil, c.failed("Comm_dup", code)
	}
	return c.child(s, c.name+"/dup")
}

func (c *comm) child(s *slot, name string) (link.Link, error) {
	child, err := c.l.newComm(uintptr(s.handle), name)
	if err != nil {
		return nil, err // and not a nil *comm in an interface
	}
	return child, nil
}

func (c *comm) Abort(code int, why string) {
	fmt.Fprintf(os.Stderr, "mpi: rank %d of %s aborts the job: %s\n", c.rank, c.name, why)
	// Launchers pass on what ranks write, and MPICH's loses what it has not read by then.
	drain(os.Stderr)
	time.Sleep(abortPause)
	c.l.call(c.l.f.Abort, c.l.world, uintptr(min(max(code, 1), 255)))
}

func (c *comm) Close() error {
	if c.world {
		return errors.New("link: Close of the world, expected a communicator of Split or Dup")
	}
	if err := c.ready(); err != nil {
		return err
	}
	if err := c.l.idle("Close of "+c.name, c); err != nil {
		return err
	}
	c.closed.Store(true)
	s := &slot{handle: uint64(c.handle)}
	if code := c.l.call(c.l.f.CommFree, uintptr(unsafe.Pointer(&s.handle))); code != 0 {
		return c.failed("Comm_free", code)
	}
	return nil
}
