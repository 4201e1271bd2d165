package builtin

// What these numbers trade is time, never a bit of a result. See BenchmarkFold.
const (
	// octet is the number of lanes that a fold keeps in registers. Eight independent sums
	// hide the latency of an addition, and leave registers for the operands.
	octet = 8

	// piece is the number of values in which an extreme value is found, and then its place
	// or the other extreme, while they are in the L1 cache. Smaller pieces are more calls.
	piece = 4096
)
