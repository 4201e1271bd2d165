package tools

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// All listeners are told, the last to begin is the first to end.
func TestListeners(t *testing.T) {
	var told []string
	listener := func(name string) Listener {
		return func(e Event) func(error) {
			told = append(told, name+" "+e.Label)
			return func(err error) { told = append(told, name+" ends") }
		}
	}
	stopA, stopB := Listen(listener("a")), Listen(listener("b"))
	deaf := Listen(func(Event) func(error) { return nil })
	assert.NoError(t, Do(Event{Label: "x"}, func() error {
		stopA() // and is told to the end
		return nil
	}))
	assert.NoError(t, Do(Event{Label: "y"}, func() error { return nil }))
	stopB()
	stopB()
	deaf()
	assert.False(t, On())
	assert.NoError(t, Do(Event{Label: "z"}, func() error { return nil }))
	assert.Equal(t, []string{"a x", "b x", "b ends", "a ends", "b y", "b ends"}, told)
}

// An event ends with what its function returns, or with ErrPanic.
func TestHowEventsEnd(t *testing.T) {
	var ends []error
	defer Listen(func(Event) func(error) { return func(err error) { ends = append(ends, err) } })()
	failure := errors.New("failure")
	assert.Equal(t, failure, Do(Event{}, func() error { return failure }))
	assert.PanicsWithValue(t, "stop", func() { _ = Do(Event{}, func() error { panic("stop") }) })
	assert.NoError(t, Do(Event{}, func() error { return nil }))
	assert.Equal(t, []error{failure, ErrPanic, nil}, ends)
}

// A region that ends late is left out of the path once those in it have ended.
func TestRegionsInAnyOrder(t *testing.T) {
	a, b, c := StartRegion("a"), StartRegion("b"), StartRegion("c")
	assert.Equal(t, "a/b/c", path())
	b()
	assert.Equal(t, "a/b/c", path())
	c()
	assert.Equal(t, "a", path())
	b()
	d := StartRegion("d")
	assert.Equal(t, "a/d", path())
	a()
	d()
	assert.Empty(t, path())
}

// The path has those that are open: it does not grow while one region begins before another one ends.
func TestRegionsThatOverlap(t *testing.T) {
	end := StartRegion("r")
	for range 100 {
		next := StartRegion("r")
		end()
		end = next
	}
	assert.Equal(t, "r/r", path())
	end()
	assert.Empty(t, path())
}

// What lies in a region that has not ended, or whose beginning nobody heard, is in the table all the same.
func TestTableOfRegionsNotMeasured(t *testing.T) {
	var table Table
	add := func(e Event, ms int) { table.add(e, time.Unix(0, 0), time.Duration(ms)*time.Millisecond, false) }
	add(Event{Kind: For, Label: "f", Space: "s", Region: "open/inner"}, 3)
	add(Event{Kind: Region, Label: "inner", Region: "open"}, 4)
	add(Event{Kind: For, Label: "g", Space: "s", Region: "a/b"}, 1)
	want := `
calls     ms  µs each    share  ns/item  GB/s  what
                                               region a/b, not measured
    1  1.000   1000.0   25.0 %                   for g on s
                                               region open, not measured
    1  4.000   4000.0  100.0 %                   region inner
    1  3.000   3000.0   75.0 %                     for f on s
`
	assert.Equal(t, want[1:], table.String())
	add(Event{Kind: Region, Label: "open"}, 4)
	add(Event{Kind: Region, Label: "a/b"}, 2)
	add(Event{Kind: Region, Label: "a"}, 2)
	add(Event{Kind: Region, Label: "b", Region: "a"}, 2)
	assert.NotContains(t, table.String(), "not measured")
	assert.Equal(t, 1, strings.Count(table.String(), "for g on s"), "the region a/b and b in a have one path")

	var heard Table
	before := StartRegion("before")
	defer Listen(heard.Listen)()
	assert.NoError(t, Do(Event{Kind: For}, func() error { return nil }))
	before()
	assert.Contains(t, heard.String(), "region before, not measured\n")
}

func TestTableOfRegions(t *testing.T) {
	var table Table
	at := time.Unix(0, 0)
	add := func(e Event, ms int, failed bool) {
		table.add(e, at, time.Duration(ms)*time.Millisecond, failed)
		at = at.Add(time.Duration(ms) * time.Millisecond)
	}
	add(Event{Kind: Fold, Label: "norm", Code: "cg.go:7", Space: "goroutines", Items: 1e6, Bytes: 8e6, Region: "solve"}, 1, false)
	add(Event{Kind: For, Code: "cg.go:9", Space: "goroutines", Items: 1e6, Region: "solve"}, 2, true)
	add(Event{Kind: For, Code: "cg.go:9", Space: "goroutines", Items: 1e6, Region: "solve"}, 2, false)
	table.add(Event{Kind: Region, Label: "solve"}, time.Unix(0, 0), 5*time.Millisecond, false)
	add(Event{Kind: Allocation, Label: `"x" [10]`, Space: "host", Bytes: 8e7}, 14, false)
	add(Event{Kind: Fold, Space: "serial", Items: 1e6}, 1, false)
	assert.Equal(t, strings.TrimPrefix(`
calls      ms  µs each   share  ns/item  GB/s  what
    1  14.000  14000.0  70.0 %                 allocation "x" [10] in host, 80 MB
    1   5.000   5000.0  25.0 %                 region solve
    2   4.000   2000.0  20.0 %        2          for cg.go:9 on goroutines, 1 failed
    1   1.000   1000.0   5.0 %        1     8    fold norm (cg.go:7) on goroutines
    1   1.000   1000.0   5.0 %        1        fold on serial
`, "\n"), table.String())
}

// What a trace file says of events is what the table has without it.
func TestTraceFile(t *testing.T) {
	var file strings.Builder
	stop := Listen(WriteTrace(&file, func(err error) { t.Error(err) }))
	outer := StartRegion(`a "b"`)
	assert.NoError(t, Do(Event{Kind: Copy, Label: "x to y", From: "here", Space: "there", Bytes: 80}, func() error {
		return Do(Event{Kind: For, Code: "x.go:1", Policy: "p", Space: "s", Items: 10}, func() error { return nil })
	}))
	assert.Error(t, Do(Event{Kind: Scan, Label: "ended\n"}, func() error { return errors.New("broken") }))
	outer()
	stop()
	var table Table
	require.NoError(t, table.ReadTrace(strings.NewReader(file.String())))
	var keys []Event
	for key, r := range table.rows {
		keys = append(keys, key)
		assert.Equal(t, 1, r.calls)
		assert.Equal(t, key.Kind == Scan, r.failed == 1)
	}
	assert.ElementsMatch(t, []Event{
		{Kind: Region, Label: `a "b"`},
		{Kind: Copy, Label: "x to y", From: "here", Space: "there", Region: `a "b"`},
		{Kind: For, Code: "x.go:1", Policy: "p", Space: "s", Region: `a "b"`},
		{Kind: Scan, Label: "ended\n", Region: `a "b"`},
	}, keys)
	assert.Contains(t, file.String(), `"tid":3`, "a launch in a copy in a region is drawn below both")

	cut := file.String()[:file.Len()-9]
	assert.NoError(t, new(Table).ReadTrace(strings.NewReader(cut)), "the program was killed")
	lines := strings.SplitAfter(file.String(), "\n")
	assert.ErrorContains(t, new(Table).ReadTrace(strings.NewReader(lines[0]+"{\n"+lines[1])), "line 2 of the trace")
	assert.ErrorContains(t, new(Table).ReadTrace(strings.NewReader(`{"cat":"fro"}`+"\n"+lines[1])), `kind "fro", expected one of for, reduce`)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTraceOfFullDisk(t *testing.T) {
	var reported []error
	defer Listen(WriteTrace(full{}, func(err error) { reported = append(reported, err) }))()
	for range 3 {
		assert.NoError(t, Do(Event{}, func() error { return nil }))
	}
	require.Len(t, reported, 1)
	assert.EqualError(t, reported[0], "tools: the trace ends here: no space left")
}

// Goroutines may begin and end events, regions and listening at one time.
func TestListenersAtOneTime(t *testing.T) {
	var table Table
	var file strings.Builder
	defer Listen(table.Listen)()
	defer Listen(WriteTrace(&file, func(err error) { t.Error(err) }))()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				end := StartRegion("r")
				_ = Do(Event{Kind: For}, func() error { return nil })
				end()
				Listen(func(Event) func(error) { return nil })()
			}
		})
	}
	all.Wait()
	assert.NoError(t, new(Table).ReadTrace(strings.NewReader(file.String())))
	assert.Empty(t, path())
	assert.Equal(t, 8*400, strings.Count(file.String(), "\n"))
}

func TestEnvironment(t *testing.T) {
	assert.ErrorContains(t, fromEnvironment("table"), `GOKKOS_TOOLS is "table", where "table" is no option or one too many, expected labels, trace=FILE, or both`)
	assert.ErrorContains(t, fromEnvironment("trace="), "or both with a comma; nothing is traced")
	assert.ErrorContains(t, fromEnvironment("trace="+filepath.Join(t.TempDir(), "none", "x")), "no such file")
}
