//go:build !(amd64 || arm64) || noasm

package workers

func pause() {}
