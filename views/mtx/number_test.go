package mtx

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readOne returns the value of a file with a single entry.
func readOne(field, value string) (float64, error) {
	m, err := Read(strings.NewReader("%%MatrixMarket matrix coordinate " + field + " general\n1 1 1\n1 1 " + value + "\n"))
	if err != nil {
		return 0, err
	}
	return m.Values[0], nil
}

// Real values are numbers as C and Fortran write them.
func TestRealValuesOfCAndFortran(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for word, want := range map[string]float64{
		"nan": nan, "NaN": nan, "+nan": nan, "-nan": math.Copysign(nan, -1), "-NAN": math.Copysign(nan, -1),
		"nan(ind)": nan, "-nan(ind)": math.Copysign(nan, -1), "nan(0x8000)": nan,
		"inf": inf, "+Inf": inf, "-inf": -inf, "Infinity": inf, "-INFINITY": -inf,
		"1.5D+03": 1500, "1.5d3": 1500, "-.5D-1": -.05, "1.D0": 1, "2Q2": 200, "1.5+103": 1.5e103, "-1.5-103": -1.5e-103,
		"1.-2": .01, "1e-5000": 0, "-1e-5000": math.Copysign(0, -1), "4.9D-324": 5e-324, "00012": 12, "+1": 1, "-0": math.Copysign(0, -1),
		"1.7976931348623157e308": math.MaxFloat64,
	} {
		got, err := readOne("real", word)
		require.NoError(t, err, word)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), word)
	}
	for _, word := range []string{
		"1e999", "-1D400", "1.5+400", "0x1p3", "0x1d3", "1_000", "1__0", "nano", "nan(", "nan(1", "nan()x", "--nan", "+-nan", "infin", "D3", "1D", "1D+",
		"1DD3", "1e3D2", "1.5+3+4", "1,5", "+", "-", ".", "e5", "1e5.5", "--1", "1-", "(1)", "d",
	} {
		_, err := readOne("real", word)
		require.ErrorContains(t, err, "expected a number that a float64 can hold", word)
	}
}

// Integers are so exactly, before any rounding.
func TestIntegerValuesAreExact(t *testing.T) {
	for word, want := range map[string]float64{
		"7": 7, "+7": 7, "-7": -7, "-0": 0, "0e-5000": 0, "0.000": 0, "1e3": 1000, "1.50D1": 15, "1200e-2": 12, "1.000": 1,
		"9007199254740991": 1<<53 - 1, "-9007199254740991": 1 - 1<<53, "0e99999999999999999999": 0,
	} {
		got, err := readOne("integer", word)
		require.NoError(t, err, word)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), word)
	}
	for _, word := range []string{
		"1e-5000", "1.00000000000000000001", "0.99999999999999999999", "1.5", "15e-1", "1e-99999999999999999999", "nan", "-nan", "inf", "-inf",
		"9007199254740992", "9007199254740993", "9007199254740990.9999", "1e300", "9007199254740991.00000001",
	} {
		_, err := readOne("integer", word)
		require.ErrorContains(t, err, "expected an integer of less than 2^53", word)
	}
}

// Values keep their bits from Write to Read, but for the payload of a NaN.
func TestSpecialValuesAreReadAsWritten(t *testing.T) {
	nan := math.NaN()
	values := []float64{nan, math.Copysign(nan, -1), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 5e-324, -math.MaxFloat64}
	m := &Matrix{Rows: 1, Columns: len(values), Starts: []int{0, len(values)}, Values: values}
	for j := range values {
		m.Column = append(m.Column, j)
	}
	var text bytes.Buffer
	require.NoError(t, Write(&text, m))
	got, err := Read(&text)
	require.NoError(t, err)
	for j, want := range values {
		assert.Equal(t, math.Float64bits(want), math.Float64bits(got.Values[j]), "%v", want)
	}
}

// A matrix that is none is an error of Write, and nothing is written.
func TestWriteRefusesWhatIsNoMatrix(t *testing.T) {
	one := []float64{1}
	for want, m := range map[string]*Matrix{
		"a nil matrix, expected one":                                                                nil,
		"-1 rows and 0 columns, expected 0 or more":                                                 {Rows: -1},
		"0 rows and -1 columns, expected 0 or more":                                                 {Columns: -1, Starts: []int{0}},
		"the rows 0 to 0, expected all 1":                                                           {Rows: 1, Columns: 1},
		fmt.Sprint("the rows 0 to 1, expected all ", math.MaxInt):                                   {Rows: math.MaxInt, Columns: 1, Starts: []int{0, 0}},
		"the rows 1 to 2, expected all 1":                                                           {First: 1, Rows: 1, Columns: 1, Starts: []int{0, 0}},
		"a matrix of 1 columns and 1 values, expected 5, where the last row ends":                   {Rows: 1, Columns: 1, Starts: []int{0, 5}, Column: []int{0}, Values: one},
		"a matrix of 2 columns and 1 values, expected 1, where the last row ends":                   {Rows: 1, Columns: 2, Starts: []int{0, 1}, Column: []int{0, 1}, Values: one},
		"a matrix of 0 columns and 1 values, expected 0, where the last row ends":                   {Values: one},
		"a matrix with Starts[0] = -1, expected Starts to ascend from 0":                            {Rows: 1, Columns: 1, Starts: []int{-1, 1}, Column: []int{0}, Values: one},
		"a matrix with Starts[0] = 1, expected Starts to ascend from 0":                             {Rows: 1, Columns: 1, Starts: []int{1, 1}, Column: []int{0}, Values: one},
		"a matrix with Starts[2] = 0, expected Starts to ascend from 0":                             {Rows: 2, Columns: 1, Starts: []int{0, 1, 0}, Column: []int{0}, Values: one},
		"a matrix with column 1 in row 0, expected columns to ascend from 0 to 0":                   {Rows: 1, Columns: 1, Starts: []int{0, 1}, Column: []int{1}, Values: one},
		"a matrix with column -1 in row 0, expected columns to ascend from 0 to 0":                  {Rows: 1, Columns: 1, Starts: []int{0, 1}, Column: []int{-1}, Values: one},
		"a matrix with column 0 in row 1, expected columns to ascend from 0 to 1":                   {Rows: 2, Columns: 2, Starts: []int{0, 0, 2}, Column: []int{1, 0}, Values: []float64{1, 2}},
		"a matrix with column 1 in row 0, expected columns to ascend from 0 to 2":                   {Rows: 1, Columns: 3, Starts: []int{0, 2}, Column: []int{1, 1}, Values: []float64{1, 2}},
		fmt.Sprint("a matrix with column ", math.MaxInt, " in row 0, expected columns to ascend f"): {Rows: 1, Columns: 1, Starts: []int{0, 1}, Column: []int{math.MaxInt}, Values: one},
	} {
		var text bytes.Buffer
		require.ErrorContains(t, Write(&text, m), "mtx: Write of "+want)
		require.Zero(t, text.Len())
	}
	require.NoError(t, Write(io.Discard, &Matrix{}))
	require.Zero(t, new(Matrix).Len())
}
