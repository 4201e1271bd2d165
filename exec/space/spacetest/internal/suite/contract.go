package suite

import (
	"strings"
	"time"

	"github.com/gokkos/gokkos/exec"
)

func contractCases() []Case {
	return []Case{
		// An empty name or no workers: messages and partitions go wrong.
		{"contract/identity", identity},
		// Open left out for an empty grid, called twice, or called after Run.
		{"contract/open", rule("open")},
		// The first or last leaf forgotten, a leaf claimed by two workers.
		{"contract/leaves", rule("leaves")},
		// One number for two workers that run at one time: they share lanes.
		{"contract/workers", rule("workers")},
		// Fewer slots opened than used, a partial result overwritten.
		{"contract/slots", rule("slots")},
		// Joined in order of arrival, backwards or from left to right: the bits
		// of a floating-point sum depend on the space.
		{"contract/tree", rule("tree")},
		// The last joins forgotten, or the root in the slot of its last worker.
		{"contract/root", rule("root")},
		// Launch does not wait for all: results are read while they are written.
		{"contract/return", returns},
		// An error invented for a job that was run.
		{"contract/error", rule("error")},
		// A false ignored, or taken for a reason to leave out leaves below it,
		// where a panic with a better claim to be reported may be.
		{"contract/refused", refused},
	}
}

func identity(t *report, s exec.Space) {
	if strings.TrimSpace(s.Name()) == "" {
		t.errorf("Name is %q, expected a name", s.Name())
	}
	if s.Concurrency() < 1 {
		t.errorf("Concurrency is %d, expected at least 1", s.Concurrency())
	}
}

// leafCounts are those at which trees go wrong, and every small one.
func leafCounts() (counts []int) {
	for n := range 71 {
		counts = append(counts, n)
	}
	return append(counts, 127, 128, 129, 1000, 4096)
}

// rule returns a case that launches every leaf count and looks for breaches of
// one rule, so that the name of the case says what is wrong.
func rule(name string) func(*report, exec.Space) {
	return func(t *report, s exec.Space) {
		for _, leaves := range leafCounts() {
			expect(t, traced(s, leaves, false), name)
		}
		for _, leaves := range []int{2, 7, 16} {
			expect(t, traced(s, leaves, true), name)
		}
	}
}

// expect ends the case if there were breaches of the rule.
func expect(t *report, tr *trace, rule string) {
	if breaches := tr.found(rule); len(breaches) > 0 {
		t.fatalf("%s", strings.Join(breaches[:min(len(breaches), maxFailures)], "\n"))
	}
}

func returns(t *report, s exec.Space) {
	var all []*trace
	for range 4 {
		all = append(all, traced(s, 16, true), traced(s, 3, true))
	}
	time.Sleep(20 * time.Millisecond) // for what is called late
	for _, tr := range all {
		expect(t, tr, "return")
	}
}

func refused(t *report, s exec.Space) {
	for leaves := 1; leaves <= 70; leaves++ {
		for _, leaf := range []int{0, 1, leaves / 2, leaves - 1} {
			expect(t, traced(s, leaves, false, leafNode(leaf%leaves)), "")
		}
		expect(t, traced(s, leaves, false, node{0, leaves}), "")
	}
	several := []node{leafNode(900), leafNode(613), {256, 512}, leafNode(600), {520, 524}}
	for k := range several {
		expect(t, traced(s, 1000, false, several[k:]...), "")
	}
	expect(t, traced(s, 40, true, leafNode(31), node{24, 28}), "")
}

func leafNode(leaf int) node { return node{leaf, leaf + 1} }
