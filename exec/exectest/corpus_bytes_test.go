//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// Accesses of more or fewer bytes than a number has, and memory behind accumulators.

type halves struct{ a, b int32 }

// triple has bytes that no field has.
type triple struct {
	flag  bool
	value float64
	last  int16
}

var byteRaces = []planted{
	{"struct that is read, then the field behind", races, made(func() []halves { return make([]halves, items+1) }, func(x []halves, i int) {
		y := x[i+1]        //!
		x[i].b = y.a&1 + 1 //!
	})},
	{"struct that is read behind its field", races, made(func() []halves { return make([]halves, items) }, func(x []halves, i int) {
		y := x[max(i-1, 0)] //!
		x[i].b = y.a&1 + 1  //!
	})},
	{"array of bytes that is copied", races, made(func() [][16]uint8 { return make([][16]uint8, items) }, func(x [][16]uint8, i int) {
		y := x[max(i-1, 0)]  //!
		x[i][5] = y[5]&1 + 1 //!
	})},
	{"array of bytes that is replaced", races, made(func() [][12]uint8 { return make([][12]uint8, items+1) }, func(x [][12]uint8, i int) {
		y := x[i+1][11]     //!
		x[i] = [12]uint8{y} //!
	})},
	{"scratch that is copied to in part", unwritten, inTeams(func(m *member, e, y []float64) {
		if m.Rank() == 0 {
			copy(e[:members-1], y)
		}
		m.Barrier()
		y[m.Rank()] = e[m.Rank()] //!
	})},
}

var bytesThatAreRight = []planted{
	{"fields of a struct by two items", right, func(s exec.Space) (any, error) {
		x := make([]halves, items)
		return x, exec.ParallelFor(policy.Range(0, 2*items).On(s), func(i int) {
			if i%2 == 0 {
				x[i/2].a = int32(i)
			} else {
				x[i/2].b = int32(i)
			}
		})
	}},
	{"scratch that is copied to", right, inTeams(func(m *member, e, y []float64) {
		if m.Rank() == 0 {
			copy(e, y)
		}
		m.Barrier()
		y[m.Rank()] = e[members-1-m.Rank()]
	})},
	{"scratch that is cleared", right, inTeams(func(m *member, e, y []float64) {
		if m.Rank() == 0 {
			clear(e)
		}
		m.Barrier()
		y[m.Rank()] = e[m.Rank()]
	})},
	{"structs of scratch that are written by fields", right, inTeams(func(m *member, _, y []float64) {
		x := team.Scratch[triple](m, 0, members)
		x[m.Rank()].flag, x[m.Rank()].value, x[m.Rank()].last = true, y[m.Rank()], 3
		m.Barrier()
		z := x[members-1-m.Rank()]
		y[m.Rank()] = z.value + float64(z.last)
	})},
	{"small numbers of scratch that are copied to", right, inTeams(func(m *member, _, y []float64) {
		x := team.Scratch[[7]uint8](m, 0, members)
		if m.Rank() == 0 {
			copy(x, make([][7]uint8, members))
		}
		m.Barrier()
		y[m.Rank()] = float64(x[m.Rank()][m.Rank()%7])
	})},
}

// ring is a list whose end leads to its beginning.
type ring struct {
	next *ring
	item int
}

// heapRaces are bugs in memory that accumulators refer to.
var heapRaces = []planted{
	{"list that is kept and read by another item", races.sometimes(), func(s exec.Space) (any, error) {
		var found []int
		var kept []int
		return nil, exec.ParallelReduce(over(s), func(i int, acc *[]int) {
			if *acc == nil {
				*acc = make([]int, 1, items)
			}
			if (*acc)[0] = i; i == 0 { //!
				kept = *acc //!
			} else if i > items/2 && len(kept) > 0 { //!
				kept[0]++ //!
			}
		}, reducers.New(&found, func(d, s *[]int) {
			if *d == nil {
				*d = *s
			}
		}))
	}},
}

var heapsThatAreRight = []planted{
	{"rings that items add to", right, func(s exec.Space) (any, error) {
		var r *ring
		err := exec.ParallelReduce(over(s), func(i int, acc **ring) {
			n := &ring{item: i}
			if *acc == nil {
				n.next = n
			} else {
				n.next, (*acc).next = (*acc).next, n
			}
			*acc = n
		}, reducers.New(&r, func(d, s **ring) {
			switch {
			case *s == nil:
			case *d == nil:
				*d = *s
			default:
				(*d).next, (*s).next = (*s).next, (*d).next
				*d = *s
			}
		}))
		if err != nil {
			return nil, err
		}
		var order []int
		for n := r.next; len(order) < items; n = n.next {
			order = append(order, n.item)
		}
		return order, nil
	}},
	{"counts by key", right, func(s exec.Space) (any, error) {
		var r map[int]int
		err := exec.ParallelReduce(over(s), func(i int, acc *map[int]int) {
			if *acc == nil {
				*acc = map[int]int{}
			}
			(*acc)[i%13]++
		}, reducers.New(&r, func(d, s *map[int]int) {
			if *d == nil {
				*d = map[int]int{}
			}
			for k, n := range *s {
				(*d)[k] += n
			}
		}))
		return r[5], err
	}},
	{"counts by key in a scan", right, func(s exec.Space) (any, error) {
		var r map[int]int
		y := make([]int, items)
		err := exec.ParallelScan(over(s), func(i int, acc *map[int]int, final bool) {
			if *acc == nil {
				*acc = map[int]int{}
			}
			if (*acc)[i%13]++; final {
				y[i] = (*acc)[i%13]
			}
		}, reducers.New(&r, func(d, s *map[int]int) {
			sum := map[int]int{}
			for _, m := range []map[int]int{*d, *s} {
				for k, n := range m {
					sum[k] += n
				}
			}
			*d = sum
		}))
		return y, err
	}},
	{"pointers by key", right, func(s exec.Space) (any, error) {
		var r map[int]*int
		err := exec.ParallelReduce(over(s), func(i int, acc *map[int]*int) {
			if *acc == nil {
				*acc = map[int]*int{}
			}
			if (*acc)[i%13] == nil {
				(*acc)[i%13] = new(int)
			}
			*(*acc)[i%13]++
		}, reducers.New(&r, func(d, s *map[int]*int) {
			if *d == nil {
				*d = map[int]*int{}
			}
			for k, n := range *s {
				if (*d)[k] == nil {
					(*d)[k] = new(int)
				}
				*(*d)[k] += *n
			}
		}))
		return *r[5], err
	}},
	{"what an interface holds", right, func(s exec.Space) (any, error) {
		var r any
		err := exec.ParallelReduce(over(s), func(i int, acc *any) {
			if *acc == nil {
				*acc = new(ring)
			}
			(*acc).(*ring).item += i
		}, reducers.New(&r, func(d, s *any) {
			switch {
			case *s == nil:
			case *d == nil:
				*d = &ring{item: (*s).(*ring).item}
			default:
				(*d).(*ring).item += (*s).(*ring).item
			}
		}))
		return r.(*ring).item, err
	}},
}
