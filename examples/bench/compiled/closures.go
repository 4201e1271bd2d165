package compiled

// The same functors as closures.
var (
	AddScaledClosure = addScaled
	SumScaledClosure = sumScaled
	DotClosure       = dot
	SmallestClosure  = smallest
	RootsClosure     = roots
	IteratedClosure  = iterated
	RelaxClosure     = relax
	GemvClosure      = gemv
	HashClosure      = hash
	NearestClosure   = nearest

	MandelbrotClosure = mandelbrot
	OptionsClosure    = options
	AttractionClosure = attraction
	ForcesClosure     = forces
	InsideClosure     = inside
)
