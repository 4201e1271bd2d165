package exec

// Must panics with err unless it is nil. It is for programs that cannot go on without the
// launch, and for those in which an error can only be a mistake in the source:
//
//	exec.Must(exec.ParallelFor(policy.Range(0, n), f))
//
// A launch that is written as a statement of its own drops its error.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
