package hugepage

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flags returns what the system notes of the mapping that has an address.
func flags(t *testing.T, address uintptr) []string {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip("this system does not tell of its mappings")
	}
	defer f.Close()
	within := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var begin, end uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x", &begin, &end); n == 2 {
			within = begin <= address && address < end
		}
		if text, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && within {
			return strings.Fields(text)
		}
	}
	t.Skip("this system does not tell the flags of a mapping")
	return nil
}

func TestAdviseReachesTheSystem(t *testing.T) {
	if pageSize() == 0 {
		t.Skip("this system has no huge pages")
	}
	x := make([]float64, 8<<20)
	bytes := Advise(x)
	require.Zero(t, bytes%pageSize())
	require.Greater(t, bytes, 8*len(x)-2*pageSize())
	assert.Contains(t, flags(t, uintptr(unsafe.Pointer(&x[len(x)/2]))), "hg")
}

func TestSwitch(t *testing.T) {
	if os.Getenv("GOKKOS_HUGEPAGES") == "0" {
		assert.Zero(t, Advise(make([]byte, 2*Least)))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestSwitch$")
	cmd.Env = append(os.Environ(), "GOKKOS_HUGEPAGES=0")
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", output)
}

func TestParseSize(t *testing.T) {
	assert.Equal(t, 2<<20, parseSize("2097152\n"))
	for _, text := range []string{"", "0", "-2097152", "2097153", "1024", "2M"} {
		assert.Zero(t, parseSize(text), text)
	}
}
