package main

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
)

// neighbours are the half list: for each atom those with larger numbers that are near it.
type neighbours struct {
	starts []int // of the atoms in near, n+1
	near   []int32
}

func (l *neighbours) of(i int) []int32 { return l.near[l.starts[i]:l.starts[i+1]] }
func (l *neighbours) pairs() int       { return len(l.near) }

// renew makes a new list if some atom may have come near another one that is not in its list.
func (a *atoms) renew() error {
	if a.starts != nil {
		var far float64
		if err := exec.ParallelReduce(a.all.WithLabel("way"), func(i int, acc *float64) {
			x, old, sum := a.x.Row(i), a.listed.Row(i), 0.0
			for d := range x {
				sum += float64((x[d] - old[d]) * (x[d] - old[d]))
			}
			*acc = max(*acc, sum)
		}, builtin.Max(&far)); err != nil {
			return err
		}
		if far < skin*skin/4 {
			return nil
		}
		if !(far < a.side*a.side) { // or no number
			return fmt.Errorf("an atom has moved by %.3g within a list of pairs, expected less than the side of %.3g: -dt is too long", math.Sqrt(far), a.side)
		}
	}
	if err := exec.ParallelFor(a.all.WithLabel("wrap"), func(i int) {
		for d, x := range a.x.Row(i) {
			if x < 0 {
				x += a.side
			} else if x >= a.side {
				x -= a.side
			}
			a.x.Set(i, d, min(x, math.Nextafter(a.side, 0))) // what is just below 0 becomes the side itself
		}
	}); err != nil {
		return err
	}
	if err := views.DeepCopy(a.listed, a.x, a.on()); err != nil {
		return err
	}
	a.lists++
	return a.list()
}

// list sorts atoms into cells. Each atom looks for neighbours in its own cell and in the 26 around it, twice: the first time
// it counts them, and a scan of the counts says where its list begins.
func (a *atoms) list() error {
	c, err := a.sort()
	if err != nil {
		return err
	}
	counts := make([]int, a.n)
	if err := exec.ParallelFor(a.all.WithLabel("count"), func(i int) {
		a.search(c, i, func(int32) { counts[i]++ })
	}); err != nil {
		return err
	}
	a.starts = make([]int, a.n+1)
	var pairs int
	if err := exec.ParallelScan(a.all.WithLabel("starts"), func(i int, acc *int, final bool) {
		if *acc += counts[i]; final {
			a.starts[i+1] = *acc
		}
	}, builtin.Sum(&pairs)); err != nil {
		return err
	}
	a.near = make([]int32, pairs)
	return exec.ParallelFor(a.all.WithLabel("fill"), func(i int) {
		at := a.starts[i]
		a.search(c, i, func(j int32) {
			a.near[at] = j
			at++
		})
	})
}

// search calls f for each neighbour of atom i with a larger number, in the order of cells.
func (a *atoms) search(c *cells, i int, f func(j int32)) {
	x := a.x.Row(i)
	at := c.of(x)
	for du := -1; du <= 1; du++ {
		for dv := -1; dv <= 1; dv++ {
			for dw := -1; dw <= 1; dw++ {
				for _, j := range c.members(at[0]+du, at[1]+dv, at[2]+dw) {
					if int(j) <= i {
						continue
					}
					r := a.between(x, a.x.Row(int(j)))
					if float64(r[0]*r[0])+float64(r[1]*r[1])+float64(r[2]*r[2]) < (cutoff+skin)*(cutoff+skin) {
						f(j)
					}
				}
			}
		}
	}
}
