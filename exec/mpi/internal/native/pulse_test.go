//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// A mail has messages for a rank in the order in which they come. A message to a rank whose farewell has come
// is an error: that rank may look for messages no more, and the send may never be done.
type mail struct {
	in   []letter
	out  []letter
	gone []int
}

type letter struct {
	rank int // that it comes from or goes to
	text string
}

func (m *mail) look(_, _ int) (status link.Status, found bool, err error) {
	if len(m.in) == 0 {
		return status, false, nil
	}
	return link.Status{Source: m.in[0].rank, Bytes: len(m.in[0].text)}, true, nil
}

func (m *mail) Recv(_, _ int, b []byte) (link.Status, error) {
	first := m.in[0]
	m.in = m.in[1:]
	if first.text == "" {
		m.gone = append(m.gone, first.rank)
	}
	return link.Status{Source: first.rank, Bytes: copy(b, first.text)}, nil
}

func (m *mail) Isend(rank, _ int, b []byte) (link.Request, error) {
	if slices.Contains(m.gone, rank) {
		return nil, fmt.Errorf("%q is sent to rank %d, which is gone", b, rank)
	}
	m.out = append(m.out, letter{rank, string(b)})
	return sent{}, nil
}

// sent is a request that is done.
type sent struct{}

func (sent) Wait() (s link.Status, err error)            { return s, nil }
func (sent) Test() (done bool, s link.Status, err error) { return true, s, nil }
func (sent) Cancel() error                               { return nil }

// A rank that leaves sends farewells alone, as neighbours may be gone: no news that come then, nor those that
// it has not sent yet. Before, it sends news to the other neighbours.
func TestRankThatLeavesSendsFarewellsAlone(t *testing.T) {
	news := string(appendEnding(nil, 5, nil))
	begin := func(in ...letter) (*watch, *mail) {
		m := &mail{in: in}
		w := &watch{l: &library{}, news: m, neighbours: neighbours(1, 6)}
		w.out = make([][]byte, len(w.neighbours))
		return w, m
	}
	w, m := begin(letter{3, news})
	assert.NoError(t, w.step())
	assert.Equal(t, []letter{{0, news}, {4, news}}, m.out)

	for _, source := range w.neighbours {
		var in []letter // the news come last, before the farewell of their source
		for _, rank := range w.neighbours {
			if rank != source {
				in = append(in, letter{rank, ""})
			}
		}
		w, m := begin(append(in, letter{source, news}, letter{source, ""})...)
		w.tell([]byte(news), -1)
		assert.NoError(t, w.leave())
		assert.Equal(t, []letter{{0, ""}, {3, ""}, {4, ""}}, m.out)
		assert.Empty(t, m.in, "all that was on its way")
	}
}
