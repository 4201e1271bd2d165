package cuda

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/space"
)

func init() {
	space.Register("cuda", func(env func(key string) string) (space.Space, error) {
		s, err := openNamed(env("GOKKOS_DEVICE"))
		if err != nil {
			return nil, err // and no nil pointer in an interface
		}
		return s, nil
	})
}

// openNamed opens the devices that the value of the variable names: one or several, device 0 if it is empty.
func openNamed(value string) (*Space, error) {
	switch value {
	case "":
		return Open(0)
	case "all":
		return Together()
	}
	var numbers []int
	for text := range strings.SplitSeq(value, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("cuda: GOKKOS_DEVICE=%q, expected the number of a device, from 0 on, numbers such as 0,1, or all", value)
		}
		numbers = append(numbers, n)
	}
	return Together(numbers...)
}
