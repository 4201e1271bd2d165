package correct

import (
	"sync"
	"sync/atomic"

	"example.com/kernels/claims"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

type ticket struct {
	mu    sync.Mutex
	taken bool
}

func (t *ticket) take() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken {
		return false
	}
	t.taken = true
	return true
}

func first(c claims.Claimer) bool { return c.Claim() }

// One item is chosen by what stands elsewhere.
func claimedElsewhere(o *claims.Owner, c claims.Claimer, next *atomic.Int64, t *ticket, pick func(i int) bool) error {
	n := 0
	var once sync.Map
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if o.Claim() {
			n++
		}
		if c.Claim() {
			n++
		}
		if !c.Claim() {
			return
		}
		if claims.Next(next) == 1 {
			n++
		}
		won := o.Claim()
		if won {
			n++
		}
		if ours := c.Claim(); ours {
			n++
		}
		isFirst := claims.IsFirst(i)
		if isFirst {
			n++
		}
		if claims.IsFirst(i) && o.Verbose {
			n++
		}
		if t.take() || first(c) {
			n++
		}
		if _, loaded := once.LoadOrStore(3, i); !loaded {
			n++
		}
		if number := next.Add(1); number > 8 {
			n++
		}
		mine := pick(i)
		if mine {
			n++
		}
	})
}

type both struct{ flags [2]bool }

// One item is chosen by a flag in some place.
func flagged(verbose bool) error {
	n := 0
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		isFirst := false
		p := &isFirst
		*p = i == 0
		if isFirst {
			n++
		}
		if *p {
			n++
		}
		var flags [2]bool
		flags[0] = i == 0
		if flags[0] {
			n++
		}
		many := make([]bool, 2)
		many[1] = i == 0
		if verbose && many[1] {
			n++
		}
		var b both
		b.flags[1] = i == 0
		if b.flags[1] {
			n++
		}
		q := &b
		if q.flags[1] {
			n++
		}
		r := new(bool)
		*r = i == 3
		if *r {
			n++
		}
		set := func(b *bool) { *b = i == 0 }
		var got bool
		set(&got)
		if got {
			n++
		}
		other := true
		if i == 4 {
			other = false
		}
		if !other {
			n++
		}
		found := i == 3
		found = found && verbose
		if found == true {
			n++
		}
		if found != false {
			n++
		}
		switch found {
		case false:
			return
		}
		n++
	})
}

// One item is left after the others have gone.
func left(x []float64) error {
	n := 0
	var once sync.Once
	g := exec.NewGoroutines(2)
	defer g.Close()
	exec.Must(exec.ParallelFor(policy.Range(0, 9).On(g), func(i int) {
		once.Do(func() { n++ })
	}))
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		switch i {
		case 3:
		default:
			return
		}
		n++
	})
}

// One item of one team is chosen.
func chosenMembers(x []float64) error {
	n := 0
	exec.Must(exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueRank() == 0 && m.Rank() == 0 {
			n++
		}
		if m.LeagueRank()*m.Size()+m.Rank() == 3 {
			n++
		}
	}))
	return exec.ParallelFor(policy.Team(1, 4), func(m *team.Member) {
		if m.Rank() == m.Size()-1 {
			n++
		}
		a, _, _ := m.LocalID()
		if a == 2 {
			n++
		}
	})
}
