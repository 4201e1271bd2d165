package mpi

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/local"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/policy"
)

// Random numbers of ranks, up to thousands, of items and of chunks, in either way to exchange.
func TestRandomWorlds(t *testing.T) {
	most, trials := 4096, 16
	if testing.Short() {
		most, trials = 300, 6
	}
	names := make([]string, 0, len(patterns))
	for name := range patterns {
		names = append(names, name)
	}
	slices.Sort(names)
	for seed := range uint64(trials) {
		rng := rand.New(rand.NewPCG(seed, 9))
		ranks := int(math.Exp2(rng.Float64() * math.Log2(float64(most))))
		if seed == 0 {
			ranks = most
		}
		n := rng.IntN(60_000)
		name := names[rng.IntN(len(names))]
		t.Run(fmt.Sprintf("%d ranks, %s of %d", ranks, name, n), func(t *testing.T) {
			exchangeBy(t, []string{"tree", "Allgather"}[min(rng.IntN(2), 1024/(ranks+1))])
			want, err := patterns[name](exec.Serial{}, n)
			require.NoError(t, err)
			for rank, err := range everywhere(t, ranks, local.Faults{Seed: seed, Waiting: .1}, func(c *Comm) error {
				got, err := patterns[name](On(c, exec.Serial{}), n)
				if err == nil && !slices.Equal(got, want) {
					err = fmt.Errorf("%x, expected %x", got, want)
				}
				return err
			}) {
				require.NoError(t, err, "rank %d", rank)
			}
		})
	}
}

// A rank keeps the nodes of some ranks only: of one at a time in a reduction, and of log P
// others in a scan.
func TestMemoryOfARank(t *testing.T) {
	exchangeBy(t, "tree")
	t.Cleanup(func() { observe = nil })
	for _, ranks := range []int{2, 8, 64, 512, 4096} {
		if testing.Short() && ranks > 512 {
			continue
		}
		levels := mathbits.Len(uint(ranks - 1))
		var mu sync.Mutex
		var most int
		observe = func(b *branch) {
			n := len(b.own) + len(b.verdict.nodes)
			for k := range b.below {
				n += len(b.below[k].nodes) + len(b.before[k])
			}
			mu.Lock()
			defer mu.Unlock()
			most = max(most, n)
		}
		p := policy.Range(0, 8192).Chunk(1) // as many leaves for each rank
		require.NoError(t, Local(ranks, func(c *Comm) error {
			var sum float64
			return exec.ParallelReduce(p.On(On(c, exec.Serial{})), func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
		}))
		assert.LessOrEqual(t, most, 2, "a reduction on %d ranks: the own node and the root", ranks)
		most = 0
		require.NoError(t, Local(ranks, func(c *Comm) error {
			var sum float64
			return exec.ParallelScan(p.On(On(c, exec.Serial{})), func(_ int, acc *float64, _ bool) { *acc++ }, builtin.Sum(&sum))
		}))
		assert.LessOrEqual(t, most, 2*levels+2, "a scan on %d ranks", ranks)
	}
}

// network is what a message costs.
type network struct {
	latency float64 // of a message
	byte    float64 // each
}

// time is what a message costs.
func (n network) time(bytes int) float64 { return n.latency + n.byte*float64(bytes) }

// reduction is the model: what a reduction costs beside the items, on that many ranks, with
// values of so many bytes. See README.md.
func (n network) reduction(ranks, bytes int) float64 {
	levels := mathbits.Len(uint(ranks - 1))
	if ranks <= tuning.GatherRanks {
		return 2 * n.allgather(ranks, tuning.GatherBytes) // of a launch that is new
	}
	const head = 28 // of a report: what went wrong, that nothing did, and which leaves
	up, down := n.time(len(key{})+1), n.time(1)
	return float64(levels) * (up + down + 2*n.time(head+bytes))
}

// allgather is the cost of one by recursive doubling.
func (n network) allgather(ranks, bytes int) float64 {
	cost := 0.0
	for d := 1; d < ranks; d *= 2 {
		cost += n.time(min(d, ranks-d) * bytes)
	}
	return cost
}

// clocked is a link on which messages take as long as on a network, by a clock of each rank that
// stands still otherwise.
type clocked struct {
	link.Link
	network network
	now     float64
}

func (l *clocked) Send(dst, tag int, b []byte) error {
	stamped := binary.NativeEndian.AppendUint64(nil, math.Float64bits(l.now+l.network.time(len(b))))
	l.now += l.network.time(len(b)) // the sender is done when the message has left
	return l.Link.Send(dst, tag, append(stamped, b...))
}

func (l *clocked) Probe(src, tag int) (link.Status, error) {
	s, err := l.Link.Probe(src, tag)
	s.Bytes -= 8
	return s, err
}

func (l *clocked) Recv(src, tag int, b []byte) (link.Status, error) {
	stamped := make([]byte, len(b)+8)
	s, err := l.Link.Recv(src, tag, stamped)
	copy(b, stamped[8:])
	l.now = max(l.now, math.Float64frombits(binary.NativeEndian.Uint64(stamped)))
	s.Bytes -= 8
	return s, err
}

func (l *clocked) Allgather(send, recv []byte) error {
	clocks := make([]byte, 8*l.Size())
	if err := l.Link.Allgather(binary.NativeEndian.AppendUint64(nil, math.Float64bits(l.now)), clocks); err != nil {
		return err
	}
	for k := range l.Size() {
		l.now = max(l.now, math.Float64frombits(binary.NativeEndian.Uint64(clocks[8*k:])))
	}
	l.now += l.network.allgather(l.Size(), len(send))
	return l.Link.Allgather(send, recv)
}

// What launches cost on a network is what the model says, up to thousands of ranks.
func TestModelOfCost(t *testing.T) {
	ethernet := network{latency: 1.5, byte: 1 / 12.5e3} // microseconds, 100 Gbit/s
	for _, ranks := range []int{2, 3, 7, 16, 64, 65, 128, 1000, 1024, 4096} {
		if testing.Short() && ranks > 1024 {
			continue
		}
		var mu sync.Mutex
		last := 0.0
		require.NoError(t, Local(ranks, func(c *Comm) error {
			l := &clocked{Link: c.launch.link, network: ethernet}
			c.launch.link = l
			var sum float64
			err := exec.ParallelReduce(policy.Range(0, 8192).Chunk(1).On(On(c, exec.Serial{})), func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
			mu.Lock()
			defer mu.Unlock()
			last = max(last, l.now)
			return err
		}))
		model := ethernet.reduction(ranks, 8)
		t.Logf("%5d ranks: %6.1f us, the model says %6.1f", ranks, last, model)
		assert.InEpsilon(t, model, last, .1, "%d ranks", ranks)
	}
	for _, ranks := range []int{10_000, 100_000, 1_000_000} {
		t.Logf("%d ranks: the model says %.1f us", ranks, ethernet.reduction(ranks, 8))
	}
}
