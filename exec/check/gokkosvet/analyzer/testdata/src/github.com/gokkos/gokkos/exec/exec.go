package exec

type Space interface{ Name() string }

type Serial struct{}

func (Serial) Name() string { return "serial" }

func ParallelFor[I any, P any](p P, f func(i I)) error                                { return nil }
func ParallelReduce[I, A any, P any](p P, f func(i I, acc *A), r any) error           { return nil }
func ParallelScan[I, A any, P any](p P, f func(i I, acc *A, final bool), r any) error { return nil }
func Map[I, T any, P any](p P, f func(i I) T) []T                                     { return nil }
