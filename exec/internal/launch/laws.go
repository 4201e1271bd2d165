package launch

import (
	"reflect"

	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
)

// A launch that is watched keeps some of its partial results, and checks the laws of its reducers on
// these when it is over.

// Watchable is a job that a device can watch.
type Watchable interface {
	IsWatched() bool // the launch says which item runs
	BrokenLaws() []findings.Finding
}

func (j *Job) IsWatched() bool { return j.watched }

// samples are of the columns of a launch, nil where nothing was joined.
type samples []*laws.Sampler

// sampler returns the sampler of a column.
func (j *Job) sampler(column int) *laws.Sampler {
	if j.samples == nil {
		j.samples = make(samples, len(j.Columns))
	}
	if j.samples[column] == nil {
		j.samples[column] = j.Columns[column].Sampler()
	}
	return j.samples[column]
}

// BrokenLaws returns what reducers of the launch do not keep.
func (j *Job) BrokenLaws() (found []findings.Finding) {
	for _, s := range j.samples {
		if s == nil {
			continue
		}
		for _, b := range s.Check() {
			found = append(found, findings.Finding{
				Err:   findings.ErrLaw,
				Now:   findings.Access{By: "reducer " + b.Reducer, Does: "joins", File: b.File, Line: b.Line, Function: b.Function},
				Law:   b.Law,
				Count: 1, Values: b.Values,
				Do: "see package reducertest, whose Check is for tests of reducers, for what a reducer promises",
			})
		}
	}
	return found
}

// protect says of the result places of a launch that functors may not touch them.
func protect(columns []Column) {
	for _, c := range columns {
		reduce.EachRegion([]any{c.Place()}, func(begin, end uintptr) { watch.Result(begin, end-begin) })
		v := reflect.ValueOf(c.Place())
		if v.Kind() != reflect.Pointer || v.IsNil() {
			continue
		}
		if e := v.Elem(); e.Kind() == reflect.Slice && e.Len() > 0 {
			watch.Result(e.Pointer(), uintptr(e.Len())*e.Type().Elem().Size())
		}
	}
}

var _ Watchable = (*Job)(nil)
