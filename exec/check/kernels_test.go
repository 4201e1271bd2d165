package check_test

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
)

// The kernels of report_test.go, which knows their lines.

func shiftRows(s exec.Space) error {
	v := views.Must(views.AsStrided2(views.New[float64]("field", []int{20, 30}, views.Left)))
	w := views.Must(views.AsStrided2(v.Sub(views.Range(0, 20), views.Range(10, 20))))
	return exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{19, 10}).WithLabel("shift").On(s), func(p policy.Index2) {
		w.Set(p.I, p.J, w.At(p.I+1, p.J))
	})
}

func sumTree(s exec.Space) error {
	const size = 64
	return exec.ParallelFor(policy.Team(2, size).Scratch(0, 8*size, 0).WithLabel("tree").On(s), func(m *team.Member) {
		e := team.Scratch[float64](m, 0, size)
		e[m.Rank()] = 1
		m.Barrier()
		for h := size / 2; h > 0; h /= 2 {
			if m.Rank() < h {
				e[m.Rank()] += e[m.Rank()+h]
			}
		}
		m.Barrier()
	})
}

func unwritten(s exec.Space) error {
	return exec.ParallelFor(policy.Team(2, 4).Scratch(0, 0, 32).Vector(4).WithLabel("lanes").On(s), func(m *team.Member) {
		own, sum := team.MemberScratch[float64](m, 0, 4), 0.0
		team.For(team.VectorRange(m, 4), func(i int) { sum += own[i] }) //gokkosvet:ignore lanes run one after the other
	})
}

func meanOfTwo(s exec.Space) error {
	var mean float64
	r := reducers.New(&mean, func(dst, src *float64) { *dst = (*dst + *src) / 2 })
	return exec.ParallelReduce(policy.Range(0, 100).WithLabel("mean").On(s), func(i int, acc *float64) { *acc += float64(i) }, r)
}

func count(s exec.Space) error {
	bins := views.Must(views.New1[int]("bins", 4))
	return exec.ParallelFor(policy.Range(0, 100).WithLabel("count").On(s), func(i int) { *bins.Ptr(i % 4)++ }) //gokkosvet:ignore a race to be found
}

func countMembers(s exec.Space) error {
	return exec.ParallelFor(policy.Team(2, 8).Scratch(0, 8, 0).WithLabel("members").On(s), func(m *team.Member) {
		n := team.Scratch[int](m, 0, 1)
		team.Single(m, func() { n[0] = 0 })
		m.Barrier()
		n[0]++
	})
}
