package moments

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// terminal is where phases show how far they are. Without a writer they do not.
type terminal struct {
	w     io.Writer
	every time.Duration
}

// newTerminal returns the terminal that w is, or one that shows nothing: a log
// file has no use for a line that keeps changing.
func newTerminal(w io.Writer) *terminal {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &terminal{w, 100 * time.Millisecond}
		}
	}
	return &terminal{}
}

// phase is a part of the run that may take long. A nil phase counts nothing.
type phase struct {
	done  atomic.Int64
	total int
	stop  chan struct{}
	ended sync.WaitGroup
}

// begin begins a phase with that many things to do, and shows it until its end.
func (t *terminal) begin(name string, total int) *phase {
	ph := &phase{total: total, stop: make(chan struct{})}
	if t.w != nil {
		ph.ended.Go(func() { ph.show(t, name) })
	}
	return ph
}

// add counts things done. Any goroutine may call it.
func (ph *phase) add(n int) {
	if ph != nil {
		ph.done.Add(int64(n))
	}
}

// end ends the phase, and returns when its line is gone.
func (ph *phase) end() {
	close(ph.stop)
	ph.ended.Wait()
}

// show updates the line. It writes nothing for a phase that ends at once.
func (ph *phase) show(t *terminal, name string) {
	const clear = "\r\x1b[K"
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	shown := false
	for {
		select {
		case <-tick.C:
			fmt.Fprintf(t.w, "%s%s %.0f %%", clear, name, 100*float64(ph.done.Load())/float64(ph.total))
			shown = true
		case <-ph.stop:
			if shown {
				fmt.Fprint(t.w, clear)
			}
			return
		}
	}
}

// pieceItems is the number of items between two looks at the context: about a
// hundredth of a second of work.
const pieceItems = 1 << 20

// pieces calls f for [0, n), piece by piece, until the context is done.
func pieces(ctx context.Context, n int, ph *phase, f func(begin, end int)) error {
	for begin := 0; begin < n; begin += pieceItems {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		end := min(begin+pieceItems, n)
		f(begin, end)
		ph.add(end - begin)
	}
	return nil
}
