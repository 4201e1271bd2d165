package main

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// cells are small cubes, at least as wide as lists reach, and the atoms in each, by their numbers.
type cells struct {
	along  int // a side, at least 3: each cell has 26 others around it
	width  float64
	begins []int // of the cells in atoms, and the end of the last
	atoms  []int32
}

// of returns the cell of a position.
func (c *cells) of(x []float64) (at [3]int) {
	for d := range at {
		at[d] = min(int(x[d]/c.width), c.along-1)
	}
	return at
}

// members returns the atoms of a cell, whose coordinates are one beyond a side at most.
func (c *cells) members(u, v, w int) []int32 {
	k := c.number((u+c.along)%c.along, (v+c.along)%c.along, (w+c.along)%c.along)
	return c.atoms[c.begins[k]:c.begins[k+1]]
}

func (c *cells) number(u, v, w int) int { return (u*c.along+v)*c.along + w }

// sort sorts the atoms by their cells. Sorting is stable, so the order in a cell is that of numbers.
func (a *atoms) sort() (*cells, error) {
	along := int(a.side / (cutoff + skin))
	c := &cells{along: along, width: a.side / float64(along), begins: make([]int, along*along*along+1), atoms: make([]int32, a.n)}
	numbers := make([]int32, a.n)
	if err := exec.ParallelFor(a.all.WithLabel("cells"), func(i int) {
		at := c.of(a.x.Row(i))
		numbers[i], c.atoms[i] = int32(c.number(at[0], at[1], at[2])), int32(i)
	}); err != nil {
		return nil, err
	}
	keys, err := views.Of1("cells", numbers)
	if err != nil {
		return nil, err
	}
	values, err := views.Of1("atoms", c.atoms)
	if err != nil {
		return nil, err
	}
	if err := algorithms.SortByKey(keys, values, a.on()); err != nil {
		return nil, err
	}
	// Where a cell begins is the first place with its number, or that of the next one that is not empty.
	return c, exec.ParallelFor(policy.Range(0, a.n+1).With(a.on()).WithLabel("begins"), func(k int) {
		last, next := -1, len(c.begins)-1
		if k > 0 {
			last = int(numbers[k-1])
		}
		if k < a.n {
			next = int(numbers[k])
		}
		for number := last + 1; number <= next; number++ {
			c.begins[number] = k
		}
	})
}
