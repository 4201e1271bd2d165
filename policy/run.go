package policy

// A Run is consecutive items whose indices differ in one coordinate only, which grows by one
// from item to item. Policies that tell their items in runs have a method NextRuns, see
// exec.RunsPolicy: a loop over a run is a plain loop.
type Run struct {
	At  [6]int // the index of the first item, coordinate by coordinate
	Dim int    // the coordinate that grows, the first one being 0
	Len int    // number of items, at least 1
}
