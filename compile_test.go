package gokkos

import (
	"go/token"
	"regexp"
	"strings"
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

// literal is how package go/types writes a function that the compiler writes as func() {…}.
var literal = regexp.MustCompile(`of \((func.*) literal\)`)

// The page of errors has what the compiler says of these mistakes, and of no other ones.
func TestPageOfCompileErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("the messages are the same in all builds")
	}
	fset := token.NewFileSet()
	imports := exports(t, fset)
	var says []string
	for _, call := range []string{
		`exec.ParallelFor(policy.Spans(0, 9), func(i int) {})`,
		`exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{3, 4}), func(i, j int) {})`,
		`exec.ParallelReduceLanes(policy.Spans(0, 9), func(s policy.Span, lanes []float64) {}, builtin.Sum(&s))`,
		`exec.ParallelReduce(policy.Range(0, 9), func(i int, acc float64) {}, builtin.Sum(&s))`,
		`exec.ParallelReduce(policy.Range(0, 9), func(i int) float64 { return x[i] }, builtin.Sum(&s))`,
		`var e int; exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float64) {}, builtin.Sum(&e))`,
		`exec.ParallelFor(n, func(i int) {})`,
		`policy.Range(0, 9).On(exec.Goroutines{})`,
		`a := views.New2[float64]("a", n, k); _ = a`,
	} {
		err := check(fset, imports, scope+"func f() { "+call+" }\n")
		require.Error(t, err, call)
		says = append(says, literal.ReplaceAllString(err.Error(), "of $1 {…}"))
	}
	table := rows(pages(t)["docs/errors.md"], "| the compiler says |")
	require.Len(t, table, len(says))
	for n, row := range table {
		assert.Len(t, row, 3, "message, cause and cure")
		for k, part := range strings.Split(row[0], "`") {
			if k%2 == 1 {
				assert.Contains(t, says[n], part)
			}
		}
	}
}
