package views_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/spacetest"
	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

const cardBytes = 64 << 20

// The card of these tests is a space, and its memory one that views can be in.
func TestCard(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	spacetest.TestSpace(t, cardtest.New(t, cardBytes))
}

// Nothing on the host touches the memory of a card: neither the host nor functors, wherever
// they run.
func TestCardIsClosed(t *testing.T) {
	card, sim := cardtest.New(t, cardBytes), newGPU(t)
	for name, access := range accesses(t, card.Memory()) {
		err := caught(t, access)
		assert.ErrorContains(t, err, `views: access to "v" [`, name)
		assert.ErrorContains(t, err, "in the memory of Card", name)
		for _, space := range []exec.Space{card, sim, exec.Serial{}} {
			var p *exec.Panic
			func() {
				defer func() { p, _ = recover().(*exec.Panic) }()
				_ = exec.ParallelFor(policy.Range(0, 1).On(space), func(int) { access() })
			}()
			require.NotNil(t, p, "%s on %s", name, space.Name())
			assert.ErrorContains(t, errors.Unwrap(p), "in the memory of Card", name)
		}
	}
}

// A box is a view in a larger one, and how it is cut out of it.
type box struct {
	whole, part views.View[int32]
}

// boxes draws boxes that are cut out alike, one in each of the memories. All elements are -1.
func boxes(t *rapid.T, extents []int, memories []views.MemorySpace) []box {
	rank := len(extents)
	order := rapid.Permutation(dims(rank)).Draw(t, "order")
	larger, selectors, back := make([]int, rank), make([]views.Selector, rank), make([]int, rank)
	gaps := seldom(t, 0, 1) == 1 && rank < 6
	for k, d := range order {
		begin, step, end := 0, 1, 0
		if gaps {
			begin, step, end = rapid.IntRange(0, 1).Draw(t, "begin"), rapid.IntRange(1, 2).Draw(t, "step"), rapid.IntRange(0, 1).Draw(t, "end")
		}
		larger[k] = begin + extents[d]*step + end
		selectors[k] = views.Range(begin, begin+extents[d]*step).By(step)
		back[d] = k
	}
	var all []box
	for _, m := range memories {
		b := box{whole: views.Must(views.NewIn[int32](m, "whole", larger))}
		require.NoError(t, views.Fill(b.whole, -1))
		b.part = views.Must(views.Must(b.whole.Sub(selectors...)).Permute(back...))
		all = append(all, b)
	}
	return all
}

// fetch returns the elements of a view of any memory.
func fetch[T any](t require.TestingT, v views.View[T]) []T {
	h, err := views.MirrorCopy(views.Host, v)
	require.NoError(t, err)
	return append([]T{}, slices.Collect(h.Values())...)
}

// What DeepCopy and Fill do to the memory of cards is what they do on the host, and no byte
// beside the elements changes.
func TestCardCopies(t *testing.T) {
	card, other, sim := cardtest.New(t, cardBytes), cardtest.New(t, cardBytes), newGPU(t)
	memories := []views.MemorySpace{views.Host, card.Memory(), other.Memory(), sim.Memory()}
	rapid.Check(t, func(t *rapid.T) {
		extents := rapid.SliceOfN(rapid.IntRange(seldom(t, 0, 1), 5), 0, 4).Draw(t, "extents")
		if seldom(t, 1, 0) == 1 {
			extents = rapid.SliceOfN(rapid.SampledFrom([]int{1, 1, 2}), 12, 12).Draw(t, "extents of rank 12")
		}
		src, dst := boxes(t, extents, memories), boxes(t, extents, memories)
		numbers := views.Must(views.New[int32]("numbers", extents))
		for k := range numbers.Len() {
			x, _ := numbers.Slice()
			x[k] = int32(k)
		}
		for _, s := range src {
			require.NoError(t, views.DeepCopy(s.part, numbers))
			require.Equal(t, fetch(t, src[0].whole), fetch(t, s.whole))
			require.Equal(t, fetch(t, numbers), fetch(t, s.part))
			for _, d := range dst {
				require.NoError(t, views.Fill(d.whole, -7))
				require.NoError(t, views.DeepCopy(d.part, s.part))
				require.NoError(t, views.DeepCopy(d.part, d.part), "to itself")
				require.Equal(t, fetch(t, dst[0].whole), fetch(t, d.whole))
				require.Equal(t, fetch(t, numbers), fetch(t, d.part))
			}
		}
		x := rapid.Int32().Draw(t, "x")
		for _, s := range src {
			require.NoError(t, views.Fill(s.part, x))
			require.Equal(t, fetch(t, src[0].whole), fetch(t, s.whole))
		}
	})
}

// filled checks Fill of a card with elements of one type, next to each other and apart.
func filled[T any](t *testing.T, card *cardtest.Card, fills int, elements ...T) {
	for _, x := range elements {
		for _, n := range []int{0, 1, 3, 700} {
			v := views.Must(views.NewIn[T](card.Memory(), "v", []int{n, 2}))
			column := views.Must(v.Sub(views.All(), views.Index(1)))
			want := make([]T, 2*n)
			for k := range want {
				want[k] = x
			}
			before := card.Counts().Fills
			require.NoError(t, views.Fill(v, x))
			require.Equal(t, want, fetch(t, v), "%T, %d rows", x, n)
			require.NoError(t, views.Fill(column, *new(T)))
			for k := range n {
				want[2*k+1] = *new(T)
			}
			require.Equal(t, want, fetch(t, v), "%T, a column of %d zeros", x, n)
			require.NoError(t, views.Fill(column, x))
			for k := range want {
				want[k] = x
			}
			require.Equal(t, want, fetch(t, v), "%T, a column of %d", x, n)
			if n > 0 {
				require.Equal(t, fills, card.Counts().Fills-before, "%T", x)
			}
			require.NoError(t, views.Free(v))
		}
	}
}

// Elements of every size are filled with, those of up to 16 bytes by the memory itself, and
// those that repeat a shorter pattern.
func TestCardFills(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	filled(t, card, 3, true)
	filled[uint8](t, card, 3, 0, 7)
	filled[int16](t, card, 3, 0, -1, 513)
	filled(t, card, 3, [3]byte{1, 2, 3}, [3]byte{4, 4, 4})
	filled(t, card, 3, [5]byte{1, 2, 1, 2, 1})
	filled(t, card, 3, float32(math.Pi))
	filled(t, card, 3, math.Pi, math.Inf(-1), math.Copysign(0, -1))
	filled(t, card, 3, [3]int32{1, 2, 3})
	filled(t, card, 3, complex(1, 2))
	filled(t, card, 3, [4]float64{5, 5, 5, 5})
	filled(t, card, 3, [6]int64{1, 2, 1, 2, 1, 2})
	filled(t, card, 1, [3]int64{1, 2, 3}) // the column is of zeros
	filled(t, card, 1, [17]byte{16: 1})
	filled(t, card, 1, [200]int32{199: 1})
	type mixed struct {
		a int8
		b float64
		c [6]int16
	}
	filled(t, card, 1, mixed{1, 2, [6]int16{3, 4}})
	filled(t, card, 0, struct{}{})
}

// A copy between two cards goes in pieces that fit, whatever its shape.
func TestCardToCard(t *testing.T) {
	card, other := cardtest.New(t, 1<<30), cardtest.New(t, 1<<30)
	const n = 3 << 20
	for _, c := range []struct {
		extents []int
		layout  views.Layout
	}{
		{[]int{n}, views.Right}, {[]int{n / 4}, views.Stride{3}}, {[]int{3, n / 3}, views.Right}, {[]int{n / 1024, 1024}, views.Left},
		{[]int{5, n / 5 / 2}, views.Stride{n, 1}}, {[]int{2, 3, 1 << 18}, views.Stride{1, 2, 7}},
	} {
		src := views.Must(views.New[int32]("src", c.extents))
		x, _ := src.Slice()
		for k := range x {
			x[k] = int32(k)
		}
		a := views.Must(views.MirrorCopy(card.Memory(), src))
		b := views.Must(views.NewIn[int32](other.Memory(), "b", c.extents, c.layout))
		before := other.Counts().Copies
		require.NoError(t, views.DeepCopy(b, a))
		assert.Less(t, other.Counts().Copies-before, 8, "%v %v", c.extents, c.layout)
		assert.Greater(t, other.Counts().Copies-before, 0)
		require.True(t, slices.Equal(x, fetch(t, b)), "%v %v", c.extents, c.layout)
		require.NoError(t, views.Free(a))
		require.NoError(t, views.Free(b))
	}
}

// A memory hears of a copy as few extents as there can be.
func TestCardCopiesAreShort(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	h := views.Must(views.New[int32]("h", []int{4, 5, 6}))
	d := views.Must(views.MirrorCopy(card.Memory(), h))
	before := card.Counts()
	require.NoError(t, views.DeepCopy(d, h))
	require.NoError(t, views.DeepCopy(h.Transpose(), d.Transpose()))
	require.NoError(t, views.Fill(d.Transpose(), 3))
	after := card.Counts()
	assert.Equal(t, [2]int{2, 1}, [2]int{after.Copies - before.Copies, after.Fills - before.Fills})
	require.NoError(t, views.DeepCopy(d, d))
	assert.Equal(t, after, card.Counts(), "nothing is done")
}

// Everything that takes a view works with one on a card, or says what it cannot do.
func TestCardRefusals(t *testing.T) {
	require.Equal(t, []string{
		"As", "As1", "As2", "As3", "As4", "AsStrided1", "AsStrided2", "AsStrided3", "AsStrided4", // touch nothing
		"DeepCopy", "Fill", "FillFunc", "Free", "Mirror", "MirrorCopy", "MirrorView", "NewDual", "Overlap", "Realloc", "Resize", "Source",
	}, cardtest.EntryPoints(t, "."), "each is called in this file")
	card, other := cardtest.New(t, cardBytes), cardtest.New(t, cardBytes)
	v := views.Must(views.NewIn[int](card.Memory(), "v", []int{2, 3}, views.Left))
	require.True(t, views.Overlap(v, v.Transpose()))
	require.False(t, views.Overlap(v, views.Must(views.NewIn[int](card.Memory(), "w", []int{2, 3}))))
	_, err := views.NewDual(card.Memory(), v)
	require.EqualError(t, err, `views: NewDual of "v" [2 3] in Card, expected a view in host memory`)
	const far = ` of "v" [2 3] in the memory of Card, which functors cannot touch from the host; views.MirrorCopy or views.DeepCopy copies it`
	wrong := func(space string) string {
		return ` of "v" [2 3] in the memory of Card on the space ` + space + `, which cannot touch it; views.MirrorCopy or views.DeepCopy copies it`
	}
	sum := 7
	nothing := func(policy.Span, []int) { t.Error("the function was called") }
	for _, c := range []struct {
		on   []policy.Launch
		want string
	}{{nil, far}, {[]policy.Launch{policy.On(card)}, far}, {[]policy.Launch{policy.On(exec.Serial{})}, wrong("serial")}, {[]policy.Launch{policy.On(other)}, wrong("card")}} {
		if c.want != far {
			assert.EqualError(t, views.FillFunc(v, nothing, c.on...), "views: FillFunc"+c.want)
		}
		for _, v := range []views.View[int]{v, v.Transpose()} {
			err := exec.ParallelFold(views.Source(v, c.on...), builtin.Sum(&sum))
			assert.EqualError(t, err, "views: Source"+strings.Replace(c.want, "[2 3]", fmt.Sprint(v.Extents()), 1))
		}
	}
	assert.Equal(t, 7, sum)
	assert.EqualError(t, views.Fill(v, 1, policy.On(exec.Serial{})), "views: Fill"+wrong("serial"))
	assert.NoError(t, views.Fill(v, 5, policy.On(card)))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	before := card.Counts()
	host := views.Must(views.New[int]("h", []int{2, 3}))
	stopped := policy.Launch{}.WithContext(ctx)
	assert.EqualError(t, views.Fill(v, 1, stopped), `exec: launch of "Fill of \"v\" [2 3]" cancelled: context canceled`)
	assert.EqualError(t, views.DeepCopy(v, host, stopped.WithLabel("mine")), `exec: launch of "mine" cancelled: context canceled`)
	assert.EqualError(t, views.FillFunc(v, nothing, stopped), `exec: launch of "FillFunc of \"v\" [2 3]" cancelled: context canceled`)
	assert.Equal(t, before, card.Counts())

	broken := errors.New("a wire came off")
	card.FailNext(broken)
	err = views.DeepCopy(host, v)
	assert.EqualError(t, err, `views: DeepCopy of "v" [2 3] in Card to "h" [2 3] in Host: a wire came off`)
	assert.ErrorIs(t, err, broken)
	card.FailNext(broken)
	assert.EqualError(t, views.Fill(v, 1), `views: Fill of "v" [2 3] in Card: a wire came off`)
	assert.Equal(t, slices.Repeat([]int{5}, 6), fetch(t, v))

	w := views.Must(views.NewIn[int](other.Memory(), "w", []int{2, 3}))
	card.FailNext(broken)
	assert.ErrorIs(t, views.DeepCopy(w, v), broken)
	other.FailNext(broken)
	assert.ErrorIs(t, views.DeepCopy(w, v), broken)
	wide := views.Must(views.NewIn[[3]int](card.Memory(), "wide", []int{2}))
	card.FailNext(broken)
	assert.ErrorIs(t, views.Fill(wide, [3]int{1, 2, 3}), broken)

	part := views.Must(v.Sub(views.All(), views.Range(0, 2)))
	assert.ErrorContains(t, views.DeepCopy(part, views.Must(v.Sub(views.All(), views.Range(1, 3)))), "have elements in common")
}

// Only plain values can be in the memory of a device.
func TestPointersInMemories(t *testing.T) {
	type node struct {
		_ int
		_ *node
	}
	for _, m := range []views.MemorySpace{newGPU(t).Memory(), cardtest.New(t, cardBytes).Memory()} {
		_, err := views.NewIn[string](m, "v", []int{2})
		assert.EqualError(t, err, fmt.Sprintf(`views: "v" [2] of string in %v, which holds plain values, and a string refers to memory elsewhere`, m))
		_, err = views.MirrorCopy(m, views.Must(views.New1[[2]node]("v", 2)))
		assert.EqualError(t, err, fmt.Sprintf(`views: "v" [2] of [2]views_test.node in %v, which holds plain values, and a *views_test.node refers to memory elsewhere`, m))
	}
	_, err := views.NewIn[[]int](views.Host, "v", []int{2})
	assert.NoError(t, err)
	_, err = views.NewIn[[]int](nil, "v", []int{2})
	assert.NoError(t, err, "nil stands for the host")
}

// Mirrors, Resize and Realloc work on a card as on any device.
func TestCardMirrors(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	for _, layout := range []views.Layout{views.Right, views.Left, views.Stride{2, 50, 9}} {
		for _, from := range [][]int{{2, 3, 3}, {1, 4, 1}, {0, 2, 2}} {
			for _, to := range [][]int{{2, 3, 3}, {3, 4, 5}, {1, 1, 1}, {2, 0, 2}} {
				v := views.Must(views.NewIn[int](card.Memory(), "v", from, layout))
				resized(t, v, to, func(v views.View[int], err error) (views.View[int], error) { return v, err })
			}
		}
	}
	h := views.Must(views.New2[float64]("h", 3, 4))
	d := views.Must(views.MirrorCopy(card.Memory(), h))
	assert.True(t, d.MemorySpace() == views.MemoryOf(card))
	again := views.Must(views.MirrorCopy(card.Memory(), d))
	require.NoError(t, views.Fill(again, 3))
	assert.Equal(t, slices.Repeat([]float64{3}, 12), fetch(t, d.View), "d is its own mirror there")
	m := views.Must(views.MirrorView(d))
	assert.True(t, m.MemorySpace() == views.Host)
	assert.Same(t, h.Ptr(0, 0), views.Must(views.MirrorCopy(nil, h)).Ptr(0, 0), "nil stands for the host")
	zero := views.Must(views.MirrorCopy(card.Memory(), views.View2[int]{}))
	assert.Zero(t, zero.Len())
}

// Packages that launch functors get no elements that these cannot touch, but where they are.
func TestElementsOnACard(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	v := views.Must(views.NewIn[int](card.Memory(), "v", []int{4, 6}))
	row := views.Must(v.Sub(views.Index(1), views.All()))
	x, whole := memory.Elements[int](v), memory.Located(v)
	assert.Equal(t, []int(nil), x)
	part := memory.Located(row)
	assert.True(t, part.Overlaps(whole))
	assert.Equal(t, uintptr(v.Address())+6*unsafe.Sizeof(int(0)), uintptr(row.Address()))
	host := views.Must(views.New1[int]("h", 3))
	assert.Equal(t, unsafe.Pointer(host.Ptr(0)), host.Address())
	assert.Nil(t, views.View[int]{}.Address())
	assert.Nil(t, views.Must(v.Sub(views.Range(4, 4), views.All())).Address())
}

// Addresses of two memories may be the same numbers.
func TestCardsDoNotOverlap(t *testing.T) {
	a, b := twin{shared: new([64]int64)}, twin{shared: new([64]int64)}
	a.shared = b.shared
	v := views.Must(views.NewIn[int64](&a, "v", []int{64}))
	w := views.Must(views.NewIn[int64](&b, "w", []int{64}))
	assert.NoError(t, views.DeepCopy(v, w))
	assert.Equal(t, 1, a.copies)
	assert.NoError(t, views.DeepCopy(views.Must(v.Sub(views.Range(0, 60))), views.Must(w.Sub(views.Range(4, 64)))))
	assert.Equal(t, 2, a.copies)
	assert.ErrorContains(t, views.DeepCopy(views.Must(v.Sub(views.Range(0, 60))), views.Must(v.Sub(views.Range(4, 64)))), "have elements in common")
}

// twin is a memory that has the addresses of another.
type twin struct {
	device.Memory
	shared *[64]int64
	copies int
}

func (m *twin) String() string                                { return "twin" }
func (m *twin) Owner() space.Space                            { return exec.Serial{} }
func (m *twin) Guard() *device.Guard                          { return nil }
func (m *twin) Allocate(int, int) (p unsafe.Pointer, _ error) { return unsafe.Pointer(m.shared), nil }
func (m *twin) Free(unsafe.Pointer) error                     { return nil }
func (m *twin) Copy(device.Copy) error                        { m.copies++; return nil }

// DeepCopy asks the memory of the copy first, and goes through the host if that cannot copy.
func TestPeers(t *testing.T) {
	from := twin{shared: new([64]int64)}
	v := views.Must(views.NewIn[int64](&from, "v", []int{8, 8}))
	fail := errors.New("no power")
	for _, c := range []struct {
		peer          peer
		direct, twice int // copies by both memories
		err           error
	}{{peer{done: true}, 1, 0, nil}, {peer{}, 1, 1, nil}, {peer{err: fail}, 1, 0, fail}} {
		to := &c.peer
		to.shared = new([64]int64)
		from.copies = 0
		w := views.Must(views.NewIn[int64](to, "w", []int{8, 8}, views.Left))
		assert.ErrorIs(t, views.DeepCopy(w, v), c.err)
		require.Len(t, to.got, c.direct)
		got := to.got[0]
		assert.Equal(t, device.DeviceToDevice, got.Direction)
		assert.Equal(t, [][]int{{8, 8}, {64, 8}, {8, 64}}, [][]int{got.Extents, got.Dst.Strides, got.Src.Strides})
		assert.Equal(t, []int{c.twice, c.twice}, []int{from.copies, to.copies}, "through the host")
		require.NoError(t, views.DeepCopy(v, w), "the other memory is no peer")
		assert.Len(t, to.got, 1)
	}
}

// peer is a twin that copies from others, or cannot.
type peer struct {
	twin
	done bool
	err  error
	got  []device.Copy
}

func (m *peer) CopyFrom(_ device.Memory, c device.Copy) (bool, error) {
	m.got = append(m.got, c)
	return m.done, m.err
}

// What prints or compares views of a card reads none of their elements.
func TestPrintingViewsOfACard(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	v := views.Must(views.As2(views.NewIn[int](card.Memory(), "v", []int{4, 6})))
	w := views.Must(views.NewIn[int](card.Memory(), "v", []int{4, 6}))
	require.NoError(t, views.Fill(v, 7))
	rows := [2]views.View[int]{views.Must(v.Sub(views.Index(1), views.All())), views.Must(v.Sub(views.Index(2), views.All()))}
	type holder struct {
		name string
		view views.View[int]
		rows views.View2[int]
	}
	for _, h := range []holder{{"v", v.View, v}, {"v", v.Transpose().View, v}, {"v", views.Must(v.Reshape(24)), v}, {"v", views.Must(v.Permute(1, 0)), v}, {"v", rows[1], v}} {
		for _, format := range []string{"%v", "%+v", "%#v", "%x", "%d"} {
			assert.Contains(t, fmt.Sprintf(format+format, h, &h), "[]", format)
		}
		assert.True(t, assert.ObjectsAreEqual(h, h))
		assert.Empty(t, cmp.Diff(h, h, cmp.Exporter(func(reflect.Type) bool { return true })))
	}
	for _, pair := range [][2]views.View[int]{{v.View, w}, {rows[0], rows[1]}} {
		assert.False(t, assert.ObjectsAreEqual(pair[0], pair[1]), "other elements, which may differ")
		assert.NotEmpty(t, cmp.Diff(pair[0], pair[1], cmp.Exporter(func(reflect.Type) bool { return true })))
		var says recorder
		assert.Equal(&says, pair[0], pair[1])
		assert.Contains(t, string(says), "Not equal")
	}
	assert.Equal(t, slices.Repeat([]int{7}, 6), fetch(t, rows[1]))
	assert.Equal(t, slices.Repeat([]int{7}, 24), fetch(t, v.View))
}

// recorder is a test that only takes note of what is wrong.
type recorder string

func (r *recorder) Errorf(format string, args ...any) { *r += recorder(fmt.Sprintf(format, args...)) }

// brokenMemory allocates at an address of its own.
type brokenMemory struct {
	device.Memory
	address uintptr
	freed   []unsafe.Pointer
}

func (*brokenMemory) String() string       { return "Broken" }
func (*brokenMemory) Owner() space.Space   { return exec.Serial{} }
func (*brokenMemory) Guard() *device.Guard { return nil }

func (m *brokenMemory) Allocate(int, int) (unsafe.Pointer, error) {
	return *(*unsafe.Pointer)(unsafe.Pointer(&m.address)), nil
}

func (m *brokenMemory) Free(address unsafe.Pointer) error {
	m.freed = append(m.freed, address)
	return nil
}

// What is no address is an error that names the memory, and no crash later.
func TestAddressesOfMemories(t *testing.T) {
	if unsafe.Alignof(float64(0)) < 8 {
		t.Skip("the addresses are those of processors that align float64 to 8 bytes")
	}
	for _, c := range []struct {
		address uintptr
		n       int
		ok      bool
		freed   int // by then
	}{
		{0, 3, false, 0}, {1, 3, false, 0}, {16, 3, false, 0}, {4095, 3, false, 0}, {4096, 3, true, 0}, {4100, 3, false, 1},
		{1 << 30, 3, true, 0}, {math.MaxUint - 7, 1, false, 1}, {math.MaxUint - 15, 1, true, 0}, {0, 0, true, 0}, {8, 0, false, 0}, {4096, 0, true, 0},
	} {
		m := &brokenMemory{address: c.address}
		v, err := views.NewIn[float64](m, "v", []int{c.n})
		if c.ok {
			require.NoError(t, err, "%#x", c.address)
			if c.n > 0 {
				assert.Equal(t, c.address, uintptr(v.Address()))
			}
			require.NoError(t, views.Free(v))
			assert.Nil(t, v.Address(), "which is no longer there")
			continue
		}
		assert.EqualError(t, err, fmt.Sprintf(`views: "v" [%d] in Broken: the address %#x of allocated memory of %d bytes, expected a multiple of 8 from 4096 on with room for them`, c.n, c.address, 8*c.n))
		assert.Len(t, m.freed, c.freed, "%#x", c.address)
	}
}

// A folder is a card that says it folds values in its memory, and runs what it is given on the host.
type folder struct{ *cardtest.Card }

// ranks is a space of several processes, this one of which has a card.
type ranks struct {
	space.Space
	n int
}

func (ranks) Name() string             { return "ranks" }
func (r ranks) Processes() int         { return r.n }
func (r ranks) Refuse(err error) error { return err }
func (r ranks) Inner() space.Space     { return r.Space }
func (r ranks) Memory() device.Memory  { return device.MemoryOf(r.Space) }

// A fill over several processes does not run on the card of this one alone: it is an error, and elements stay as they
// were. On the space of the card, or on a space of one process, it runs.
func TestFillOverRanksOnACardIsAnError(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	x := views.Must(views.NewIn[int](card.Memory(), "x", []int{3}))
	y := views.Must(views.New1[int]("y", 3))
	called := false
	for what, fill := range map[string]func(v views.Viewer[int], on policy.Launch) error{
		"Fill": func(v views.Viewer[int], on policy.Launch) error { return views.Fill(v, 7, on) },
		"FillFunc": func(v views.Viewer[int], on policy.Launch) error {
			return views.FillFunc(v, func(_ policy.Span, x []int) {
				called = true //gokkosvet:ignore nothing calls it
				for k := range x {
					x[k] = 7
				}
			}, on)
		},
	} {
		require.NoError(t, views.Fill(x, 1))
		called = false
		assert.EqualError(t, fill(x, policy.On(ranks{card, 2})), "views: "+what+" of \"x\" [3] in the memory of Card on the space ranks: "+
			"it does not run over 2 processes, expected the space of this one, card, for its own elements")
		assert.False(t, called)
		require.NoError(t, views.DeepCopy(y, x))
		assert.Equal(t, []int{1, 1, 1}, slices.Collect(y.Values()), what)
		for _, on := range []exec.Space{card, ranks{card, 1}} {
			require.NoError(t, views.Fill(x, 1))
			require.NoError(t, fill(x, policy.On(on)))
			require.NoError(t, views.DeepCopy(y, x))
			assert.Equal(t, []int{7, 7, 7}, slices.Collect(y.Values()), what)
		}
		require.NoError(t, fill(y, policy.On(ranks{exec.Serial{}, 2})))
	}
}

func (folder) FoldsMemory() {}

// A view in the memory of a card that folds is read by nothing else.
func TestSourceOnACardThatFolds(t *testing.T) {
	card := cardtest.New(t, cardBytes)
	on := policy.On(folder{card})
	v := views.Must(views.NewIn[int](card.Memory(), "v", []int{2, 3}))
	sum := 7
	err := exec.ParallelFold(views.Source(v, on), builtin.Sum(&sum))
	assert.EqualError(t, err, "exec: the values are in the memory of Card, and the space runs items on the host, expected a space that folds values there")
	err = exec.ParallelFold(views.Source(v.Transpose(), on), builtin.Sum(&sum))
	assert.EqualError(t, err, `views: Source of "v" [3 2] in the memory of Card, whose layout is Left, expected Right; views.DeepCopy to a view of that makes it so`)
	err = exec.ParallelFold(views.Source(v), builtin.Sum(&sum))
	assert.ErrorContains(t, err, "which functors cannot touch from the host")
	assert.Equal(t, 7, sum)
	none := views.Must(views.NewIn[int](card.Memory(), "none", []int{0, 3}))
	assert.NoError(t, exec.ParallelFold(views.Source(none, on), builtin.Sum(&sum)))
	assert.Zero(t, sum)
	require.NoError(t, views.Free(v))
	err = exec.ParallelFold(views.Source(v, on), builtin.Sum(&sum))
	assert.ErrorContains(t, err, "freed")
}
