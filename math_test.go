package gokkos_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exactly are the functions that have one right result, and the hash of their bits.
var exactly = map[string]struct {
	f    func(x, y float64) float64
	bits string
}{
	"math.Abs":         {func(x, _ float64) float64 { return math.Abs(x) }, "efe135488b6fa4a3"},
	"math.Ceil":        {func(x, _ float64) float64 { return math.Ceil(x) }, "9b85d70f3218e7dd"},
	"math.Copysign":    {math.Copysign, "c87b20aa9d331d23"},
	"math.Dim":         {math.Dim, "887ea634e1900f5d"},
	"math.Floor":       {func(x, _ float64) float64 { return math.Floor(x) }, "babe53656c227bc4"},
	"math.FMA":         {func(x, y float64) float64 { return math.FMA(x, y, -x) }, "20d0eae442644aa3"},
	"math.Frexp":       {func(x, _ float64) float64 { m, _ := math.Frexp(x); return m }, "32b75932ea99cb9b"},
	"math.Ldexp":       {func(x, y float64) float64 { return math.Ldexp(x, int(y)*50) }, "9229d7fdf50d868a"},
	"math.Logb":        {func(x, _ float64) float64 { return math.Logb(x) }, "e8c9a86482816e79"},
	"math.Max":         {math.Max, "4d4587a3a026d502"},
	"math.Min":         {math.Min, "af3a0ae4c5af5cfb"},
	"math.Mod":         {math.Mod, "2c308c252037f283"},
	"math.Modf":        {func(x, _ float64) float64 { _, f := math.Modf(x); return f }, "b78cdeb6bb7a05ea"},
	"math.Nextafter":   {math.Nextafter, "b076c5d62e6c0dc9"},
	"math.Pow10":       {func(x, _ float64) float64 { return math.Pow10(int(x)) }, "b244f7bf0f4997dd"},
	"math.Remainder":   {math.Remainder, "8c64b722256273ec"},
	"math.Round":       {func(x, _ float64) float64 { return math.Round(x) }, "85ee36ddd911d1be"},
	"math.RoundToEven": {func(x, _ float64) float64 { return math.RoundToEven(x) }, "85ee36ddd911d1be"},
	"math.Sqrt":        {func(x, _ float64) float64 { return math.Sqrt(math.Abs(x)) }, "a1e1371c2a7f0a65"},
	"math.Trunc":       {func(x, _ float64) float64 { return math.Trunc(x) }, "c22d0e379ea1fd79"},
}

// nearly are the functions that are computed to within some rounding errors.
var nearly = map[string]func(x, y float64) float64{
	"math.Acos":    func(x, _ float64) float64 { return math.Acos(x / 20) },
	"math.Acosh":   func(x, _ float64) float64 { return math.Acosh(1 + math.Abs(x)) },
	"math.Asin":    func(x, _ float64) float64 { return math.Asin(x / 20) },
	"math.Asinh":   func(x, _ float64) float64 { return math.Asinh(x) },
	"math.Atan":    func(x, _ float64) float64 { return math.Atan(x) },
	"math.Atan2":   math.Atan2,
	"math.Atanh":   func(x, _ float64) float64 { return math.Atanh(x / 20) },
	"math.Cbrt":    func(x, _ float64) float64 { return math.Cbrt(x) },
	"math.Cos":     func(x, _ float64) float64 { return math.Cos(x) },
	"math.Cosh":    func(x, _ float64) float64 { return math.Cosh(x) },
	"math.Erf":     func(x, _ float64) float64 { return math.Erf(x / 4) },
	"math.Erfc":    func(x, _ float64) float64 { return math.Erfc(x / 4) },
	"math.Erfcinv": func(x, _ float64) float64 { return math.Erfcinv(1 + x/20) },
	"math.Erfinv":  func(x, _ float64) float64 { return math.Erfinv(x / 20) },
	"math.Exp":     func(x, _ float64) float64 { return math.Exp(x) },
	"math.Exp2":    func(x, _ float64) float64 { return math.Exp2(x) },
	"math.Expm1":   func(x, _ float64) float64 { return math.Expm1(x) },
	"math.Gamma":   func(x, _ float64) float64 { return math.Gamma(8 * x) },
	"math.Hypot":   math.Hypot,
	"math.J0":      func(x, _ float64) float64 { return math.J0(x) },
	"math.J1":      func(x, _ float64) float64 { return math.J1(x) },
	"math.Jn":      func(x, _ float64) float64 { return math.Jn(5, x) },
	"math.Lgamma":  func(x, _ float64) float64 { l, _ := math.Lgamma(x); return l },
	"math.Log":     func(x, _ float64) float64 { return math.Log(math.Abs(x)) },
	"math.Log10":   func(x, _ float64) float64 { return math.Log10(math.Abs(x)) },
	"math.Log1p":   func(x, _ float64) float64 { return math.Log1p(math.Abs(x)) },
	"math.Log2":    func(x, _ float64) float64 { return math.Log2(math.Abs(x)) },
	"math.Pow":     func(x, y float64) float64 { return math.Pow(math.Abs(x), y) },
	"math.Sin":     func(x, _ float64) float64 { return math.Sin(x) },
	"math.Sincos":  func(x, _ float64) float64 { s, c := math.Sincos(x); return s + c },
	"math.Sinh":    func(x, _ float64) float64 { return math.Sinh(x) },
	"math.Tan":     func(x, _ float64) float64 { return math.Tan(x) },
	"math.Tanh":    func(x, _ float64) float64 { return math.Tanh(x) },
	"math.Y0":      func(x, _ float64) float64 { return math.Y0(math.Abs(x)) },
	"math.Y1":      func(x, _ float64) float64 { return math.Y1(math.Abs(x)) },
	"math.Yn":      func(x, _ float64) float64 { return math.Yn(5, math.Abs(x)) },
	"cmplx.Abs":    func(x, y float64) float64 { return cmplx.Abs(complex(x, y)) },
	"cmplx.Acos":   parts(cmplx.Acos),
	"cmplx.Acosh":  parts(cmplx.Acosh),
	"cmplx.Asin":   parts(cmplx.Asin),
	"cmplx.Asinh":  parts(cmplx.Asinh),
	"cmplx.Atan":   parts(cmplx.Atan),
	"cmplx.Atanh":  parts(cmplx.Atanh),
	"cmplx.Cos":    parts(cmplx.Cos),
	"cmplx.Cosh":   parts(cmplx.Cosh),
	"cmplx.Cot":    parts(cmplx.Cot),
	"cmplx.Exp":    parts(cmplx.Exp),
	"cmplx.Log":    parts(cmplx.Log),
	"cmplx.Log10":  parts(cmplx.Log10),
	"cmplx.Phase":  func(x, y float64) float64 { return cmplx.Phase(complex(x, y)) },
	"cmplx.Pow":    parts(func(z complex128) complex128 { return cmplx.Pow(z, 1.25+0.5i) }),
	"cmplx.Rect":   func(x, y float64) float64 { return real(cmplx.Rect(x, y)) },
	"cmplx.Sin":    parts(cmplx.Sin),
	"cmplx.Sinh":   parts(cmplx.Sinh),
	"cmplx.Sqrt":   parts(cmplx.Sqrt),
	"cmplx.Tan":    parts(cmplx.Tan),
	"cmplx.Tanh":   parts(cmplx.Tanh),
}

func parts(f func(complex128) complex128) func(x, y float64) float64 {
	return func(x, y float64) float64 { z := f(complex(x, y)); return real(z) + imag(z) }
}

// bits returns a hash of the bits of f at points between -20 and 20.
func bits(f func(x, y float64) float64) string {
	hash := fnv.New64a()
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		z := f((r.Float64()-0.5)*40, (r.Float64()-0.5)*40)
		_ = binary.Write(hash, binary.LittleEndian, z)
	}
	return fmt.Sprintf("%016x", hash.Sum64())
}

// namesInRow returns the names of functions in the row of docs/determinism.md that begins so.
func namesInRow(t *testing.T, begin string) []string {
	page, err := os.ReadFile("docs/determinism.md")
	require.NoError(t, err)
	for _, line := range strings.Split(string(page), "\n") {
		if strings.HasPrefix(line, begin) {
			return slices.Sorted(slices.Values(regexp.MustCompile(`(?:math|cmplx)\.\w+`).FindAllString(line, -1)))
		}
	}
	require.Fail(t, "docs/determinism.md has no row "+begin)
	return nil
}

// The page names the functions whose bits depend on whether an amd64 CPU has FMA.
func TestFunctionsThatDependOnTheCPU(t *testing.T) {
	if os.Getenv("GOKKOS_TEST_BITS") != "" {
		for name, f := range nearly {
			fmt.Println(name, bits(f))
		}
		return
	}
	want := namesInRow(t, "| amd64 |")
	if runtime.GOARCH != "amd64" || !cpuid.CPU.Supports(cpuid.FMA3, cpuid.AVX) {
		t.Skip("needs an amd64 CPU with FMA")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestFunctionsThatDependOnTheCPU$")
	child.Env = append(os.Environ(), "GOKKOS_TEST_BITS=1", "GODEBUG=cpu.fma=off")
	var stderr bytes.Buffer
	child.Stderr = &stderr
	output, err := child.Output()
	require.NoError(t, err)
	if strings.Contains(stderr.String(), "unknown cpu feature") {
		t.Skip("built for CPUs with FMA")
	}
	differ := []string{}
	for name, f := range nearly {
		if !bytes.Contains(output, []byte(name+" "+bits(f)+"\n")) {
			differ = append(differ, name)
		}
	}
	slices.Sort(differ)
	assert.Equal(t, want, differ)
}

// The page names the functions that have the same bits on all CPUs.
func TestFunctionsThatAreExact(t *testing.T) {
	assert.Equal(t, namesInRow(t, "| all |"), slices.Sorted(maps.Keys(exactly)))
	for name, function := range exactly {
		assert.Equal(t, function.bits, bits(function.f), name)
	}
}
