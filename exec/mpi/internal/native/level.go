package native

// A Level says which goroutines may call the library at one time.
type Level int

// Levels of the MPI standard.
const (
	Single     Level = iota // one thread, as Funneled: whether there are others, the library cannot see
	Funneled                // the thread that initialized it
	Serialized              // one at a time
	Multiple                // all
)
