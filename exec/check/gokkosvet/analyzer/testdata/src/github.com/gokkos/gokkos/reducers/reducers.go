package reducers

type Option[T any] func(*T)

func New[T any](result *T, join func(dst, src *T), options ...Option[T]) any { return nil }
func Init[T any](f func(*T)) Option[T]                                       { return f }
