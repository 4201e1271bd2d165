package exec

import "github.com/gokkos/gokkos/policy"

// reduceLoop3 is reduceLoop with three accumulators.
type reduceLoop3[A, B, C any] interface {
	span(begin, end, item int, a []A, b []B, c []C)
	runs(runs []policy.Run, item int, a []A, b []B, c []C)
}

// newReduceLoop3 returns the loop of a functor, see newForLoop.
func newReduceLoop3[I, A, B, C any, P Policy[I]](f func(i I, a *A, b *B, c *C), compiled *compiledReduce3[A, B, C], boxed *compiledReduceRuns3[I, A, B, C], x *indices[I, P]) reduceLoop3[A, B, C] {
	if f, ok := any(f).(func(int, *A, *B, *C)); ok {
		if compiled.of(f) {
			return compiled
		}
		return reduceInts3[A, B, C](f)
	}
	if f, ok := any(f).(func(policy.Span, *A, *B, *C)); ok && x.plain {
		return reduceSpans3[A, B, C](f)
	}
	if boxed.of(f, x.kind) {
		x.byRuns()
		return boxed
	}
	if x.rows == nil {
		return reduceEach3[I, A, B, C](f)
	}
	x.byRuns()
	return reduceRows3[I, A, B, C]{f, x.kind.rank}
}

// reduceInts3 is the loop of a functor that gets an integer.
type reduceInts3[A, B, C any] func(i int, a *A, b *B, c *C)

func (f reduceInts3[A, B, C]) span(i, end, item int, a []A, b []B, c []C) {
	first := i
	if len(a) == len(b) && len(a) == len(c) {
		if lane := item & (len(a) - 1); lane > 0 {
			i += min(len(a)-lane, end-i)
			f.some(first, i, item, a, b, c)
		}
		i = f.rows(i, end, a, b, c)
	}
	if i < end {
		f.some(i, end, item+i-first, a, b, c)
	}
}

// rows runs whole rows of lanes, see reduceInts. It returns the first integer that it leaves.
func (f reduceInts3[A, B, C]) rows(i, end int, a []A, b []B, c []C) int {
	at := i
	done := false
	defer locate(&at, &done)
	for ; end-i >= len(a); i += len(a) {
		b, c := b[:len(a)], c[:len(a)]
		for l := range a {
			at = i + l
			f(at, &a[l], &b[l], &c[l])
		}
	}
	done = true
	return i
}

// some runs integers in whatever lanes.
func (f reduceInts3[A, B, C]) some(i, end, item int, a []A, b []B, c []C) {
	at := i
	done := false
	defer locate(&at, &done)
	am, bm, cm := len(a)-1, len(b)-1, len(c)-1
	for n := range end - i {
		at = i + n
		f(at, &a[(item+n)&am], &b[(item+n)&bm], &c[(item+n)&cm])
	}
	done = true
}

func (f reduceInts3[A, B, C]) runs(runs []policy.Run, item int, a []A, b []B, c []C) {
	for n := range runs {
		r := &runs[n]
		f.span(r.At[0], r.At[0]+r.Len, item, a, b, c)
		item += r.Len
	}
}

// reduceSpans3 is reduceSpans with three accumulators.
type reduceSpans3[A, B, C any] func(s policy.Span, a *A, b *B, c *C)

func (f reduceSpans3[A, B, C]) span(begin, end, _ int, a []A, b []B, c []C) {
	f(policy.Span{Begin: begin, End: end}, &a[0], &b[0], &c[0])
}

func (f reduceSpans3[A, B, C]) runs(runs []policy.Run, _ int, a []A, b []B, c []C) {
	for n := range runs {
		f(spanOf(&runs[n]), &a[0], &b[0], &c[0])
	}
}

// reduceEach3 is reduceEach with three accumulators.
type reduceEach3[I, A, B, C any] func(i I, a *A, b *B, c *C)

func (f reduceEach3[I, A, B, C]) span(begin, end, item int, a []A, b []B, c []C) {
	f.runs([]policy.Run{span(begin, end)}, item, a, b, c)
}

func (f reduceEach3[I, A, B, C]) block(indices []I, item int, a []A, b []B, c []C) {
	var at I
	done := false
	defer locate(&at, &done)
	am, bm, cm := len(a)-1, len(b)-1, len(c)-1
	for n, i := range indices {
		at = i
		f(i, &a[(item+n)&am], &b[(item+n)&bm], &c[(item+n)&cm])
	}
	done = true
}

func (f reduceEach3[I, A, B, C]) runs(runs []policy.Run, item int, a []A, b []B, c []C) {
	am, bm, cm := len(a)-1, len(b)-1, len(c)-1
	var at I
	done := false
	defer locate(&at, &done)
	for n := range runs {
		at = *pointOf[I](&runs[n])
		x := along(&at, runs[n].Dim)
		i, end := *x, *x+runs[n].Len
		k := item - i // item i+k has the index i
		item += end - i
		for len(a) >= 4 && len(a) == len(b) && len(a) == len(c) && i < end { // row by row
			lane := (i + k) & am
			a := a[lane:min(len(a), lane+end-i)]
			b := b[lane:][:len(a)]
			c := c[lane:][:len(a)]
			for l := range a {
				*x = i
				f(at, &a[l], &b[l], &c[l])
				i++
			}
		}
		for ; i < end; i++ {
			*x = i
			f(at, &a[(i+k)&am], &b[(i+k)&bm], &c[(i+k)&cm])
		}
	}
	done = true
}

// reduceLoop4 is reduceLoop with four accumulators.
type reduceLoop4[A, B, C, D any] interface {
	span(begin, end, item int, a []A, b []B, c []C, d []D)
	runs(runs []policy.Run, item int, a []A, b []B, c []C, d []D)
}

// newReduceLoop4 returns the loop of a functor, see newForLoop.
func newReduceLoop4[I, A, B, C, D any, P Policy[I]](f func(i I, a *A, b *B, c *C, d *D), compiled *compiledReduce4[A, B, C, D], boxed *compiledReduceRuns4[I, A, B, C, D], x *indices[I, P]) reduceLoop4[A, B, C, D] {
	if f, ok := any(f).(func(int, *A, *B, *C, *D)); ok {
		if compiled.of(f) {
			return compiled
		}
		return reduceInts4[A, B, C, D](f)
	}
	if f, ok := any(f).(func(policy.Span, *A, *B, *C, *D)); ok && x.plain {
		return reduceSpans4[A, B, C, D](f)
	}
	if boxed.of(f, x.kind) {
		x.byRuns()
		return boxed
	}
	if x.rows == nil {
		return reduceEach4[I, A, B, C, D](f)
	}
	x.byRuns()
	return reduceRows4[I, A, B, C, D]{f, x.kind.rank}
}

// reduceInts4 is the loop of a functor that gets an integer.
type reduceInts4[A, B, C, D any] func(i int, a *A, b *B, c *C, d *D)

func (f reduceInts4[A, B, C, D]) span(i, end, item int, a []A, b []B, c []C, d []D) {
	first := i
	if len(a) == len(b) && len(a) == len(c) && len(a) == len(d) {
		if lane := item & (len(a) - 1); lane > 0 {
			i += min(len(a)-lane, end-i)
			f.some(first, i, item, a, b, c, d)
		}
		i = f.rows(i, end, a, b, c, d)
	}
	if i < end {
		f.some(i, end, item+i-first, a, b, c, d)
	}
}

// rows runs whole rows of lanes, see reduceInts. It returns the first integer that it leaves.
func (f reduceInts4[A, B, C, D]) rows(i, end int, a []A, b []B, c []C, d []D) int {
	at := i
	done := false
	defer locate(&at, &done)
	for ; end-i >= len(a); i += len(a) {
		b, c, d := b[:len(a)], c[:len(a)], d[:len(a)]
		for l := range a {
			at = i + l
			f(at, &a[l], &b[l], &c[l], &d[l])
		}
	}
	done = true
	return i
}

// some runs integers in whatever lanes.
func (f reduceInts4[A, B, C, D]) some(i, end, item int, a []A, b []B, c []C, d []D) {
	at := i
	done := false
	defer locate(&at, &done)
	am, bm, cm, dm := len(a)-1, len(b)-1, len(c)-1, len(d)-1
	for n := range end - i {
		at = i + n
		f(at, &a[(item+n)&am], &b[(item+n)&bm], &c[(item+n)&cm], &d[(item+n)&dm])
	}
	done = true
}

func (f reduceInts4[A, B, C, D]) runs(runs []policy.Run, item int, a []A, b []B, c []C, d []D) {
	for n := range runs {
		r := &runs[n]
		f.span(r.At[0], r.At[0]+r.Len, item, a, b, c, d)
		item += r.Len
	}
}

// reduceSpans4 is reduceSpans with four accumulators.
type reduceSpans4[A, B, C, D any] func(s policy.Span, a *A, b *B, c *C, d *D)

func (f reduceSpans4[A, B, C, D]) span(begin, end, _ int, a []A, b []B, c []C, d []D) {
	f(policy.Span{Begin: begin, End: end}, &a[0], &b[0], &c[0], &d[0])
}

func (f reduceSpans4[A, B, C, D]) runs(runs []policy.Run, _ int, a []A, b []B, c []C, d []D) {
	for n := range runs {
		f(spanOf(&runs[n]), &a[0], &b[0], &c[0], &d[0])
	}
}

// reduceEach4 is reduceEach with four accumulators.
type reduceEach4[I, A, B, C, D any] func(i I, a *A, b *B, c *C, d *D)

func (f reduceEach4[I, A, B, C, D]) span(begin, end, item int, a []A, b []B, c []C, d []D) {
	f.runs([]policy.Run{span(begin, end)}, item, a, b, c, d)
}

func (f reduceEach4[I, A, B, C, D]) block(indices []I, item int, a []A, b []B, c []C, d []D) {
	var at I
	done := false
	defer locate(&at, &done)
	am, bm, cm, dm := len(a)-1, len(b)-1, len(c)-1, len(d)-1
	for n, i := range indices {
		at = i
		f(i, &a[(item+n)&am], &b[(item+n)&bm], &c[(item+n)&cm], &d[(item+n)&dm])
	}
	done = true
}

func (f reduceEach4[I, A, B, C, D]) runs(runs []policy.Run, item int, a []A, b []B, c []C, d []D) {
	am, bm, cm, dm := len(a)-1, len(b)-1, len(c)-1, len(d)-1
	var at I
	done := false
	defer locate(&at, &done)
	for n := range runs {
		at = *pointOf[I](&runs[n])
		x := along(&at, runs[n].Dim)
		i, end := *x, *x+runs[n].Len
		k := item - i // item i+k has the index i
		item += end - i
		for len(a) >= 4 && len(a) == len(b) && len(a) == len(c) && len(a) == len(d) && i < end { // row by row
			lane := (i + k) & am
			a := a[lane:min(len(a), lane+end-i)]
			b := b[lane:][:len(a)]
			c := c[lane:][:len(a)]
			d := d[lane:][:len(a)]
			for l := range a {
				*x = i
				f(at, &a[l], &b[l], &c[l], &d[l])
				i++
			}
		}
		for ; i < end; i++ {
			*x = i
			f(at, &a[(i+k)&am], &b[(i+k)&bm], &c[(i+k)&cm], &d[(i+k)&dm])
		}
	}
	done = true
}

// reduceRows3 is reduceRows with three accumulators.
type reduceRows3[I, A, B, C any] struct {
	reduceEach3[I, A, B, C]
	rank int
}

func (l reduceRows3[I, A, B, C]) runs(runs []policy.Run, _ int, a []A, b []B, c []C) {
	var r *policy.Run
	done := false
	defer locateRow(&r, l.rank, &done)
	for n := range runs {
		r = &runs[n]
		l.reduceEach3(rowOf[I](r, l.rank), &a[0], &b[0], &c[0])
	}
	done = true
}

// reduceRows4 is reduceRows with four accumulators.
type reduceRows4[I, A, B, C, D any] struct {
	reduceEach4[I, A, B, C, D]
	rank int
}

func (l reduceRows4[I, A, B, C, D]) runs(runs []policy.Run, _ int, a []A, b []B, c []C, d []D) {
	var r *policy.Run
	done := false
	defer locateRow(&r, l.rank, &done)
	for n := range runs {
		r = &runs[n]
		l.reduceEach4(rowOf[I](r, l.rank), &a[0], &b[0], &c[0], &d[0])
	}
	done = true
}
