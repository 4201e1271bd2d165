package policy

// A stretch is a part of the curve of [Hilbert]: the tiles of a rectangle, from the one in a corner to
// the one at the other end of side a. Sides are vectors along a dimension each, in tiles. The curve
// goes along a wherever the rectangle is one tile thick.
type stretch struct{ at, a, b [2]int }

// hilbert returns the curve through a box of so many tiles, of at least one in each dimension. It goes
// along the longer side, the last dimension if both are equal.
func hilbert(counts [2]int) stretch {
	if counts[0] > counts[1] {
		return stretch{a: [2]int{counts[0], 0}, b: [2]int{0, counts[1]}}
	}
	return stretch{a: [2]int{0, counts[1]}, b: [2]int{counts[0], 0}}
}

// parts returns what a stretch of several tiles consists of: the halves of one side, or, where the sides
// are nearly equal, three rectangles around a corner. A half is rounded to an even number, so that a
// part ends beside the next one.
func (s stretch) parts() (parts [3]stretch, n int) {
	w, h := length(s.a), length(s.b)
	switch a, b := half(s.a, w), half(s.b, h); {
	case w == 1:
		return [3]stretch{{s.at, s.a, b}, {plus(s.at, b), s.a, minus(s.b, b)}}, 2
	case h == 1 || h < w-w/3: // 2w > 3h, as no product can
		return [3]stretch{{s.at, a, s.b}, {plus(s.at, a), minus(s.a, a), s.b}}, 2
	default:
		a = times(unit(s.a, w), w/2)
		last := plus(s.at, plus(minus(s.a, unit(s.a, w)), minus(b, unit(s.b, h))))
		return [3]stretch{
			{s.at, b, a},
			{plus(s.at, b), s.a, minus(s.b, b)},
			{last, minus([2]int{}, b), minus(a, s.a)},
		}, 3
	}
}

// box returns the tiles of a stretch, from lower to below upper.
func (s stretch) box() (lower, upper [2]int) {
	for d := range 2 {
		side := s.a[d] + s.b[d] // one of which is 0
		lower[d], upper[d] = s.at[d], s.at[d]+side
		if side < 0 {
			lower[d], upper[d] = upper[d]+1, lower[d]+1
		}
	}
	return lower, upper
}

// half returns about half of a side of a length.
func half(side [2]int, length int) [2]int {
	n := length / 2
	if n%2 == 1 && length > 2 {
		n++
	}
	return times(unit(side, length), n)
}

func length(side [2]int) int { return max(side[0], -side[0]) + max(side[1], -side[1]) }

func unit(side [2]int, length int) [2]int { return [2]int{side[0] / length, side[1] / length} }

func times(v [2]int, n int) [2]int { return [2]int{v[0] * n, v[1] * n} }

func plus(v, w [2]int) [2]int { return [2]int{v[0] + w[0], v[1] + w[1]} }

func minus(v, w [2]int) [2]int { return [2]int{v[0] - w[0], v[1] - w[1]} }

// walked is a tile on the curve, and what comes before it there.
type walked struct{ tile, points int }

// walk returns the tile on the curve that holds the item of a number, or of so many tiles, if items is
// false.
func (p *MDRangePolicy[I, B]) walk(number int, items bool) (tile [2]int, before walked) {
	s := hilbert([2]int{p.tiles(0), p.tiles(1)})
	for length(s.a) > 1 || length(s.b) > 1 {
		parts, n := s.parts()
		for _, s = range parts[:n] {
			lower, upper := s.box()
			next := walked{before.tile + (upper[0]-lower[0])*(upper[1]-lower[1]), before.points + p.edge(0, lower[0], upper[0])*p.edge(1, lower[1], upper[1])}
			if items && number < next.points || !items && number < next.tile {
				break
			}
			before = next
		}
	}
	return s.at, before
}

// enter moves a cursor to the first point of a tile that walk finds, and returns how many points come
// before it.
func (p *MDRangePolicy[I, B]) enter(c *cursor, number int, items bool) (before int) {
	tile, walked := p.walk(number, items)
	for d, t := range tile {
		c.origin[d] = t * p.tile[d]
		c.length[d] = min(p.tile[d], p.extent[d]-c.origin[d])
	}
	c.tile = walked.tile
	return walked.points
}

// tiles returns the number of tiles along a dimension.
func (p *MDRangePolicy[I, B]) tiles(d int) int { return (p.extent[d]-1)/p.tile[d] + 1 }

// edge returns how many points tiles from lower to below upper have along a dimension.
func (p *MDRangePolicy[I, B]) edge(d, lower, upper int) int {
	if upper == p.tiles(d) {
		return p.extent[d] - lower*p.tile[d]
	}
	return (upper - lower) * p.tile[d]
}
