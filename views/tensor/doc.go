// Package tensor reduces tensors over some of their dimensions: several reductions in one
// pass, each with its own accumulator and output types.
//
// A tensor is a view of any rank and layout. A call says what is reduced over which
// dimensions, how, and where results go:
//
//	err := tensor.Reduce(tensor.Over(x, 1, 2, 3).On(space),
//		tensor.Fold(builtin.Sum[float32], tensor.IntoMap(mean, tensor.Average[float32])),
//		tensor.FoldMap(square, builtin.Max[float32], tensor.Into(largest)),
//		tensor.Fold(builtin.MinLoc[float32, int],
//			tensor.IntoMap(least, tensor.Value[float32]),
//			tensor.IntoMap(where, tensor.Index[float32])))
//
// # Types
//
// An element of type T becomes a value of type V, is folded into an accumulator of type A,
// and this becomes a result of type O:
//
//	T  --Map or FoldMap-->  V  --reducer-->  A  --IntoMap-->  O  --Scaled-->  output
//
// The functions between are any. Types that do not compute, such as Float16 of package
// github.com/x448/float16 and [bfloat16.BFloat16], are converted by [Map], once for all
// reductions.
//
// # Bits
//
// A result has the bits of exec.ParallelFold over a slice of its elements, numbered over
// the reduced dimensions in the order of the view, the last one fastest. Layout, space,
// strategy and the reductions beside it do not matter.
//
// # Cards
//
// A tensor in the memory of a card, which the host cannot touch, is folded there: by Fold with the reducers of package
// builtin, of numbers, bools, and what Map makes of float16 and bfloat16 by their method Float32, or MapSlice of float32 by
// [Float64s]. Other functions of Map, MapSlice and FoldMap are errors. Those of [IntoMap] run on the host.
//
// # NaN
//
// NaN propagates in Min, Max and their like, and the first one is found. [IgnoreNaN] makes
// reducers that skip NaN.
//
// Source of the operations: Composable Kernel, DeviceReduce and DeviceMultipleReduce.
package tensor
