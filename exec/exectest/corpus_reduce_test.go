//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// summing runs a reduction whose functor gets the result place as well.
func summing(f func(i int, acc, result *float64)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		result := 0.0
		err := exec.ParallelReduce(over(s), func(i int, acc *float64) { f(i, acc, &result) }, builtin.Sum(&result))
		return result, err
	}
}

// prefix runs a scan whose functor gets memory to write to.
func prefix(f func(y []int, i int, acc *int, final bool)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		y, total := make([]int, items), 0
		err := exec.ParallelScan(over(s), func(i int, acc *int, final bool) { f(y, i, acc, final) }, builtin.Sum(&total))
		return y, err
	}
}

var ownResults = []planted{
	{"sum that reads its result", results, summing(func(i int, acc, result *float64) {
		*acc += float64(i) + *result //!
	})},
	{"sum into its result", results, summing(func(i int, acc, result *float64) {
		*result += float64(i) //!
	})},
	{"sum that resets its result", results, summing(func(i int, acc, result *float64) {
		if *acc += float64(i); i == 0 {
			*result = 0 //!
		}
	})},
	{"sum that stores what it has so far", results, summing(func(i int, acc, result *float64) {
		*acc += float64(i)
		*result = *acc //!
	})},
	{"second of two results", results, func(s exec.Space) (any, error) {
		var total, most int
		err := exec.ParallelReduce2(over(s), func(i int, a, b *int) {
			*a += i
			*b = max(*b, i+total) //!
		}, builtin.Sum(&total), builtin.Max(&most))
		return most, err
	}},
	{"field of a result", results, func(s exec.Space) (any, error) {
		type both struct{ n, sum int }
		var r both
		err := exec.ParallelReduce(over(s), func(i int, acc *both) {
			acc.sum += i
			r.n++ //!
		}, reducers.Field(func(b *both) *int { return &b.sum }, reducers.Reducer[int](builtin.Sum(&r.sum))), reducers.Field(func(b *both) *int { return &b.n }, reducers.Reducer[int](builtin.Sum(&r.n))))
		return r, err
	}},
	{"elements of a slice of results", results, func(s exec.Space) (any, error) {
		h := make([]int, 10)
		err := exec.ParallelReduce(over(s), func(i int, acc *[]int) {
			h[i%10]++ //!
		}, reducers.Slice(&h, builtin.Sum[int]))
		return h, err
	}},
	{"total of a scan", results, func(s exec.Space) (any, error) {
		y, total := make([]int, items), 0
		err := exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			if *acc += i; final {
				y[i] = *acc - total //!
			}
		}, builtin.Sum(&total))
		return y, err
	}},
	{"sum over members of teams", results, func(s exec.Space) (any, error) {
		total := 0
		err := exec.ParallelReduce(policy.Team(4, 64).On(s), func(m *member, acc *int) {
			*acc++
			m.Barrier()
			if m.Rank() == 0 {
				total++ //!
			}
		}, builtin.Sum(&total))
		return total, err
	}},
	{"result of a fold", results, func(s exec.Space) (any, error) {
		total := 0
		err := exec.ParallelFold(exec.Map(over(s), func(i int) int {
			return i + total //!
		}), builtin.Sum(&total))
		return total, err
	}},
	{"result of lanes", results, func(s exec.Space) (any, error) {
		total := 0
		err := exec.ParallelReduceLanes(policy.Spans(0, items).On(s), func(l exec.Lanes[int]) {
			for i := range l.Items() {
				total += i //!
			}
		}, builtin.Sum(&total))
		return total, err
	}},
}

var foreignAccumulators = []planted{
	{"accumulator that is kept", accumulators, func(s exec.Space) (any, error) {
		total, kept := 0.0, (*float64)(nil)
		err := exec.ParallelReduce(over(s), func(i int, acc *float64) {
			if kept == nil { //!
				kept = acc //!
			}
			*kept += float64(i) //!
		}, builtin.Sum(&total))
		return total, err
	}},
	{"accumulator that is read by the next item", accumulators, func(s exec.Space) (any, error) {
		total, y := 0, make([]int, items)
		var last *int
		err := exec.ParallelReduce(over(s), func(i int, acc *int) {
			if last != nil { //!
				y[i] = *last //!
			}
			last = acc //!
			*acc += i
		}, builtin.Sum(&total))
		return y, err
	}},
	{"accumulator of a struct that is kept", accumulators, func(s exec.Space) (any, error) {
		type pair struct{ n, sum int }
		var total pair
		var last *pair
		err := exec.ParallelReduce(over(s), func(i int, acc *pair) {
			acc.sum += i
			if last != nil { //!
				last.n++ //!
			}
			last = acc //!
		}, reducers.New(&total, func(d, s *pair) { d.n += s.n; d.sum += s.sum }))
		return total, err
	}},
	{"second accumulator that is kept", accumulators, func(s exec.Space) (any, error) {
		total, most := 0, 0
		var last *int
		err := exec.ParallelReduce2(over(s), func(i int, a, b *int) {
			if *a += i; last != nil { //!
				*last = i //!
			}
			last = b //!
		}, builtin.Sum(&total), builtin.Max(&most))
		return total, err
	}},
	{"accumulator that a closure keeps", accumulators, func(s exec.Space) (any, error) {
		total, add := 0, func(int) {}
		err := exec.ParallelReduce(over(s), func(i int, acc *int) {
			if add(1); i%7 == 0 { //!
				add = func(x int) { //!
					*acc += x //!
				}
			}
			*acc += i
		}, builtin.Sum(&total))
		return total, err
	}},
}

var writesInSums = []planted{
	{"scan that writes in both passes", inSums, prefix(func(y []int, i int, acc *int, _ bool) {
		*acc += i
		y[i] = *acc //!
	})},
	{"scan that writes in the wrong pass", inSums, prefix(func(y []int, i int, acc *int, final bool) {
		if *acc += i; !final {
			y[i] = *acc //!
		}
	})},
	{"scan of a team that writes in both passes", inSums, inTeams(func(m *member, _, y []float64) {
		total := 0.0
		team.Scan(team.ThreadRange(m, len(y)), func(i int, acc *float64, _ bool) {
			*acc += float64(i)
			y[i] = *acc //!
		}, builtin.Sum(&total))
	})},
	{"scan that counts its calls", inSums, func(s exec.Space) (any, error) {
		calls, total := make([]int, items), 0
		err := exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			calls[i]++ //!
			*acc += i
		}, builtin.Sum(&total))
		return calls, err
	}},
	{"scan that normalises its input", inSums, func(s exec.Space) (any, error) {
		x, y, total := ramp(items), make([]float64, items), 0.0
		err := exec.ParallelScan(over(s), func(i int, acc *float64, final bool) {
			x[i] /= 2 //!
			if *acc += x[i]; final {
				y[i] = *acc
			}
		}, builtin.Sum(&total))
		return y, err
	}},
	{"scan that marks where it was", inSums, func(s exec.Space) (any, error) {
		seen, total := make([]bool, items), 0
		err := exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			if i%3 == 0 {
				seen[i] = true //!
			}
			*acc++
		}, builtin.Sum(&total))
		return seen, err
	}},
	{"scan of points that writes in both passes", inSums, func(s exec.Space) (any, error) {
		y, total := make([]int, 900), 0
		err := exec.ParallelScan(policy.MDRange2([2]int{}, [2]int{30, 30}).On(s), func(p policy.Index2, acc *int, _ bool) {
			*acc += p.I
			y[30*p.I+p.J] = *acc //!
		}, builtin.Sum(&total))
		return y, err
	}},
}

var reductionsThatAreRight = []planted{
	{"sum", right, summing(func(i int, acc, _ *float64) { *acc += 1 / float64(i+1) })},
	{"four results", right, func(s exec.Space) (any, error) {
		var r [4]int
		return &r, exec.ParallelReduce4(over(s), func(i int, a, b, c, d *int) {
			*a += i
			*b = max(*b, key(i))
			*c = min(*c, key(i))
			*d ^= key(i)
		}, builtin.Sum(&r[0]), builtin.Max(&r[1]), builtin.Min(&r[2]), builtin.BXor(&r[3]))
	}},
	{"sum with an initial value", right, func(s exec.Space) (any, error) {
		total := 5.0
		return &total, exec.ParallelReduce(over(s), func(i int, acc *float64) { *acc += float64(i) }, reducers.WithInitial(builtin.Sum(&total)))
	}},
	{"histogram by a slice of sums", right, func(s exec.Space) (any, error) {
		h := make([]int, 10)
		return &h, exec.ParallelReduce(over(s), func(i int, acc *[]int) { (*acc)[i%10]++ }, reducers.Slice(&h, builtin.Sum[int]))
	}},
	{"accumulator that a function gets", right, summing(func(i int, acc, _ *float64) { addTo(acc, float64(i)) })},
	{"accumulator that a closure keeps for its item", right, summing(func(i int, acc, _ *float64) {
		add := func(x float64) { *acc += x }
		for k := range i % 3 {
			add(float64(k))
		}
	})},
	{"lists that items append to", right, func(s exec.Space) (any, error) {
		var found []int
		return &found, exec.ParallelReduce(over(s), func(i int, acc *[]int) {
			if key(i)%7 == 3 {
				*acc = append(*acc, i)
			}
		}, reducers.New(&found, func(d, s *[]int) { *d = append(*d, *s...) }))
	}},
	{"place of the maximum", right, func(s exec.Space) (any, error) {
		var r builtin.ValLoc[int, int]
		return &r, exec.ParallelReduce(over(s), func(i int, acc *builtin.ValLoc[int, int]) {
			if key(i) > acc.Val {
				acc.Val, acc.Loc = key(i), i
			}
		}, builtin.MaxFirstLoc(&r))
	}},
	{"lanes", right, func(s exec.Space) (any, error) {
		x, total := ramp(items), 0.0
		return &total, exec.ParallelReduceLanes(policy.Spans(0, items).On(s), func(l exec.Lanes[float64]) {
			for i, acc := range l.Items() {
				*acc += x[i]
			}
		}, builtin.Sum(&total))
	}},
	{"lanes of rows", right, func(s exec.Space) (any, error) {
		x, total := ramp(900), 0.0
		return &total, exec.ParallelReduceLanes(policy.MDRange2([2]int{}, [2]int{30, 30}).On(s).Rows(), func(l exec.RowLanes[policy.Index2, float64]) {
			for j, acc := range l.Items() {
				*acc += x[30*l.At.I+j]
			}
		}, builtin.Sum(&total))
	}},
	{"inclusive scan", right, prefix(func(y []int, i int, acc *int, final bool) {
		if *acc += i; final {
			y[i] = *acc
		}
	})},
	{"exclusive scan", right, prefix(func(y []int, i int, acc *int, final bool) {
		if final {
			y[i] = *acc
		}
		*acc += i
	})},
	{"scan in place", right, func(s exec.Space) (any, error) {
		x, total := make([]int, items), 0
		for i := range x {
			x[i] = key(i) % 5
		}
		err := exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			v := x[i]
			if final {
				x[i] = *acc
			}
			*acc += v
		}, builtin.Sum(&total))
		return x, err
	}},
	{"compaction by a scan", right, func(s exec.Space) (any, error) {
		y, total := make([]int, items), 0
		err := exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			if key(i)%3 == 0 {
				if final {
					y[*acc] = i
				}
				*acc++
			}
		}, builtin.Sum(&total))
		return y, err
	}},
	{"locals in both passes", right, prefix(func(y []int, i int, acc *int, final bool) {
		buffer := make([]int, 3)
		for k := range buffer {
			buffer[k] = i * k
		}
		if *acc += buffer[1]; final {
			y[i] = *acc
		}
	})},
	{"sum of small numbers over members", right, func(s exec.Space) (any, error) {
		total := float32(0)
		return &total, exec.ParallelReduce(policy.Team(20, 7).On(s), func(m *member, acc *float32) { *acc += float32(m.Rank()) }, builtin.Sum(&total))
	}},
	{"scan of values that are made on the way", right, func(s exec.Space) (any, error) {
		y, total := make([]int, items), []int(nil)
		err := exec.ParallelScan(over(s), func(i int, acc *[]int, final bool) {
			if final && len(*acc) > 0 {
				y[i] = (*acc)[0]
			}
			if len(*acc) == 0 {
				*acc = make([]int, 2)
			}
			(*acc)[0] += i
		}, reducers.New(&total, func(d, s *[]int) {
			if len(*d) == 0 {
				*d = make([]int, 2)
			}
			for k := range *s {
				(*d)[k] += (*s)[k]
			}
		}))
		return y, err
	}},
	{"sum over members", right, func(s exec.Space) (any, error) {
		total, x := 0.0, ramp(256)
		return &total, exec.ParallelReduce(policy.Team(4, 64).On(s), func(m *member, acc *float64) {
			m.Barrier()
			*acc += x[m.LeagueRank()*64+m.Rank()]
		}, builtin.Sum(&total))
	}},
	{"result of the launch before", right, func(s exec.Space) (any, error) {
		var mean, variance float64
		x := ramp(items)
		if err := exec.ParallelReduce(over(s), func(i int, acc *float64) { *acc += x[i] / items }, builtin.Sum(&mean)); err != nil {
			return nil, err
		}
		err := exec.ParallelReduce(over(s), func(i int, acc *float64) { *acc += (x[i] - mean) * (x[i] - mean) }, builtin.Sum(&variance))
		return variance, err
	}},
}

func addTo(acc *float64, x float64) { *acc += x }
