package cuda

import (
	"fmt"
	"strconv"

	"github.com/gokkos/gokkos/exec/space"
)

func init() {
	space.Register("cuda", func(env func(key string) string) (space.Space, error) {
		number := 0
		if value := env("GOKKOS_DEVICE"); value != "" {
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("cuda: GOKKOS_DEVICE=%q, expected the number of a device, from 0 on", value)
			}
			number = n
		}
		s, err := Open(number)
		if err != nil {
			return nil, err // and no nil pointer in an interface
		}
		return s, nil
	})
}
