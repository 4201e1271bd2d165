// Package correct has kernels that are right.
package correct

import (
	"math/rand"
	"time"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views/atomics"
)

func items(x, y []float64, m map[int]int) error {
	n, done, total, start := 0, 0, 0.0, time.Now()
	_ = exec.ParallelFor(policy.Range(0, 9).On(exec.Serial{}), func(i int) { n++ })
	_ = start
	r := rand.New(rand.NewSource(1))
	x[0] = r.Float64()
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		local := 0
		local++
		seen := map[int]bool{}
		seen[i] = true
		y[i] = x[i] + float64(m[i])
		x[i/2] += 2
		atomics.Add(&n, 1)
		if i == 4 {
			total = 3
		}
		if atomics.Add(&done, 1) > 8 {
			total += y[0]
		}
		func() { local = 4 }()
	})
}

func reductions(x, y []float64) error {
	var total float64
	_ = exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float64) {
		p := acc
		*p += x[i]
	}, reducers.New(&total, func(d, s *float64) { *d += *s }))
	_ = exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, final bool) {
		if *acc += x[i]; final {
			y[i] = *acc
		}
	}, nil)
	_ = reducers.New(&total, func(d, s *float64) { *d *= *s }, reducers.Init(func(x *float64) { *x = 1 }))
	return exec.ParallelFor(policy.Range(0, 9), func(m *team.Member) {
		if m.LeagueRank() < 3 {
			m.Barrier()
		}
		if m.SubGroup().Rank() == 0 {
			x[0] = 1
		}
		team.Single(m, func() { total = 1 })
		if m.Rank() != 0 {
			return
		}
		total++
	})
}
