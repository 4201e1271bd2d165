package mtx

import (
	"math"
	"strconv"
	"strings"
)

// number returns the float64 nearest to the number that word is, as C or Fortran write it. It is an error if word is
// no decimal number, or one beyond the largest float64.
func number(word string) (float64, error) {
	if strings.ContainsAny(word, "nN") && isNaN(word) {
		value := math.NaN()
		if word[0] == '-' {
			value = math.Copysign(value, -1)
		}
		return value, nil
	}
	if strings.ContainsAny(word, "_xX") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(withExponent(word), 64)
}

// isNaN reports whether word is a NaN as printf writes it: with a sign or without, and on some systems with a
// note, as in -nan(ind).
func isNaN(word string) bool {
	name, note, noted := strings.Cut(strings.TrimLeft(word, "+-"), "(")
	return strings.EqualFold(name, "nan") && len(word)-len(strings.TrimLeft(word, "+-")) <= 1 &&
		(!noted || strings.IndexByte(note, ')') == len(note)-1 && note != "")
}

// withExponent returns word with the exponents of Fortran as those of C: D and Q are E, and before a sign that
// follows a digit or a point there may be none of them. A word that is no number stays none.
func withExponent(word string) string {
	for k := range len(word) {
		switch c := word[k]; {
		case k == 0 || !(isDigit(word[k-1]) || word[k-1] == '.'):
		case c == 'd' || c == 'D' || c == 'q' || c == 'Q':
			return word[:k] + "e" + word[k+1:]
		case c == '+' || c == '-':
			return word[:k] + "e" + word[k:]
		}
	}
	return word
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// isInteger reports whether a number that number takes is an integer, however many digits it has.
func isInteger(word string) bool {
	text := withExponent(word)
	mantissa, power := text, ""
	if k := strings.IndexAny(text, "eE"); k >= 0 {
		mantissa, power = text[:k], text[k+1:]
	}
	whole, fraction, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	digits := strings.TrimRight(whole+fraction, "0")
	if strings.Trim(digits, "0") == "" {
		return true // zero
	}
	exponent, err := strconv.Atoi(power)
	if err != nil && power != "" { // beyond all int, and so is the number, or it is a fraction
		return !strings.HasPrefix(power, "-")
	}
	return exponent >= len(digits)-len(whole)
}
