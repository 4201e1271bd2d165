//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"slices"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/scatter"
)

// made runs f for the items of a range over memory that is made for the launch, and returns it.
func made[X any](x func() X, f func(x X, i int)) func(s exec.Space) (any, error) {
	return func(s exec.Space) (any, error) {
		x := x()
		return x, exec.ParallelFor(over(s), func(i int) { f(x, i) })
	}
}

type particle struct {
	at, speed [3]float64
	cell      int32
	alive     bool
	next      *particle
}

func particles() []particle {
	x := make([]particle, items)
	for i := range x {
		x[i].at[0], x[i].cell = float64(i%31), int32(i*7%40)
		x[i].next = &x[(i*7+1)%items]
	}
	return x
}

// apart are particles that do not refer to one another.
func apart() []particle {
	x := particles()
	for i := range x {
		x[i].next = nil
	}
	return x
}

func octets() []uint8     { return make([]uint8, items) }
func words() []int32      { return make([]int32, items) }
func square() [][]float64 { return slices.Collect(slices.Chunk(ramp(900), 30)) }

var global [items]int

var itemRaces = []planted{
	{"all items write a few cells", races, made(integers, func(y []int, i int) {
		y[i%10] = i //!
	})},
	{"histogram without atomics", races, made(integers, func(h []int, i int) {
		h[key(i)%13]++ //!
	})},
	{"stencil in place", races, made(numbers, func(x []float64, i int) {
		if 0 < i && i < items-1 {
			x[i] = (x[i-1] + x[i] + x[i+1]) / 3 //!
		}
	})},
	{"shift in place", races, made(numbers, func(x []float64, i int) {
		if i < items-1 {
			x[i] = x[i+1] //!
		}
	})},
	{"reverse in place by all items", races, made(integers, func(x []int, i int) {
		x[i], x[items-1-i] = x[items-1-i], x[i] //!
	})},
	{"sum in a captured variable", races, func(s exec.Space) (any, error) {
		x, sum := ramp(items), 0.0
		err := exec.ParallelFor(over(s), func(i int) {
			sum += x[i] //!
		})
		return sum, err
	}},
	{"maximum in a captured variable", races.sometimes(), func(s exec.Space) (any, error) {
		x, most := ramp(items), 0.0
		err := exec.ParallelFor(over(s), func(i int) {
			if x[i] > most { //!
				most = x[i] //!
			}
		})
		return most, err
	}},
	{"temporary that is declared outside", races, func(s exec.Space) (any, error) {
		x, y, t := ramp(items), make([]float64, items), 0.0
		err := exec.ParallelFor(over(s), func(i int) {
			t = x[i] * 2 //!
			y[i] = t + 1 //!
		})
		return y, err
	}},
	{"buffer that is declared outside", races, func(s exec.Space) (any, error) {
		y, buffer := make([]float64, items), make([]float64, 4)
		err := exec.ParallelFor(over(s), func(i int) {
			for k := range buffer {
				buffer[k] = float64(i * k) //!
			}
			y[i] = buffer[1] + buffer[3] //!
		})
		return y, err
	}},
	{"append to a captured slice", races, func(s exec.Space) (any, error) {
		var found []int
		err := exec.ParallelFor(over(s), func(i int) {
			if key(i)%3 == 0 {
				found = append(found, i) //!
			}
		})
		return len(found), err
	}},
	{"reads the output of its neighbour", races, made(integers, func(y []int, i int) {
		y[i] = i                     //!
		if i > 0 && y[i-1] == -i-1 { //!
			y[i] = -i //!
		}
	})},
	{"recurrence", races, made(numbers, func(x []float64, i int) {
		if i > 0 {
			x[i] += x[i-1] / 2 //!
		}
	})},
	{"adds to what a pointer leads to", races, made(particles, func(x []particle, i int) {
		x[i].next.cell += x[i].cell //!
	})},
	{"scatters to places that occur twice", races, made(integers, func(y []int, i int) {
		y[key(i)%items] = i //!
	})},
	{"gathers from what others write", races, made(integers, func(y []int, i int) {
		y[i] = y[key(i)%items] + 1 //!
	})},
	{"same value by all", races, func(s exec.Space) (any, error) {
		found := false
		err := exec.ParallelFor(over(s), func(i int) {
			if i%10 == 3 {
				found = true //!
			}
		})
		return found, err
	}},
	{"global array", races, func(s exec.Space) (any, error) {
		err := exec.ParallelFor(over(s), func(i int) {
			global[i/2] += i //!
		})
		return global[5] * 0, err
	}},
	{"field of a captured struct", races, func(s exec.Space) (any, error) {
		var total particle
		err := exec.ParallelFor(over(s), func(i int) {
			total.speed[1] += float64(i) //!
		})
		return total.speed, err
	}},
	{"fields of a neighbour", races, made(particles, func(x []particle, i int) {
		x[i].speed[0] = x[(i+1)%items].at[0] - x[i].at[0] //!
		x[i].at[0] += x[i].speed[0]                       //!
	})},
	{"whole structs", races, made(particles, func(x []particle, i int) {
		x[i] = x[(i+1)%items] //!
	})},
	{"bits of a byte", races, made(octets, func(x []uint8, i int) {
		x[i/8] |= 1 << (i % 8) //!
	})},
	{"small words of a neighbour", races, made(words, func(x []int32, i int) {
		x[i] = x[i^1] + 1 //!
	})},
	{"rows that are shared", races, made(square, func(x [][]float64, i int) {
		x[i/100][i%30]++ //!
	})},
	{"two arrays that are one", races, func(s exec.Space) (any, error) {
		x := ramp(2 * items)
		from, to := x[:items+1], x[items:] // they share one element
		err := exec.ParallelFor(over(s), func(i int) {
			to[i] = from[i+1] //!
		})
		return x, err
	}},
	{"stride that is too short", races, func(s exec.Space) (any, error) {
		x := make([]int, 4*items)
		err := exec.ParallelFor(over(s), func(i int) {
			for k := range 4 {
				x[3*i+k] = i //!
			}
		})
		return x, err
	}},
	{"last item of a block belongs to the next", races, func(s exec.Space) (any, error) {
		x := make([]int, items+1)
		err := exec.ParallelFor(policy.Range(0, items/10).On(s), func(b int) {
			for i := 10 * b; i <= 10*b+10; i++ {
				x[i] += b //!
			}
		})
		return x, err
	}},
	{"counter for a debugger", races, func(s exec.Space) (any, error) {
		calls, x := 0, ramp(items)
		err := exec.ParallelFor(over(s), func(i int) {
			calls++ //!
			x[i] *= 2
		})
		return calls, err
	}},
	{"error in a captured variable", races, func(s exec.Space) (any, error) {
		bad := -1
		err := exec.ParallelFor(over(s), func(i int) {
			if key(i)%100 == 7 {
				bad = i //!
			}
		})
		return bad, err
	}},
	{"closure that keeps state", races, func(s exec.Space) (any, error) {
		y, state := make([]int, items), 1
		next := func() int {
			state = state*1103515245 + 12345 //!
			return state >> 16 & 0x7fff      //!
		}
		err := exec.ParallelFor(over(s), func(i int) { y[i] = next() })
		return y, err
	}},
	{"method that keeps state", races, func(s exec.Space) (any, error) {
		y, c := make([]int, items), new(callCounter)
		err := exec.ParallelFor(over(s), func(i int) { y[i] = c.next() })
		return y, err
	}},
	{"transpose in place over all points", races, func(s exec.Space) (any, error) {
		x := ramp(900)
		err := exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{30, 30}).On(s), func(p policy.Index2) {
			x[30*p.I+p.J], x[30*p.J+p.I] = x[30*p.J+p.I], x[30*p.I+p.J] //!
		})
		return x, err
	}},
	{"column sums over points", races, func(s exec.Space) (any, error) {
		x, sums := ramp(900), make([]float64, 30)
		err := exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{30, 30}).On(s), func(p policy.Index2) {
			sums[p.J] += x[30*p.I+p.J] //!
		})
		return sums, err
	}},
	{"planes over points of three dimensions", races, func(s exec.Space) (any, error) {
		x := make([]int, 10*10)
		err := exec.ParallelFor(policy.MDRange3([3]int{}, [3]int{10, 10, 10}).On(s), func(p policy.Index3) {
			x[10*p.I+p.J] = p.K //!
		})
		return x, err
	}},
	{"rows that reach into the next", races, func(s exec.Space) (any, error) {
		x := make([]int, 31*30)
		err := exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{30, 30}).On(s).Rows(), func(r policy.Row[policy.Index2]) {
			for j := r.Begin; j <= r.End; j++ {
				x[30*r.At.I+j] = r.At.I //!
			}
		})
		return x, err
	}},
	{"spans that reach into the next", races, func(s exec.Space) (any, error) {
		x := make([]int, items+1)
		err := exec.ParallelFor(policy.Spans(0, items).On(s), func(p policy.Span) {
			for i := p.Begin; i <= p.End; i++ {
				x[i] = p.Begin //!
			}
		})
		return x, err
	}},
	{"values of a fold that share a variable", races, func(s exec.Space) (any, error) {
		last, sum := 0, 0
		err := exec.ParallelFold(exec.Map(over(s), func(i int) int {
			last = i        //!
			return last % 7 //!
		}), builtin.Sum(&sum))
		return sum, err
	}},
	{"filled spans that share a variable", races, func(s exec.Space) (any, error) {
		last, sum := 0.0, 0.0
		err := exec.ParallelFold(exec.Fill(over(s), func(p policy.Span, dst []float64) {
			for k := range dst {
				last = float64(p.Begin+k) + last/2 //!
				dst[k] = last                      //!
			}
		}), builtin.Sum(&sum))
		return sum, err
	}},
	{"functor of a sum that writes beside it", races, func(s exec.Space) (any, error) {
		x, low, sum := ramp(items), 0.0, 0.0
		err := exec.ParallelReduce(over(s), func(i int, acc *float64) {
			*acc += x[i]
			if x[i] < low { //!
				low = x[i]
			}
			low = min(low, -x[i]) //!
		}, builtin.Sum(&sum))
		return low, err
	}},
	{"items without a size", races, func(s exec.Space) (any, error) {
		n := 0
		err := exec.ParallelFor(nothings{items, s}, func(struct{}) {
			n++ //!
		})
		return n, err
	}},
}

// callCounter counts its calls.
type callCounter struct{ n int }

func (c *callCounter) next() int {
	c.n++      //!
	return c.n //!
}

var itemsThatAreRight = []planted{
	{"own cells", right, made(integers, func(y []int, i int) { y[i] = i; y[i]++ })},
	{"histogram by atomics", right, made(integers, func(h []int, i int) { atomics.Add(&h[key(i)%13], 1) })},
	{"histogram by a scatter", right, func(s exec.Space) (any, error) {
		h := views.Must(views.New1[int]("h", 13))
		err := exec.ParallelReduce(over(s), func(i int, a *scatter.Access[int]) { a.Combine1(key(i)%13, 1) }, scatter.Sum[int](h))
		return h, err
	}},
	{"stencil of two buffers", right, func(s exec.Space) (any, error) {
		x, y := views.Must(views.Of2("x", ramp(900), 30, 30)), views.Must(views.New2[float64]("y", 30, 30))
		err := exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{29, 29}).On(s), func(p policy.Index2) {
			y.Set(p.I, p.J, (x.At(p.I-1, p.J)+x.At(p.I+1, p.J)+x.At(p.I, p.J-1)+x.At(p.I, p.J+1))/4)
		})
		return y, err
	}},
	{"locals, buffers and closures of an item", right, made(numbers, func(y []float64, i int) {
		var buffer [4]float64
		heap := make([]float64, 4+i%3)
		for k := range buffer {
			buffer[k] = float64(i * k)
			heap[k] = buffer[k]
		}
		t := 0.0
		add := func(v float64) { t += v }
		for _, b := range heap {
			add(b)
		}
		y[i] = t
	})},
	{"reverse by half of the items", right, made(integers, func(x []int, i int) {
		if i < items/2 {
			x[i], x[items-1-i] = x[items-1-i], x[i]
		}
	})},
	{"permutation", right, made(integers, func(y []int, i int) { y[i*7%items] = i })},
	{"gather from what nobody writes", right, func(s exec.Space) (any, error) {
		x, y := ramp(items), make([]float64, items)
		return y, exec.ParallelFor(over(s), func(i int) { y[i] = x[key(i)%items] })
	}},
	{"red, then black", right, func(s exec.Space) (any, error) {
		x := ramp(items)
		for color := range 2 {
			if err := exec.ParallelFor(policy.Range(1, items/2-1).On(s), func(i int) { x[2*i+color] = (x[2*i+color-1] + x[2*i+color+1]) / 2 }); err != nil {
				return nil, err
			}
		}
		return x, nil
	}},
	{"two launches and the host", right, func(s exec.Space) (any, error) {
		x := make([]int, items)
		if err := exec.ParallelFor(over(s), func(i int) { x[i] = i }); err != nil {
			return nil, err
		}
		if err := exec.ParallelFor(over(s), func(i int) { x[items-1-i] *= 2 }); err != nil {
			return nil, err
		}
		x[0] = x[1] + x[2]
		return x, nil
	}},
	{"swapped buffers", right, func(s exec.Space) (any, error) {
		x, y := ramp(items), make([]float64, items)
		for range 3 {
			if err := exec.ParallelFor(over(s), func(i int) { y[i] = x[max(i-1, 0)] + x[min(i+1, items-1)] }); err != nil {
				return nil, err
			}
			x, y = y, x
		}
		return x, nil
	}},
	{"spans of their own", right, func(s exec.Space) (any, error) {
		x, y := ramp(items+1), make([]float64, items)
		err := exec.ParallelFor(policy.Spans(0, items).On(s), func(p policy.Span) {
			for i := p.Begin; i < p.End; i++ {
				y[i] = x[i+1] * 0.5
			}
		})
		return y, err
	}},
	{"rows of their own", right, func(s exec.Space) (any, error) {
		x := views.Must(views.New2[int]("x", 30, 30))
		err := exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{30, 30}).On(s).Rows(), func(r policy.Row[policy.Index2]) {
			row := x.Row(r.At.I)
			for j := r.Begin; j < r.End; j++ {
				row[j] = j
			}
		})
		return x, err
	}},
	{"flag by an atomic store", right, func(s exec.Space) (any, error) {
		found := int64(0)
		err := exec.ParallelFor(over(s), func(i int) {
			if key(i)%100 == 7 {
				atomics.Store(&found, 1)
			}
		})
		return found, err
	}},
	{"bytes side by side", right, made(octets, func(x []uint8, i int) { x[i] = uint8(i) })},
	{"bools of structs side by side", right, made(apart, func(x []particle, i int) { x[i].alive = x[i].cell%2 == 0 })},
	{"words side by side", right, made(words, func(x []int32, i int) { x[i] += int32(i) })},
	{"reads fields that nobody writes", right, made(apart, func(x []particle, i int) { x[i].speed[0] = x[(i+1)%items].at[0] })},
	{"halves of one array", right, func(s exec.Space) (any, error) {
		x := ramp(2 * items)
		from, to := x[:items], x[items:]
		return x, exec.ParallelFor(over(s), func(i int) { to[i] = from[items-1-i] })
	}},
	{"values of a fold", right, func(s exec.Space) (any, error) {
		x, sum := ramp(items), 0.0
		return &sum, exec.ParallelFold(exec.Map(over(s), func(i int) float64 { return x[i] * x[items-1-i] }), builtin.Sum(&sum))
	}},
	{"filled spans", right, func(s exec.Space) (any, error) {
		x, most := ramp(items), 0.0
		return &most, exec.ParallelFold(exec.Fill(over(s), func(p policy.Span, dst []float64) {
			for k := range dst {
				dst[k] = x[p.Begin+k] + 1
			}
		}), builtin.Max(&most))
	}},
	{"a launch inside of an item", right, func(s exec.Space) (any, error) {
		x := make([]int, 400)
		return x, exec.ParallelFor(policy.Range(0, 40).On(s), func(i int) {
			x[10*i] = 1
			exec.Must(exec.ParallelFor(policy.Range(10*i, 10*i+10).On(s), func(k int) { x[k] += k }))
		})
	}},
	{"points of three dimensions", right, func(s exec.Space) (any, error) {
		x := views.Must(views.New3[int]("x", 10, 10, 10))
		return x, exec.ParallelFor(policy.MDRange3([3]int{}, [3]int{10, 10, 10}).On(s), func(p policy.Index3) { x.Set(p.K, p.I, p.J, p.I+p.J) })
	}},
	{"items without a size, by atomics", right, func(s exec.Space) (any, error) {
		n := int64(0)
		err := exec.ParallelFor(nothings{items, s}, func(struct{}) { atomics.Add(&n, 1) })
		return n, err
	}},
	{"recursion in an item", right, made(integers, func(y []int, i int) { y[i] = fibonacci(i % 12) })},
	{"maps and strings of an item", right, made(integers, func(y []int, i int) {
		seen := map[int]int{}
		for k := range i % 5 {
			seen[k%2] += k
		}
		y[i] = seen[0] + len([]byte("abc")[:i%4])
	})},
}

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}
