// Package prefix is a program that any space runs, wherever the space has its memory.
package prefix

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/tensor"
)

// Hash makes a random walk of 30 000 steps, tells its mean, its variance and where it is highest, how high each of its
// 300 stretches is on average, and hashes all bits of that.
func Hash(on exec.Space) (uint64, error) {
	const stretches, steps = 300, 100
	walk, err := views.New1[float64]("walk", stretches*steps)
	if err != nil {
		return 0, err
	}
	for i := range walk.Len() {
		walk.Set(i, math.Remainder(float64(i*i), 17)/7)
	}
	x, err := views.MirrorCopy(views.MemoryOf(on), walk) // where the space has its memory
	if err != nil {
		return 0, err
	}
	var end float64
	if err := algorithms.InclusiveScan(x, x, builtin.Sum(&end), policy.On(on)); err != nil {
		return 0, err
	}
	var moments builtin.Moments[float64]
	var top builtin.ValLoc[float64, int]
	if err := exec.ParallelFold(views.Source(x, policy.On(on)), builtin.Variance(&moments), builtin.MaxLoc(&top)); err != nil {
		return 0, err
	}
	table, err := x.Reshape(stretches, steps)
	if err != nil {
		return 0, err
	}
	means, err := views.New1[float64]("means", stretches)
	if err != nil {
		return 0, err
	}
	mean := tensor.Fold(builtin.Sum[float64], tensor.IntoMap(means, tensor.Average[float64]))
	if err := tensor.Reduce(tensor.Over(table, 1).On(on), mean); err != nil {
		return 0, err
	}
	hash := fnv.New64a()
	for _, y := range append([]float64{end, moments.Mean, moments.M2, top.Val, float64(top.Loc)}, slices.Collect(means.Values())...) {
		hash.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(y))) // never fails
	}
	return hash.Sum64(), nil
}
