package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
)

// What ranks say of the launch that each would make.
const (
	sameVerdict  = iota // all the same
	alikeVerdict        // all the same, but which of two is it
	otherVerdict        // not all the same
)

var errAlike = errors.New("mpi: two launches at one time that ranks cannot tell apart: expected a label (WithLabel) on each, or communicators of their own")

// agree waits until all ranks make the launch of t, with the tickets that have the other ranks. It
// returns the worst of what they say of their shares.
func (q *queue) agree(t *ticket) (worst byte, err error) {
	for {
		verdict, worst, err := q.compare(t)
		switch {
		case err != nil:
			return 0, fmt.Errorf("mpi: %w", err)
		case verdict == sameVerdict:
			return worst, nil
		case verdict == alikeVerdict:
			return 0, errAlike
		}
		next, err := q.settle(t)
		if err == nil && next != t {
			err = q.handOver(t, next)
		}
		if err != nil {
			return 0, err
		}
	}
}

// compare compares the keys of all ranks.
func (q *queue) compare(t *ticket) (verdict, worst byte, err error) {
	if q.link.Size() <= tuning.GatherRanks {
		return q.gather(t)
	}
	verdict = q.saysOf(t)
	said := append(append(q.mine[:0], t.key[:]...), verdict)
	q.mine = said
	err = up(q.link, func(_ int, message []byte) error {
		if len(message) != len(said) {
			return errTorn
		}
		verdict := &said[len(t.key)]
		*verdict = verdictOf(t.key, *verdict, message)
		return nil
	}, func() []byte { return said })
	if err != nil {
		return 0, 0, err
	}
	message, err := tell(q.link, said[len(t.key):])
	if err != nil || len(message) != 1 {
		return 0, 0, errors.Join(err, errTorn)
	}
	return message[0], notRun, nil
}

// saysOf returns what this rank says of a launch.
func (q *queue) saysOf(t *ticket) (verdict byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.alike {
		return alikeVerdict
	}
	return sameVerdict
}

// verdictOf joins a verdict about the launch of a key with that of a message, which has its key in
// front.
func verdictOf(k key, verdict byte, message []byte) byte {
	if key(message[:len(k)]) != k {
		return otherVerdict
	}
	return max(verdict, message[len(k)])
}

// What rank 0 decides where ranks would make different launches.
const (
	waitDecision = iota
	pickDecision // and a key
	failDecision
)

// settle finds the launch that is next where ranks do not agree: the first one in the order of
// rank 0 that waits on all of them. It is an error everywhere, of all that wait, if there is
// none for a while.
func (q *queue) settle(t *ticket) (*ticket, error) {
	start := time.Now()
	for pause := mismatchPoll; ; pause = min(2*pause, mismatchPollMost) {
		list, arrived := q.pending(t)
		over := mismatched(q, start, len(list))
		common, err := q.common(list)
		decision := []byte{waitDecision}
		if err == nil {
			switch {
			case len(common) > 0:
				decision = append([]byte{pickDecision}, common[0][:]...)
			case over:
				decision[0] = failDecision
			}
			decision, err = tell(q.link, decision)
		}
		if err == nil && len(decision) == 0 {
			err = errTorn
		}
		if err != nil {
			return nil, fmt.Errorf("mpi: %w", err)
		}
		switch decision[0] {
		case waitDecision:
			select {
			case <-arrived:
			case <-time.After(pause):
			}
		case pickDecision:
			k := slices.IndexFunc(list, func(t *ticket) bool { return bytes.Equal(t.key[:], decision[1:]) })
			if k < 0 {
				return nil, fmt.Errorf("mpi: %w", errTorn)
			}
			return list[k], nil
		default:
			err := q.mismatch(string(list[0].print))
			q.dismiss(list[1:], err)
			return nil, err
		}
	}
}

// common returns, on rank 0, the keys that are in the lists of all ranks, in its order.
func (q *queue) common(list []*ticket) (common []key, err error) {
	for _, t := range list {
		common = append(common, t.key)
	}
	err = up(q.link, func(_ int, message []byte) error {
		common = slices.DeleteFunc(common, func(k key) bool {
			for at := 0; at+len(k) <= len(message); at += len(k) {
				if bytes.Equal(k[:], message[at:at+len(k)]) {
					return false
				}
			}
			return true
		})
		return nil
	}, func() (message []byte) {
		for _, k := range common {
			message = append(message, k[:]...)
		}
		return message
	})
	return common, err
}

// mismatch returns the error of ranks that make different launches, which is the same on all.
func (q *queue) mismatch(text string) error {
	kinds := []kind{{q.link.Rank(), text}}
	err := up(q.link, func(_ int, message []byte) error {
		r := reader{data: message}
		for range r.count() {
			k := kind{r.int(), string(r.bytes())}
			if len(kinds) < mismatchTexts && !slices.ContainsFunc(kinds, func(other kind) bool { return other.text == k.text }) {
				kinds = append(kinds, k)
			}
		}
		return r.end()
	}, func() []byte {
		message := appendInt(nil, len(kinds))
		for _, k := range kinds {
			message = appendText(appendInt(message, k.rank), k.text)
		}
		return message
	})
	var message []byte
	if err == nil {
		message, err = tell(q.link, []byte(compared(kinds)))
	}
	if err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	return fmt.Errorf("mpi: the ranks of %s make different launches, expected the same ones:%s", q.name, message)
}

// kind is what some ranks would launch.
type kind struct {
	rank int // the lowest of them
	text string
}

// compared says in which lines different launches differ, beside the functor and the label,
// which are the last lines.
func compared(kinds []kind) string {
	first := strings.Split(kinds[0].text, "\n")
	same := make([]bool, max(len(first)-2, 0))
	for n := range same {
		same[n] = true
		for _, k := range kinds[1:] {
			lines := strings.Split(k.text, "\n")
			same[n] = same[n] && len(lines) == len(first) && lines[n] == first[n]
		}
	}
	var b strings.Builder
	for _, k := range kinds {
		fmt.Fprintf(&b, "\n\trank %d: ", k.rank)
		separator := ""
		for n, line := range strings.Split(k.text, "\n") {
			if n >= len(same) || !same[n] {
				b.WriteString(separator + line)
				separator = ", "
			}
		}
	}
	return b.String()
}
