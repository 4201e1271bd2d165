package atomics

func Add[T any](p *T, x T) T { return x }
