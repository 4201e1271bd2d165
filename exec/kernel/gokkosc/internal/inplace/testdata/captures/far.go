package main

import (
	"slices"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A node has everything that leads elsewhere.
type node struct {
	name   string
	weight float64
	count  int32
	rows   [][]float64
	row    []float64
	next   *node
	total  *float64
	on     []bool
	own    [4]float64
	mesh   struct{ cells []particle }
}

func (v *node) add(a float64) {
	v.weight += a
	v.own[1] += a * 2
}

func (v node) sum() float64 { return v.own[0] + v.own[1]*v.own[2] + v.own[3] }

func rowsOf(x []float64) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, 2+i%5, 9)
		for k := range rows[i] {
			rows[i][k] = x[i] + float64(i*k)
		}
	}
	return rows
}

func nodes() []*node {
	list := make([]*node, n)
	for i := range list {
		list[i] = &node{weight: float64(i), count: int32(i % 3), row: make([]float64, i%4+1), total: new(float64), on: make([]bool, 3)}
		list[i].rows = [][]float64{list[i].row, {1, 2, float64(i)}}
		list[i].mesh.cells = particles()[:2]
		list[i].own[2] = 3
		if i > 0 {
			list[i].next = list[i-1]
		}
	}
	return list
}

// Elements are slices.
func ragged(x []float64) {
	rows := rowsOf(x)
	each(func(i int) { x[i] = rows[i][1] + float64(len(rows[i])) + float64(cap(rows[i])) }) // loops
	each(func(i int) {                                                                      // loops
		for k := range rows[i] {
			rows[i][k] *= 2
			x[i] += rows[i][k]
		}
	})
	each(func(i int) { // loops
		for k, v := range rows[i] {
			x[i] += v * float64(k)
		}
		row := rows[(i+1)%n][1:]
		tail := row[:cap(row)]
		x[i] += row[0] + tail[len(tail)-1] + float64(len(tail))
	})
	swap2 := [][][]int32{{{1, 2}, {3}}, {{4, 5, 6}}}
	each(func(i int) { // loops
		sum := int32(0)
		for _, plane := range swap2 {
			for _, row := range plane {
				for _, v := range row {
					sum += v
				}
			}
		}
		x[i] += float64(sum + swap2[0][1][0])
	})
	each(func(i int) { // loops
		best := rows[i]
		if len(rows[n-1-i]) > len(best) {
			best = rows[n-1-i]
		}
		for k := range best {
			x[i] += best[k]
		}
	})
	rows[7] = nil
	each(func(i int) { // loops
		if rows[i] == nil {
			x[i] = 70
		}
	})
	fails(func(i int) { x[i] += rows[i][1] }) // loops
	fails(func(i int) {                       // loops
		rows[i][0] = 5
		rows[(i+3)%n][1] = 7
		x[i] += rows[i][i%6]
	})
	each(func(i int) { rows[i] = rows[0] }) // body: a kernel stores a []float64 to memory
	flags := [][]bool{make([]bool, n), make([]bool, n)}
	each(func(i int) { flags[i%2][i] = x[i] > 50 }) // loops
	each(func(i int) {                              // loops
		if flags[0][i] != flags[1][i] {
			x[i]++
		}
	})
	bytes := [][]byte{[]byte("some"), []byte("text")}
	each(func(i int) { x[i] += float64(bytes[i%2][i/2%4]) }) // loops
	records := [][]particle{particles(), particles()}
	each(func(i int) { // loops
		records[i%2][i].move(2)
		q := &records[1][i]
		q.charge++
		x[i] += records[0][i].energy() + float64(q.charge)
	})
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{n, 2}), func(at policy.Index2) { // loops
		rows := records[at.J]
		rows[at.I].mass++
	}))
	var sum float64
	exec.Must(exec.ParallelReduce(policy.Range(0, n), func(i int, acc *float64) { *acc += rows[i%5][1] + float64(records[1][i].mass) }, builtin.Sum(&sum))) // loops
	x[0] = sum
}

// Elements are pointers.
func linked(x []float64) {
	list := nodes()
	each(func(i int) { x[i] = list[i].weight + list[i].own[i%4] }) // loops
	each(func(i int) {                                             // loops
		p := list[i]
		p.add(3)
		p.row[0] = p.sum()
		*p.total += p.weight
		p.on[p.count] = true
		p.rows[1][2] += p.rows[0][0]
		p.mesh.cells[1].move(.5)
		x[i] += p.rows[1][2] + *list[i].total
	})
	each(func(i int) { // loops
		k := 0
		for p := list[i]; p != nil && k < 5; p = p.next {
			x[i] += p.weight
			k++
		}
		if q := list[i].next; q != nil && q == list[(i+n-1)%n] {
			x[i] += q.own[1]
		}
	})
	fails(func(i int) { x[i] = list[i].next.weight })             // loops
	each(func(i int) { list[i].next = list[0] })                  // body: a kernel stores a *node to memory
	each(func(i int) { x[i] += float64(len(list[i].name)) })      // body: a kernel cannot have type string
	each(func(i int) { x[i] += list[i].mesh.cells[1].charge2() }) // loops
	root := list[9]
	each(func(i int) { // loops
		x[i] += root.next.next.weight + root.row[0]
	})
	exec.Must(exec.ParallelFor(policy.Range(9, 10), func(i int) { *list[i].total = 2; x[i] += *root.total })) // body: this may store to (*root.total), which items load
	w := *root.total
	each(func(i int) { *list[i].total = 2; x[i] += w }) // loops
	each(func(i int) {                                  // loops
		p, q := list[i], list[n-1-i]
		if p.weight > w {
			p, q = q, p
		}
		x[i] += p.weight - q.weight
	})
	list[50] = nil
	fails(func(i int) { // loops
		x[i] = 3
		list[i].weight = x[i]
	})
	each(func(i int) { // loops
		if p := list[i]; p != nil {
			x[i] += p.weight
		}
	})
	var sum float64
	exec.Must(exec.ParallelReduce(policy.Range(0, 50), func(i int, acc *float64) { *acc += list[i].sum() }, builtin.Sum(&sum))) // loops
	x[0] = sum
	numbers := make([]*int, n)
	for i := range numbers {
		numbers[i] = new(int)
	}
	each(func(i int) { *numbers[i] += i })                 // loops
	each(func(i int) { x[i] += float64(*numbers[n-1-i]) }) // loops
	v := views.Must(views.New2[*node]("nodes", 10, 10))
	for i := range 10 {
		for j := range 10 {
			v.Set(i, j, &node{weight: float64(i * j)})
		}
	}
	exec.Must(exec.ParallelFor(policy.MDRange2([2]int{0, 0}, [2]int{10, 10}), func(at policy.Index2) { // loops
		v.At(at.I, at.J).weight += x[at.J]
		v.At(at.I, at.J).add(2)
	}))
	each(func(i int) { x[i] += v.At(i/10, i%10).weight }) // loops
	values := slices.Collect(func(yield func(node) bool) {
		for _, p := range list[:40] {
			if !yield(*p) {
				return
			}
		}
	})
	each(func(i int) { // loops
		p := values[i%40]
		p.weight++
		x[i] += p.weight + p.next2().row[0]
	})
}

func (v *node) next2() *node { return v.rows2(v) }

func (v *node) rows2(w *node) *node { return w }

func (p *particle) charge2() float64 { return float64(p.charge) * 2 }
