package reducertest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/gokkos/gokkos/internal/laws"
)

// maxCuts is the number of bytes, evenly spaced in those of a value, that data ends before.
const maxCuts = 64

// checkForm sends samples through bytes, if they can leave the process at all.
func (c *checker) checkForm() {
	form := c.form()
	if form.err != nil {
		return
	}
	for _, a := range spread(c.samples, maxTriples) {
		data, ok := c.bytesOf(form, a)
		if !ok {
			return
		}
		c.checkCuts(form, a, data)
		if val, ok := c.returned(form, a, data); ok {
			c.checkReturned(a, val)
		}
	}
}

// bytesOf returns what Append appends for a.
func (c *checker) bytesOf(form form, a reflect.Value) (data []byte, ok bool) {
	before := []byte("before")
	val := laws.Cloned(a)
	buf, err := form.append(slices.Clone(before), at(val))
	switch {
	case err != nil:
		c.fail("form", "AppendValue returns an error", value{"a", a}, value{"error", err})
	case !bytes.HasPrefix(buf, before):
		c.fail("form", "AppendValue changes what was in the buffer", value{"a", a}, value{"before", before}, value{"after", buf})
	case !laws.Unchanged(val, a):
		c.fail("form", "AppendValue changes the value", value{"before", a}, value{"after", val})
	default:
		return buf[len(before):], true
	}
	return nil, false
}

// returned returns the value that comes back from the bytes of a, after their memory is
// used for others.
func (c *checker) returned(form form, a reflect.Value, data []byte) (val reflect.Value, ok bool) {
	after := []byte("after")
	given := slices.Concat(data, after)
	val = c.identity()
	rest, err := form.set(at(val), given)
	switch {
	case err != nil:
		c.fail("form", "SetValue returns an error for what AppendValue gave", value{"a", a}, value{"error", err})
	case !bytes.Equal(rest, after):
		c.fail("form", "SetValue does not return what follows the bytes of a value", value{"a", a}, value{"follows", after}, value{"returned", rest})
	default:
		ok = true
	}
	for k := range given {
		given[k] ^= 0xff
	}
	return val, ok
}

// checkReturned checks that val, which comes back from the bytes of a, is as good as a.
func (c *checker) checkReturned(a, val reflect.Value) {
	report := func(what string, want, got reflect.Value) {
		if !c.alike(got, want) {
			c.fail("form", what, value{"a", a}, value{"returned", val}, value{"of a", want}, value{"of what returned", got})
		}
	}
	report("a value that comes back from bytes ends in another result", c.final(a), c.final(val))
	for _, b := range spread(c.samples, maxTriples) {
		report("a value that comes back from bytes joins in another way, on the left", c.join(a, b), c.join(val, b))
		report("a value that comes back from bytes joins in another way, on the right", c.join(b, a), c.join(b, val))
	}
}

// alike is same without ULPs: bytes do not round.
func (c *checker) alike(a, b reflect.Value) bool {
	if c.equal != nil {
		return c.equal(at(a), at(b))
	}
	return laws.Unchanged(a, b)
}

// checkCuts checks that fewer bytes than those of a are an error.
func (c *checker) checkCuts(form form, a reflect.Value, data []byte) {
	for cut := 0; cut < len(data); cut += 1 + len(data)/maxCuts {
		val := c.identity()
		if _, err := form.set(at(val), slices.Clone(data[:cut])); err == nil {
			c.fail("form", fmt.Sprintf("SetValue takes %d of the %d bytes of a value without an error", cut, len(data)), value{"a", a}, value{"returned", val})
		}
	}
}
