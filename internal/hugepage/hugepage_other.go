//go:build !linux

package hugepage

func pageSize() int { return 0 }

func advise([]byte) error { return nil }
