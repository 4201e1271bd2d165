package tools_test

import (
	"io"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
)

// BenchmarkLaunch is a launch of one item that nobody hears of, and one that each of these tools hears of.
func BenchmarkLaunch(b *testing.B) {
	p := policy.Range(0, 1).On(exec.Serial{}).WithLabel("nothing")
	for _, c := range []struct {
		name   string
		listen func() (stop func())
	}{
		{"off", func() func() { return func() {} }},
		{"listener", func() func() { return tools.Listen(func(tools.Event) func(error) { return nil }) }},
		{"table", func() func() { return tools.Listen(new(tools.Table).Listen) }},
		{"trace", func() func() { return tools.Listen(tools.WriteTrace(io.Discard, func(err error) { b.Error(err) })) }},
		{"labels", tools.LabelProfiles},
	} {
		b.Run(c.name, func(b *testing.B) {
			defer c.listen()()
			for b.Loop() {
				if err := exec.ParallelFor(p, func(int) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
