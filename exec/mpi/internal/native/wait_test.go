//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What is written to a pipe is waited for until it is read. Nobody reads what is in a file.
func TestDrain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(path, []byte("of another rank"), 0o600))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	defer func(before time.Duration) { abortMost = before }(abortMost)
	abortMost = 100 * time.Hour
	drain(f)

	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	_, err = w.WriteString("why")
	require.NoError(t, err)
	drained := make(chan bool)
	go func() {
		drain(w)
		close(drained)
	}()
	select {
	case <-drained:
		t.Error("a pipe that nobody has read")
	case <-time.After(50 * time.Millisecond):
	}
	_, err = r.Read(make([]byte, 10))
	require.NoError(t, err)
	<-drained
}
