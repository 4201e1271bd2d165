package exec

import (
	"reflect"

	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/internal/laws"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
)

// A launch that is watched keeps some of its partial results, and checks the laws of its reducers on
// these when it is over.

// watchable is a job that a device can watch.
type watchable interface {
	isWatched() bool // the launch says which item runs
	brokenLaws() []findings.Finding
}

func (j *job) isWatched() bool { return j.watched }

// samples are of the columns of a launch, nil where nothing was joined.
type samples []*laws.Sampler

// sampler returns the sampler of a column.
func (j *job) sampler(column int) *laws.Sampler {
	if j.samples == nil {
		j.samples = make(samples, len(j.columns))
	}
	if j.samples[column] == nil {
		j.samples[column] = j.columns[column].Sampler()
	}
	return j.samples[column]
}

// brokenLaws returns what reducers of the launch do not keep.
func (j *job) brokenLaws() (found []findings.Finding) {
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
func protect(columns []column) {
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
