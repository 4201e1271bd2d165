package plot

import (
	"fmt"
	"math"
)

// An axis maps numbers from low to high to pixels.
type axis struct {
	low, high float64
	from, to  float64 // pixels
	step      float64 // of ticks
}

func empty(from, to float64) axis { return axis{math.Inf(1), math.Inf(-1), from, to, 0} }

func (a *axis) hold(x float64) { a.low, a.high = min(a.low, x), max(a.high, x) }

// round widens an axis to multiples of 1, 2 or 5 times a power of ten, of which it has about six.
func (a *axis) round() {
	if a.low > a.high {
		a.low, a.high = 0, 1
	}
	// Numbers that differ by rounding are one number: ticks between them would have no numbers of their own.
	size := max(math.Abs(a.low), math.Abs(a.high))
	if a.high-a.low <= max(size*1e-12, 1e-300) {
		wide := max(size*1e-3, 1e-9)
		a.low, a.high = a.low-wide, a.high+wide
	}
	rough := (a.high - a.low) / 6
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	a.step = 10 * power
	for _, k := range []float64{1, 2, 5} {
		if k*power >= rough {
			a.step = k * power
			break
		}
	}
	a.low, a.high = math.Floor(a.low/a.step)*a.step, math.Ceil(a.high/a.step)*a.step
}

func (a axis) at(x float64) float64 { return a.from + float64((x-a.low)/(a.high-a.low)*(a.to-a.from)) }

// label returns a tick as text, with the digits that tell it from the next one.
func (a axis) label(x float64) string {
	digits := 6
	if size := max(math.Abs(a.low), math.Abs(a.high)); a.step > 0 {
		digits = max(digits, 2+int(math.Log10(size/a.step)))
	}
	return fmt.Sprintf("%.*g", digits, x)
}

func (a axis) ticks() (all []float64) {
	for k := range int(math.Round((a.high-a.low)/a.step)) + 1 {
		x := a.low + float64(float64(k)*a.step)
		if math.Abs(x) < a.step/2 {
			x = 0
		}
		all = append(all, x)
	}
	return all
}
