//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	"github.com/gokkos/gokkos/views/atomics"
)

// What orders accesses of threads, and what seems to.

// handedOn runs f in teams that all have all of a result, and a counter.
func handedOn(size, lanes int, f func(m *member, y []float64, done *int)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		done, y := 0, make([]float64, 8*size*lanes)
		return y, exec.ParallelFor(policy.Team(8, size).Vector(lanes).Scratch(0, 1024, 0).On(s), func(m *member) { f(m, y, &done) })
	}
}

// few is a number of members that are one sub-group on every device.
const few = 4

var orderRaces = []planted{
	{"loads that nobody stores for", races, func(s exec.Space) (any, error) {
		stop, x := int64(0), make([]int, items+1)
		return x, exec.ParallelFor(over(s), func(i int) {
			if atomics.Load(&stop) != 0 {
				return
			}
			x[i] = x[i+1] //!
			atomics.Load(&stop)
		})
	}},
	{"compare and exchange that fails", races, func(s exec.Space) (any, error) {
		taken, x := int64(1), make([]int, items+1)
		return x, exec.ParallelFor(over(s), func(i int) {
			atomics.CompareExchange(&taken, 0, 2)
			x[i] = x[i+1] //!
			atomics.CompareExchange(&taken, 0, 2)
		})
	}},
	{"stores that nobody loads", races, func(s exec.Space) (any, error) {
		last, x := int64(0), make([]int, items+1)
		return x, exec.ParallelFor(over(s), func(i int) {
			atomics.Store(&last, int64(i%2))
			x[i] = x[i+1] //!
			atomics.Store(&last, int64(i%2))
		})
	}},
	{"item that reads again behind an atomic", races.sometimes(), func(s exec.Space) (any, error) {
		n, x, y := 0, make([]int, 1), make([]int, items)
		return y, exec.ParallelFor(over(s), func(i int) {
			y[i] = x[0] //!
			atomics.Add(&n, 1)
			y[i] += x[0] //!
			if i == items-1 {
				x[0] = 1 //!
			}
		})
	}},
	{"one reader of many that counts too early", races, func(s exec.Space) (any, error) {
		n, x, y := 0, make([]int, 1), make([]int, items)
		return y, exec.ParallelFor(over(s), func(i int) {
			if i == 3 {
				atomics.Add(&n, 1)
				y[i] = x[0] //!
				return
			}
			y[i] = x[0]
			if atomics.Add(&n, 1) == items {
				x[0] = 1 //!
			}
		})
	}},
	{"atomics of scratch that order no teams", races, handedOn(few, 1, func(m *member, y []float64, _ *int) {
		n := team.Scratch[int32](m, 0, 1)
		if m.Rank() == 0 {
			atomics.Store(&n[0], 0)
		}
		m.Barrier()
		atomics.Add(&n[0], 1)
		m.Barrier()
		if m.Rank() == 0 && atomics.Load(&n[0]) == few {
			y[0]++ //!
			atomics.Add(&n[0], 1)
		}
	})},
	{"lanes of a nested sum", races, inLanes(func(m *member, y []float64) {
		n, sum := 0, 0.0
		team.Reduce(team.VectorRange(m, len(y)), func(i int, acc *float64) {
			*acc += y[i]
			n++ //!
		}, builtin.Sum(&sum))
		y[0] = sum + float64(n)
	})},
	{"lanes of four nested results", races, inLanes(func(m *member, y []float64) {
		var r [4]float64
		team.Reduce2(team.VectorRange(m, len(y)), func(i int, a, b *float64) {
			*a += y[i] //!
			y[i/2] = 1 //!
			*b++
		}, builtin.Sum(&r[0]), builtin.Sum(&r[1]))
		team.Reduce3(team.VectorRange(m, len(y)), func(i int, a, b, c *float64) {
			y[i/2] = 1 //!
		}, builtin.Sum(&r[0]), builtin.Sum(&r[1]), builtin.Sum(&r[2]))
		team.Reduce4(team.VectorRange(m, len(y)), func(i int, a, b, c, d *float64) {
			y[i/2] = 1 //!
		}, builtin.Sum(&r[0]), builtin.Sum(&r[1]), builtin.Sum(&r[2]), builtin.Sum(&r[3]))
	})},
	{"lanes of a nested scan", races, inLanes(func(m *member, y []float64) {
		n, sum := 0, 0.0
		team.Scan(team.VectorRange(m, len(y)), func(i int, acc *float64, final bool) {
			if *acc++; final {
				n += i //!
			}
		}, builtin.Sum(&sum))
		y[0] = sum + float64(n)
	})},
	{"lanes of the last team", races, handedOn(1, 4, func(m *member, y []float64, done *int) {
		last := false
		team.For(team.VectorRange(m, 4), func(i int) {
			y[4*m.LeagueRank()+i] = 1 //!
			if i == 1 {
				last = atomics.Add(done, 1) == 8
			}
		})
		if last {
			for k := range y {
				y[k]++ //!
			}
		}
	})},
	{"colours of neighbours in place", races, func(s exec.Space) (any, error) {
		c := make([]int, items)
		return nil, exec.ParallelFor(over(s), func(i int) {
			used := 0
			for _, k := range [...]int{i - 1, i + 1, key(i) % items} {
				if 0 <= k && k < items && k != i {
					used |= 1 << c[k] //!
				}
			}
			c[i] = (used + 1) & ^used & 7 //!
		})
	}},
}

var ordersThatAreRight = []planted{
	{"first member counts behind a barrier of the sub-group", right, handedOn(few, 1, func(m *member, y []float64, done *int) {
		y[m.LeagueRank()*few+m.Rank()] = 1
		m.SubGroup().Barrier()
		if m.Rank() == 0 && atomics.Add(done, 1) == 8 {
			for k := range y {
				y[k]++
			}
		}
	})},
	{"the sub-group hears that its team is the last", right, handedOn(few, 1, func(m *member, y []float64, done *int) {
		y[m.LeagueRank()*few+m.Rank()] = 1
		m.SubGroup().Barrier()
		last := m.Rank() == 0 && atomics.Add(done, 1) == 8
		if group.Any(m.SubGroup(), last) {
			for l := range 8 {
				y[l*few+m.Rank()]++
			}
		}
	})},
	{"the team hears that it is the last", right, handedOn(members, 1, func(m *member, y []float64, done *int) {
		y[m.LeagueRank()*members+m.Rank()] = 1
		m.Barrier()
		if team.Broadcast(m, m.Rank() == 0 && atomics.Add(done, 1) == 8, 0) {
			for l := range 8 {
				y[l*members+members-1-m.Rank()]++
			}
		}
	})},
	{"vector lanes write, and their member counts", right, handedOn(1, 4, func(m *member, y []float64, done *int) {
		team.For(team.VectorRange(m, 4), func(i int) { y[4*m.LeagueRank()+i] = 1 })
		if atomics.Add(done, 1) == 8 {
			team.For(team.VectorRange(m, len(y)), func(i int) { y[i]++ })
		}
	})},
	{"nested sums over lanes", right, inLanes(func(m *member, y []float64) {
		var r [4]float64
		team.Reduce(team.VectorRange(m, len(y)), func(i int, a *float64) { *a += y[i] }, builtin.Sum(&r[0]))
		team.Reduce2(team.TeamVectorRange(m, len(y)), func(i int, a, b *float64) { *a++; *b += y[i] }, builtin.Sum(&r[0]), builtin.Sum(&r[1]))
		team.Reduce3(team.VectorRange(m, len(y)), func(i int, a, b, c *float64) { *a++; y[i]++; *c += *b }, builtin.Sum(&r[0]), builtin.Sum(&r[1]), builtin.Sum(&r[2]))
		team.Reduce4(team.VectorRange(m, len(y)), func(i int, a, b, c, d *float64) { *a += *b; *c += *d + 1 }, builtin.Sum(&r[0]), builtin.Sum(&r[1]), builtin.Sum(&r[2]), builtin.Sum(&r[3]))
		team.Scan(team.VectorRange(m, len(y)), func(i int, acc *float64, final bool) {
			if *acc++; final {
				y[i] = *acc
			}
		}, builtin.Sum(&r[0]))
		y[0] = r[0]
	})},
	{"loads beside plain reads", right, func(s exec.Space) (any, error) {
		n, y := 5, make([]int, items)
		return y, exec.ParallelFor(over(s), func(i int) {
			if y[i] = n; i%2 == 0 {
				y[i] = atomics.Load(&n)
			}
		})
	}},
	{"scratch that an atomic store begins", right, handedOn(members, 1, func(m *member, y []float64, _ *int) {
		n := team.Scratch[int64](m, 0, 1)
		if m.Rank() == 0 {
			atomics.Store(&n[0], 0)
		}
		m.Barrier()
		atomics.Add(&n[0], 1)
		m.Barrier()
		y[m.LeagueRank()*members+m.Rank()] = float64(n[0])
	})},
	{"load in the pass of a scan that is not final", right, func(s exec.Space) (any, error) {
		n, total, y := 5, 0, make([]int, items)
		return y, exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			if *acc += atomics.Load(&n); final {
				y[i] = *acc
			}
		}, builtin.Sum(&total))
	}},
	{"counter that its last user resets", right, func(s exec.Space) (any, error) {
		done := 0
		err := exec.ParallelFor(over(s), func(i int) {
			if atomics.Add(&done, 1) == items {
				done = 0
			}
		})
		return done, err
	}},
	{"the last of many sums up", right, func(s exec.Space) (any, error) {
		const many = 200_000 // more than a search through all operations would be quick for
		done, total, parts := 0, 0, make([]int, many)
		err := exec.ParallelFor(policy.Range(0, many).On(s), func(i int) {
			parts[i] = i
			if atomics.Add(&done, 1) == many {
				for _, p := range parts {
					total += p
				}
			}
		})
		return total, err
	}},
	{"stack by compare and exchange", right, func(s exec.Space) (any, error) {
		head, next, sum := int64(-1), make([]int64, items), int64(0)
		err := exec.ParallelFor(over(s), func(i int) {
			for old := atomics.Load(&head); ; {
				atomics.Store(&next[i], old)
				was, ok := atomics.CompareExchange(&head, old, int64(i))
				if ok {
					break
				}
				old = was
			}
		})
		for k := head; k >= 0; k = next[k] {
			sum += k
		}
		return sum, err
	}},
	{"colours of the round before", right, func(s exec.Space) (any, error) {
		c, d := make([]int, items), make([]int, items)
		for range 3 {
			if err := exec.ParallelFor(over(s), func(i int) {
				used := 0
				for _, k := range [...]int{i - 1, i + 1, key(i) % items} {
					if 0 <= k && k < i {
						used |= 1 << c[k]
					}
				}
				d[i] = (used + 1) & ^used & 7
			}); err != nil {
				return nil, err
			}
			c, d = d, c
		}
		return c, nil
	}},
}
