//go:build (amd64 || arm64) && !noasm

package workers

// pause tells the processor that it waits in a loop: it then leaves more to the other thread of
// its core.
func pause()
