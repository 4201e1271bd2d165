//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"slices"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

var atomicRaces = []planted{
	{"counter by atomics that is read", races, func(s exec.Space) (any, error) {
		n, y := 0, make([]int, items)
		err := exec.ParallelFor(over(s), func(i int) {
			atomics.Add(&n, 1) //!
			y[i] = n           //!
		})
		return y, err
	}},
	{"counter by atomics that is reset", races, func(s exec.Space) (any, error) {
		n := 0
		err := exec.ParallelFor(over(s), func(i int) {
			if i%100 == 0 {
				n = 0 //!
			}
			atomics.Add(&n, 1) //!
		})
		return n, err
	}},
	{"maximum by a test and an atomic", races, func(s exec.Space) (any, error) {
		most := 0
		err := exec.ParallelFor(over(s), func(i int) {
			if key(i) > most { //!
				atomics.Max(&most, key(i)) //!
			}
		})
		return most, err
	}},
	{"flag that is stored by an atomic and read", races, func(s exec.Space) (any, error) {
		found, y := int32(0), make([]int32, items)
		err := exec.ParallelFor(over(s), func(i int) {
			if y[i] = found; i%9 == 4 { //!
				atomics.Store(&found, 1) //!
			}
		})
		return y, err
	}},
	{"value that is written after its flag", races, func(s exec.Space) (any, error) {
		var ready, value int64
		y := make([]int64, items)
		err := exec.ParallelFor(over(s), func(i int) {
			if i == items/2 {
				atomics.Store(&ready, 1)
				value = 7 //!
			} else if atomics.Load(&ready) == 1 {
				y[i] = value //!
			}
		})
		return y, err
	}},
	{"value that is read before its flag", races, func(s exec.Space) (any, error) {
		var ready, value int64
		y := make([]int64, items)
		err := exec.ParallelFor(over(s), func(i int) {
			if i == items/2 {
				value = 7 //!
				atomics.Store(&ready, 1)
				return
			}
			v := value //!
			if atomics.Load(&ready) == 1 {
				y[i] = v
			}
		})
		return y, err
	}},
	{"flag and value at different addresses", races, func(s exec.Space) (any, error) {
		ready, value := make([]int64, 2), int64(0)
		y := make([]int64, items)
		err := exec.ParallelFor(over(s), func(i int) {
			if i%2 == 0 {
				value = int64(i) //!
				atomics.Store(&ready[0], 1)
			} else if atomics.Load(&ready[1]) == 0 {
				y[i] = value //!
			}
		})
		return y, err
	}},
	{"plain loop beside atomics of the same array", races, made(integers, func(h []int, i int) {
		atomics.Add(&h[key(i)%50], 1) //!
		if i == items-1 {
			for k := range 50 {
				h[k] *= 2 //!
			}
		}
	})},
	{"half of a number by atomics", races, func(s exec.Space) (any, error) {
		x := make([]int64, 2)
		err := exec.ParallelFor(over(s), func(i int) {
			if i%2 == 0 {
				atomics.Add(&x[0], 1) //!
			} else {
				x[0] += 1 << 32 //!
			}
		})
		return x, err
	}},
	{"list that is pushed without a loop", races, func(s exec.Space) (any, error) {
		head, next := int64(-1), make([]int64, items)
		err := exec.ParallelFor(over(s), func(i int) {
			next[i] = head                 //!
			atomics.Store(&head, int64(i)) //!
		})
		return head * 0, err
	}},
	{"lock by a plain flag", races, func(s exec.Space) (any, error) {
		locked, sum := false, 0
		err := exec.ParallelFor(over(s), func(i int) {
			if locked { //!
				return
			}
			locked = true  //!
			sum += i       //!
			locked = false //!
		})
		return sum, err
	}},
	{"elements of a view", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New2[int]("v", 5, 5))
		err := exec.ParallelFor(over(s), func(i int) {
			atomics.Add(v.Ptr(i%5, i%4), 1) //!
			if v.At(i%5, i%4) > 1<<20 {     //!
				v.Set(i%5, i%4, 0)
			}
		})
		return v, err
	}},
	{"slots in the order of an atomic", differs("the order in which items"), func(s exec.Space) (any, error) {
		next, y := 0, make([]int, items)
		err := exec.ParallelFor(over(s), func(i int) { y[atomics.FetchAdd(&next, 1)] = i })
		return y, err
	}},
	{"the last one that exchanges", differs("the order in which items"), func(s exec.Space) (any, error) {
		last := 0
		err := exec.ParallelFor(over(s), func(i int) { atomics.Exchange(&last, i) })
		return last, err
	}},
	{"sum of floats by atomics", differs("atomics.Add of floats"), func(s exec.Space) (any, error) {
		sum, x := 0.0, ramp(items)
		err := exec.ParallelFor(over(s), func(i int) { atomics.Add(&sum, x[i]) })
		return sum, err
	}},
	{"products of floats by atomics", differs("atomics.Add of floats"), func(s exec.Space) (any, error) {
		product := float32(1)
		err := exec.ParallelFor(over(s), func(i int) { atomics.Mul(&product, 1+float32(i%7)/1000) })
		return product, err
	}},
	{"old value of an atomic as data", differs("the order in which items"), func(s exec.Space) (any, error) {
		n, y := 0, make([]int, items)
		err := exec.ParallelFor(over(s), func(i int) { y[i] = atomics.FetchAdd(&n, i) })
		return y, err
	}},
}

var atomicsThatAreRight = []planted{
	{"slots that are sorted later", right, func(s exec.Space) (any, error) {
		next, y := 0, make([]int, items)
		err := exec.ParallelFor(over(s), func(i int) { y[atomics.FetchAdd(&next, 1)] = i })
		slices.Sort(y)
		return y, err
	}},
	{"value behind a flag", right, func(s exec.Space) (any, error) {
		var ready, value int64
		wrong := int64(0)
		err := exec.ParallelFor(over(s), func(i int) {
			if i == items/2 {
				value = 7
				atomics.Store(&ready, 1)
			} else if atomics.Load(&ready) == 1 && value != 7 {
				atomics.Add(&wrong, 1)
			}
		})
		return wrong, err
	}},
	{"value behind a counter", right, func(s exec.Space) (any, error) {
		done, parts, total := int32(0), make([]int, items), 0
		err := exec.ParallelFor(over(s), func(i int) {
			parts[i] = i
			if atomics.Add(&done, 1) == items {
				for _, p := range parts {
					total += p
				}
			}
		})
		return total, err
	}},
	{"value handed on by two flags", right, func(s exec.Space) (any, error) {
		var first, second, value int64
		wrong := int64(0)
		err := exec.ParallelFor(over(s), func(i int) {
			switch {
			case i == 10:
				value = 7
				atomics.Store(&first, 1)
			case atomics.Load(&first) == 1 && i == 500:
				atomics.Store(&second, 1)
			case atomics.Load(&second) == 1 && value != 7:
				atomics.Add(&wrong, 1)
			}
		})
		return wrong, err
	}},
	{"minimum, maximum and bits", right, func(s exec.Space) (any, error) {
		x := [4]int{items, 0, 0, -1}
		err := exec.ParallelFor(over(s), func(i int) {
			atomics.Min(&x[0], key(i))
			atomics.Max(&x[1], key(i))
			atomics.Or(&x[2], 1<<(i%60))
			atomics.And(&x[3], ^(1 << (i % 50)))
		})
		return x, err
	}},
	{"maximum of floats", right, func(s exec.Space) (any, error) {
		most, x := 0.0, ramp(items)
		err := exec.ParallelFor(over(s), func(i int) { atomics.Max(&most, x[i]) })
		return most, err
	}},
	{"test before an atomic, by an atomic", right, func(s exec.Space) (any, error) {
		most := 0
		err := exec.ParallelFor(over(s), func(i int) {
			if key(i) > atomics.Load(&most) {
				atomics.Max(&most, key(i))
			}
		})
		return most, err
	}},
	{"claim by a compare and exchange", right, func(s exec.Space) (any, error) {
		owner, y := make([]int32, 50), make([]int, 50)
		err := exec.ParallelFor(over(s), func(i int) {
			if _, mine := atomics.CompareExchange(&owner[i%50], 0, 1); mine {
				y[i%50] = i % 50
			}
		})
		return y, err
	}},
	{"update by a function", right, func(s exec.Space) (any, error) {
		x := uint32(1)
		err := exec.ParallelFor(over(s), func(i int) { atomics.Update(&x, func(old uint32) uint32 { return old * 3 }) })
		return x, err
	}},
	{"bytes", right, func(s exec.Space) (any, error) {
		x := make([]uint8, 5)
		err := exec.ParallelFor(over(s), func(i int) { atomics.Add(&x[i%5], 1) })
		return x, err
	}},
	{"sum of whole floats", right, func(s exec.Space) (any, error) {
		sum := 0.0
		err := exec.ParallelFor(over(s), func(i int) { atomics.Add(&sum, float64(i)) })
		return sum, err
	}},
}
