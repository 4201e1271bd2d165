//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
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
	quiet      bool // only the watch uses it
	closed     atomic.Bool

	id      uint64        // the same on all of its ranks, and another one for each communicator
	members []int32       // their ranks in the world, or nil if they are the same
	turn    atomic.Uint64 // how many collectives have begun
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

// do calls p, a collective, and returns when it is done. args are those of both of its forms.
//
//go:uintptrescapes
func (c *comm) do(p pair, args ...uintptr) error { return c.doWith(everyone, p, args...) }

// doWith is do for what waits for a rank.
//
//go:uintptrescapes
func (c *comm) doWith(peer int, p pair, args ...uintptr) error {
	if err := c.ready(); err != nil {
		return err
	}
	s := c.begin(peer, p.name) // on the heap, and kept by the last line
	var code int32
	if c.l.waits {
		code = c.l.call(p.waits, args...)
	} else if code = c.l.call(p.begin, append(slices.Clip(args), uintptr(unsafe.Pointer(&s.handle)))...); code == 0 {
		code = c.l.complete(s)
	}
	c.end(s)
	if code != 0 {
		return c.failed(p.name, code)
	}
	return nil
}

// begin returns a slot for a call that waits for a rank, or for everyone.
func (c *comm) begin(peer int, what string) *slot {
	s := slots.Get().(*slot)
	s.wait = wait{c: c, what: what, peer: peer}
	if peer == everyone {
		s.wait.turn = c.turn.Add(1)
	}
	c.l.endings.begin(&s.wait)
	return s
}

// end gives back a slot.
func (c *comm) end(s *slot) {
	c.l.endings.end(&s.wait)
	s.wait = wait{}
	slots.Put(s)
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
	return c.doWith(dst, c.l.f.Send, uintptr(at(b)), t.count, t.handle, uintptr(dst), uintptr(tag), c.handle)
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
	s := c.begin(src, "Recv")
	defer c.end(s)
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
	s := c.begin(src, "Probe")
	defer c.end(s)
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
			code = c.iprobe(s, src, tag)
		}
	}
	if code != 0 {
		return link.Status{}, c.failed("Probe", code)
	}
	return c.describe(s)
}

// look is a Probe that does not wait: found reports whether there is a message.
func (c *comm) look(src, tag int) (status link.Status, found bool, err error) {
	s := slots.Get().(*slot)
	defer slots.Put(s)
	s.flag = 0
	if code := c.iprobe(s, src, tag); code != 0 {
		return link.Status{}, false, c.failed("Iprobe", code)
	}
	if s.flag == 0 {
		return link.Status{}, false, nil
	}
	status, err = c.describe(s)
	return status, true, err
}

func (c *comm) iprobe(s *slot, src, tag int) (code int32) {
	l := c.l
	return l.call(l.f.Iprobe, l.rank(src), l.tagged(tag), c.handle,
		uintptr(unsafe.Pointer(&s.flag)), uintptr(unsafe.Pointer(&s.status)))
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
	child, err := c.child(s, fmt.Sprintf("%s/%d", c.name, color), color)
	if err != nil {
		return nil, err
	}
	own := [4]byte(binary.LittleEndian.AppendUint32(nil, uint32(c.inWorld(c.rank))))
	all := make([]byte, len(own)*child.size)
	if err := child.Allgather(own[:], all); err != nil {
		return nil, err
	}
	child.members = make([]int32, child.size)
	for k := range child.members {
		child.members[k] = int32(binary.LittleEndian.Uint32(all[len(own)*k:]))
	}
	return child, nil
}

func (c *comm) Dup() (link.Link, error) {
	child, err := c.dup()
	if err != nil {
		return nil, err // and not a nil *comm in an interface
	}
	return child, nil
}

func (c *comm) dup() (*comm, error) {
	if err := c.Barrier(); err != nil {
		return nil, err
	}
	s := new(slot)
	if code := c.l.call(c.l.f.CommDup, c.handle, uintptr(unsafe.Pointer(&s.handle))); code != 0 {
		return nil, c.failed("Comm_dup", code)
	}
	child, err := c.child(s, c.name+"/dup", link.NoColor)
	if err != nil {
		return nil, err
	}
	child.members = c.members
	return child, nil
}

// child returns a communicator that was just made of c.
func (c *comm) child(s *slot, name string, color int) (*comm, error) {
	child, err := c.l.newComm(uintptr(s.handle), name)
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, []uint64{c.id, c.turn.Load(), uint64(color)})
	child.id = h.Sum64()
	c.l.keep(child)
	return child, nil
}

// inWorld returns the rank in the world of rank k.
func (c *comm) inWorld(k int) int {
	if c.members == nil {
		return k
	}
	return int(c.members[k])
}

// mostClosed is how many communicators that are closed a library keeps: others may still be in a
// collective that this rank has had its part in.
const mostClosed = 64

// keep adds a communicator to those that a rank tells of when it ends.
func (l *library) keep(c *comm) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.comms = append(l.comms, c)
	closed := 0
	for _, c := range l.comms {
		if c.closed.Load() {
			closed++
		}
	}
	if closed > mostClosed {
		k := slices.IndexFunc(l.comms, func(c *comm) bool { return c.closed.Load() })
		l.comms = slices.Delete(l.comms, k, k+1)
	}
}

// known returns those that keep has kept.
func (l *library) known() []*comm {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.comms)
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
