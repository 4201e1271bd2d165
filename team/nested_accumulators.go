package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/team/internal/collective"
)

// pool keeps what the nested reductions of one Runner need for accumulators of type A. It
// needs no lock: the members of its teams run one at a time. It stays as large as the most
// nested reductions that were open at once.
type pool[A any] struct {
	flat, laned bool
	watched     bool // accumulators begin anew in shadow memory
	kinds       []*kind[A]
	free        []*accumulators[A]
	meetings    []*meeting[A]
}

func poolOf[A any](r *runner) *pool[A] {
	for _, p := range r.pools {
		if p, ok := p.(*pool[A]); ok {
			return p
		}
	}
	return newPool[A](r)
}

//go:noinline
func newPool[A any](r *runner) *pool[A] {
	p := &pool[A]{flat: reduce.IsFlat[A](), laned: reduce.TakesLanes[A](), watched: r.settings.Watched}
	r.pools = append(r.pools, p)
	return p
}

// kind is what reducers have in common that differ in their result places only. It is found out
// once for all reducers of a type that hold nothing but that, see [concept.Traits].
type kind[A any] struct {
	of     uintptr // their type
	one    bool    // all reducers of the type are of this kind
	traits concept.Traits[A]
	unit   A // the identity, for a flat A
}

// kindOf returns what is known of reducers of the type of r.
func (p *pool[A]) kindOf(r reducers.Reducer[A]) *kind[A] {
	of := typed.Of(r)
	for _, k := range p.kinds {
		if k.of == of {
			return k
		}
	}
	return p.newKind(r)
}

//go:noinline
func (p *pool[A]) newKind(r reducers.Reducer[A]) *kind[A] {
	k := &kind[A]{of: typed.Of(r)}
	p.kinds = append(p.kinds, k)
	if reduce.IsPlace[A](reflect.TypeOf(r)) {
		t := concept.TraitsOf(r)
		if t.Err == nil && t.Load == nil && t.Store == nil && t.Place == nil {
			k.traits = t
			p.identity(r, k)
			k.one = true // not if Init has panicked
		}
	}
	return k
}

// identity sets the identity of the kind of r.
func (p *pool[A]) identity(r reducers.Reducer[A], k *kind[A]) {
	if p.flat {
		r.Init(&k.unit)
	}
}

// accumulators are what one member reduces into in one nested reduction: one for each
// vector lane.
type accumulators[A any] struct {
	*pool[A]
	*kind[A]
	r       reducers.Reducer[A]
	own     kind[A] // of r alone
	result  *A      // the result place, nil if traits.Store writes there
	lanes   []A     // by lane, at least width of them
	width   int     // lanes of the range that have an accumulator of their own; 1 if one is for all
	used    int     // lanes that have an item
	initial A       // the initial value, if the reducer has one and this member counts it
	prefix  A       // in a scan, what comes before the member's items
	scan    bool
	meeting *meeting[A]
}

// open returns the accumulators of r and more in which m reduces a range of that level. The
// initial value is read here, before a functor can change it.
func open[A any](m *Member, l level, r reducers.Reducer[A], more ...reducers.Reducer[A]) *accumulators[A] {
	p := poolOf[A](m.run)
	var a *accumulators[A]
	if n := len(p.free); n > 0 {
		a, p.free = p.free[n-1], p.free[:n-1]
	} else {
		a = &accumulators[A]{pool: p}
	}
	k := p.kindOf(r)
	if k.one && len(more) == 0 {
		a.r, a.kind, a.result = r, k, r.Reference()
	}
	if !k.one || len(more) > 0 || a.result == nil {
		k = a.study(r, more)
	}
	t := &k.traits
	if t.Once && l != overVector && m.size != 1 {
		misuse("a nested pattern with a %T, whose result must be stored once: each of %d members would; contribute to the accumulator of the launch", a.r, m.size)
	}
	a.scan, a.width = false, 1
	if l != overThreads && p.laned && !t.Ordered {
		a.width = m.run.shape.Vector
	}
	if a.width > len(a.lanes) {
		a.lanes = make([]A, a.width)
	}
	if t.Initial && (m.rank == 0 || l == overVector) {
		reduce.Load(a.r, t, &a.initial)
	}
	return a
}

// study makes r and more the reducer of a, and returns its kind, of which nothing is known yet.
//
//go:noinline
func (a *accumulators[A]) study(r reducers.Reducer[A], more []reducers.Reducer[A]) *kind[A] {
	if len(more) > 0 {
		r = reducers.Compose(r, more...)
	}
	t := &a.own.traits
	*t = concept.TraitsOf(r)
	if len(more) == 0 && (t.Err != nil || t.Store != nil) { // one of a field stores its own way
		r = reducers.Compose(r)
		*t = concept.TraitsOf(r)
	}
	if t.Err != nil {
		misuse("%w", t.Err)
	}
	a.r, a.kind, a.result = r, &a.own, nil
	if t.Store == nil {
		a.result = r.Reference()
	}
	a.identity(r, a.kind)
	return a.kind
}

// begin sets the accumulators of the lanes that a block of so many items reaches to the
// identity, and returns them, or one if there are none.
func (a *accumulators[A]) begin(items int) []A {
	a.used = min(items, a.width)
	lanes := a.lanes[:a.used]
	for l := range lanes {
		a.clear(&lanes[l])
	}
	if a.watched {
		watch.RenewAll(reflect.ValueOf(lanes))
		watch.RenewAll(reflect.ValueOf(&a.prefix))
	}
	return a.lanes[:max(a.used, 1)]
}

// mask returns the mask of lanes of the range: lane l goes to accumulator l&mask.
func (a *accumulators[A]) mask() int {
	if a.width == 1 {
		return 0
	}
	return -1
}

func (a *accumulators[A]) clear(val *A) {
	if a.flat {
		*val = a.unit
		return
	}
	a.r.Init(val)
}

func (a *accumulators[A]) bytes() int { return collective.SizeOf[A]() }

func (a *accumulators[A]) place() any { return reduce.Place(a.r, &a.traits) }

func (a *accumulators[A]) extent() (e reduce.Extent, known bool) {
	return reduce.ExtentOf[A](a.place())
}

// join joins the lanes into the first.
func (a *accumulators[A]) join() { reduce.JoinTree(a.r, a.lanes[:a.used]) }

// finish sets lane 0 to the result of a reduction that is the member's alone.
func (a *accumulators[A]) finish() {
	if a.used == 0 || a.traits.Initial {
		a.start()
	}
	a.r.Final(&a.lanes[0])
}

// start joins lane 0 to what stands to the left of all items.
//
//go:noinline
func (a *accumulators[A]) start() {
	val := &a.lanes[0]
	if a.used == 0 {
		a.clear(val)
	}
	if a.traits.Initial {
		a.r.Join(&a.initial, val)
		*val, a.initial = a.initial, *val
	}
}

// store writes the result, and puts the accumulators back into the pool. It drops a value that
// is not flat: the result place may share its memory.
func (a *accumulators[A]) store() {
	val := &a.lanes[0]
	if a.result != nil {
		*a.result = *val
	} else {
		a.traits.Store(val)
	}
	if !a.flat {
		var none A
		*val = none
	}
	a.free = append(a.free, a)
}
