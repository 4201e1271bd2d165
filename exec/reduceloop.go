package exec

import "github.com/gokkos/gokkos/policy"

// The loops of reductions, which are one loop with one to four accumulators: no functor is
// called through another one. Item k goes to lane k mod the number of lanes, which is a power
// of two.

// A reduceLoop is the loop over the items of a leaf, the first of which has that number, for
// functors of one form. Item k goes to lane k mod len(a).
type reduceLoop[A any] interface {
	span(begin, end, item int, a []A)
	runs(runs []policy.Run, item int, a []A)
}

// newReduceLoop returns the loop of a functor, see newForLoop.
func newReduceLoop[I, A any, P Policy[I]](f func(i I, acc *A), compiled *compiledReduce[A], boxed *compiledReduceRuns[I, A], x *indices[I, P]) reduceLoop[A] {
	if f, ok := any(f).(func(int, *A)); ok {
		if compiled.of(f) {
			return compiled
		}
		return reduceInts[A](f)
	}
	if f, ok := any(f).(func(policy.Span, *A)); ok && x.plain {
		return reduceSpans[A](f)
	}
	if boxed.of(f, x.kind) {
		x.byRuns()
		return boxed
	}
	if x.rows == nil {
		return reduceEach[I, A](f)
	}
	x.byRuns()
	switch f := any(f).(type) {
	case func(policy.Row[policy.Index2], *A):
		return reduceRowsOf2[A](f)
	case func(policy.Row[policy.Index3], *A):
		return reduceRowsOf3[A](f)
	case func(policy.Row[policy.Index4], *A):
		return reduceRowsOf4[A](f)
	}
	return reduceRows[I, A]{f, x.kind.rank}
}

// reduceInts is the loop of a functor that gets an integer.
type reduceInts[A any] func(i int, acc *A)

// span calls f for whole rows of lanes where it can, so that no item asks for its lane.
func (f reduceInts[A]) span(i, end, item int, a []A) {
	first := i
	if len(a) >= 4 {
		if lane := item & (len(a) - 1); lane > 0 {
			i += min(len(a)-lane, end-i)
			f.some(first, i, item, a)
		}
		i = f.rows(i, end, a)
	}
	if i < end {
		f.some(i, end, item+i-first, a)
	}
}

// rows runs whole rows of lanes, two at a time if they are of four. It returns the first
// integer that it leaves. It is unrolled, see forInts: rows of fewer calls take a third more.
func (f reduceInts[A]) rows(i, end int, a []A) int {
	at := i
	done := false
	defer locate(&at, &done)
	if len(a) == 4 {
		acc := (*[4]A)(a)
		for ; end-i >= 8; i += 8 {
			at = i
			f(i, &acc[0])
			at = i + 1
			f(i+1, &acc[1])
			at = i + 2
			f(i+2, &acc[2])
			at = i + 3
			f(i+3, &acc[3])
			at = i + 4
			f(i+4, &acc[0])
			at = i + 5
			f(i+5, &acc[1])
			at = i + 6
			f(i+6, &acc[2])
			at = i + 7
			f(i+7, &acc[3])
		}
		done = true
		return i
	}
	for end-i >= len(a) {
		for row := a; len(row) >= 8; row = row[8:] {
			acc := (*[8]A)(row)
			at = i
			f(i, &acc[0])
			at = i + 1
			f(i+1, &acc[1])
			at = i + 2
			f(i+2, &acc[2])
			at = i + 3
			f(i+3, &acc[3])
			at = i + 4
			f(i+4, &acc[4])
			at = i + 5
			f(i+5, &acc[5])
			at = i + 6
			f(i+6, &acc[6])
			at = i + 7
			f(i+7, &acc[7])
			i += 8
		}
	}
	done = true
	return i
}

// some runs integers in whatever lanes.
func (f reduceInts[A]) some(i, end, item int, a []A) {
	at := i
	done := false
	defer locate(&at, &done)
	m := len(a) - 1
	for n := range end - i {
		at = i + n
		f(at, &a[(item+n)&m])
	}
	done = true
}

func (f reduceInts[A]) runs(runs []policy.Run, item int, a []A) {
	for n := range runs {
		r := &runs[n]
		f.span(r.At[0], r.At[0]+r.Len, item, a)
		item += r.Len
	}
}

// reduceSpans is the loop of a functor that gets the integers of a leaf, which has one lane.
type reduceSpans[A any] func(s policy.Span, acc *A)

func (f reduceSpans[A]) span(begin, end, _ int, a []A) { f(policy.Span{Begin: begin, End: end}, &a[0]) }

func (f reduceSpans[A]) runs(runs []policy.Run, _ int, a []A) {
	for n := range runs {
		f(spanOf(&runs[n]), &a[0])
	}
}

// reduceEach is the loop of a functor that gets an index.
type reduceEach[I, A any] func(i I, acc *A)

func (f reduceEach[I, A]) span(begin, end, item int, a []A) {
	f.runs([]policy.Run{span(begin, end)}, item, a)
}

// block calls f for the indices of items in whatever lanes.
func (f reduceEach[I, A]) block(indices []I, item int, a []A) {
	var at I
	done := false
	defer locate(&at, &done)
	m := len(a) - 1
	for n, i := range indices {
		at = i
		f(i, &a[(item+n)&m])
	}
	done = true
}

// runs calls f for the items of a row of lanes, one row after the other, see reduceInts.
func (f reduceEach[I, A]) runs(runs []policy.Run, item int, a []A) {
	var at I
	done := false
	defer locate(&at, &done)
	for n := range runs {
		at = *pointOf[I](&runs[n])
		x := along(&at, runs[n].Dim)
		i, end := *x, *x+runs[n].Len
		lane := item & (len(a) - 1)
		item += end - i
		for len(a) >= 4 && i < end {
			row := a[lane:min(len(a), lane+end-i)]
			lane = 0
			for ; len(row) >= 4; row = row[4:] {
				acc := (*[4]A)(row)
				*x = i
				f(at, &acc[0])
				*x = i + 1
				f(at, &acc[1])
				*x = i + 2
				f(at, &acc[2])
				*x = i + 3
				f(at, &acc[3])
				i += 4
			}
			for k := range row {
				*x = i
				f(at, &row[k])
				i++
			}
		}
		for k := i; i < end; i++ {
			*x = i
			f(at, &a[(lane+i-k)&(len(a)-1)])
		}
	}
	done = true
}

// reduceRows is the loop of a functor that gets a row of points of that rank: the rows of a leaf have one lane. See
// forRows.
type reduceRows[I, A any] struct {
	reduceEach[I, A]
	rank int
}

func (l reduceRows[I, A]) runs(runs []policy.Run, _ int, a []A) {
	var r *policy.Run
	done := false
	defer locateRow(&r, l.rank, &done)
	for n := range runs {
		r = &runs[n]
		l.reduceEach(rowOf[I](r, l.rank), &a[0])
	}
	done = true
}

type (
	reduceRowsOf2[A any] func(policy.Row[policy.Index2], *A)
	reduceRowsOf3[A any] func(policy.Row[policy.Index3], *A)
	reduceRowsOf4[A any] func(policy.Row[policy.Index4], *A)
)

func (f reduceRowsOf2[A]) span(begin, end, item int, a []A) {
	f.runs([]policy.Run{span(begin, end)}, item, a)
}
func (f reduceRowsOf3[A]) span(begin, end, item int, a []A) {
	f.runs([]policy.Run{span(begin, end)}, item, a)
}
func (f reduceRowsOf4[A]) span(begin, end, item int, a []A) {
	f.runs([]policy.Run{span(begin, end)}, item, a)
}

func (f reduceRowsOf2[A]) runs(runs []policy.Run, _ int, a []A) {
	var r *policy.Run
	done := false
	defer locateRow(&r, 2, &done)
	for n := range runs {
		r = &runs[n]
		f(policy.Row[policy.Index2]{At: policy.Index2{I: r.At[0], J: r.At[1]}, Span: spanOf(r)}, &a[0])
	}
	done = true
}

func (f reduceRowsOf3[A]) runs(runs []policy.Run, _ int, a []A) {
	var r *policy.Run
	done := false
	defer locateRow(&r, 3, &done)
	for n := range runs {
		r = &runs[n]
		f(policy.Row[policy.Index3]{At: policy.Index3{I: r.At[0], J: r.At[1], K: r.At[2]}, Span: spanOf(r)}, &a[0])
	}
	done = true
}

func (f reduceRowsOf4[A]) runs(runs []policy.Run, _ int, a []A) {
	var r *policy.Run
	done := false
	defer locateRow(&r, 4, &done)
	for n := range runs {
		r = &runs[n]
		f(policy.Row[policy.Index4]{At: policy.Index4{I: r.At[0], J: r.At[1], K: r.At[2], L: r.At[3]}, Span: spanOf(r)}, &a[0])
	}
	done = true
}

// reduceLoop2 is reduceLoop with two accumulators.
type reduceLoop2[A, B any] interface {
	span(begin, end, item int, a []A, b []B)
	runs(runs []policy.Run, item int, a []A, b []B)
}

// newReduceLoop2 returns the loop of a functor, see newForLoop.
func newReduceLoop2[I, A, B any, P Policy[I]](f func(i I, a *A, b *B), compiled *compiledReduce2[A, B], boxed *compiledReduceRuns2[I, A, B], x *indices[I, P]) reduceLoop2[A, B] {
	if f, ok := any(f).(func(int, *A, *B)); ok {
		if compiled.of(f) {
			return compiled
		}
		return reduceInts2[A, B](f)
	}
	if f, ok := any(f).(func(policy.Span, *A, *B)); ok && x.plain {
		return reduceSpans2[A, B](f)
	}
	if boxed.of(f, x.kind) {
		x.byRuns()
		return boxed
	}
	if x.rows == nil {
		return reduceEach2[I, A, B](f)
	}
	x.byRuns()
	return reduceRows2[I, A, B]{f, x.kind.rank}
}

// reduceInts2 is the loop of a functor that gets an integer.
type reduceInts2[A, B any] func(i int, a *A, b *B)

func (f reduceInts2[A, B]) span(i, end, item int, a []A, b []B) {
	first := i
	if len(a) == len(b) {
		if lane := item & (len(a) - 1); lane > 0 {
			i += min(len(a)-lane, end-i)
			f.some(first, i, item, a, b)
		}
		i = f.rows(i, end, a, b)
	}
	if i < end {
		f.some(i, end, item+i-first, a, b)
	}
}

// rows runs whole rows of lanes, see reduceInts. It returns the first integer that it leaves.
func (f reduceInts2[A, B]) rows(i, end int, a []A, b []B) int {
	at := i
	done := false
	defer locate(&at, &done)
	for ; end-i >= len(a); i += len(a) {
		b := b[:len(a)]
		for l := range a {
			at = i + l
			f(at, &a[l], &b[l])
		}
	}
	done = true
	return i
}

// some runs integers in whatever lanes.
func (f reduceInts2[A, B]) some(i, end, item int, a []A, b []B) {
	at := i
	done := false
	defer locate(&at, &done)
	am, bm := len(a)-1, len(b)-1
	for n := range end - i {
		at = i + n
		f(at, &a[(item+n)&am], &b[(item+n)&bm])
	}
	done = true
}

func (f reduceInts2[A, B]) runs(runs []policy.Run, item int, a []A, b []B) {
	for n := range runs {
		r := &runs[n]
		f.span(r.At[0], r.At[0]+r.Len, item, a, b)
		item += r.Len
	}
}

// reduceSpans2 is reduceSpans with two accumulators.
type reduceSpans2[A, B any] func(s policy.Span, a *A, b *B)

func (f reduceSpans2[A, B]) span(begin, end, _ int, a []A, b []B) {
	f(policy.Span{Begin: begin, End: end}, &a[0], &b[0])
}

func (f reduceSpans2[A, B]) runs(runs []policy.Run, _ int, a []A, b []B) {
	for n := range runs {
		f(spanOf(&runs[n]), &a[0], &b[0])
	}
}

// reduceEach2 is reduceEach with two accumulators.
type reduceEach2[I, A, B any] func(i I, a *A, b *B)

func (f reduceEach2[I, A, B]) span(begin, end, item int, a []A, b []B) {
	f.runs([]policy.Run{span(begin, end)}, item, a, b)
}

func (f reduceEach2[I, A, B]) block(indices []I, item int, a []A, b []B) {
	var at I
	done := false
	defer locate(&at, &done)
	am, bm := len(a)-1, len(b)-1
	for n, i := range indices {
		at = i
		f(i, &a[(item+n)&am], &b[(item+n)&bm])
	}
	done = true
}

func (f reduceEach2[I, A, B]) runs(runs []policy.Run, item int, a []A, b []B) {
	am, bm := len(a)-1, len(b)-1
	var at I
	done := false
	defer locate(&at, &done)
	for n := range runs {
		at = *pointOf[I](&runs[n])
		x := along(&at, runs[n].Dim)
		i, end := *x, *x+runs[n].Len
		k := item - i // item i+k has the index i
		item += end - i
		for len(a) >= 4 && len(a) == len(b) && i < end { // row by row
			lane := (i + k) & am
			a := a[lane:min(len(a), lane+end-i)]
			b := b[lane:][:len(a)]
			for l := range a {
				*x = i
				f(at, &a[l], &b[l])
				i++
			}
		}
		for ; i < end; i++ {
			*x = i
			f(at, &a[(i+k)&am], &b[(i+k)&bm])
		}
	}
	done = true
}

// reduceRows2 is reduceRows with two accumulators.
type reduceRows2[I, A, B any] struct {
	reduceEach2[I, A, B]
	rank int
}

func (l reduceRows2[I, A, B]) runs(runs []policy.Run, _ int, a []A, b []B) {
	var r *policy.Run
	done := false
	defer locateRow(&r, l.rank, &done)
	for n := range runs {
		r = &runs[n]
		l.reduceEach2(rowOf[I](r, l.rank), &a[0], &b[0])
	}
	done = true
}
