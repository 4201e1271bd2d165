// Package ops has kernels that between them have all operations that become vector instructions,
// of all types, and all ways to access memory. Tests compare them with their closures.
package ops

import "math"

// The loops are not in the tree: make kernels writes them to an overlay.

//gokkos:kernel
func doubles(x, y, z, out []float64) func(i int) {
	return func(i int) {
		a, b, c := x[i], y[i], z[i]
		s := a + b
		s = s - c/a
		s = min(s, math.Sqrt(b)) + max(a, -c, b)
		s -= math.Floor(a) + math.Ceil(b) + math.Trunc(c) + math.RoundToEven(a) + math.Abs(b)
		out[i] = math.Copysign(math.FMA(a, b, s), c)
	}
}

//gokkos:kernel
func least(x, y, out []float64) func(i int) { return func(i int) { out[i] = min(x[i], y[i]) } }

//gokkos:kernel
func most(x, y, out []float64) func(i int) { return func(i int) { out[i] = max(x[i], y[i]) } }

//gokkos:kernel
func rounds(x, floor, ceil, trunc, even []float64) func(i int) {
	return func(i int) {
		floor[i] = math.Floor(x[i])
		ceil[i] = math.Ceil(x[i])
		trunc[i] = math.Trunc(x[i])
		even[i] = math.RoundToEven(x[i])
	}
}

// switched has branches that share a store.
//
//gokkos:kernel
func switched(x, out []float64) func(i int) {
	return func(i int) {
		switch {
		case i&3 == 0:
			out[i] = math.Floor(x[i])
		case i&3 == 1:
			out[i] = math.Ceil(x[i])
		default:
			out[i] = math.RoundToEven(x[i])
		}
	}
}

//gokkos:kernel
func singles(x, y, out []float32) func(i int) {
	return func(i int) {
		a, b := x[i], y[i]
		s := a + b - a/b
		s = min(s, b) + max(a, -b)
		if a < b {
			s += float32(math.Sqrt(float64(a)))
		} else if b != a {
			s = float32(s * 2)
		}
		out[i] = s
	}
}

//gokkos:kernel
func leastSingle(x, y, out []float32) func(i int) {
	return func(i int) { out[i] = min(x[i], y[i]) }
}

//gokkos:kernel
func mostSingle(x, y, out []float32) func(i int) { return func(i int) { out[i] = max(x[i], y[i]) } }

//gokkos:kernel
func longs(x, y, out []int) func(i int) {
	return func(i int) {
		a, b := x[i], y[i]
		s := a*b + a - b
		s ^= a & b
		s |= a &^ b
		s += min(a, b) ^ max(a, b)
		if a < b && a != 7 || b >= 100 {
			s = ^s
		}
		out[i] = -s
	}
}

//gokkos:kernel
func unsignedLongs(x, y, out []uint64) func(i int) {
	return func(i int) {
		a, b := x[i], y[i]
		s := a*b + min(a, b) - max(a, b)
		if a < b {
			s >>= 3
		}
		if a <= 1<<63 {
			s = s<<7 | s>>57
		}
		out[i] = s
	}
}

//gokkos:kernel
func ints(x, y, out []int32) func(i int) {
	return func(i int) {
		a, b := x[i], y[i]
		s := a*b + a - b
		s ^= a & b
		s |= a &^ b
		s += min(a, b) ^ max(a, b)
		if a < b && a != 7 || b >= 100 {
			s = ^s
		}
		out[i] = -s>>3 + s<<2
	}
}

//gokkos:kernel
func unsignedInts(x, y, out []uint32) func(i int) {
	return func(i int) {
		a, b := x[i], y[i]
		s := a*b + min(a, b) - max(a, b)
		if a < b {
			s >>= 3
		}
		if a <= 1<<31 {
			s = s<<7 | s>>25
		}
		out[i] = s
	}
}

//gokkos:kernel
func shiftLongs(x []int, by []uint, out, right []int) func(i int) {
	return func(i int) {
		n := by[i] & 127
		out[i] = x[i] << n
		right[i] = x[i] >> n
	}
}

//gokkos:kernel
func shiftUnsigned(m uint32, x []uint64, by []uint32, out, right []uint64) func(i int) {
	return func(i int) {
		n := by[i] & 127
		out[i] = x[i] << n
		right[i] = x[i]>>n + x[i]>>m
	}
}

//gokkos:kernel
func shiftInts(m uint, x []int32, by []uint32, out, right []int32) func(i int) {
	return func(i int) {
		n := by[i] & 63
		out[i] = x[i] << n
		right[i] = x[i]>>n + x[i]>>31 + x[i]>>m
	}
}

//gokkos:kernel
func shiftIntsByLongs(x []uint32, by []uint, out, right []uint32) func(i int) {
	return func(i int) {
		out[i] = x[i] << by[i]
		right[i] = x[i]>>by[i] + x[i]>>(by[i]&31)
	}
}

//gokkos:kernel
func shiftConstant(m uint, x, out []int) func(i int) {
	return func(i int) { out[i] = x[i]>>1 ^ x[i]>>63 ^ x[i]>>m ^ x[i]<<63 ^ x[i]<<m }
}

//gokkos:kernel
func divide(x, q, r []int64) func(i int) {
	return func(i int) {
		q[i] = x[i]/3 + x[i]/-7 + x[i]/1 + x[i]/-1 + x[i]/8 + x[i]/-16 + x[i]/1000003 + x[i]/math.MaxInt64 + x[i]/math.MinInt64
		r[i] = x[i]%10 ^ x[i]%-641
	}
}

//gokkos:kernel
func divideUnsigned(x, q, r []uint64) func(i int) {
	return func(i int) {
		q[i] = x[i]/3 + x[i]/7 + x[i]/1 + x[i]/(1<<63) + x[i]/(1<<63+1) + x[i]/math.MaxUint64 + x[i]/641
		r[i] = x[i] % 10
	}
}

//gokkos:kernel
func divideInts(x, q, r []int32) func(i int) {
	return func(i int) {
		q[i] = x[i]/3 + x[i]/-7 + x[i]/math.MinInt32 + x[i]/8
		r[i] = x[i] % 10
	}
}

//gokkos:kernel
func divideUnsignedInts(x, q, r []uint32) func(i int) {
	return func(i int) {
		q[i] = x[i]/3 + x[i]/7 + x[i]/math.MaxUint32
		r[i] = x[i] % 10
	}
}

//gokkos:kernel
func converted(x []float64, y []int, z []int32, f []float32, i64 []int, i32 []int32, f64 []float64, f32 []float32) func(i int) {
	return func(i int) {
		a, b, c, d := x[i], y[i], z[i], f[i]
		i64[i] = int(a) + int(c) ^ int(d)
		i32[i] = int32(b) ^ int32(a) + int32(d)
		f64[i] = float64(b) - float64(c) + float64(d)
		f32[i] = float32(a) - float32(c)
	}
}

//gokkos:kernel
func convertedLong(x []int, out []float64) func(i int) { return func(i int) { out[i] = float64(x[i]) } }

//gokkos:kernel
func convertedUnsigned(x []uint64, y []uint32, out, out2 []float64, i64 []uint64) func(i int) {
	return func(i int) {
		out[i] = float64(x[i])
		out2[i] = float64(y[i])
		i64[i] = uint64(y[i])
	}
}

// convertedSingles has no vectors of AVX2.
//
//gokkos:kernel
func convertedSingles(x []int, y []uint64, z []uint32, fromInt, fromUint, fromShort []float32) func(i int) {
	return func(i int) {
		fromInt[i] = float32(x[i])
		fromUint[i] = float32(y[i])
		fromShort[i] = float32(z[i])
	}
}

//gokkos:kernel
func truths(x []float64, a, low, some []bool) func(i int) {
	return func(i int) {
		v, b, before := x[i], a[i], some[i]
		low[i] = v < 0
		if v != 1 {
			some[i] = b != before
		}
	}
}

//gokkos:kernel
func truthsOfSingles(x []float32, a, low, some []bool) func(i int) {
	return func(i int) {
		v, b, before := x[i], a[i], some[i]
		low[i] = v < 0
		if v != 1 {
			some[i] = b != before
		}
	}
}

//gokkos:kernel
func maskedTruths(x []float64, a []bool, out []float64) func(i int) {
	return func(i int) {
		if x[i] < 1 && a[i] {
			out[i] = x[i]
		}
	}
}

//gokkos:kernel
func truthsIf(when bool, x []float64, out []bool) func(i int) {
	return func(i int) {
		if when {
			out[i] = x[i] < 0
		}
	}
}

//gokkos:kernel
func bits(x []float64, y []uint64, out []uint64, back []float64) func(i int) {
	return func(i int) {
		out[i] = math.Float64bits(x[i]) ^ y[i]
		back[i] = math.Float64frombits(y[i] &^ (1 << 62))
	}
}

//gokkos:kernel
func indexed(out []float64, ints []int32) func(i int) {
	return func(i int) {
		out[i] = float64(3*i - 7)
		ints[i] = int32(i)
	}
}

// Branches with stores, under masks.
//
//gokkos:kernel
func branches(x, y []float64, n []int32) func(i int) {
	return func(i int) {
		a, b, c := x[i], y[i], n[i]
		if a > 0 {
			y[i] = a
			if a < 1 {
				n[i] = c + 1
			}
		} else if a < -1 {
			y[i] = b + 2
		}
	}
}

//gokkos:kernel
func stored(x, y []float64, n []int32) func(i int) {
	return func(i int) {
		if x[i] > 0 {
			y[i] = x[i]
			n[i]++
		}
	}
}

//gokkos:kernel
func early(x, y []float64) func(i int) {
	return func(i int) {
		if x[i] != x[i] {
			return
		}
		y[i] = x[i] + 1
	}
}

//gokkos:kernel
func masked(x, y []float32, n int) func(i int) {
	return func(i int) {
		if i > n && i < 2*n && x[i] > 0 {
			y[i] = x[i-n]
		}
	}
}

//gokkos:kernel
func gathered(at []int, x, y []float64, f, g []float32) func(i int) {
	return func(i int) {
		y[i] = x[at[i]&15]
		g[i] = f[at[i]&15]
	}
}

//gokkos:kernel
func checkedGather(at []int, x, y []float64) func(i int) { return func(i int) { y[i] = x[at[i]] } }

//gokkos:kernel
func maskedGather(at []int, x, y []float64) func(i int) {
	return func(i int) {
		if k := at[i]; k >= 0 && k < len(x) {
			y[i] = x[k]
		}
	}
}

//gokkos:kernel
func scattered(at []int, x, y []float64) func(i int) {
	return func(i int) { y[i*4+at[i]&3] = x[i] }
}

//gokkos:kernel
func maskedScatter(at []int, f, g []int32) func(i int) {
	return func(i int) {
		if f[i] > 0 {
			g[i*4+at[i]&3] = f[i]
		}
	}
}

//gokkos:kernel
func strided(n int, x, y []float64, f, g []float32) func(i int) {
	return func(i int) {
		y[3*i+1] = x[2*i]
		g[i*n] = f[i*n+1]
	}
}

//gokkos:kernel
func maskedStride(n int, x []float64, h []int32) func(i int) {
	return func(i int) {
		if x[i*n] > 0 {
			h[2*i+1] = int32(i)
		}
	}
}

//gokkos:kernel
func reversed(n int, x, y []float64) func(i int) {
	return func(i int) { y[i] = x[n-1-i] }
}

//gokkos:kernel
func loops(n, m int, x, y []float64) func(i int) {
	return func(i int) {
		s, t := 0.0, 1.0
		for j := 0; j < n; j++ {
			for k := 1; k < m; k++ {
				s, t = t, s+float64(x[k]*float64(j))
				if x[i+k] > t {
					s += x[j*4]
				}
			}
			if s < t {
				t = float64(j - i)
			}
		}
		y[i] = s - t
	}
}

//gokkos:kernel
func lastOf(n int, x, y []float64) func(i int) {
	return func(i int) {
		best := -1
		for j := range n {
			if x[j] < x[i] {
				best = j
			}
		}
		y[i] = float64(best)
	}
}

//gokkos:kernel
func ten(w [10]float64, k [3]int32, x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for j, c := range w {
			s += float64(c*x[i+j]) + float64(k[j%3])
		}
		y[i] = s
	}
}

//gokkos:kernel
func heavy(x, y []float64) func(i int) {
	return func(i int) {
		a := x[i]
		b, c, d, e := a+1, a+2, a+3, a+4
		f, g, h, k := float64(a*b)-c, float64(b*c)-d, float64(c*d)-e, float64(d*e)-a
		l, m, n, o := float64(f*g)-h, float64(g*h)-k, float64(h*k)-f, float64(k*f)-g
		p, q, r, s := float64(l*m)-n, float64(m*n)-o, float64(n*o)-l, float64(o*l)-m
		y[i] = a - b - c - d - e - f - g - h - k - l - m - n - o - p - q - r - s -
			float64(float64(a*p)*float64(b*q)) - float64(float64(c*r)*float64(d*s)) - float64(float64(e*f)*float64(g*h)) - float64(float64(k*l)*float64(m*n)) - float64(o*p)
	}
}

//gokkos:kernel
func uniform(flag bool, w float32, n int32, x []float32, y []float32, z []int32) func(i int) {
	return func(i int) {
		if flag {
			y[i] = float32(w*x[i]) + x[3]
		}
		if n > 3 && !flag {
			z[i] = n / 2
		}
	}
}

//gokkos:kernel
func sums(x []float64, n []int32) func(i int, a *float64, b *int32, c *float64) {
	return func(i int, a *float64, b *int32, c *float64) {
		*a += x[i]
		*b ^= n[i]
		*c = max(*c, x[i])
	}
}

//gokkos:kernel
func sums32(x []float32, n []int32) func(i int, a *float32, b *int32) {
	return func(i int, a *float32, b *int32) {
		*a += x[i]
		if x[i] > 0 {
			*b += n[i]
		}
	}
}

//gokkos:kernel
func four(x, y []float64, n []int) func(i int, a, b *float64, c *int, d *float64) {
	return func(i int, a, b *float64, c *int, d *float64) {
		*a, *b = *b, *a+x[i]
		*c |= n[i]
		*d += float64(x[i] * y[i])
	}
}

//gokkos:kernel
func count(x []float64) func(i int, n *int) {
	return func(i int, n *int) {
		if x[i] > 0.5 {
			*n++
		}
	}
}

//gokkos:kernel
func indices() func(i int, n *int) { return func(i int, n *int) { *n += i * i } }

// Rows, whose rounds are in vectors.
//
//gokkos:kernel
func outer(n int, w, x, y []float64) func(i int) {
	return func(i int) {
		s := w[i]
		for j := range n {
			y[i*n+j] += float64(s*x[j]) + float64(i-j)
		}
	}
}

//gokkos:kernel
func scaledRows(n int, x []float32) func(i int) {
	return func(i int) {
		for j := 1; j < n; j++ {
			if x[i*n+j] < 1 {
				x[i*n+j] *= 3
			}
		}
	}
}

// A round loads the value that the round before has stored: rounds stay in their order.
//
//gokkos:kernel
func smeared(n int, x []float64) func(i int) {
	return func(i int) {
		for j := 1; j < n; j++ {
			x[i*n+j] += x[i*n+j-1]
		}
	}
}

// Values that a loop carries take each other's places.
//
//gokkos:kernel
func carried(n int, x, y []float64) func(i int) {
	return func(i int) {
		s, t, u, v := x[i], 1.0, 2.0, 3.0
		for range n {
			s, t = s+x[i], s
			u, v = v, u
		}
		y[i] = s - t + u
	}
}

// Divisions by numbers that are the same for all items, and by others.
//
//gokkos:kernel
func divideBy(d int, e uint, x, y []int, u, v []uint) func(i int) {
	return func(i int) {
		y[i] = x[i]/(d-3) + x[i]%(d-3)
		v[i] = u[i]/e ^ u[i]%e
	}
}

//gokkos:kernel
func divideByLanes(x, y, z []int32) func(i int) {
	return func(i int) { z[i] = x[i]/y[i] ^ x[i]%y[i] }
}

//gokkos:kernel
func divideUnsignedByLanes(x, y, z []uint32) func(i int) {
	return func(i int) { z[i] = x[i]/y[i] ^ x[i]%y[i] }
}

// Integers of 8 and 16 bits, in all places.
//
//gokkos:kernel
func bytes(k int, a, e []int8, b, f []uint8, c []int16, d []uint16, x, y []int32) func(i int) {
	return func(i int) {
		v, w, own := x[i]+int32(a[i])+int32(f[k])<<8-int32(c[i])*int32(e[0])+int32(d[i]), y[i], a[i]
		if v&1 == 0 {
			w = int32(f[i+k]) + int32(e[i+k])
			own = int8(v)
		}
		x[i], y[i], a[i] = v, w, own
		if w > 0 {
			c[i] = int16(v - w)
		}
		b[i], d[i] = uint8(v), uint16(v>>3)
	}
}

//gokkos:kernel
func bytesOfLongs(n int, a []int8, c []int16, d []uint16, x, y []int) func(i int) {
	return func(i int) {
		v, w := x[i]+int(a[(n+1)*i])-int(d[2*i]), y[i]
		if v > 3 {
			w += int(c[uint(v)%8])
		}
		if v > 2 {
			d[2*i] = uint16(w)
		}
		x[i], y[i], a[(n+1)*i] = v, w, int8(v*w)
	}
}

//gokkos:kernel
func bytesSummed(a []uint8) func(i int, s *uint8, t *int16, u *float32) {
	return func(i int, s *uint8, t *int16, u *float32) {
		*s += a[i]
		*t -= int16(a[i]) << 6
		*u += float32(a[i])
	}
}

// Loops that lanes leave one by one.
//
//gokkos:kernel
func leaving(most int, x, y []float64, n []int) func(i int) {
	return func(i int) {
		v, s, k := x[i], 0.0, i
		for k < most+i && v < 100 {
			s, v = v, float64(v*1.5)+1
			k++
		}
		y[i], n[i] = s-v, k
	}
}

//gokkos:kernel
func leavingNested(at []int, x, y []float64) func(i int, steps *int) {
	return func(i int, steps *int) {
		for j := i; j < len(x); j++ {
			if x[j] < 0 {
				continue
			}
			for k := 2 * j; ; k += 3 {
				*steps++
				if k >= len(y) || y[k] > x[j] {
					break
				}
				for m := range 3 {
					*steps += m ^ k
				}
			}
			if x[j] > 1 && at[j&7] < j {
				break
			}
		}
	}
}

//gokkos:kernel
func leavingGather(at []int, x, y []float32) func(i int) {
	return func(i int) {
		s, k := float32(0), at[i]
		for n := 0; k >= 0 && n < 40; n++ {
			s += x[k]
			k = at[k] - n
		}
		y[i] = s
	}
}

// As many rounds as the item says, of a loop around one that is counted.
//
//gokkos:kernel
func leavingRows(m int, n []int32, x, y []float32) func(i int) {
	return func(i int) {
		s, last := float32(0), int32(0)
		for k := int32(0); k < n[i]&7; k++ {
			for j := range m {
				s = s/2 + x[j]
				last = int32(j)
			}
		}
		y[i] = s + float32(last)
	}
}

//gokkos:kernel
func singlesOfLongs(x []int, u []uint64, v []uint32, y, z, w []float32) func(i int) {
	return func(i int) { y[i], z[i], w[i] = float32(x[i]), float32(u[i]>>(uint(i)&15)), float32(v[i]) }
}
