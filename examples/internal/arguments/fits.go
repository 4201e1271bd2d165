// Package arguments checks what programs are told on their command lines, on one machine and on many.
package arguments

import (
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"strings"
)

// unknown is the memory in bytes of a machine that does not say how much it has.
const unknown = 1 << 40

// Fits returns an error if the machine has less memory than a program takes: so many bytes for each element, whose
// number is the product of counts. A count is at least 0. The runtime would end the program with a stack trace, or
// the product would wrap.
func Fits(bytes int, counts ...int) error {
	return fits(available(os.ReadFile("/proc/meminfo")), bytes, counts)
}

func fits(memory uint64, bytes int, counts []int) error {
	need := uint64(bytes)
	var words []string
	large := false
	for _, n := range counts {
		words = append(words, strconv.Itoa(n))
		high, low := bits.Mul64(need, uint64(n))
		large = large || high != 0
		need = low
	}
	if large || need > memory {
		return fmt.Errorf("%s elements of %d bytes, expected at most the %.4g MB of memory that are free",
			strings.Join(words, " x "), bytes, float64(memory)/1e6)
	}
	return nil
}

// available returns the bytes that the text of Linux's meminfo says are available.
func available(text []byte, err error) uint64 {
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "MemAvailable:" {
			continue
		}
		if kB, err := strconv.ParseUint(words[1], 10, 50); err == nil {
			return kB << 10
		}
	}
	return unknown
}
