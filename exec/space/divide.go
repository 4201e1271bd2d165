package space

// A Divider is a job that may have nothing to reduce. Its nodes need not be joined then, and its leaves may be cut: a launch
// over few items has few leaves, and a space more workers.
type Divider interface {
	// Divide reports whether nothing is reduced. If so, slot 0 need not have the root in the end, and Launch runs the
	// leaves of g, which are the same items in that many leaves at least, if it can be. Otherwise g is that of
	// the launch. It may be called before Open, and once, and not by a space that takes [Steps] or is over several processes.
	Divide(leaves int) (g Grid, apart bool)
}

// A Chunker is a Space that decides how many items the leaves of launches on it have, so that results which depend on that
// are found. A policy keeps its leaves if an index of its stands for many items.
type Chunker interface {
	// Chunk returns that number, which is as a policy's chunk, or 0: policies decide.
	Chunk() int
}
