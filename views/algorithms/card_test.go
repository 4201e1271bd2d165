package algorithms_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// calls returns a call of each algorithm with the views v and w.
func calls(v, w views.View[int], on policy.Launch) map[string]func() error {
	var total int
	pred := func(x int) bool { return x > 1 }
	same := func(x, y int) bool { return x == y }
	add := func(x, y int) int { return x + y }
	third := views.Must(views.New[int]("third", []int{3}))
	bins := algorithms.UniformBins(0, 3, 3)
	return map[string]func() error{
		"Mismatch":               func() error { return ignore(algorithms.Mismatch(v, w, on)) },
		"MismatchFunc":           func() error { return ignore(algorithms.MismatchFunc(v, w, same, on)) },
		"Equal":                  func() error { return ignore(algorithms.Equal(v, w, on)) },
		"EqualFunc":              func() error { return ignore(algorithms.EqualFunc(v, w, same, on)) },
		"Compare":                func() error { return ignore(algorithms.Compare(v, w, on)) },
		"CompareFunc":            func() error { return ignore(algorithms.CompareFunc(v, w, cmp.Compare[int], on)) },
		"Find":                   func() error { return ignore(algorithms.Find(v, 1, on)) },
		"FindIf":                 func() error { return ignore(algorithms.FindIf(v, pred, on)) },
		"FindIfNot":              func() error { return ignore(algorithms.FindIfNot(v, pred, on)) },
		"FindFirstOf":            func() error { return ignore(algorithms.FindFirstOf(v, w, on)) },
		"AdjacentFind":           func() error { return ignore(algorithms.AdjacentFind(v, on)) },
		"AdjacentFindFunc":       func() error { return ignore(algorithms.AdjacentFindFunc(v, same, on)) },
		"Search":                 func() error { return ignore(algorithms.Search(v, w, on)) },
		"FindEnd":                func() error { return ignore(algorithms.FindEnd(v, w, on)) },
		"SearchN":                func() error { return ignore(algorithms.SearchN(v, 2, 1, on)) },
		"AllOf":                  func() error { return ignore(algorithms.AllOf(v, pred, on)) },
		"AnyOf":                  func() error { return ignore(algorithms.AnyOf(v, pred, on)) },
		"NoneOf":                 func() error { return ignore(algorithms.NoneOf(v, pred, on)) },
		"Count":                  func() error { return ignore(algorithms.Count(v, 1, on)) },
		"CountIf":                func() error { return ignore(algorithms.CountIf(v, pred, on)) },
		"Histogram":              func() error { return algorithms.Histogram(v, w, bins, on) },
		"WeightedHistogram":      func() error { return algorithms.WeightedHistogram(third, v, w, bins, on) },
		"MinElement":             func() error { return ignore(algorithms.MinElement(v, on)) },
		"MaxElement":             func() error { return ignore(algorithms.MaxElement(v, on)) },
		"MinMaxElement":          func() error { _, _, err := algorithms.MinMaxElement(v, on); return err },
		"MinElementFunc":         func() error { return ignore(algorithms.MinElementFunc(v, cmp.Compare[int], on)) },
		"MaxElementFunc":         func() error { return ignore(algorithms.MaxElementFunc(v, cmp.Compare[int], on)) },
		"MinMaxElementFunc":      func() error { _, _, err := algorithms.MinMaxElementFunc(v, cmp.Compare[int], on); return err },
		"ForEach":                func() error { return algorithms.ForEach(v, func(int, *int) {}, on) },
		"Generate":               func() error { return algorithms.Generate(v, func(i int) int { return i }, on) },
		"Transform":              func() error { return algorithms.Transform(v, w, func(x int) int { return x }, on) },
		"Transform2":             func() error { return algorithms.Transform2(third, v, w, add, on) },
		"Replace":                func() error { return algorithms.Replace(v, 1, 2, on) },
		"ReplaceIf":              func() error { return algorithms.ReplaceIf(v, pred, 2, on) },
		"ReplaceCopy":            func() error { return algorithms.ReplaceCopy(v, w, 1, 2, on) },
		"ReplaceCopyIf":          func() error { return algorithms.ReplaceCopyIf(v, w, pred, 2, on) },
		"SwapRanges":             func() error { return algorithms.SwapRanges(v, w, on) },
		"Reverse":                func() error { return algorithms.Reverse(v, on) },
		"ReverseCopy":            func() error { return algorithms.ReverseCopy(v, w, on) },
		"Rotate":                 func() error { return algorithms.Rotate(v, 1, on) },
		"RotateCopy":             func() error { return algorithms.RotateCopy(v, w, 1, on) },
		"ShiftLeft":              func() error { return ignore(algorithms.ShiftLeft(v, 1, on)) },
		"ShiftRight":             func() error { return ignore(algorithms.ShiftRight(v, 1, on)) },
		"IsPartitioned":          func() error { return ignore(algorithms.IsPartitioned(v, pred, on)) },
		"PartitionPoint":         func() error { return ignore(algorithms.PartitionPoint(v, pred, on)) },
		"PartitionCopy":          func() error { return ignore(algorithms.PartitionCopy(third, v, w, pred, on)) },
		"StablePartition":        func() error { return ignore(algorithms.StablePartition(v, pred, on)) },
		"CopyIf":                 func() error { return ignore(algorithms.CopyIf(v, w, pred, on)) },
		"RemoveCopyIf":           func() error { return ignore(algorithms.RemoveCopyIf(v, w, pred, on)) },
		"RemoveCopy":             func() error { return ignore(algorithms.RemoveCopy(v, w, 1, on)) },
		"Remove":                 func() error { return ignore(algorithms.Remove(v, 1, on)) },
		"RemoveIf":               func() error { return ignore(algorithms.RemoveIf(v, pred, on)) },
		"ExclusiveScan":          func() error { return algorithms.ExclusiveScan(v, w, builtin.Sum(&total), on) },
		"InclusiveScan":          func() error { return algorithms.InclusiveScan(v, w, builtin.Sum(&total), on) },
		"AdjacentDifference":     func() error { return algorithms.AdjacentDifference(v, w, on) },
		"AdjacentDifferenceFunc": func() error { return algorithms.AdjacentDifferenceFunc(v, w, add, on) },
		"Sort":                   func() error { return algorithms.Sort(v, on) },
		"SortFunc":               func() error { return algorithms.SortFunc(v, cmp.Compare[int], on) },
		"IsSorted":               func() error { return ignore(algorithms.IsSorted(v, on)) },
		"IsSortedFunc":           func() error { return ignore(algorithms.IsSortedFunc(v, cmp.Compare[int], on)) },
		"IsSortedUntil":          func() error { return ignore(algorithms.IsSortedUntil(v, on)) },
		"IsSortedUntilFunc":      func() error { return ignore(algorithms.IsSortedUntilFunc(v, cmp.Compare[int], on)) },
		"SortByKey":              func() error { return algorithms.SortByKey(v, w, on) },
		"SortByKeyFunc":          func() error { return algorithms.SortByKeyFunc(v, w, cmp.Compare[int], on) },
		"Unique":                 func() error { return ignore(algorithms.Unique(v, on)) },
		"UniqueFunc":             func() error { return ignore(algorithms.UniqueFunc(v, same, on)) },
		"UniqueCopy":             func() error { return ignore(algorithms.UniqueCopy(v, w, on)) },
		"UniqueCopyFunc":         func() error { return ignore(algorithms.UniqueCopyFunc(v, w, same, on)) },
		"UniqueByKey":            func() error { return ignore(algorithms.UniqueByKey(v, w, on)) },
		"ReduceByKey":            func() error { return ignore(algorithms.ReduceByKey(third, v, w, view(1, 1, 1), builtin.Sum, on)) },
	}
}

// moves are the algorithms that any card runs by copies within its memory.
var moves = []string{"Rotate", "RotateCopy", "ShiftLeft", "ShiftRight", "SwapRanges"}

// Other algorithms run functors, which cannot touch the memory of a card: whichever of the views is
// there, the error names it, and nothing is done. On the host, the same calls succeed.
func TestViewsOnACard(t *testing.T) {
	card := cardtest.New(t, 1<<20)
	onCard := views.Must(views.NewIn[int](card.Memory(), "far", []int{3}))
	require.NoError(t, views.Fill(onCard, 1))
	names := slices.Sorted(maps.Keys(calls(onCard, onCard, policy.Launch{})))
	require.Equal(t, cardtest.EntryPoints(t, "."), names, "every algorithm is called")
	before := card.Counts()
	for _, name := range names {
		host := view(1, 1, 1)
		for _, on := range []policy.Launch{{}, policy.On(card)} {
			for k, c := range [][2]views.View[int]{{onCard, view(1, 1, 1)}, {view(1, 1, 1), onCard}, {onCard, onCard}} {
				if slices.Contains(moves, name) && k != 1 {
					continue
				}
				err := calls(c[0], c[1], on)[name]()
				if k == 1 && err == nil {
					continue // it takes one view
				}
				assert.ErrorContains(t, err, `"far" [3] in the memory of Card, which functors cannot touch from the host`, name)
				assert.ErrorContains(t, err, "algorithms: ", name)
			}
		}
		require.NoError(t, calls(host, view(1, 1, 1), policy.Launch{})[name](), name)
	}
	assert.Equal(t, before, card.Counts())
}

// Moves on a card are those on the host, and leave what is between the elements.
func TestMovesOnACard(t *testing.T) {
	card := cardtest.New(t, 1<<20)
	for _, n := range []int{0, 1, 7} {
		for _, step := range []int{1, 2} {
			for _, by := range []int{0, 1, n / 2, n} {
				of := func(first int) (all, part views.View[int]) {
					all = views.Must(views.New[int]("x", []int{2*n + 2}))
					require.NoError(t, algorithms.Generate(all, func(i int) int { return first + i }))
					return all, views.Must(all.Sub(views.Range(1, 1+step*n).By(step)))
				}
				for _, name := range moves {
					x, a := of(0)
					y, b := of(100)
					there := func(v views.View[int]) (all, part views.View[int]) {
						all = views.Must(views.MirrorCopy(card.Memory(), v))
						return all, views.Must(all.Sub(views.Range(1, 1+step*n).By(step)))
					}
					fx, fa := there(x)
					fy, fb := there(y)
					run := map[string]func(a, b views.View[int]) (int, error){
						"Rotate":     func(a, _ views.View[int]) (int, error) { return 0, algorithms.Rotate(a, min(by, n)) },
						"RotateCopy": func(a, b views.View[int]) (int, error) { return 0, algorithms.RotateCopy(a, b, min(by, n)) },
						"ShiftLeft":  func(a, _ views.View[int]) (int, error) { return algorithms.ShiftLeft(a, by) },
						"ShiftRight": func(a, _ views.View[int]) (int, error) { return algorithms.ShiftRight(a, by) },
						"SwapRanges": func(a, b views.View[int]) (int, error) { return 0, algorithms.SwapRanges(a, b) },
					}[name]
					want, err := run(a, b)
					require.NoError(t, err, name)
					got, err := run(fa, fb)
					require.NoError(t, err, name)
					assert.Equal(t, want, got, name)
					for _, p := range [][2]views.View[int]{{x, fx}, {y, fy}} {
						back := views.Must(views.MirrorCopy(views.Host, p[1]))
						assert.Equal(t, slices.Collect(p[0].Values()), slices.Collect(back.Values()), "%s of %d by %d, %d apart", name, n, by, step)
						require.NoError(t, views.Free(p[1]))
					}
				}
			}
		}
	}
}

func TestMovesThatNoCardMakes(t *testing.T) {
	card := cardtest.New(t, 1<<20)
	v := views.Must(views.NewIn[int](card.Memory(), "v", []int{4}))
	front, back := views.Must(v.Sub(views.Range(0, 3))), views.Must(v.Sub(views.Range(1, 4)))
	for want, err := range map[string]error{
		`algorithms: Rotate: index 5 of "v" [4], expected 0 <= index <= 4`:    algorithms.Rotate(v, 5),
		`algorithms: RotateCopy: "v" [3] and "v" [3] have elements in common`: algorithms.RotateCopy(front, back, 1),
		`algorithms: RotateCopy: "v" [4] and "v" [3], expected equal lengths`: algorithms.RotateCopy(v, back, 1),
		`algorithms: SwapRanges: "v" [3] and "v" [3] have elements in common`: algorithms.SwapRanges(front, back),
		`algorithms: ShiftLeft: by -1 places, expected at least 0`:            ignore(algorithms.ShiftLeft(v, -1)),
		`in the memory of Card on the space serial, which cannot touch it`:    algorithms.Rotate(v, 1, policy.On(exec.Serial{})),
	} {
		assert.ErrorContains(t, err, want)
	}
	card.FailNext(errors.New("a link is down"))
	assert.ErrorContains(t, algorithms.Rotate(v, 1), "a link is down")
}

// A sorting card keeps what it is given to sort.
type sorting struct {
	*cardtest.Card
	got device.Rearrangement
	f   func() (int, error)
}

func (s *sorting) Rearrange(_ context.Context, r device.Rearrangement) (int, error) {
	s.got = r
	return s.f()
}

// A card that sorts is given the keys and the values, and its errors are those of the call.
func TestSortsOnACard(t *testing.T) {
	card := &sorting{Card: cardtest.New(t, 1<<20), f: func() (int, error) { return 2, nil }}
	on := policy.On(card)
	v := views.Must(views.NewIn[int](card.Memory(), "v", []int{6}))
	w := views.Must(views.NewIn[[3]byte](card.Memory(), "w", []int{3}))
	third := views.Must(v.Sub(views.Range(0, 6).By(2)))
	require.NoError(t, algorithms.SortByKey(third, w, on))
	assert.Len(t, card.got.Keys, 5)
	assert.Len(t, card.got.Values, 3)
	assert.Equal(t, []int{2, 1}, []int{card.got.KeyStride, card.got.ValueStride})
	require.NoError(t, algorithms.Sort(v, on))
	assert.Nil(t, card.got.Values)
	dst := views.Must(views.NewIn[int](card.Memory(), "dst", []int{2}))
	for want, call := range map[device.Rearrangement]func() (int, error){
		{Rule: "unique"}:         func() (int, error) { return algorithms.Unique(v, on) },
		{Rule: "remove", Key: 7}: func() (int, error) { return algorithms.RemoveCopy(dst, v, 7, on) },
	} {
		n, err := call()
		assert.NoError(t, err)
		assert.Equal(t, 2, n)
		assert.Equal(t, want, device.Rearrangement{Rule: card.got.Rule, Key: card.got.Key})
	}
	require.NoError(t, algorithms.Reverse(w, on))
	assert.Equal(t, "reverse", card.got.Rule)
	few := views.Must(dst.Sub(views.Range(0, 1)))
	assert.EqualError(t, ignore(algorithms.UniqueCopy(few, v, on)), `algorithms: UniqueCopy: "dst" [1] for 2 elements, expected room for all`)
	assert.EqualError(t, algorithms.ReverseCopy(dst, v, on), `algorithms: ReverseCopy: "dst" [2] and "v" [6], expected equal lengths`)
	whole, end := context.WithCancel(t.Context())
	card.f = func() (int, error) {
		end() // when all has changed
		return 2, nil
	}
	n, err := algorithms.Unique(v, on.WithContext(whole))
	assert.NoError(t, err)
	assert.Equal(t, 2, n)
	card.f = func() (int, error) { return 0, errors.New("no key has this type") }
	ctx, cancel := context.WithCancelCause(t.Context())
	for want, err := range map[string]error{
		`algorithms: Sort: "v" [6]: no key has this type`:                      algorithms.Sort(v, on),
		`algorithms: SortByKey: "v" [6] and "w" [3], expected equal lengths`:   algorithms.SortByKey(v, w, on),
		`algorithms: SortByKey: "v" [3] and "v" [3] have elements in common`:   algorithms.SortByKey(third, third, on),
		`in the memory of Card on the space serial, which cannot touch it`:     algorithms.Sort(v, policy.On(exec.Serial{})),
		`in the memory of Card, which functors cannot touch from the host`:     algorithms.Sort(v),
		`algorithms: SortFunc: "v" [6] in the memory of Card, which functors`:  algorithms.SortFunc(v, cmp.Compare[int], on),
		`algorithms: SortByKey: "v" [6] in the memory of Card, which functors`: algorithms.SortByKey(v, view(1, 2, 3, 4, 5, 6), on),
	} {
		assert.ErrorContains(t, err, want)
	}
	card.f = func() (int, error) {
		cancel(errors.New("enough"))
		return 0, ctx.Err()
	}
	assert.ErrorContains(t, algorithms.Sort(v, on.WithContext(ctx)), "cancelled: enough")
	require.NoError(t, views.Free(v))
	assert.EqualError(t, algorithms.Sort(v, on), `algorithms: Sort: "v" [6], whose memory was freed`)
}

// A scanner is a card that says it scans values in its memory, and runs what it is given on the host.
type scanner struct{ *cardtest.Card }

func (scanner) ScansMemory() {}

// Views in the memory of a card that scans are scanned by nothing else.
func TestScansOnACard(t *testing.T) {
	card := cardtest.New(t, 1<<20)
	on := policy.On(scanner{card})
	v := views.Must(views.NewIn[int](card.Memory(), "v", []int{6}))
	w := views.Must(views.NewIn[int](card.Memory(), "w", []int{2, 3}))
	part := func(begin, end, step int) views.View[int] { return views.Must(v.Sub(views.Range(begin, end).By(step))) }
	host := view(1, 2, 3, 4, 5, 6)
	total := 7
	for want, err := range map[string]error{
		"exec: the values are in the memory of Card, and the space runs items on the host, expected a space that scans values there": algorithms.
			ExclusiveScan(v, v, builtin.Sum(&total), on),
		`algorithms: ExclusiveScan: "v" [6] and "v" [5], expected equal lengths`:          algorithms.ExclusiveScan(v, part(0, 5, 1), builtin.Sum(&total), on),
		`algorithms: InclusiveScan: "v" [5] and "v" [5] have elements in common`:          algorithms.InclusiveScan(part(1, 6, 1), part(0, 5, 1), builtin.Sum(&total), on),
		`algorithms: InclusiveScan: "w" [2 3] has rank 2, expected 1`:                     algorithms.InclusiveScan(v, w, builtin.Sum(&total), on),
		`algorithms: ExclusiveScan: "v" [6] in the memory of Card, which functors cannot`: algorithms.ExclusiveScan(v, host, builtin.Sum(&total), on),
		`in the memory of Card, which functors cannot touch from`:                         algorithms.ExclusiveScan(v, v, builtin.Sum(&total)),
		`in the memory of Card on the space serial, which cannot touch it`:                algorithms.ExclusiveScan(v, v, builtin.Sum(&total), policy.On(exec.Serial{})),
	} {
		assert.ErrorContains(t, err, want)
	}
	assert.Equal(t, 7, total)
	none := part(0, 0, 1)
	assert.NoError(t, algorithms.ExclusiveScan(none, none, builtin.Sum(&total), on))
	assert.Zero(t, total)
	require.NoError(t, views.Free(v))
	assert.EqualError(t, algorithms.ExclusiveScan(v, v, builtin.Sum(&total), on), `algorithms: ExclusiveScan: "v" [6], whose memory was freed`)
}

func TestFreedMemory(t *testing.T) {
	device := exec.NewSimGPU(gpu.Device{})
	defer device.Close()
	y := views.Must(views.NewIn[int](device.Memory(), "y", []int{4}))
	require.NoError(t, views.Free(y))
	assert.ErrorContains(t, algorithms.Reverse(y), `"y" [4], whose memory was freed`)
}
