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
	var n [11]int // each condition has its own
	var once sync.Map
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		if o.Claim() {
			n[0]++
		}
		if c.Claim() {
			n[1]++
		}
		if !c.Claim() {
			return
		}
		if claims.Next(next) == 1 {
			n[2]++
		}
		won := o.Claim()
		if won {
			n[3]++
		}
		if ours := c.Claim(); ours {
			n[4]++
		}
		isFirst := claims.IsFirst(i)
		if isFirst {
			n[5]++
		}
		if claims.IsFirst(i) && o.Verbose {
			n[6]++
		}
		if t.take() || first(c) {
			n[7]++
		}
		if _, loaded := once.LoadOrStore(3, i); !loaded {
			n[8]++
		}
		if number := next.Add(1); number > 8 {
			n[9]++
		}
		mine := pick(i)
		if mine {
			n[10]++
		}
	})
}

type both struct{ flags [2]bool }

// One item is chosen by a flag in some place.
func flagged(verbose bool) error {
	var n [12]int // each condition has its own
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		isFirst := false
		p := &isFirst
		*p = i == 0
		if isFirst {
			n[0]++
		}
		if *p {
			n[1]++
		}
		var flags [2]bool
		flags[0] = i == 0
		if flags[0] {
			n[2]++
		}
		many := make([]bool, 2)
		many[1] = i == 0
		if verbose && many[1] {
			n[3]++
		}
		var b both
		b.flags[1] = i == 0
		if b.flags[1] {
			n[4]++
		}
		q := &b
		if q.flags[1] {
			n[5]++
		}
		r := new(bool)
		*r = i == 3
		if *r {
			n[6]++
		}
		set := func(b *bool) { *b = i == 0 }
		var got bool
		set(&got)
		if got {
			n[7]++
		}
		other := true
		if i == 4 {
			other = false
		}
		if !other {
			n[8]++
		}
		found := i == 3
		found = found && verbose
		if found == true {
			n[9]++
		}
		if found != false {
			n[10]++
		}
		switch found {
		case false:
			return
		}
		n[11]++
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
	var n [4]int // each condition has its own
	exec.Must(exec.ParallelFor(policy.Team(9, 4), func(m *team.Member) {
		if m.LeagueRank() == 0 && m.Rank() == 0 {
			n[0]++
		}
		if m.LeagueRank()*m.Size()+m.Rank() == 3 {
			n[1]++
		}
	}))
	return exec.ParallelFor(policy.Team(1, 4), func(m *team.Member) {
		if m.Rank() == m.Size()-1 {
			n[2]++
		}
		a, _, _ := m.LocalID()
		if a == 2 {
			n[3]++
		}
	})
}
