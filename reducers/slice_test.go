package reducers_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

func TestSliceOfAnyLength(t *testing.T) {
	for _, length := range []int{0, 1, 2, 7, 100} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			onSpaces(t, func(t *testing.T, space exec.Space) {
				sums, products := make([]int, length), make([]int, length)
				for k := range sums {
					sums[k], products[k] = 77, 77
				}
				p := policy.Range(0, 1000).On(space)
				require.NoError(t, exec.ParallelReduce2(p, func(i int, s, p *[]int) {
					if len(*s) != length || len(*p) != length {
						t.Errorf("accumulators of length %d and %d", len(*s), len(*p))
					}
					if length > 0 {
						(*s)[i%length] += i
						if i < 2*length {
							(*p)[i%length] *= i + 1
						}
					}
				}, reducers.Slice(&sums, sum), reducers.Slice(&products, product)))
				wantSums, wantProducts := make([]int, length), make([]int, length)
				for k := range length {
					wantProducts[k] = 1
				}
				for i := range 1000 {
					if length > 0 {
						wantSums[i%length] += i
						if i < 2*length {
							wantProducts[i%length] *= i + 1
						}
					}
				}
				assert.Equal(t, wantSums, sums)
				assert.Equal(t, wantProducts, products)
			})
		})
	}
}

func TestSliceInitGivesTheLength(t *testing.T) {
	x := make([]int, 3)
	r := reducers.Slice(&x, product)
	for _, val := range [][]int{nil, {}, {7}, {7, 8, 9}, {7, 8, 9, 10}} {
		r.Init(&val)
		assert.Equal(t, []int{1, 1, 1}, val)
	}
}

func TestSliceOverwritesInPlace(t *testing.T) {
	memory := []int{1, 2, 3, 4}
	x := memory[1:3]
	f := func(i int, acc *[]int) { (*acc)[i%2]++ }
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 10), f, reducers.Slice(&x, sum)))
	assert.Equal(t, []int{1, 5, 5, 4}, memory)
	assert.Same(t, &memory[1], &x[0])

	require.NoError(t, exec.ParallelReduce(policy.Range(0, 0), f, reducers.Slice(&x, sum)))
	assert.Equal(t, []int{1, 0, 0, 4}, memory)
}

func TestSliceWhoseLengthChanged(t *testing.T) {
	x := make([]int, 3)
	r := reducers.Slice(&x, sum)
	x = append(x, 9)
	rejects(t, "the result slice has length 4 now, but had 3", r)
	rejects[[]int](t, "the result slice has length 4 now, but had 3", reducers.WithInitial(r))
	x = x[:3]
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5), func(_ int, acc *[]int) { (*acc)[0]++ }, r))
	assert.Equal(t, []int{5, 0, 0}, x)
}

func TestSliceAppliesFinalToEachElementOnce(t *testing.T) {
	x := make([]int, 3)
	finals := 0
	elem := func(result *int) reducers.Func[int] {
		return reducers.New(result, add[int], reducers.Final(func(val *int) { *val = -*val; finals++ }))
	}
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 300), func(i int, acc *[]int) { (*acc)[i%3]++ }, reducers.Slice(&x, elem)))
	assert.Equal(t, []int{-100, -100, -100}, x)
	assert.Equal(t, 3, finals)
}

func TestSliceOfOrdered(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		x := make([]string, 2)
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 52).On(space), func(i int, acc *[]string) {
			(*acc)[i%2] += string(rune('A' + i))
		}, reducers.Slice(&x, text)))
		assert.Equal(t, []string{"ACEGIKMOQSUWY[]_acegikmoqs", "BDFHJLNPRTVXZ\\^`bdfhjlnprt"}, x)
	})
}

// The rows of a slice of slices may differ in length.
func TestSliceOfSlices(t *testing.T) {
	row := func(result *[]int) reducers.Reducer[[]int] { return reducers.Slice(result, sum) }
	f := func(i int, acc *[][]int) {
		r := (*acc)[i%3]
		if len(r) > 0 {
			r[i%len(r)]++
		}
	}
	onSpaces(t, func(t *testing.T, space exec.Space) {
		memory := make([]int, 3)
		x := [][]int{memory[:1], memory[1:3], nil}
		p := policy.Range(0, 300).On(space)
		require.NoError(t, exec.ParallelReduce(p, f, reducers.Slice(&x, row)))
		assert.Equal(t, []int{100, 50, 50}, memory, "rows are overwritten in place")
		require.NoError(t, exec.ParallelReduce(p, f, reducers.WithInitial(reducers.Slice(&x, row))))
		assert.Equal(t, []int{200, 100, 100}, memory)
	})
	x := [][]int{{1}, {2}}
	r := reducers.Slice(&x, row)
	x[1] = []int{1, 2}
	rejects(t, "has length 2 now, but had 1 when the reducer was made (element 1 of a Slice)", r)
}

// Elements whose reducer stores in its own way are stored by it.
func TestSliceOfStructs(t *testing.T) {
	x := []inner{{1, 2}, {3, 4}}
	elem := func(result *inner) reducers.Reducer[inner] {
		return reducers.Compose(
			reducers.WithInitial(reducers.Field(func(s *inner) *int { return &s.a }, sum(&result.a))),
			reducers.Field(func(s *inner) *int { return &s.b }, sum(&result.b)))
	}
	f := func(i int, acc *[]inner) { (*acc)[i%2].a++; (*acc)[i%2].b++ }
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 20), f, reducers.Slice(&x, elem)))
	assert.Equal(t, []inner{{11, 10}, {13, 10}}, x)
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 20), f, reducers.WithInitial(reducers.Slice(&x, elem))))
	assert.Equal(t, []inner{{21, 20}, {23, 20}}, x)
}

// The memory of the elements is the result place, not the variable that refers to it.
func TestSlicesThatOverlap(t *testing.T) {
	x := make([]int, 6)
	low, high, upper := x[:4], x[3:], x[4:]
	f := func(_ int, a, b *[]int) { (*a)[0]++; (*b)[1]++ }
	p := policy.Range(0, 5)
	for _, r := range []reducers.Reducer[[]int]{reducers.Slice(&high, sum), reducers.WithInitial(reducers.Slice(&high, sum))} {
		err := exec.ParallelReduce2(p, f, reducers.Slice(&low, sum), r)
		assert.ErrorContains(t, err, "reducers 1 and 2 have the same result place")
		err = exec.ParallelFor(policy.Team(1, 2), func(m *team.Member) {
			team.Reduce2(team.ThreadRange(m, 5), f, reducers.Slice(&low, sum), r)
		})
		assert.ErrorContains(t, err, "reducers 1 and 2 have the same result place")
	}
	err := exec.ParallelReduce2(p, func(int, *[]int, *int) {}, reducers.Slice(&low, sum), sum(&x[3]))
	assert.ErrorContains(t, err, "reducers 1 and 2 have the same result place")
	assert.Equal(t, make([]int, 6), x)
	require.NoError(t, exec.ParallelReduce2(p, f, reducers.Slice(&low, sum), reducers.Slice(&upper, sum)))
	assert.Equal(t, []int{5, 0, 0, 0, 0, 5}, x)
}

// Elements that share memory would lose a result. They do only where an element is more than
// a value: a slice, or what stores in its own way.
func TestElementsThatShareMemory(t *testing.T) {
	row := func(result *[]int) reducers.Reducer[[]int] { return reducers.Slice(result, sum) }
	rows := func(result *[][]int) reducers.Reducer[[][]int] { return reducers.Slice(result, row) }
	memory := []int{1, 2, 3, 4, 5, 6}
	one, two := memory[:3], memory[2:5]
	field := func(_ *inner) reducers.Reducer[inner] {
		return reducers.Compose(
			reducers.Field(func(s *inner) *int { return &s.a }, sum(&memory[0])),
			reducers.Field(func(s *inner) *int { return &s.b }, sum(&memory[1])))
	}
	type table struct{ rows [][]int }
	tableRows := func(r reducers.Reducer[[][]int]) reducers.Reducer[table] {
		return reducers.Field(func(s *table) *[][]int { return &s.rows }, r)
	}
	p := policy.Range(0, 10)
	launch := func(r reducers.Reducer[[][]int]) error {
		return exec.ParallelReduce(p, func(int, *[][]int) { t.Error("ran") }, r)
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"twice":           {launch(rows(&[][]int{one, {7}, one})), "elements 0 and 2 of reducer 1 have the same result place"},
		"in part":         {launch(rows(&[][]int{{7}, two, one})), "elements 1 and 2 of reducer 1"},
		"with an initial": {launch(reducers.WithInitial(rows(&[][]int{one, one}))), "elements 0 and 1 of reducer 1"},
		"a level below": {exec.ParallelReduce(p, func(int, *[][][]int) { t.Error("ran") },
			reducers.Slice(&[][][]int{{{7}}, {one, {8}, one}}, rows)), "elements 0 and 2 of element 1 of reducer 1"},
		"across levels": {exec.ParallelReduce(p, func(int, *[][][]int) { t.Error("ran") },
			reducers.Slice(&[][][]int{{{7}, one}, {{8}, two}}, rows)), "elements 0 and 1 of reducer 1"},
		"fields": {exec.ParallelReduce(p, func(int, *[]inner) { t.Error("ran") },
			reducers.Slice(&[]inner{{}, {}}, field)), "elements 0 and 1 of reducer 1"},
		"in a field": {exec.ParallelReduce(p, func(int, *table) { t.Error("ran") },
			tableRows(rows(&[][]int{one, two}))), "reducers: elements 0 and 1 of reducer 1 have the same result place"},
		"two reducers": {exec.ParallelReduce3(p, func(int, *[][]int, *int, *[][]int) { t.Error("ran") },
			rows(&[][]int{{7}, one}), sum(new(int)), rows(&[][]int{two})), "reducers 1 and 3 have the same result place"},
		"a scan": {exec.ParallelScan(p, func(int, *[][]int, bool) { t.Error("ran") },
			rows(&[][]int{one, one})), "elements 0 and 1 of reducer 1"},
		"in a team": {exec.ParallelFor(policy.Team(1, 1), func(m *team.Member) {
			team.Reduce(team.VectorRange(m, 9), func(int, *[][]int) {}, rows(&[][]int{one, one}))
		}), "elements 0 and 1 of reducer 1"},
		"an element of another variable": {exec.ParallelReduce(p, func(int, *[]int) { t.Error("ran") },
			reducers.Slice(&one, func(*int) reducers.Reducer[int] { return sum(&memory[5]) })), "no reducer with the result place"},
	} {
		assert.ErrorContains(t, c.err, c.want, name)
		assert.Equal(t, []int{1, 2, 3, 4, 5, 6}, memory, name)
	}
	apart := [][]int{memory[5:], memory[:2], memory[2:2], memory[2:5], nil}
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *[][]int) { (*acc)[0][0]++; (*acc)[3][i%3]++ }, rows(&apart)))
	assert.Equal(t, []int{0, 0, 4, 3, 3, 10}, memory)
}

// An accumulator has the length of the result whatever is done to it: to another length, it
// would be joined in part.
func TestSliceWhoseAccumulatorChanges(t *testing.T) {
	for name, change := range map[string]func(acc *[]int){
		"longer":  func(acc *[]int) { *acc = append(*acc, 9) },
		"shorter": func(acc *[]int) { *acc = (*acc)[:2] },
		"nil":     func(acc *[]int) { *acc = nil },
	} {
		for _, c := range [][2]int{{0, 1}, {0, 3000}, {1500, 3000}, {2999, 3000}} { // of one item, nothing is joined
			at, n := c[0], c[1]
			t.Run(fmt.Sprintf("%s at %d of %d", name, at, n), func(t *testing.T) {
				onSpaces(t, func(t *testing.T, space exec.Space) {
					x := []int{1, 2, 3}
					p := policy.Range(0, n).On(space)
					panicked := panicOf(func() error {
						return exec.ParallelReduce(p, func(i int, acc *[]int) {
							if i == at {
								change(acc)
							}
						}, reducers.Slice(&x, sum))
					})
					assert.ErrorContains(t, panicked, "the accumulator of a Slice has length")
					assert.ErrorContains(t, panicked, "expected 3")
					assert.Equal(t, []int{1, 2, 3}, x)
				})
			})
		}
	}
}
