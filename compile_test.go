package gokkos

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The compiler's message for a call that does not fit says what was expected. The
// documentation of package exec explains these.
func TestCompileErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("the messages are the same in all builds")
	}
	fset := token.NewFileSet()
	imports := exports(t, fset)
	for name, c := range map[string]struct{ call, says string }{
		"a number for a policy": {
			`exec.ParallelFor(n, func(i int) {})`,
			"(type int) does not satisfy exec.Policy[Index] (missing method Next)",
		},
		"another index": {
			`exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{3, 4}), func(at [2]int) {})`,
			"have Next(int, int, []policy.Index2) (int, int)\n\t\twant Next(int, int, []Index)",
		},
		"several indices": {
			`exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{3, 4}), func(i, j int) {})`,
			"does not match func(i Index)",
		},
		"an accumulator of another type": {
			`exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float32) {}, builtin.Sum(new(float64)))`,
			"does not match inferred type reducers.Reducer[float32]",
		},
		"something with a name for a space": {
			`policy.Range(0, 9).On(interface{ Name() string }(nil))`,
			"does not implement space.Space (missing method Concurrency)",
		},
		"no reducer": {
			`exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *int) {})`,
			"not enough arguments in call to exec.ParallelReduce",
		},
		"no reducer of lanes": {
			`exec.ParallelReduceLanes(policy.Spans(0, 9), func(s exec.Lanes[int]) {})`,
			"not enough arguments in call to exec.ParallelReduceLanes",
		},
		"no reducer of a fold": {
			`exec.ParallelFold(exec.Slice(policy.Range(0, 9), make([]int, 9)))`,
			"not enough arguments in call to exec.ParallelFold",
		},
		"right": {`exec.ParallelFor(policy.Range(0, 9), func(i int) {})`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := check(fset, imports, scope+"func f() { "+c.call+" }\n")
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.says)
		})
	}
}
