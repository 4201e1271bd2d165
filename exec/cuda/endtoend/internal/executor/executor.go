//go:build linux && (amd64 || arm64)

// Package executor opens cards whose launches the machine for PTX executes, for tests.
package executor

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/standin"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
)

// An Executor runs launches on the machine. Its zero value is ready.
type Executor struct {
	Launches uint64           // so far
	Count    map[string]int   // of instructions that threads have run, or nil
	Few      bool             // folds have fewer blocks than they are launched with
	Cards    int              // of one space, which have parts of small views; 0 is one card alone
	Library  *standin.Library // of the space that is open

	modules map[string]*machine.Module // by text
}

// Open returns a space whose kernels the machine executes, as they are written. The test closes it at its end.
func (e *Executor) Open(t *testing.T) *cuda.Space {
	lib := standin.Get(t)
	e.Library = lib
	lib.RunBy(func(l standin.Launch) error {
		err := e.execute(l)
		if err != nil {
			t.Error(err)
		}
		return err
	})
	require.NoError(t, os.Setenv(driver.Variable, lib.Path))
	s, err := e.open(t, lib)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		lib.RunBy(nil)
	})
	return s
}

func (e *Executor) open(t *testing.T, lib *standin.Library) (*cuda.Space, error) {
	if e.Cards == 0 {
		return cuda.Open(0)
	}
	lib.Devices(int32(e.Cards))
	lib.Grain(4096)
	part, shared := driver.LeastPart, driver.LeastShared
	driver.LeastPart, driver.LeastShared = 1, 1
	t.Cleanup(func() { driver.LeastPart, driver.LeastShared = part, shared })
	return cuda.Together()
}

func (e *Executor) execute(l standin.Launch) error {
	m := e.modules[l.Text]
	if m == nil {
		var err error
		if m, err = machine.Parse(l.Text); err != nil {
			return err
		}
		if e.modules == nil {
			e.modules = map[string]*machine.Module{}
		}
		e.modules[l.Text] = m
	}
	mem := &machine.Memory{}
	for _, r := range l.Memory {
		mem.MapAt(r.At, r.Bytes)
	}
	e.Launches++
	if e.Few && l.Entry == "gokkos_fold" {
		l.Blocks = 1 + l.Blocks/5
	}
	return m.Run(mem, machine.Launch{Entry: l.Entry, Blocks: l.Blocks, Threads: l.Threads, Shared: l.Shared, Params: l.Params, Seed: e.Launches, Count: e.Count})
}
