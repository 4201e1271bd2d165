//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"slices"
	"time"
	"unsafe"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
)

// A watch hears and tells which ranks have ended, beside what the rank does. News travel along a binary
// tree of ranks, so that a rank has three connections for them, however many ranks there are. Ranks that
// end at one time send none.
type watch struct {
	l          *library
	c          *comm // which nothing else uses
	news       news  // c, but in tests
	neighbours []int // in the tree
	out        [][]byte
	sends      []link.Request
	farewells  int  // of neighbours that will send no more
	leaving    bool // all ranks have ended: news are of no use, and neighbours may be gone

	ended chan struct{} // closed when this rank has ended
	over  chan struct{} // closed when all have
	done  chan error    // of the watch
}

// news carries messages between the watches of ranks, as a communicator does.
type news interface {
	look(src, tag int) (status link.Status, found bool, err error)
	Recv(src, tag int, b []byte) (link.Status, error)
	Isend(dst, tag int, b []byte) (link.Request, error)
}

// watch begins the watch with a communicator of all ranks.
func (l *library) watch(c *comm) *watch {
	c.quiet = true
	w := &watch{l: l, c: c, news: c, neighbours: neighbours(c.rank, c.size)}
	w.ended, w.over, w.done = make(chan struct{}), make(chan struct{}), make(chan error, 1)
	w.out = make([][]byte, len(w.neighbours))
	go func() { w.done <- w.run() }()
	return w
}

// neighbours returns the ranks above and below one in the tree.
func neighbours(rank, size int) (all []int) {
	if rank > 0 {
		all = append(all, (rank-1)/2)
	}
	for k := 2*rank + 1; k <= 2*rank+2 && k < size; k++ {
		all = append(all, k)
	}
	return all
}

// run looks until all ranks have ended, and then hears all that is on its way.
func (w *watch) run() error {
	said, ended := 0, w.ended
	for {
		select {
		case <-w.over:
			return w.leave()
		case <-ended:
			ended, said = nil, 1
			continue
		case <-time.After(tuning.Pulse):
		}
		if said > 0 {
			if said++; said == 3 { // a whole pulse has passed: others may still go on
				w.tell(appendEnding(nil, w.c.rank, w.l.known()), -1)
			}
		}
		w.l.endings.pulse.Add(1)
		if err := w.step(); err != nil {
			return err
		}
		if c, why := w.l.endings.first(); why != nil {
			c.Abort(1, why.Error())
		}
	}
}

// step receives what has come, and sends it on.
func (w *watch) step() error {
	for {
		s, found, err := w.news.look(link.AnySource, link.AnyTag)
		if err != nil {
			return err
		}
		if !found {
			break
		}
		message := make([]byte, s.Bytes)
		if _, err := w.news.Recv(s.Source, s.Tag, message); err != nil {
			return err
		}
		if len(message) == 0 {
			w.farewells++
			continue
		}
		if !w.leaving {
			w.l.endings.learn(message)
			w.tell(message, s.Source)
		}
	}
	for k, rank := range w.neighbours {
		if len(w.out[k]) > 0 && !w.leaving {
			if err := w.send(rank, w.out[k]); err != nil {
				return err
			}
			w.out[k] = nil
		}
	}
	var failed error
	w.sends = slices.DeleteFunc(w.sends, func(r link.Request) bool {
		done, _, err := r.Test()
		if err != nil {
			failed = err
		}
		return done
	})
	return failed
}

// tell lets neighbours know what a message says, but the one that it is of.
func (w *watch) tell(message []byte, source int) {
	for k, rank := range w.neighbours {
		if rank != source {
			w.out[k] = append(w.out[k], message...)
		}
	}
}

func (w *watch) send(rank int, message []byte) error {
	r, err := w.news.Isend(rank, 0, message)
	if err == nil {
		w.sends = append(w.sends, r)
	}
	return err
}

// leave tells neighbours that no more comes, and waits until they have said so.
func (w *watch) leave() error {
	w.leaving = true
	for _, rank := range w.neighbours {
		if err := w.send(rank, nil); err != nil {
			return err
		}
	}
	for n := 0; w.farewells < len(w.neighbours) || len(w.sends) > 0; n++ {
		if err := w.step(); err != nil {
			return err
		}
		rest(n)
	}
	return nil
}

// finish says that this rank has ended, and waits for all others.
func (w *watch) finish() error {
	close(w.ended)
	s := new(slot)
	code := w.l.call(w.l.f.Barrier.begin, w.c.handle, uintptr(unsafe.Pointer(&s.handle)))
	if code == 0 {
		code = w.l.complete(s)
	}
	if code != 0 {
		return w.c.failed("Finalize", code)
	}
	close(w.over)
	return <-w.done
}
