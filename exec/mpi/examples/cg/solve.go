package main

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views/mtx"
)

// A system is A·x = b as one rank has it: its rows of A, and of the vectors the elements of these
// rows. Only the direction p is needed in whole.
type system struct {
	world *mpi.Comm
	rows  policy.RangePolicy // of the whole matrix, on all ranks
	begin int                // the first row of this rank
	a     *mtx.Matrix
	b     []float64
}

// newSystem returns the system with a right side for which the solution is 1 everywhere.
func newSystem(world *mpi.Comm, rows policy.RangePolicy, a *mtx.Matrix) (*system, error) {
	s := &system{world, rows, a.First, a, make([]float64, a.Len())}
	ones := make([]float64, a.Columns)
	for j := range ones {
		ones[j] = 1
	}
	return s, s.each(func(k int) { s.b[k] = a.Times(k, ones) })
}

// each calls f for each row of this rank, by its number among these.
func (s *system) each(f func(k int)) error {
	return exec.ParallelFor(s.rows.WithLabel("rows"), func(i int) { f(i - s.begin) })
}

// dot returns Σ x[i]·y[i] over the elements of all ranks, of which this one has x and y.
func (s *system) dot(x, y []float64) (sum float64, err error) {
	err = exec.ParallelFold(mpi.DistributedProducts(s.rows.WithLabel("dot"), x, y), builtin.Sum(&sum))
	return sum, err
}

var errIndefinite = errors.New("p·Ap is not positive, expected a symmetric positive definite matrix")

// solve is the method of conjugate gradients from x = 0, up to a residual of tolerance times that
// of the start or so many iterations. It returns this rank's elements of x, and calls report with
// the norm of each residual.
func (s *system) solve(tolerance float64, most int, report func(iteration int, norm float64)) ([]float64, error) {
	n := s.a.Len()
	x, r, q, mine := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	copy(r, s.b)
	copy(mine, r)
	rr, err := s.dot(r, r)
	if err != nil {
		return nil, err
	}
	stop := tolerance * tolerance * rr
	for k := 0; ; k++ {
		report(k, math.Sqrt(rr))
		if rr <= stop || k == most {
			return x, nil
		}
		p, err := s.gather(mine)
		if err != nil {
			return nil, err
		}
		if err := s.each(func(k int) { q[k] = s.a.Times(k, p) }); err != nil {
			return nil, err
		}
		pq, err := s.dot(mine, q)
		switch {
		case err != nil:
			return nil, err
		case !(pq > 0):
			return nil, errIndefinite
		}
		alpha := rr / pq
		if err := s.each(func(k int) {
			x[k] += float64(alpha * mine[k])
			r[k] -= float64(alpha * q[k])
		}); err != nil {
			return nil, err
		}
		before := rr
		if rr, err = s.dot(r, r); err != nil {
			return nil, err
		}
		beta := rr / before
		if err := s.each(func(k int) { mine[k] = r[k] + float64(beta*mine[k]) }); err != nil {
			return nil, err
		}
	}
}

// gather returns the elements of all ranks.
func (s *system) gather(mine []float64) (all []float64, err error) {
	return all, mpi.Allreduce(s.world, mine, inOrder(&all))
}

// inOrder returns the reducer that appends what comes next. Ranks are joined in their order.
func inOrder(all *[]float64) appended {
	return appended{reducers.New(all, func(dst, src *[]float64) { *dst = append(*dst, *src...) }, reducers.Init(func(x *[]float64) { *x = (*x)[:0] }))}
}

type appended struct{ reducers.Func[[]float64] }

// AppendValue and SetValue are the form of a value: its length, and the bits of its elements.
func (appended) AppendValue(buf []byte, val *[]float64) ([]byte, error) {
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(*val)))
	for _, x := range *val {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
	}
	return buf, nil
}

func (appended) SetValue(val *[]float64, data []byte) (rest []byte, err error) {
	if len(data) < 8 || uint64(len(data)-8)/8 < binary.LittleEndian.Uint64(data) {
		return nil, errors.New("elements are missing")
	}
	n := int(binary.LittleEndian.Uint64(data))
	for data = data[8:]; n > 0; n-- {
		*val = append(*val, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		data = data[8:]
	}
	return data, nil
}
