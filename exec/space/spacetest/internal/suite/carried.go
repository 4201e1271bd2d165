package suite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gokkos/gokkos/exec/space/ranks"
)

// carried is a stepped job whose nodes can leave the process.
type carried struct{ *stepped }

var _ ranks.Carrier = carried{}

// errBreach is the error of what a space must not do.
var errBreach = errors.New("spacetest: against the contract of ranks.Carrier")

// AppendFingerprint implements [ranks.Carrier].
func (j carried) AppendFingerprint(buf []byte) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.opened && !j.printed {
		j.breach("AppendFingerprint was called after Open")
	}
	j.printed = true
	return fmt.Appendf(buf, "%+v", j.grid), nil
}

// AppendNode implements [ranks.Carrier]. A node is written as its leaves and the values.
func (j carried) AppendNode(buf []byte, slot, first, last int) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.printed || !j.opened {
		j.breach("AppendNode without AppendFingerprint and Open before")
		return buf, errBreach
	}
	if got, want := j.slots[ordered][slot], j.node(first, last); got != want {
		j.breach("AppendNode of leaves %d to %d from slot %d, which holds %s", first, last-1, slot, got)
		return buf, errBreach
	}
	return fmt.Appendf(buf, "%d %d\n%s\n%s", first, last, j.slots[ordered][slot], j.slots[exact][slot]), nil
}

// SetNode implements [ranks.Carrier].
func (j carried) SetNode(slot, first, last int, data []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	text := strings.Split(string(data), "\n")
	if len(text) != 3 || text[0] != fmt.Sprint(first, last) {
		j.breach("SetNode of leaves %d to %d with what is none of AppendNode: %q", first, last-1, data)
		return errBreach
	}
	j.slots[ordered][slot], j.slots[exact][slot] = text[1], text[2]
	return nil
}

// AppendFault implements [ranks.Carrier]. Nothing ever goes wrong.
func (j carried) AppendFault(buf []byte) []byte { return append(buf, '-') }

// SetFault implements [ranks.Carrier].
func (j carried) SetFault(data []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if string(data) != "-" {
		j.breach("SetFault with what is none of AppendFault: %q", data)
		return errBreach
	}
	return nil
}

// SetOrigin implements [ranks.Carrier].
func (carried) SetOrigin(string) {}

// Silent implements [ranks.Carrier].
func (carried) Silent() bool { return false }

// Prefixes implements [ranks.Carrier]. The root is enough.
func (carried) Prefixes() bool { return false }
