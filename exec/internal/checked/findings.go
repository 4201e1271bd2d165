package checked

import (
	"cmp"
	"fmt"
	"slices"

	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/watch"
)

// This file turns findings of package watch into a [check.Error].

// maxFindings is the most findings that an error lists.
const maxFindings = 20

// LaunchText returns the name of a launch for messages.
func LaunchText(r *gpu.Report) string {
	what := "a launch"
	if r.Label != "" {
		what = fmt.Sprintf("launch %q", r.Label)
	}
	return fmt.Sprintf("%s on %s, schedule %d", what, r.Device, r.Seed)
}

// Error returns the findings of a launch and the broken laws of its reducers as an error, or nil if
// there are none.
func Error(found []*watch.Finding, broken []findings.Finding, launch string) error {
	if len(found)+len(broken) == 0 {
		return nil
	}
	e := &findings.Error{Launch: launch}
	slices.SortStableFunc(found, func(a, b *watch.Finding) int {
		a1, a2 := linesOf(a)
		b1, b2 := linesOf(b)
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), a1.compare(b1), a2.compare(b2))
	})
	var last *watch.Finding
	for _, f := range found {
		switch {
		case last != nil && sameLines(last, f):
			if n := len(e.Findings); e.More == 0 {
				e.Findings[n-1].Count += f.Count
				if bothWrite(f) { // so each adds to what is there
					e.Findings[n-1].Do = remedy(f)
				}
			}
			continue
		case len(e.Findings) == maxFindings:
			e.More++
		default:
			e.Findings = append(e.Findings, findingOf(f))
		}
		last = f
	}
	left := min(len(broken), maxFindings-len(e.Findings))
	e.Findings = append(e.Findings, broken[:left]...)
	e.More += len(broken) - left
	return e
}

// A line is a place in the source.
type line struct {
	file string
	line int
}

func (a line) compare(b line) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
}

// linesOf returns the lines of a finding in ascending order, because the order of two accesses depends
// on the schedule.
func linesOf(f *watch.Finding) (low, high line) {
	now, before := line{f.Now.File, f.Now.Line}, line{f.Before.File, f.Before.Line}
	if before.file == "" || now.compare(before) <= 0 {
		return now, before
	}
	return before, now
}

// sameLines reports whether two findings count as one, such as the read and the write of x[i]++.
func sameLines(a, b *watch.Finding) bool {
	a1, a2 := linesOf(a)
	b1, b2 := linesOf(b)
	return a.Kind == b.Kind && a1 == b1 && a2 == b2
}

// kinds are the errors of findings, by their kind in package watch.
var kinds = [...]error{
	watch.Race: findings.ErrRace, watch.Uninitialised: findings.ErrUninitialised, watch.OwnResult: findings.ErrResult,
	watch.Accumulator: findings.ErrAccumulator, watch.WriteInSums: findings.ErrScan, watch.Host: findings.ErrHost, watch.Side: findings.ErrSide,
	watch.Stale: findings.ErrMirror, watch.HostMemory: findings.ErrMemory,
}

func bothWrite(f *watch.Finding) bool { return f.Now.Write && f.Before.Write }

func findingOf(f *watch.Finding) findings.Finding {
	first := f.Pairs[0]
	c := findings.Finding{Err: kinds[f.Kind], Now: accessOf(f.Now, first.Now), Place: placeOf(first), Count: f.Count, Do: remedy(f)}
	two := f.Before.File != ""
	if two {
		c.Before = accessOf(f.Before, first.Before)
	}
	for _, p := range f.Pairs[1:] {
		other := threadText(p.Now)
		if two {
			other += " and " + threadText(p.Before)
		}
		c.Others = append(c.Others, other)
	}
	return c
}

// placeOf returns the name of the memory that the accesses of a pair touch, if known.
func placeOf(p watch.Pair) string {
	if p.Scratch >= 0 {
		return fmt.Sprintf("byte %d of the scratch memory of level %d", p.Byte, p.Scratch)
	}
	if p.Place != "" {
		return p.Place
	}
	return watch.ViewAt(p.Addr)
}

func accessOf(a watch.Access, by watch.Thread) findings.Access {
	does := "reads"
	switch {
	case a.Atomic:
		does = "updates"
	case a.Write:
		does = "writes"
	}
	c := findings.Access{By: threadText(by), Does: does, File: a.File, Line: a.Line, Function: a.Function}
	if by.Passed.File != "" {
		c.After = findings.Call(by.Passed)
	}
	if by.Next.File != "" {
		c.Before = findings.Call(by.Next)
	}
	return c
}

func threadText(t watch.Thread) string {
	switch {
	case t.Item != "":
		return t.Item
	case t.Team < 0:
		return "the host"
	case t.Vector >= 0:
		return fmt.Sprintf("team %d, member %d of sub-group %d, vector lane %d", t.Team, t.Member, t.SubGroup, t.Vector)
	}
	return fmt.Sprintf("team %d, member %d of sub-group %d", t.Team, t.Member, t.SubGroup)
}

// remedy returns advice on how to remove a finding.
func remedy(f *watch.Finding) string {
	switch f.Kind {
	case watch.Uninitialised:
		return "write the memory first, and let a barrier follow if another member does"
	case watch.OwnResult:
		return "join into the accumulator; the result is there when the launch has returned"
	case watch.Accumulator:
		return "join into the accumulator that the call was given, and keep no pointer to it"
	case watch.WriteInSums:
		return "write only where final is true"
	case watch.Host:
		return "let the host wait until the launch has returned"
	case watch.Stale:
		return "copy it with views.DeepCopy before it is read"
	case watch.HostMemory:
		return "put it into a view in the memory of the device, with views.MirrorCopy, or let the functor capture a copy of at most 128 bytes"
	case watch.Side:
		return "copy it with views.MirrorCopy or views.DeepCopy, and keep no slice or pointer of it beyond the launch"
	}
	now, before := f.Pairs[0].Now, f.Pairs[0].Before
	switch {
	case f.Now.Atomic || f.Before.Atomic:
		return "make both accesses atomic, or put a barrier or the end of the launch between them"
	case now.Team >= 0 && now.Team == before.Team && now.Member == before.Member:
		return "let each vector lane write memory of its own, or reduce over the lanes with team.Reduce"
	case now.Team >= 0 && now.Team == before.Team && bothWrite(f) && f.Now == f.Before:
		return "give each member memory of its own, or reduce over the team with team.Reduce"
	case now.Team >= 0 && now.Team == before.Team:
		return "put a Barrier of the team between the two"
	case bothWrite(f):
		return "give each its own memory, or use a reducer or package atomics"
	}
	return "write to memory that no other one reads, or split the launch in two"
}
