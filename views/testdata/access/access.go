// Package access is here for the compiler to say what it does with it.
package access

import "github.com/gokkos/gokkos/views"

// Access calls every accessor of an element.
func Access(x float64, a1 views.View1[float64], a2 views.View2[float64], a3 views.View3[float64], a4 views.View4[float64],
	s1 views.Strided1[float64], s2 views.Strided2[float64], s3 views.Strided3[float64], s4 views.Strided4[float64]) float64 {
	a1.Set(1, x)
	a2.Set(1, 1, x)
	a3.Set(1, 1, 1, x)
	a4.Set(1, 1, 1, 1, x)
	s1.Set(1, x)
	s2.Set(1, 1, x)
	s3.Set(1, 1, 1, x)
	s4.Set(1, 1, 1, 1, x)
	*a1.Ptr(1), *a2.Ptr(1, 1), *a3.Ptr(1, 1, 1), *a4.Ptr(1, 1, 1, 1) = x, x, x, x
	*s1.Ptr(1), *s2.Ptr(1, 1), *s3.Ptr(1, 1, 1), *s4.Ptr(1, 1, 1, 1) = x, x, x, x
	x = a1.Row()[0] + a2.Row(1)[0] + a3.Row(1, 1)[0] + a4.Row(1, 1, 1)[0]
	x += a1.At(1) + a2.At(1, 1) + a3.At(1, 1, 1) + a4.At(1, 1, 1, 1)
	o1, o2 := views.Offset1[float64]{View: a1, Begin: 1}, views.Offset2[float64]{View: a2}
	o3 := views.Offset3[float64]{View: a3}
	o1.Set(1, x)
	o2.Set(1, 1, x)
	o3.Set(1, 1, 1, x)
	*o1.Ptr(1), *o2.Ptr(1, 1), *o3.Ptr(1, 1, 1) = x, x, x
	x += o1.At(1) + o2.At(1, 1) + o3.At(1, 1, 1) + o2.Row(1)[0] + o3.Row(1, 1)[0]
	return x + s1.At(1) + s2.At(1, 1) + s3.At(1, 1, 1) + s4.At(1, 1, 1, 1)
}
