// Package brief shortens what callers give for use in messages.
package brief

import (
	"fmt"
	"slices"
	"strings"
)

// A list of up to whole elements is printed in full, which all extents and indices are, and
// of a longer one the first some.
const (
	whole = 16
	some  = 8
)

// List returns x as fmt prints it, shortened if it is long: [1 2 3 4 5 6 7 8 ... 100000 in all].
func List[T any](x []T) string {
	if len(x) <= whole {
		return fmt.Sprint(slices.Clone(x)) // which keeps x from the heap
	}
	begin := strings.TrimSuffix(fmt.Sprint(slices.Clone(x[:some])), "]")
	return fmt.Sprintf("%s ... %d in all]", begin, len(x))
}
