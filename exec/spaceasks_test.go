package exec_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// touchy is a sum that panics in one of its methods.
type touchy struct {
	reducers.Base[int]
	in string
}

func (r touchy) trip(in string) {
	if r.in == in {
		panic("touchy " + in)
	}
}

func (touchy) Join(dst, src *int) { *dst += *src }

func (touchy) AddValues(lanes []int, _ int, x []int) {
	for k, v := range x {
		lanes[k%len(lanes)] += v
	}
}

func (r touchy) Fold() reducers.Fold[int] { return reducers.NewFold[int, int](r, nil) }

func (r touchy) Operation() concept.Operation {
	r.trip("Operation")
	return concept.Operation{Join: concept.OpSum}
}

func (r touchy) AppendValue(buf []byte, val *int) ([]byte, error) {
	r.trip("AppendValue")
	return append(buf, byte(*val)), nil
}

func (r touchy) SetValue(val *int, data []byte) ([]byte, error) {
	r.trip("SetValue")
	*val = int(data[0])
	return data[1:], nil
}

// formed is a touchy reducer that is made of others.
type formed struct{ touchy }

func (r formed) Fold() reducers.Fold[int] { return reducers.NewFold[int, int](r, nil) }

func (r formed) Form() concept.Form[int] {
	r.trip("Form")
	return concept.FormOf(reducers.Reducer[int](r.touchy))
}

// asking is a space that asks a job before it runs it, or does other things with it.
type asking struct {
	exec.Serial
	ask func(g space.Grid, j space.Job)
}

func (s asking) Launch(g space.Grid, j space.Job) error {
	s.ask(g, j)
	return nil
}

// nameless says nothing of its items, and panics when it is asked.
type nameless struct{ policy.RangePolicy }

func (nameless) String() string { panic("touchy String") }

// What a reducer or a policy panics with when a space has it asked is the launch's panic.
func TestPanicsOfReducersThatSpacesAsk(t *testing.T) {
	ran := func(g space.Grid, j space.Job) {
		j.Open(1, 1)
		j.Run(0, 0, g.Leaves, 0)
	}
	fingerprint := func(t *testing.T, j space.Job, failed bool) {
		text, err := j.(ranks.Carrier).AppendFingerprint(nil)
		if failed {
			require.ErrorIs(t, err, ranks.ErrFailed)
			require.Empty(t, text)
			return
		}
		require.NoError(t, err)
	}
	asks := map[string]func(t *testing.T, g space.Grid, j space.Job){
		"Fingerprint": func(t *testing.T, g space.Grid, j space.Job) { fingerprint(t, j, true); ran(g, j) },
		"Fold": func(t *testing.T, g space.Grid, j space.Job) {
			_, ok := j.(device.Job).Fold()
			require.False(t, ok)
			ran(g, j)
		},
		"Functor": func(t *testing.T, g space.Grid, j space.Job) {
			require.Empty(t, j.(device.Job).Functor().Columns)
			ran(g, j)
		},
		"AppendNode": func(t *testing.T, g space.Grid, j space.Job) {
			fingerprint(t, j, false)
			ran(g, j)
			buf, err := j.(ranks.Carrier).AppendNode([]byte("before"), 0, 0, g.Leaves)
			require.ErrorIs(t, err, ranks.ErrFailed)
			require.Equal(t, "before", string(buf))
		},
		"SetNode": func(t *testing.T, g space.Grid, j space.Job) {
			fingerprint(t, j, false)
			j.Open(1, 1)
			require.ErrorIs(t, j.(ranks.Carrier).SetNode(0, 0, g.Leaves, []byte{1, 1}), ranks.ErrFailed)
			_, err := j.(ranks.Carrier).AppendNode(nil, 0, 0, g.Leaves)
			require.ErrorIs(t, err, ranks.ErrFailed, "there is no node")
		},
		"Accept": func(t *testing.T, g space.Grid, j space.Job) {
			j.(device.Job).Functor()
			j.Open(1, 1)
			require.False(t, j.(device.Job).Accept(0, 0, g.Leaves, 0, []byte{1}))
		},
	}
	var result int
	launches := map[string]func(p policy.RangePolicy, in string) error{
		"reduce": func(p policy.RangePolicy, in string) error {
			return exec.ParallelReduce(p, func(_ int, acc *int) { *acc++ }, formed{touchy{reducers.Into(&result), in}})
		},
		"reduce by a modified": func(p policy.RangePolicy, in string) error {
			return exec.ParallelReduce(p, func(_ int, acc *int) { *acc++ }, reducers.Exact[int](formed{touchy{reducers.Into(&result), in}}))
		},
		"fold": func(p policy.RangePolicy, in string) error {
			return exec.ParallelFold(exec.Slice(p, make([]int, 20)), formed{touchy{reducers.Into(&result), in}})
		},
		"scan": func(p policy.RangePolicy, in string) error {
			return exec.ParallelScan(p, func(_ int, acc *int, _ bool) { *acc++ }, formed{touchy{reducers.Into(&result), in}})
		},
		"policy": func(p policy.RangePolicy, _ string) error {
			return exec.ParallelReduce(nameless{p}, func(_ int, acc *int) { *acc++ }, touchy{reducers.Into(&result), ""})
		},
	}
	for _, c := range []struct{ launch, asked, in string }{
		{"reduce", "Fingerprint", "Form"}, {"reduce by a modified", "Fingerprint", "Form"}, {"fold", "Fingerprint", "Form"}, {"scan", "Fingerprint", "Form"},
		{"policy", "Fingerprint", "String"},
		{"reduce", "Functor", "Form"}, {"reduce", "Functor", "Operation"}, {"reduce by a modified", "Functor", "Operation"},
		{"fold", "Fold", "Form"}, {"fold", "Fold", "Operation"},
		{"reduce", "AppendNode", "AppendValue"}, {"fold", "AppendNode", "AppendValue"}, {"scan", "AppendNode", "AppendValue"},
		{"reduce", "SetNode", "SetValue"}, {"fold", "SetNode", "SetValue"}, {"scan", "SetNode", "SetValue"},
		{"reduce", "Accept", "SetValue"},
	} {
		t.Run(c.launch+"/"+c.asked+"/"+c.in, func(t *testing.T) {
			result = 7
			on := asking{ask: func(g space.Grid, j space.Job) { asks[c.asked](t, g, j) }}
			defer func() {
				p, ok := recover().(*exec.Panic)
				require.True(t, ok, "the launch panics")
				assert.Equal(t, "touchy "+c.in, p.Value)
				assert.Equal(t, []any{0, 10, "asked"}, []any{p.Begin, p.End, p.Label})
				assert.Regexp(t, `touchy\.trip|nameless\.String`, string(p.Stack), "the stack is the reducer's")
				assert.Equal(t, 7, result)
			}()
			_ = launches[c.launch](policy.Range(0, 10).Chunk(4).On(on).WithLabel("asked"), c.in)
			t.Error("no panic")
		})
	}
}

// folded is a space that asks for the functor of a fold, and for its values.
type folded struct {
	exec.Serial
	functor device.Functor
	fold    bool
}

func (s *folded) Launch(g space.Grid, j space.Job) error {
	s.functor = j.(device.Job).Functor()
	_, s.fold = j.(device.Job).Fold()
	return s.Serial.Launch(g, j)
}

// A fold of a function has that as its functor, and neither a box nor values in memory.
func TestFunctorOfAFold(t *testing.T) {
	s, f, sum := new(folded), func(i policy.Index2) int { return i.I + i.J }, 0
	p := policy.MDRange2([2]int{}, [2]int{3, 4}).On(s)
	require.NoError(t, exec.ParallelFold(exec.Map(p, f), builtin.Sum(&sum)))
	assert.Equal(t, 30, sum)
	assert.Equal(t, reflect.ValueOf(f).Pointer(), reflect.ValueOf(s.functor.Func).Pointer())
	assert.Nil(t, s.functor.Box)
	assert.False(t, s.fold)
}
