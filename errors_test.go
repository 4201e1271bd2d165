package gokkos

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/mtx"
	"github.com/gokkos/gokkos/views/npy"
	"github.com/gokkos/gokkos/views/scatter"
)

// mistakes are the errors of docs/errors.md, made on purpose. Those that are panics are recovered.
func mistakes() []func() error {
	var s, t float64
	x := make([]float64, 10)
	p := policy.Range(0, 10).On(exec.Serial{}).WithLabel("demo")
	teams := policy.Team(3, 8).Scratch(0, 64, 0).WithLabel("demo").On(exec.Serial{})
	sim := exec.NewSimGPU(gpu.H200())
	sum := func(i int, acc *float64) { *acc += x[i] }
	v, w := views.Must(views.New2[float64]("v", 3, 4)), views.Must(views.New2[float64]("w", 4, 3))
	five := views.Must(views.New1[float64]("line", 5))
	device := views.Must(views.As1(views.NewIn[float64](views.MemoryOf(sim), "device", []int{4})))
	members := func(f func(m *team.Member)) func() error {
		return func() error { return exec.ParallelFor(teams, f) }
	}
	second := func(_ any, err error) error { return err }
	return []func() error{
		// launches
		func() error { return exec.ParallelFor(policy.Range(100, 0), func(int) {}) },
		func() error { return exec.ParallelFor(policy.Range(0, 9).Chunk(-1), func(int) {}) },
		func() error {
			return exec.ParallelFor(policy.MDRange2([2]int{0, 5}, [2]int{3, 4}), func(policy.Index2) {})
		},
		func() error {
			return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{3, 4}).Tile([2]int{0, 8}), func(policy.Index2) {})
		},
		func() error { return exec.ParallelFor(p, (func(int))(nil)) },
		func() error { return exec.ParallelFor(p, func(i int) { x[i+1] = 0 }) },
		func() error {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return exec.ParallelFor(p.WithContext(ctx), func(int) {})
		},
		func() error {
			closed := exec.NewGoroutines(2)
			_ = closed.Close()
			return exec.ParallelFor(p.On(closed), func(int) {})
		},
		func() error { return exec.ParallelFor(p.On(exec.NewGoroutines(-1)), func(int) {}) },
		func() error { return second(exec.NewGoroutines(2).Partition(1, 1, 1)) },
		// reductions
		func() error { return exec.ParallelReduce(p, sum, builtin.Sum[float64](nil)) },
		func() error {
			return exec.ParallelReduce2(p, func(int, *float64, *float64) {}, builtin.Sum(&s), builtin.Max(&s))
		},
		func() error { return exec.ParallelReduce(p, sum, builtin.Sum(&s), builtin.Max(&t)) },
		func() error { return exec.ParallelReduce(p, sum, reducers.New[float64](&s, nil)) },
		func() error {
			return exec.ParallelReduce(p, func(_ int, acc *[]float64) { *acc = nil }, reducers.Slice(&x, builtin.Sum))
		},
		func() error {
			return exec.ParallelFold(exec.Slice(policy.Range(0, 11), x), builtin.Sum(&s))
		},
		func() error {
			return exec.ParallelFold(exec.Products(p, x, x[:5]), builtin.Sum(&s))
		},
		func() error {
			return exec.ParallelScan(p, func(int, *scatter.Access[float64], bool) {}, scatter.Sum(five))
		},
		// teams
		members(func(m *team.Member) {
			if m.Rank() < 5 {
				m.Barrier() //gokkosvet:ignore a mistake that is an error
			}
		}),
		members(func(m *team.Member) { team.Broadcast(m, 1, m.Rank()/3) }),
		members(func(m *team.Member) { team.Scratch[float64](m, 0, 9) }),
		members(func(m *team.Member) { team.Scratch[string](m, 0, 1) }),
		func() error { return exec.ParallelFor(policy.Team(3, 2048).On(sim), func(*team.Member) {}) },
		func() error {
			return exec.ParallelFor(policy.Team(3, 8).Scratch(0, 1<<20, 0).On(sim), func(*team.Member) {})
		},
		func() error { return exec.ParallelFor(policy.Team(3, 8).Dims(3, 3, 1), func(*team.Member) {}) },
		// views
		func() error { return second(views.New2[float64]("a", -1, 3)) },
		func() error { return second(views.Of2("a", x, 3, 4)) },
		func() error { return second(views.As1(v.View, nil)) },
		func() error { return second(v.Sub(views.All(), views.Index(4))) },
		func() error { return views.DeepCopy(v, w) },
		func() error { _ = device.At(0); return nil },
		func() error { return exec.ParallelFor(policy.Range(0, 4), func(i int) { device.Set(i, 1) }) },
		func() error { return algorithms.Sort(v.View) },
		func() error { return algorithms.SortByKey(five, views.Must(views.New1[int]("values", 4))) },
		// the environment and files
		func() error { return second(space.Open("tpu", os.Getenv)) },
		func() error { return second(npy.ReadView[float64]("a", strings.NewReader("not a file"))) },
		func() error { return second(mtx.Read(strings.NewReader("%%MatrixMarket matrix array real general\n"))) },
	}
}

// message returns the first line of an error, also where that is a panic.
func message(f func() error) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic: " + strings.SplitN(fmt.Sprint(r), "\n", 2)[0]
		}
	}()
	if err := f(); err != nil {
		return strings.SplitN(err.Error(), "\n", 2)[0]
	}
	return "no error"
}

// line is where a message says that a functor of this file went wrong.
var line = regexp.MustCompile(`errors_test\.go:\d+`)

// The page of errors has the message of each mistake, and no other ones.
func TestPageOfErrors(t *testing.T) {
	page := pages(t)["docs/errors.md"]
	told := map[string]bool{}
	for _, row := range rows(page, "| message |") {
		told[strings.Trim(row[0], "`")] = true
		assert.Len(t, row, 3, "message, cause and cure")
	}
	for _, f := range mistakes() {
		m := line.ReplaceAllString(message(f), "kernel.go:12")
		assert.True(t, told[m], "docs/errors.md does not have this message: %s", m)
		delete(told, m)
	}
	assert.Empty(t, told, "nothing gives these messages")
}
