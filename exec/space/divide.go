package space

// A Divider is a job that may have nothing to reduce. Its nodes then need no joins, and its leaves may
// be cut: a short launch has fewer leaves than the space has workers.
type Divider interface {
	// Divide reports whether the job reduces nothing, as apart. If so, slot 0 need not hold the root at
	// the end, and Launch runs the leaves of g: the same items in at least that many leaves, if the
	// items can be cut. Otherwise g is the grid of the launch.
	//
	// Divide may be called once, before Open. A space that takes device.Steps or is over several processes
	// must not call it.
	Divide(leaves int) (g Grid, apart bool)
}

// A Chunker is a Space that sets the number of items per leaf of its launches, to find results that
// depend on it. A policy whose index stands for many items keeps its leaves.
type Chunker interface {
	// Chunk returns that number, with the meaning of a policy's chunk; 0: policies decide.
	Chunk() int
}
