package cuda

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/kernel"
)

// codes are what a device has made of texts, each of which it compiles once.
type codes struct {
	mu     sync.Mutex
	loaded map[any]*code // by *kernel.Text or copyKey
}

// A code is a text that is loaded, or why it cannot be.
type code struct {
	once   sync.Once
	err    error
	module *driver.Module
	entry  driver.Function
	points driver.Function // of rows whose points may be rows
	plain  driver.Function // of boxes of one tile
	lanes  driver.Function // of teams: members of several vector lanes
	nodes  driver.Function // of scans: what joins leaves, and of teams: what joins their values
	items  driver.Function // of scans: another way through items
	pace   pace
}

// of returns the code of a key, to be loaded by the caller who gets there first.
func (c *codes) of(key any, load func(*code) error) (*code, error) {
	c.mu.Lock()
	if c.loaded == nil {
		c.loaded = map[any]*code{}
	}
	x := c.loaded[key]
	if x == nil {
		x = &code{}
		c.loaded[key] = x
	}
	c.mu.Unlock()
	x.once.Do(func() { x.err = load(x) })
	if x.err != nil { // it may be for want of memory: the next launch tries again
		c.mu.Lock()
		if c.loaded[key] == x {
			delete(c.loaded, key)
		}
		c.mu.Unlock()
	}
	return x, x.err
}

// function returns the kernel that copies.
func (c *codes) function(d *driver.Device, key copyKey) (driver.Function, error) {
	x, err := c.of(key, func(x *code) error { return x.load(d, key.text(), entries{entry: key.entry()}) })
	return x.entry, err
}

// kernel returns the code of a text.
func (c *codes) kernel(d *driver.Device, t *kernel.Text) (*code, error) {
	points := ""
	if t.Rows != nil {
		points = t.Rows.Points
	}
	x, err := c.of(t, func(x *code) error {
		return x.load(d, t.PTX, entries{entry: t.Entry, points: points, plain: t.Plain, lanes: t.Lanes, nodes: t.Join})
	})
	if err != nil {
		return nil, fmt.Errorf("the kernel %s (%s:%d): %w", t.Source.Name, t.Source.File, t.Source.Line, err)
	}
	return x, nil
}

// entries are the names of what a text is launched by: entry, and what else there is, or "".
type entries struct{ entry, points, plain, lanes, nodes, items string }

// load loads a text with its entries.
func (x *code) load(d *driver.Device, text string, names entries) (err error) {
	if x.module, err = d.Load(text); err != nil {
		return err
	}
	for _, e := range []struct {
		name string
		to   *driver.Function
	}{{names.entry, &x.entry}, {names.points, &x.points}, {names.plain, &x.plain}, {names.lanes, &x.lanes}, {names.nodes, &x.nodes}, {names.items, &x.items}} {
		if e.name == "" {
			continue
		}
		if *e.to, err = x.module.Function(e.name); err != nil {
			return errors.Join(err, x.module.Close())
		}
	}
	return nil
}

func (c *codes) close() error {
	var failures []error
	for _, x := range c.loaded {
		failures = append(failures, x.module.Close())
	}
	c.loaded = nil
	return errors.Join(failures...)
}

// blockThreads is the number of threads of a block: enough of them are on a processor at a time, with as many
// registers as kernels want.
const blockThreads = 256

// launch runs a function with at least so many threads, and run waits for it.
func launch(q *queue, f driver.Function, threads int, parameters []uint64) error {
	blocks, err := blocksOf(threads, blockThreads)
	if blocks == 0 || err != nil {
		return err
	}
	return q.Launch(f, blocks, blockThreads, 0, q.host[argumentsAt:], parameters)
}

func run(q *queue, f driver.Function, threads, block int, parameters []uint64) error {
	blocks, err := blocksOf(threads, block)
	if blocks == 0 || err != nil {
		return err
	}
	return q.Run(f, blocks, block, 0, q.host[argumentsAt:], parameters)
}

// blocksOf returns how many blocks have so many threads.
func blocksOf(threads, block int) (int, error) {
	if threads == 0 {
		return 0, nil
	}
	blocks := (threads-1)/block + 1
	if blocks > math.MaxInt32 {
		return 0, fmt.Errorf("cuda: a launch of %d threads, expected up to %d", threads, math.MaxInt32*block)
	}
	return blocks, nil
}
