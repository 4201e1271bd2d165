package scan

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Values implements launch.Scanner.
func (s *scan[A]) Values(x *device.Scan) (inMemory bool) {
	*x = device.Scan{Dst: []A(nil), Src: []A(nil)}
	if s.array != nil {
		*x = s.array.ScanValues()
	}
	x.Result = device.Result{Column: s.job.Describe(&s.total.Column), Operation: s.total.Column.Operation()}
	if s.job.Opens == 0 { // else it is open
		s.total.Column.Open(1, 1, 1)
	}
	var identity, initial A
	s.r.Init(&identity)
	s.total.Seed(&initial)
	form := concept.FormOf(s.r)
	layout, err := s.total.Column.Layout()
	if err == nil {
		x.Identity, err = form.Append(nil, &identity)
	}
	if err == nil {
		x.Initial, err = form.Append(nil, &initial)
	}
	if err == nil {
		x.Result.Layout = layout
	}
	return s.array != nil
}

// far panics with the error of a launch that would read memory that the host cannot touch.
func (s *scan[A]) far() {
	panic(launch.Breach("exec: the values are in the memory of %v, and the space runs items on the host, expected a space that scans values there", s.array.ScanValues().Memory))
}

// AcceptAll implements launch.Scanner.
func (s *scan[A]) AcceptAll(n launch.Node, value []byte) error {
	if n != s.job.All() {
		return fmt.Errorf("a part of a scan, expected all leaves, 0 to %d", s.job.Grid.Leaves-1)
	}
	for u := range s.tree.width {
		if s.tree.widthAt(u) != 0 {
			return errors.New("all leaves of a scan, expected none of them to have run or to be handed in before")
		}
	}
	s.accepted.Store(true)
	rest, err := s.SetNode(n, value)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("a value of %d bytes, expected %d", len(value), len(value)-len(rest))
	}
	return err
}
