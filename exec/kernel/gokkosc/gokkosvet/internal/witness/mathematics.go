package witness

import "math"

var unary = map[string]func(x float64) float64{
	"Abs": math.Abs, "Sqrt": math.Sqrt, "Floor": math.Floor, "Ceil": math.Ceil, "Trunc": math.Trunc,
	"Round": math.Round, "Exp": math.Exp, "Log": math.Log, "Sin": math.Sin, "Cos": math.Cos, "Tan": math.Tan,
	"Atan": math.Atan, "Cbrt": math.Cbrt, "Log2": math.Log2, "Log10": math.Log10, "Log1p": math.Log1p,
}

var binary = map[string]func(x, y float64) float64{
	"Min": math.Min, "Max": math.Max, "Hypot": math.Hypot, "Pow": math.Pow, "Mod": math.Mod,
	"Copysign": math.Copysign, "Atan2": math.Atan2, "Dim": math.Dim,
}

var questions = map[string]func(x float64) bool{"IsNaN": math.IsNaN, "Signbit": math.Signbit}

// mathematics calls a function of package math whose arguments are known.
func mathematics(name string, args []value) (value, bool) {
	var x []float64
	of := mark(0)
	for _, a := range args {
		if a.kind != float && a.kind != number || a.mark&wide != 0 {
			return value{}, false
		}
		if f, ok := a.x.(float64); ok {
			x = append(x, f)
		} else {
			x = append(x, float64(a.n))
		}
		of |= a.mark
	}
	v := value{kind: float, mark: of}
	switch f, g, q := unary[name], binary[name], questions[name]; {
	case f != nil && len(x) == 1:
		v.x = f(x[0])
	case g != nil && len(x) == 2:
		v.x = g(x[0], x[1])
	case q != nil && len(x) == 1:
		v = boolean(q(x[0]))
		v.mark = of
	case name == "Inf" && len(x) == 1:
		v.x = math.Inf(int(x[0]))
	case name == "IsInf" && len(x) == 2:
		v = boolean(math.IsInf(x[0], int(x[1])))
		v.mark = of
	case name == "NaN":
		v.x = math.NaN()
	default:
		return value{}, false
	}
	return v, true
}
