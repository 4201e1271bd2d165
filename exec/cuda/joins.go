package cuda

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// joinsOf returns how the numbers of a functor's accumulators are joined, and in how many lanes a leaf is reduced. If the device
// cannot join one of the accumulators, the lanes of all are left apart.
func joinsOf(g space.Grid, f device.Functor, call *kernel.Call) (joins []kernel.Join, lanes int, apart bool, err error) {
	accumulators := call.Text.Accumulators
	if len(f.Columns) != len(accumulators) {
		return nil, 0, false, fmt.Errorf("%v has %d accumulators and its code %d", f, len(f.Columns), len(accumulators))
	}
	lanes = g.Lanes
	var identities []kernel.Join
	for k, c := range f.Columns {
		of := accumulators[k]
		begin, err := identityOf(c, strings.Fields(of))
		if err != nil {
			return nil, 0, false, fmt.Errorf("the device cannot give back accumulator %d, of %s, to a %s: %w", k+1, of, c.Reducer, err)
		}
		if lanes = f.Columns[0].Lanes; c.Lanes != lanes {
			return nil, 0, false, fmt.Errorf("the device cannot reduce accumulators in one launch of which the first has %d lanes, and accumulator %d, of %d bytes for a %s, %d; expected values of up to 64 bytes and reducers without an order, or a launch for each", lanes, k+1, c.Bytes, c.Reducer, c.Lanes)
		}
		join, ok := kernel.JoinOf(c.Operation.Join, of)
		joins, identities, apart = append(joins, join), append(identities, begin...), apart || !ok
	}
	if apart {
		joins = identities
	}
	return joins, lanes, apart, nil
}

// identityOf returns how the numbers of an accumulator begin in lanes that are left apart.
func identityOf(c device.Result, numbers []string) (list []kernel.Join, err error) {
	rest, expected := c.Identity, []string(nil)
	for _, of := range numbers {
		j, _ := kernel.JoinOf("", of)
		if len(rest) >= j.Bytes {
			j.Identity, rest = extended(rest[:j.Bytes], of), rest[j.Bytes:]
		}
		if list = append(list, j); of != "bool" {
			of = fmt.Sprintf("%s/%d", of, j.Bytes)
		}
		expected = append(expected, of)
	}
	if found, behind, ok := numbersIn(nil, c.Layout); !ok || behind != "" || !slices.Equal(found, expected) || len(rest) > 0 {
		return nil, fmt.Errorf("its values leave the process as %q, expected the numbers themselves", c.Layout)
	}
	return list, nil
}

// numbersIn appends the numbers of a layout's first value, such as "float64/8" and "bool", see [concept.Form], and returns what
// follows. Names of types are left out.
func numbersIn(list []string, layout string) (_ []string, rest string, ok bool) {
	word := wordOf(layout)
	switch rest = layout[len(word):]; {
	case strings.HasPrefix(layout, "{"):
		for ok, rest = true, layout[1:]; ok && !strings.HasPrefix(rest, "}"); rest = strings.TrimPrefix(rest, "; ") {
			_, rest, _ = strings.Cut(rest, " ") // behind the name of a field
			list, rest, ok = numbersIn(list, rest)
		}
		return list, strings.TrimPrefix(rest, "}"), ok
	case strings.HasPrefix(layout, "["):
		count, elem, _ := strings.Cut(layout[1:], "]")
		n, err := strconv.Atoi(count)
		if err != nil || elem == "" || elem[0] == ';' || elem[0] == '}' { // no bytes
			return list, elem, err == nil
		}
		one, rest, ok := numbersIn(nil, elem)
		if ok = ok && n <= maxNumbers; ok {
			list = append(list, slices.Repeat(one, n)...)
		}
		return list, rest, ok && len(list) <= maxNumbers
	case strings.Contains(word, "."): // the name of a type
		return numbersIn(list, strings.TrimPrefix(rest, " "))
	}
	return append(list, word), rest, word != ""
}

// maxNumbers is the most numbers of an accumulator.
const maxNumbers = 16

// wordOf returns the first word of a layout. A name of a type may have brackets with anything in them.
func wordOf(layout string) string {
	depth := 0
	for n, r := range layout {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0 && strings.ContainsRune(" ;}", r):
			return layout[:n]
		}
	}
	return layout
}

// extended returns the bytes of a number of a basic type as a parameter of 64 bits.
func extended(number []byte, of string) uint64 {
	var all [8]byte // devices are little-endian, and so are hosts that have them
	if strings.HasPrefix(of, "int") && number[len(number)-1] >= 1<<7 {
		binary.LittleEndian.PutUint64(all[:], math.MaxUint64)
	}
	copy(all[:], number)
	return binary.LittleEndian.Uint64(all[:])
}
