package policy

// A Run is consecutive items whose indices differ in one coordinate only, which grows by one
// from item to item. A loop over a run is a plain loop; see [Runs].
type Run struct {
	At  [6]int // the index of the first item, coordinate by coordinate
	Dim int    // the coordinate that grows, the first one being 0
	Len int    // number of items, at least 1
}

// A Plane is runs of the same length, each of which begins one farther in a dimension than the one
// before it.
type Plane struct {
	Run       // the first one
	Outer int // the coordinate that grows from run to run
	Rows  int // number of runs, at least 1
}

// Runs is an exec.Policy that tells the indices of items in runs: a functor is then called
// by a plain loop for each run, and no index is in memory. Policies may do so whose indices
// are integers, or structs or arrays of up to six, in the order of the coordinates; others are
// asked for one index after the other. The policies of this package have runs.
type Runs interface {
	// NextRuns writes the runs of items begin, begin+1, ... below end into dst, which has
	// room for one at least, and returns how many it wrote and the first item that is in
	// none of them. A run may be shorter than it could be. The indices are those of Next, and
	// below math.MaxInt along the run.
	// NextRuns is called by several workers at a time.
	NextRuns(begin, end int, dst []Run) (n, next int)
}
