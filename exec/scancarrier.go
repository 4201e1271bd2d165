package exec

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers/concept"
)

func (s *scan[A]) carried() column { return &s.total.Column }

// units returns the units that a node of leaves consists of.
func (s *scan[A]) units(n node) (units node, err error) {
	if n.first%s.unit != 0 || n.last%s.unit != 0 && n.last != s.job.grid.Leaves {
		return node{}, fmt.Errorf("leaves %d to %d of a scan, expected multiples of %d", n.first, n.last-1, s.unit)
	}
	return node{n.first / s.unit, (n.last + s.unit - 1) / s.unit}, nil
}

// appendNode appends the sum of leaves, all of which have run here.
func (s *scan[A]) appendNode(buf []byte, n node, at *place) (longer []byte, err error) {
	units, err := s.units(n)
	if err != nil {
		return buf, err
	}
	if s.missing(units) || !s.tree.join(units.first, at, func() { longer, err = s.appendSum(buf, units) }) {
		return buf, space.ErrFailed
	}
	return longer, err
}

// missing reports whether there are units without a sum: a join inside of one has failed.
func (s *scan[A]) missing(units node) bool {
	for u := units.first; u < units.last; u += s.tree.widthAt(u) {
		if s.tree.widthAt(u) == 0 {
			return true
		}
	}
	return false
}

func (s *scan[A]) appendSum(buf []byte, units node) ([]byte, error) {
	form := concept.FormOf(s.r)
	sums := tree.Sweep[A]{R: s.r, Sums: make([]A, units.last-units.first)}
	w := 0
	for k := 0; k < len(sums.Sums); k += w { // copies: the prefixes are still to come
		data, err := form.Append(nil, &s.tree.sweep.Sums[units.first+k])
		if err != nil {
			return buf, err
		}
		s.r.Init(&sums.Sums[k])
		if _, err := form.Set(&sums.Sums[k], data); err != nil {
			return buf, err
		}
		if k > 0 {
			sums.After(k, w)
		}
		w = s.tree.widthAt(units.first + k) // 1, or more of a node of another process
	}
	sums.Node(tree.CeilPow2(w), tree.CeilPow2(len(sums.Sums)))
	return form.Append(buf, &sums.Sums[0])
}

// setNode takes the sum of leaves that have run in another process.
func (s *scan[A]) setNode(n node, data []byte) (rest []byte, err error) {
	units, err := s.units(n)
	if err != nil {
		return nil, err
	}
	form := concept.FormOf(s.r)
	if form.Err != nil {
		return nil, form.Err
	}
	sum := new(A)
	s.r.Init(sum)
	if rest, err = form.Set(sum, data); err == nil && s.tree.widthAt(units.first) == 0 {
		s.tree.sweep.Sums[units.first] = *sum
		s.tree.width[units.first] = int32(units.last - units.first)
		for u := units.first; u < units.last; u++ {
			s.done[u] = 1
		}
	}
	return rest, err
}

func (k *scanResults[A]) appendNode(buf []byte, _ node, _ *place) ([]byte, error) {
	return buf, nil
}

func (k *scanResults[A]) setNode(_ node, data []byte) (rest []byte, err error) {
	return data, nil
}
