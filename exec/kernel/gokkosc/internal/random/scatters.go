package random

import "fmt"

// Cells of scatters are 12, and 4 rows of 3: see package trial.
const (
	cells = "scatter.Access[float64]"
	rows  = "scatter.Access[int]"
)

// contributes gives a kernel an accumulator of contributions.
func (g *gen) contributes(k *kernel) {
	t := pick(g.r, []string{cells, rows})
	g.into = append(g.into, variable{fmt.Sprintf("acc%d", len(k.accs)), t, true})
	k.accs = append(k.accs, t)
}

// contribution returns a statement that contributes to a cell or to a row, or to none of these: the item fails.
func (g *gen) contribution() *node {
	v := pick(g.r, g.into)
	index, number := func() *node { return g.expr("int", 2) }, func() *node { return g.expr("float64", 3) }
	if v.typ == cells {
		return &node{"stmt", v.name + pick(g.r, []string{".Combine1(%s & 7, %s)", ".Combine1(%s & 7, %s)", ".Combine1(min(max(%s, 0), 11), %s)", ".Combine1(%s & 15, %s)"}), []*node{index(), number()}}
	}
	number = func() *node { return g.expr("int", 2) }
	switch g.r.IntN(8) {
	case 0:
		return &node{"stmt", v.name + ".Combine2(%s & 3, %s & 3, %s)", []*node{index(), index(), number()}}
	case 1, 2, 3:
		return &node{"stmt", v.name + ".CombineRow2(%s & 3, %s, %s, %s)", []*node{index(), number(), number(), number()}}
	}
	return &node{"stmt", v.name + ".Combine2(%s & 3, %s & 1, %s)", []*node{index(), index(), number()}}
}
