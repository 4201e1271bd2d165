package scan

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers/concept"
)

func (s *scan[A]) Carried() launch.Column { return &s.total.Column }

// units returns the node of leaves n as a node of units, or an error if n cuts a unit.
func (s *scan[A]) units(n launch.Node) (units launch.Node, err error) {
	if n.First%s.unit != 0 || n.Last%s.unit != 0 && n.Last != s.job.Grid.Leaves {
		return launch.Node{}, fmt.Errorf("leaves %d to %d of a scan, expected multiples of %d", n.First, n.Last-1, s.unit)
	}
	return launch.Node{First: n.First / s.unit, Last: (n.Last + s.unit - 1) / s.unit}, nil
}

// AppendNode appends the sum of the leaves n, all of which have run in this process.
func (s *scan[A]) AppendNode(buf []byte, n launch.Node, at *launch.Place) (longer []byte, err error) {
	units, err := s.units(n)
	if err != nil {
		return buf, err
	}
	if s.missing(units) || !s.tree.join(units.First, at, func() { longer, err = s.appendSum(buf, units) }) {
		return buf, ranks.ErrFailed
	}
	return longer, err
}

// missing reports whether some unit has no sum, because a join inside it failed.
func (s *scan[A]) missing(units launch.Node) bool {
	for u := units.First; u < units.Last; u += s.tree.widthAt(u) {
		if s.tree.widthAt(u) == 0 {
			return true
		}
	}
	return false
}

func (s *scan[A]) appendSum(buf []byte, units launch.Node) ([]byte, error) {
	form := concept.FormOf(s.r)
	sums := tree.Sweep[A]{R: s.r, Sums: make([]A, units.Last-units.First)}
	w := 0
	for k := 0; k < len(sums.Sums); k += w { // copies: the prefixes are still to come
		data, err := form.Append(nil, &s.tree.sweep.Sums[units.First+k])
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
		w = s.tree.widthAt(units.First + k) // 1, or more of a node of another process
	}
	sums.Node(tree.CeilPow2(w), tree.CeilPow2(len(sums.Sums)))
	return form.Append(buf, &sums.Sums[0])
}

// SetNode sets the sum of leaves that have run in another process.
func (s *scan[A]) SetNode(n launch.Node, data []byte) (rest []byte, err error) {
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
	if rest, err = form.Set(sum, data); err == nil && s.tree.widthAt(units.First) == 0 {
		s.tree.sweep.Sums[units.First] = *sum
		s.tree.width[units.First] = int32(units.Last - units.First)
		for u := units.First; u < units.Last; u++ {
			s.done[u] = 1
		}
	}
	return rest, err
}

func (k *scanResults[A]) AppendNode(buf []byte, _ launch.Node, _ *launch.Place) ([]byte, error) {
	return buf, nil
}

func (k *scanResults[A]) SetNode(_ launch.Node, data []byte) (rest []byte, err error) {
	return data, nil
}
