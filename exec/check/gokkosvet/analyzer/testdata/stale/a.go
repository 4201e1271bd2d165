package stale

func axpy() int { return 2 }
