package random

import (
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// written are bodies of kernels that the generator does not write, with the types of their accumulators.
// Their parameters are in writtenParams.
var written = []struct {
	name, body string
	accs       []string
	form       int // of the index
}{
	{"guard", "s := 0.0\nfor j := -3; j <= 3; j++ {\nif at := i + j; at >= 0 && at < len(x) {\ns += x[at]\n}\n}\ny[i] = s", nil, 0},
	{"guardFar", "if at := i + n*(1<<61); at >= 0 && at < len(x) {\ny[i] = x[at]\n}", nil, 0},
	{"guardWraps", "s := 0.0\nfor j := range n {\nif at := i<<62 + j; at >= 0 && at < len(x) {\ns += x[at]\n}\n}\ny[i] = s", nil, 0},
	{"guardStores", "for j := n; j < n+4; j++ {\nif j >= 0 && j < r.Extent(1) {\nr.Set(i, j, x[j])\n}\n}", nil, 0},
	{"leftOut", "s := 0\nfor j := -1; j <= 1; j++ {\nif x[(i+j)&3] > 0 {\nif j < 1 {\ncontinue\n}\ns++\n}\ns += i + j\n}\ny[i] = float64(s)", nil, 0},
	{"guardOtherWay", "for j := -2; j < 5; j++ {\nif j < 0 || j+i >= len(x) {\ncontinue\n}\n*acc0 += x[j+i]\n}", []string{"float64"}, 0},
	{"mostInt", "s := 0.0\nfor j := math.MaxInt - 3; j < math.MaxInt; j++ {\ns += x[j-(math.MaxInt-3)]\n}\ny[i] = s", nil, 0},
	{"mostIntOf", "s := 0.0\nfor j := math.MaxInt - 4 + n&3; j < math.MaxInt; j++ {\ns += x[j-(math.MaxInt-4)]\n}\ny[i] = s", nil, 0},
	{"leastInt", "s := 0.0\nfor j := math.MinInt + n&3; j > math.MinInt; j-- {\ns += x[j-math.MinInt]\n}\ny[i] = s", nil, 0},
	{"wraps", "s := 0.0\nfor j := n + math.MaxInt - 6; j > 0; j++ {\ns += x[math.MaxInt-j]\n}\ny[i] = s", nil, 0},
	{"wraps8", "s := 0.0\nfor j := int8(120); j > 0; j++ {\ns += x[int(j)-120]\n}\ny[i] = s", nil, 0},
	{"wrapsByte", "s := 0\nfor j := uint8(250); j >= 250; j++ {\ns += int(j) * m[j&7]\n}\ny[i] = float64(s)", nil, 0},
	{"labels", "s := 0.0\nouter:\nfor j := range 5 {\nfor k := range 4 {\nif x[j+k] < 0 {\ncontinue outer\n}\nif x[j] > 2 {\nbreak outer\n}\ns += x[k]\n}\ns++\n}\ny[i] = s", nil, 0},
	{"labelsStore", "outer:\nfor j := range 6 {\nfor k := range 3 {\nif x[i+k] > x[j] {\nbreak outer\n}\n}\nr.Set(i, j, x[j])\n}", nil, 0},
	{"switches", "s := 0.0\nfor j := range 6 {\nswitch {\ncase x[j] < 0:\nbreak\ncase x[j] > 1:\ns -= 1\ncontinue\ndefault:\ns += x[j]\n}\ns += 0.5\n}\ny[i] = s", nil, 0},
	{"slices", "s := x[i:]\ns = s[1:]\nt := s[:2]\ny[i] = t[1] + float64(len(t)+cap(t))", nil, 0},
	{"slicesOfThree", "s := x[i : i+2 : i+3]\ny[i] = s[:3][2]", nil, 0},
	{"slicesMove", "s, k := x, 0\nfor len(s) > 2 && k < 9 {\nif s[1] < 0 {\ns = s[2:]\n} else {\ns = s[1:]\n}\nk++\n}\ny[i] = float64(len(s)*10 + k)", nil, 0},
	{"shifts", "a, b := m[i], int8(m[i])\ny[i] = float64(a<<uint8(n) ^ a>>uint16(b) ^ int(b<<(a&15)) ^ int(uint8(a)>>(a&7)) ^ 1<<(n&63) ^ a>>70)", nil, 0},
	{"shiftsNegative", "if m[i]&3 == 0 {\ny[i] = float64(m[i] >> n)\n}", nil, 0},
	{"quotients", "a := math.MinInt + n&1\nb, c := int32(math.MinInt32), int8(-128)\nd := m[i]&1 - 1 | 1\ny[i] = float64(a/d) + float64(a%d) + float64(b/int32(d)) + float64(b%int32(d)) + float64(c/int8(d)) + float64(c%int8(d))", nil, 0},
	{"converts", "u, v := uint64(m[i]), m[i]\ny[i] = float64(u) + float64(float32(u)) + float64(float32(v)) + float64(int8(v)) + float64(uint16(v)) + float64(float32(uint32(v)))", nil, 0},
	{"zeros", "a := x[i]\nz := a - a\ny[i] = 1/(0*a) + 1/min(z, -z) + 1/max(-z, z) + 1/(-z+0) + math.Copysign(1, -a*0)", nil, 0},
	{"stopsBehind", "y[i] = float64(m[i])\nif x[i] > 1.5 {\npanic(\"no\")\n}\ny[i] += x[m[i]&15]", nil, 0},
	{"storesThenLooks", "y[i] = float64(m[i] & 31)\nif y[i] > 3 {\ny[i] = x[int(y[i])]\n}", nil, 0},
	{"looksForEnd", "j := i\nfor j < len(x) && x[j] >= 0 {\nj++\n}\ny[i] = float64(j)", nil, 0},
	{"search", "lo, hi := 0, len(x)\nfor lo < hi {\nk := int(uint64(lo+hi) >> 1)\nif x[k] < c {\nlo = k + 1\n} else {\nhi = k\n}\n}\ny[i] = float64(lo + i)", nil, 0},
	{"bothEnds", "s := 0.0\nfor j, k := 0, len(x)-1-i; j < k; j, k = j+1, k-1 {\ns += float64(x[j] * x[k])\n}\ny[i] = s", nil, 0},
	{"array", "b := [4]int{i, n, 3}\nfor j := range b {\nb[j] += b[(j+1)&3] - j\n}\ny[i] = float64(b[0]*1000 + b[3]*10 + b[1])", nil, 0},
	{"arrayMoves", "b := [4]float64{c, x[i]}\nfor j := range 3 {\nif b[j] < b[j+1] {\nb[j], b[j+1] = b[j+1], b[j]\n}\n}\ny[i] = b[0] - b[3]", nil, 0},
	{"storesSome", "for j := 0; j < 6; j++ {\nif x[j] > 0 {\ncontinue\n}\nr.Set(i, j, x[i])\nif x[j] < -1 {\nbreak\n}\n}", nil, 0},
	{"backwards", "y[i] = x[len(x)-1-i] + x[3-min(i, 3)]", nil, 0},
	{"backwardsStore", "y[len(y)-1-i] = x[i]", nil, 0},
	{"narrowIndex", "y[i] = x[uint8(i*60)&15] + x[int8(i)] + x[uint32(i+1)-1]", nil, 0},
	{"narrowIndexWraps", "y[i] = x[uint8(i-2)]", nil, 0},
	{"farIndex", "y[i] = x[i*(1<<62)]", nil, 0},
	{"wrapsBack", "y[i] = x[i+n<<63<<1] + x[(i<<32)>>32]", nil, 0},
	{"returns", "for j := range 4 {\nfor k := range 3 {\nif x[i+j] > float64(k)+c {\nr.Set(i, k, x[j])\nreturn\n}\n}\n}\ny[i] = 7", nil, 0},
	{"secondMost", "v := x[i]\nif v > acc0.Most {\nacc0.Second, acc0.Most = acc0.Most, v\n} else if v > acc0.Second {\nacc0.Second = v\n}", []string{two}, 0},
	{"changesPlaces", "*acc0, *acc1 = *acc1+x[i], *acc0", []string{"float64", "float64"}, 0},
	{"leaves", "*acc0 += m[i]\nif x[i] > 1 {\nreturn\n}\n*acc1 = min(*acc1, x[i])\nif m[i]&1 == 0 {\nreturn\n}\n*acc0 ^= i", []string{"int", "float64"}, 0},
	{"contributes", "for j := range n {\nacc0.Combine1(m[(i+j)&15]&15, x[i])\n}\nif x[i] > 0 {\nacc0.Combine1(i&7, c)\n}", []string{cells}, 0},
	{"contributesInOrder", "acc0.Combine1(m[i]&7, x[i])\nacc0.Combine1(m[i]&3, -c)\nacc0.Combine1(m[i]&7, x[i+1])\ny[i] = c", []string{cells}, 0},
	{"contributesBehindStore", "y[i] += 1\nacc0.Combine2(m[i]&3, m[i+1]&3, n)\n*acc1 += x[i]\nacc0.CombineRow2(i&3, n, 2, m[i])", []string{rows, "float64"}, 0},
	{"again", "y[2*i] = x[i]\ny[2*i+1] = yagain[2*i] + 1\ny[2*i] = yagain[2*i+1]", nil, 0},
	{"againInLoop", "for j := range n {\nif yagain[i] > 3 {\nbreak\n}\ny[i] += float64(j) + 0.5\n}", nil, 0},
	{"endUsed", "j := 1\nfor ; j < n; j++ {\nr.Set(i, j, x[j])\n}\nr.Set(i, 0, float64(j))", nil, 0},
	{"endUsedTwice", "j := 0\nfor ; j < len(x)-i; j++ {\nif x[i+j] < c {\nbreak\n}\n}\ny[i] = float64(j)\nif j > 0 {\ny[i] += x[i+j-1]\n}", nil, 0},
	{"fewRounds", "for j := n; j < n+2; j++ {\n*acc0 += x[j+2]\n}", []string{"float64"}, 0},
	{"steps", "for j := n; j < 9; j += 3 {\n*acc0 -= x[j&7] + float64(j)\n}", []string{"float64"}, 0},
	{"setsBeyond", "*acc0, *acc1 = zeroU-2, zeroU8-3\n*acc2 = zeroU32 - 1", []string{"uint64", "uint8", "uint32"}, 0},
	{"longLeaves", "u := uint64(m[i])\nfor range 5 {\n" + strings.Repeat("u = (u ^ u>>29) * 0xbf58476d1ce4e5b9\n", 14) + "}\n*acc0 += u", []string{"uint64"}, 0},
	{"bits", "*acc0 = *acc0<<1 | *acc0>>63 ^ uint64(m[i])", []string{"uint64"}, 0},
	{"widens", "q[i] = int8(uint64(q[i])) + 1", nil, 0},
	{"lastRoundLoops", "for j := range n {\nif x[j] > c {\nk := 0\nfor ; k < n&3; k++ {\n*acc0 = max(*acc0, float64(k))\n}\nr.Set(i, k, x[j])\nreturn\n}\n}", []string{"float64"}, 0},
	{"twoWaysOut", "for j := range n {\nif x[j] > c {\ny[i] = x[j]\nreturn\n}\nif x[j] < 0 {\ny[i] = -x[j]\nreturn\n}\n}\ny[i] += 1", nil, 0},
	{"belowZero", "s := 0.0\nfor j := -40; j < 9; j++ {\ns += x[j]\n}\ny[i] = s", nil, 0},
	{"guardOneMore", "t := x[:n&3+1]\nfor j := 0; j < 5+n&1; j++ {\nif j <= len(t) {\nr.Set(i, j, t[j])\n}\n}", nil, 0},
	{"divisorInMiddle", "s := 0\nfor j := range n {\ns += 100 / (3*j - 1 - i)\n}\ny[i] = float64(s)", nil, 0},
	{"slicesGrow", "s := 0.0\nfor j := range n {\ns += x[:j+10][9]\n}\ny[i] = s", nil, 0},
	{"slicesBack", "w := len(x) - 5 + i\nk := m[i] & 3\ny[i] = x[w-k:][k]", nil, 0},
	{"roundsDiffer", "for j := 0; j < m[i]&3; j++ {\nr.Set(i, j, x[j])\n}", nil, 0},
	{"turnsThenLooks", "y[i] = -y[i]\nif m[i] > 8 {\ny[i] += x[99*m[i]]\n}", nil, 0},
	{"storesThenIndexes", "y[i] = float64(m[i] & 31)\ny[i] += x[int(yagain[i])]", nil, 0},
	{"arrayEnds", "b := [4]int{i, n, 3}\nb[(n+i)&7] += 9\ny[i] = float64(b[0] - b[3])", nil, 0},
	{"setsCounter", "s := 0.0\nfor j := -1; j <= 2; j++ {\nif x[(i+j)&3] > 0 {\nj++\n}\ns += x[(i+j)&7]\n}\ny[i] = s", nil, 0},
	{"uniformElse", "if n > 3 {\ny[i] = x[i]\n} else {\ny[i] = x[i+30]\n}", nil, 0},
	{"firstRound", "s := 0.0\nfor j := -i; j < 3; j++ {\ns += x[j+1]\n}\ny[i] = s", nil, 0},
	{"rounded", "y[i] = math.RoundToEven(x[i]) - math.Floor(x[i])", nil, 0},
	{"signs", "y[i] = math.Copysign(x[i], c) + math.Copysign(2, x[i])", nil, 0},
	{"prefix", "for j := 1; j < min(n, 6); j++ {\nr.Set(i, j, r.At(i, j-1)+c)\n}", nil, 0},
	{"dot", "*acc0 += float64(x[i] * y[i])", []string{"float64"}, 0},
	{"leastUnsigned", "*acc0 = min(*acc0, uint64(m[i])|1)", []string{"uint64"}, 0},
	{"mostUnsigned", "*acc0 = max(*acc0, uint64(i)<<59)", []string{"uint64"}, 0},
	{"harmonic", "*acc0 += 1 / float64(i+3)", []string{"float64"}, 0},
	{"sumSingle", "*acc0 += float32(x[i])", []string{"float32"}, 0},
	{"pointsAdd", "y[i] += x[i]", nil, 2},
	{"rowsAdd", "y[i] += x[i] - c", nil, 4},
	{"rangeAssigned", "k := 0\nfor k, y[i*4+k] = range x[:4] {\n}\ny[i*4+k] += 3", nil, 0},
	{"rangeAssignedWritten", "var b [4]float64\nk := n & 3\nfor k, b[k] = range x[:4] {\n}\nvar d [4]int\nfor d[k] = range x[i : i+4] {\nk = d[k]\n}\ny[i] = float64(d[0]+3*d[1]) + b[0] + float64(b[1]*3) - b[2]/7 - b[3]", nil, 0},
	{"placesFirst", "k := n & 3\nk, y[4*i+k] = (k+1)&3, x[i]\ny[4*i+k], k = x[i+1], (k+2)&3\ny[4*i+k], k = y[4*i+(k+1)&3], k+1\nm[i] += k", nil, 0},
	{"bitsOfExtremes", "m[i] = int(math.Float64bits(max(x[i], c))) - 3*int(math.Float64bits(min(c, x[i])))\nif math.Signbit(max(x[i], 0)) {\nm[i]++\n}", nil, 0},
	{"planes", "y[i] = x[12*a+i]", nil, 1},
	{"planesFar", "y[i] = x[20*a+b+3] + 1", nil, 2},
	{"planesOf3", "y[i] = x[30*b+i]", nil, 3},
	{"planesAddRow", "m[i] += 3 * a", nil, 2},
	{"planesApart", "y[3*b+a+9] = x[i]", nil, 2},
	{"callsMath", calls("math."), nil, 0},
	{"callsBits", calls("math/bits."), nil, 0},
	{"callsTwice", "a, _ := math.Modf(x[i])\n_, b := math.Modf(x[i])\ns, t := math.Sincos(c)\ny[i] = a - b + s\nif x[i] > 0 {\ny[i] += float64(math.Exp(c) * t)\n}", nil, 0},
	{"callsInPart", "if n < 50 {\ny[i] = math.Jn(n, x[i]) + math.Jn(n, c)\n}", nil, 0},
	{"callsOfConstants", "y[i] = math.Exp(1) + float64(math.Log10(float64(mathbits.Len8(200)))*x[i]) + float64(mathbits.Reverse64(1<<63|5))", nil, 0},
	{"infinite", "if math.IsInf(1/x[i], n-3) || math.IsInf(x[i], 0) || math.IsInf(-x[i], 1) {\ny[i] = math.Inf(m[i])\n}", nil, 0},
	{"atomicsTally", "k := m[i] & 3\natomics.Add(&y[k], x[i])\natomics.Sub(r.Ptr(k, 1), c)\natomics.Max(r.Ptr(k, 2), x[i])", nil, 0},
	{"atomicsGive", "s := atomics.Add(&m[i], 3)\nt := atomics.FetchAdd(&m[i], -7)\nu := atomics.Mul(&y[i], x[i]) + c\nv := atomics.FetchMin(&y[i], c)\nw := atomics.Exchange(&m[0], s^t)\natomics.Store(&y[2], float64(u-v))\natomics.Xor(&m[1], w)\nz := w & atomics.And(&m[1], 77) | atomics.FetchOr(&m[0], 1<<40)\nm[i] -= z", nil, 0},
	{"atomicsSwap", "was, ok := atomics.CompareExchange(&m[i&3], 1, i)\nif ok {\ny[i] = float64(was)\n}\nold := y[0]\nif _, ok := atomics.CompareExchange(&y[0], old, x[i]); !ok {\nm[i]++\n}\natomics.CompareExchange(&y[1], -1, 4)", nil, 0},
	{"atomicsInLoop", "k := m[i] & 3\nfor j := range n {\nif x[j] > c {\natomics.Add(&m[k], j)\n}\natomics.Add(&y[k], float64(x[j]*c))\n}\nz := atomics.Load(&y[k])\ny[i] += z", nil, 0},
	{"atomicsOfColumns", "for j := i; j < i+n&3; j++ {\nk := m[j]\nif x[j] > 0 {\ncontinue\n}\natomics.Add(&y[k&31], x[j])\n}", nil, 0},
	{"atomicsSum", "s := float64(atomics.FetchAdd(&m[i&1], 2))\nif s > 5 {\nr.Set(i, 1, s)\n}\nm[i+2]++", nil, 0},
	{"storesOfColumns", "for j := i; j < i+n&3; j++ {\nr.Set(i, m[j]&3, float64(x[j]*r.At(i, 0)))\n}\nr.Set(i, 1, x[m[i]&15])", nil, 0},
	{"atomicsOfTypes", "k := m[i] & 7\na := atomics.Add(&singles[k], float32(x[i]))\natomics.Min(&singles[i], a)\nb := atomics.Max(&words[k], uint64(m[i])<<60)\natomics.Mul(&words[i], b|1)\natomics.FetchAnd(&words[k], 1<<63|b)\nd := atomics.Sub(&shorts[k], int32(m[i]))\natomics.Min(&shorts[i], -d)\n_, ok := atomics.CompareExchange(&singles[k], a, -0.5)\nif ok {\natomics.Or(&shorts[k], 1<<20)\n}\natomics.Store(&words[k], atomics.Load(&words[k])+uint64(d))", nil, 0},
	{"atomicsOfPackage", "k := m[i] & 7\na := syncatomic.AddInt32(&shorts[k], 5)\nb := syncatomic.SwapUint64(&words[i], uint64(a))\nif syncatomic.CompareAndSwapUint64(&words[k], uint64(a), b) {\nsyncatomic.StoreInt32(&shorts[i], syncatomic.OrInt32(&shorts[k], 3))\n}", nil, 0},
	{"atomicsOfWords", "p := &q[i]\n*p += 3\nt := &x[1]\nif m[i] > 0 {\nt = &x[2]\n}\ny[i] = *t\natomics.Add(&m[i], int(*p))", nil, 0},
	{"dimensions", "s := 1\nfor d := range r.Rank() {\ns *= r.Extent(d)\n}\nk := m[i] & 1\ny[i] = float64(r.Extent(k)*100 + r.Stride(1-k) + s)", nil, 0},
	{"dimensionsBeyond", "y[i] = float64(r.Extent(m[i]&3) + r.Stride(n&1))", nil, 0},
	{"keeps", "y[i] = x[i]\nif x[i] < c {\ny[i] += 2\n}\nif m[i] > 1 {\ny[i] = 0\n} else if m[i] < -1 {\ny[i] -= c\n}\ny[i] *= 3", nil, 0},
	{"keepsOthers", "y[i] = x[i]\ns := yagain[i]\nif x[i] < c {\ny[i] = s + 2\n}\nt := yagain[i]\ny[i] = t + s", nil, 0},
	{"keepsAgain", "y[2*i] = x[i]\ny[2*i+1] = c\nyagain[2*i] = 3\ny[2*i] += y[2*i+1]\nif x[i] > 0 {\ny[2*i] = 1\nyagain[2*i] += 5\n} else {\nyagain[2*i] = 7\ny[2*i] = 2\n}", nil, 0},
	{"keepsBranches", "if x[i] < c {\ny[i] = 1\nr.Set(i, 0, x[i])\n} else {\ny[i] = x[m[i]&31]\nr.Set(i, 0, c)\n}\nif r.At(i, 0) > 1 {\nreturn\n}\ny[i]++", nil, 0},
	{"keepsNarrow", "q[i] = int8(m[i])\nif x[i] > 0 {\nq[i] += 100\n} else {\nq[i] -= 100\n}\nm[i] = int(q[i])", nil, 0},
	{"keepsLooks", "s := c\nif x[i] > 0 {\ny[i] = 1\ns = yagain[i]\n} else {\ny[i] = 2\n}\ny[i] += s", nil, 0},
	{"keepsInLoop", "y[i] = c\nfor j := range n {\nif x[j] > y[i] {\ny[i] = x[j]\n}\ny[i] += yagain[i] + .5\n}\ny[i] -= 1", nil, 0},
	{"planesBack", "y[i] = x[40-10*a+b]", nil, 2},
}

var writtenParams = []param{{"c", "float64"}, {"n", "int"}, {"x", "[]float64"}, {"m", "[]int"}, {"y", "[]float64"}, {"yagain", "trial.Again"}, {"r", "views.View2[float64]"}, {"q", "[]int8"}, {"singles", "[]float32"}, {"words", "[]uint64"}, {"shorts", "[]int32"}}

// calls returns the body of a kernel that calls all functions of a package that loops in Go may call. The
// kernel makes a number of the bits of all results.
func calls(pkg string) string {
	var b strings.Builder
	b.WriteString("h := 0\n")
	for _, name := range ir.Functions() {
		short, ok := strings.CutPrefix(name, pkg)
		if !ok {
			continue
		}
		of := ir.FunctionOf(name).Of.Type()
		var args, results, uses []string
		for n := range of.NumIn() {
			x := map[string]string{"float64": "x[i+%d]", "float32": "float32(x[i+%d])"}[of.In(n).String()]
			if x == "" {
				x = of.In(n).String() + "(m[i+%d])"
			}
			if strings.HasPrefix(name, "math.") && of.In(n).String() == "int" {
				x = "m[i+%d]&63"
			}
			if strings.HasPrefix(short, "Add") || strings.HasPrefix(short, "Sub") {
				if n == 2 {
					x += "&1"
				}
			}
			args = append(args, fmt.Sprintf(x, n))
		}
		for n := range of.NumOut() {
			v := fmt.Sprintf("v%d", n)
			results = append(results, v)
			switch of.Out(n).String() {
			case "float64":
				v = "math.Float64bits(" + v + ")"
			case "float32":
				v = "math.Float32bits(" + v + ")"
			}
			uses = append(uses, fmt.Sprintf("h = h*31 + int(%s)\n", v))
		}
		call := strings.Replace(name, "math/bits.", "mathbits.", 1)
		fmt.Fprintf(&b, "{\n%s := %s(%s)\n%s}\n", strings.Join(results, ", "), call, strings.Join(args, ", "), strings.Join(uses, ""))
	}
	return b.String() + "m[i] = h"
}

// Written returns kernels of shapes that random ones have seldom or never.
func Written() (list Kernels) {
	for n, w := range written {
		list = append(list, &kernel{name: w.name, seed: uint64(n), params: writtenParams, accs: w.accs, form: w.form, body: leaf("stmt", w.body+"\n")})
	}
	return list
}
