// Package correct has kernels that are right.
package correct

import (
	"math/rand"
	"sync"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	"github.com/gokkos/gokkos/views/atomics"
)

func items(x, y []float64, m, w map[int]int, maps []map[int]int, rows [][]float64) error {
	n, done, total, start := 0, 0, [4]float64{}, time.Now()
	_ = exec.ParallelFor(policy.Range(0, 9).On(exec.Serial{}), func(i int) { n++ })
	serial := exec.Serial{}
	p := policy.Range(0, 9).On(serial)
	_ = exec.ParallelFor(p, func(i int) { n++; m[i] = 4 })
	_ = exec.ParallelFor(policy.Range(0, 1), func(i int) { n++; copy(x, y) })
	_ = start
	r := rand.New(rand.NewSource(1))
	x[0] = r.Float64()
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		local := 0
		local++
		seen := map[int]bool{}
		seen[i] = true
		maps[i][3] = 4
		y[i] = x[i] + float64(m[i])
		x[i] += 2
		copy(rows[i], x)
		copy(x[i:i+1], y)
		rows[i] = append(rows[i], 1)
		mine := append([]float64(nil), x...)
		clear(mine)
		_ = x[i*3]
		atomics.Add(&n, 1)
		if i == 4 {
			total[0] = 3
		}
		if atomics.Add(&done, 1) > 8 {
			total[1] += x[i]
		}
		switch i {
		case 5:
			total[2], w[5] = 3, 4
			w[6] = 4
			clear(w)
		}
		if i != 7 {
			return
		}
		total[3] += 2
		func() { local = 4 }()
	})
}

// A variable that is set from itself.
func again(x []float64) error {
	var p policy.RangePolicy
	p = p.WithLabel("again")
	return exec.ParallelFor(p, func(i int) { x[i]++ })
}

// What a device has not is right on the host.
func host(x []float64) error {
	g := exec.NewGoroutines(2)
	defer g.Close()
	var mu sync.Mutex
	c := make(chan int, 9)
	return exec.ParallelFor(policy.Range(0, 9).On(g), func(i int) {
		mu.Lock()
		defer mu.Unlock()
		c <- 1
		x[i] = time.Since(time.Now()).Seconds()
	})
}

func reductions(x, y []float64) error {
	var total float64
	var low builtin.ValLoc[float64, int]
	_ = exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float64) {
		p := acc
		*p += x[i]
		*acc = max(*acc, x[i])
		sum := *acc
		for _, v := range x[i:] {
			sum += v
		}
		*acc = sum
		if x[i] < *acc {
			*acc = x[i]
		}
	}, reducers.New(&total, func(d, s *float64) { *d += *s }))
	_ = exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *builtin.ValLoc[float64, int]) {
		if x[i] < acc.Val {
			acc.Val, acc.Loc = x[i], i
		}
	}, builtin.MinLoc(&low))
	any := false
	_ = exec.ParallelReduce(policy.Range(0, 9), func(i int, found *bool) {
		if x[i] < 0 {
			*found = true
		}
	}, builtin.LOr(&any))
	_ = exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, final bool) {
		if *acc += x[i]; final {
			y[i] = *acc
		}
	}, builtin.Sum(&total))
	return exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, _ bool) { *acc += x[i] }, builtin.Sum(&total))
}

func teams(x, y []float64) error {
	total, seen := 0.0, map[int]bool{}
	_ = exec.ParallelFor(policy.Team(1, 9), func(m *team.Member) {
		team.Single(m, func() {
			total++
			seen[3] = true
		})
	})
	return exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueRank() < 3 {
			m.Barrier()
		}
		sum := 0.0
		team.For(team.ThreadRange(m, 9), func(i int) { sum += x[i] }) // each member has its own
		if team.AllReduce(m, sum, builtin.Sum) > 3 {
			m.Barrier()
		}
		if group.Any(m, m.Rank() > 2) {
			m.Barrier()
		}
		if m.SubGroup().Rank() == 0 {
			x[m.LeagueRank()*m.Size()+m.Rank()] = 1
		}
		if m.Rank() < 32 { // all of a sub-group, or none
			m.SubGroup().Barrier()
		}
		for k := 1; k < 4; k++ {
			m.Barrier()
		}
		for range x {
			m.Barrier()
		}
		if m.Rank() != 0 {
			return
		}
		y[m.LeagueRank()]++
	})
}

// What is an item's own, by whatever name, and what one item is chosen for.
func own(x, y, first, last []float64, order []int, rows, columns [][]float64) error {
	n := 0
	_ = exec.ParallelFor(policy.Range(0, 9), func(i int) {
		p := &x[i]
		*p = 3
		row := rows[i]
		row[0] = 1
		clear(row)
		rows[i][0] = 2
		columns[0][i] = 2
		local := make([]float64, 4)
		local[0]++
		q := &local[1]
		*q = 2
		y[order[i]] = 1
		part := x[i : i+1]
		part[0] = 4
		b := x
		b = last
		b[i] = 2
		var c [3]int
		d := c
		d[0] = 1
		if i == order[0] {
			n++
			first[0] = x[i]
		}
		isLast := i == len(x)-1
		if isLast {
			first[1] = x[i]
		}
	})
	var total float64
	return exec.ParallelScan(policy.Range(0, 9), func(i int, acc *float64, final bool) {
		if final {
			x[i] = *acc
		}
		*acc = max(*acc, first[i])
	}, builtin.Sum(&total))
}

// All items come to the same.
func same(first *float64) error {
	var p *float64
	return exec.ParallelReduce(policy.Range(0, 9), func(i int, acc **float64) { *acc = first }, reducers.New(&p, func(d, s **float64) { *d = *s }))
}
