package launch

import (
	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/internal/laws"
)

// A watched launch keeps samples of its partial results. When it is over, BrokenLaws checks the laws of its
// reducers on them.

// Watchable is a job that a device can watch.
type Watchable interface {
	IsWatched() bool // the functor reports which item runs
	BrokenLaws() []findings.Finding
}

func (j *Job) IsWatched() bool { return j.watched }

// sampler returns the sampler of a column, made at the first call.
func (j *Job) sampler(column int) *laws.Sampler {
	if j.samples == nil {
		j.samples = make(samples, len(j.Columns))
	}
	if j.samples[column] == nil {
		j.samples[column] = j.Columns[column].Sampler()
	}
	return j.samples[column]
}

// BrokenLaws returns the laws that reducers of the launch have broken.
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

var _ Watchable = (*Job)(nil)
