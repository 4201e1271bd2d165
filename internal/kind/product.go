package kind

// Product returns x*y. The parts of a complex product are made of rounded real
// products, because the compiler may fuse those of x*y on some processors. It
// can do no more than x*y for complex types with a name of their own.
func Product[T Number](x, y T) T {
	switch a := any(x).(type) {
	case complex128:
		b := any(y).(complex128)
		return any(complex(
			float64(real(a)*real(b))-float64(imag(a)*imag(b)),
			float64(real(a)*imag(b))+float64(imag(a)*real(b)))).(T)
	case complex64:
		b := any(y).(complex64)
		return any(complex(
			float32(real(a)*real(b))-float32(imag(a)*imag(b)),
			float32(real(a)*imag(b))+float32(imag(a)*real(b)))).(T)
	}
	return x * y
}
