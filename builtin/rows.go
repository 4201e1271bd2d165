package builtin

import "github.com/gokkos/gokkos/internal/simd"

// The rows of the reducers that vector instructions join side by side, for package tensor.

func (sum[T]) Rows() simd.Rows[T]     { return simd.RowsOf[T](simd.Sum, simd.Sum) }
func (sumSq[T]) Rows() simd.Rows[T]   { return simd.RowsOf[T](simd.SumSq, simd.Sum) }
func (norm1[T]) Rows() simd.Rows[T]   { return simd.RowsOf[T](simd.Norm1, simd.Sum) }
func (norm2[T]) Rows() simd.Rows[T]   { return simd.RowsOf[T](simd.SumSq, simd.Sum) }
func (minimum[T]) Rows() simd.Rows[T] { return simd.RowsOf[T](simd.Min, simd.Min) }
func (maximum[T]) Rows() simd.Rows[T] { return simd.RowsOf[T](simd.Max, simd.Max) }
func (aMax[T]) Rows() simd.Rows[T]    { return simd.RowsOf[T](simd.AMax, simd.Max) }
func (bAnd[T]) Rows() simd.Rows[T]    { return simd.RowsOf[T](simd.And, simd.And) }
func (bOr[T]) Rows() simd.Rows[T]     { return simd.RowsOf[T](simd.Or, simd.Or) }
func (bXor[T]) Rows() simd.Rows[T]    { return simd.RowsOf[T](simd.Xor, simd.Xor) }
