//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// factor is a variable of the package, which a card has not.
var factor = 2.0

// letters are in the program, where nobody writes them.
const letters = "abcdefgh"

// scaled is a functor that is a method.
type scaled struct {
	factor float64
	v      views.View1[float64]
}

func (k *scaled) item(i int) {
	k.v.Set(i, k.factor) //!
}

func (k scaled) copied(i int) { k.v.Set(i, k.factor) }

// coefficients are too large for a functor to capture a copy of.
type coefficients [20]float64

var hostsMemory = []planted{
	{"a slice of the host is read", hostMemory, func(s exec.Space) (any, error) {
		v, x := on(s, "v", items), numbers()
		return nil, exec.ParallelFor(over(s), func(i int) {
			v.Set(i, x[i]) //!
		})
	}},
	{"a slice of the host is written", hostMemory, func(s exec.Space) (any, error) {
		v, x := on(s, "v", items), make([]float64, items)
		err := exec.ParallelFor(over(s), func(i int) {
			x[i] = v.At(i) //!
		})
		return x, err
	}},
	{"a view on the host", hostMemory, func(s exec.Space) (any, error) {
		v, h := on(s, "v", items), host("h")
		return nil, exec.ParallelFor(over(s), func(i int) {
			v.Set(i, h.At(i)) //!
		})
	}},
	{"a view of two dimensions on the host", hostMemory, func(s exec.Space) (any, error) {
		h := views.Must(views.New2[float64]("h", 20, 30))
		err := exec.ParallelFor(points(s), func(p policy.Index2) {
			h.Set(p.I, p.J, 1) //!
		})
		return h, err
	}},
	{"a part of a view on the host", hostMemory, func(s exec.Space) (any, error) {
		h := views.Must(views.AsStrided1(host("h").Sub(views.All().By(2))))
		return nil, exec.ParallelFor(policy.Range(0, items/2).On(s), func(i int) {
			h.Set(i, 1) //!
		})
	}},
	{"a pointer of a view on the host", hostMemory, func(s exec.Space) (any, error) {
		h := host("h")
		return nil, exec.ParallelFor(over(s), func(i int) {
			*h.Ptr(i) = 1 //!
		})
	}},
	{"a reduction of a slice of the host", hostMemory, func(s exec.Space) (any, error) {
		x, sum := numbers(), 0.0
		err := exec.ParallelReduce(over(s), func(i int, acc *float64) {
			*acc += x[i] //!
		}, builtin.Sum(&sum))
		return sum, err
	}},
	{"a scan of a slice of the host", hostMemory, func(s exec.Space) (any, error) {
		x, v := integers(), views.Must(views.As1(views.NewIn[int](views.MemoryOf(s), "v", []int{items})))
		return nil, exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			*acc += x[i] //!
			if final {
				v.Set(i, *acc)
			}
		}, builtin.Sum(new(int)))
	}},
	{"atomic operations on the host", hostMemory, func(s exec.Space) (any, error) {
		h := make([]int, 16)
		err := exec.ParallelFor(over(s), func(i int) {
			atomics.Add(&h[i%16], 1) //!
		})
		return h, err
	}},
	{"members read the host", hostMemory, func(s exec.Space) (any, error) {
		x, v := numbers(), on(s, "v", items)
		return nil, exec.ParallelFor(policy.Team(5, 100).Scratch(0, 800, 0).On(s), func(m *member) {
			e := team.Scratch[float64](m, 0, 100)
			e[m.Rank()] = x[100*m.LeagueRank()+m.Rank()] //!
			m.Barrier()
			v.Set(100*m.LeagueRank()+m.Rank(), e[99-m.Rank()])
		})
	}},
	{"a variable of the package", hostMemory, func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		return nil, exec.ParallelFor(over(s), func(i int) {
			v.Set(i, factor) //!
		})
	}},
	{"a functor behind a pointer", hostMemory, func(s exec.Space) (any, error) {
		k := &scaled{3, on(s, "v", items)}
		return nil, exec.ParallelFor(over(s), k.item)
	}},
	{"a variable that is assigned to later", hostMemory, func(s exec.Space) (any, error) {
		v, x := on(s, "v", items), 1.0
		err := exec.ParallelFor(over(s), func(i int) {
			v.Set(i, x) //!
		})
		x = 2
		return x, err
	}},
	{"an array around the functor", hostMemory, func(s exec.Space) (any, error) {
		v, c := on(s, "v", items), coefficients{1, 2, 3}
		return nil, exec.ParallelFor(over(s), func(i int) {
			v.Set(i, c[i%20]) //!
		})
	}},
}

var devicesMemory = []planted{
	{"views of the device", rightOnCards, func(s exec.Space) (any, error) {
		v, err := views.MirrorCopy(views.MemoryOf(s), host("h"), onHost)
		if err != nil {
			return nil, err
		}
		w := on(s, "w", items)
		if err := exec.ParallelFor(over(s), func(i int) { w.Set(i, v.At(items-1-i)+*v.Ptr(i)+v.Row()[0]) }); err != nil {
			return nil, err
		}
		return back(w)
	}},
	{"two dimensions, and parts", rightOnCards, func(s exec.Space) (any, error) {
		v := views.Must(views.As2(views.NewIn[float64](views.MemoryOf(s), "v", []int{40, 30})))
		even := views.Must(views.AsStrided2(v.Sub(views.Range(0, 40).By(2), views.All())))
		if err := exec.ParallelFor(points(s), func(p policy.Index2) { even.Set(p.I, p.J, even.At(p.I, p.J)+float64(p.I)) }); err != nil {
			return nil, err
		}
		h, err := views.MirrorCopy(views.Host, v, onHost)
		return h, err
	}},
	{"any rank", rightOnCards, func(s exec.Space) (any, error) {
		v := views.Must(views.NewIn[int](views.MemoryOf(s), "v", []int{20, 30}))
		if err := exec.ParallelFor(points(s), func(p policy.Index2) { v.Set([]int{p.I, p.J}, v.At(p.I, p.J)+p.J) }); err != nil {
			return nil, err
		}
		return views.MirrorCopy(views.Host, v, onHost)
	}},
	{"copies around the functor", rightOnCards, func(s exec.Space) (any, error) {
		v, a, b := on(s, "v", items), 2.0, [4]float64{1, 2, 3, 4}
		if err := exec.ParallelFor(over(s), func(i int) { v.Set(i, a*b[i%4]+float64(letters[i%8])) }); err != nil {
			return nil, err
		}
		return back(v)
	}},
	{"a functor that is a copy", rightOnCards, func(s exec.Space) (any, error) {
		k := scaled{3, on(s, "v", items)}
		if err := exec.ParallelFor(over(s), k.copied); err != nil {
			return nil, err
		}
		return back(k.v)
	}},
	{"constant arrays and arrays of items", rightOnCards, func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		if err := exec.ParallelFor(over(s), func(i int) {
			var own [8]float64
			for k := range own {
				own[k] = [...]float64{1, 4, 9, 16, 25, 36, 49, 64}[(i+k)%8]
			}
			v.Set(i, own[i%8])
		}); err != nil {
			return nil, err
		}
		return back(v)
	}},
	{"accumulators", rightOnCards, func(s exec.Space) (any, error) {
		v, sum, least := on(s, "v", items), 0.0, 0.0
		err := exec.ParallelReduce2(over(s), func(i int, a, b *float64) {
			*a += v.At(i) + float64(i)
			*b = min(*b, float64(-i))
		}, builtin.Sum(&sum), builtin.Min(&least))
		return []float64{sum, least}, err
	}},
	{"accumulators that are slices", rightOnCards, func(s exec.Space) (any, error) {
		v, sums := on(s, "v", items), make([]int, 10)
		err := exec.ParallelReduce(over(s), func(i int, acc *[]int) { (*acc)[i%10] += int(v.At(i)) + i }, reducers.Slice(&sums, builtin.Sum[int]))
		return sums, err
	}},
	{"accumulators that are maps", rightOnCards, func(s exec.Space) (any, error) {
		m, init := map[int]int{}, func(m *map[int]int) { *m = map[int]int{} }
		err := exec.ParallelReduce(over(s), func(i int, acc *map[int]int) { (*acc)[i%10] += i }, reducers.New(&m, func(dst, src *map[int]int) {
			for k, n := range *src {
				(*dst)[k] += n
			}
		}, reducers.Init(init)))
		return []int{m[0], m[5], m[9]}, err
	}},
	{"a scan", rightOnCards, func(s exec.Space) (any, error) {
		v, total := views.Must(views.As1(views.NewIn[int](views.MemoryOf(s), "v", []int{items}))), 0
		if err := exec.ParallelScan(over(s), func(i int, acc *int, final bool) {
			if *acc += i; final {
				v.Set(i, *acc)
			}
		}, builtin.Sum(&total)); err != nil {
			return nil, err
		}
		return total, nil
	}},
	{"atomic operations", rightOnCards, func(s exec.Space) (any, error) {
		v := views.Must(views.As1(views.NewIn[int](views.MemoryOf(s), "v", []int{16})))
		if err := exec.ParallelFor(over(s), func(i int) { atomics.Add(v.Ptr(i%16), 1) }); err != nil {
			return nil, err
		}
		return views.MirrorCopy(views.Host, v, onHost)
	}},
	{"scratch and collectives", rightOnCards, func(s exec.Space) (any, error) {
		v := on(s, "v", 5*64)
		if err := exec.ParallelFor(policy.Team(5, 64).Scratch(0, 512, 0).On(s), func(m *member) {
			e := team.Scratch[float64](m, 0, 64)
			e[m.Rank()] = float64(m.Rank())
			m.Barrier()
			sum := 0.0
			team.Reduce(team.ThreadRange(m, 64), func(k int, acc *float64) { *acc += e[k] }, builtin.Sum(&sum))
			v.Set(64*m.LeagueRank()+m.Rank(), sum)
		}); err != nil {
			return nil, err
		}
		return back(v)
	}},
	{"copies and fills of package views", rightOnCards, func(s exec.Space) (any, error) {
		v, h := on(s, "v", items), host("h")
		if err := views.DeepCopy(v, h, policy.On(s)); err != nil {
			return nil, err
		}
		if err := views.Fill(h, 3, policy.On(s)); err != nil {
			return nil, err
		}
		if err := views.FillFunc(v, func(p policy.Span, x []float64) {
			for k := range x {
				x[k] = float64(p.Begin + k)
			}
		}, policy.On(s)); err != nil {
			return nil, err
		}
		return back(v)
	}},
}
