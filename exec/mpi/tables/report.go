package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// counts returns the powers of two up to the cores, and these.
func (d *driver) counts() (counts []int) {
	for n := 1; n < d.cores; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, d.cores)
}

// size returns a number of items: fewer in a budget that is not the full one, and few for a quick look.
func (d *driver) size(n, small int) int {
	if d.quick {
		return small
	}
	for b := d.budget; b < fullBudget && n > small; b *= 2 {
		n /= 2
	}
	return max(n, small)
}

// rounds returns how many rounds there are at most.
func (d *driver) rounds(n int) int {
	if d.quick {
		return 2
	}
	return n
}

// cell formats a number if there is one.
func cell(format string, x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
		return "–"
	}
	return fmt.Sprintf(format, x)
}

// row prints a row of a table.
func (d *driver) row(cells ...string) { fmt.Fprintf(d.out, "| %s |\n", strings.Join(cells, " | ")) }

// head prints the first row, and the line below.
func (d *driver) head(cells ...string) {
	fmt.Fprintln(d.out)
	d.row(cells...)
	fmt.Fprintf(d.out, "|%s\n", strings.Repeat("---|", len(cells)))
}

// short says what there was no time for.
func (d *driver) short(best []sample, runs int, fewer []string) {
	var says []string
	if runs < d.repeats && !d.quick {
		says = append(says, fmt.Sprintf("%d of %d runs of each", runs, d.repeats))
	}
	says = append(says, fewer...)
	late := 0
	for _, s := range best {
		if s.ns == nil {
			late++
		}
	}
	if late > 0 {
		says = append(says, fmt.Sprintf("%d of %d measurements not done, –", late, len(best)))
	}
	if len(says) > 0 {
		fmt.Fprintf(d.out, "\nTime was short: %s.\n", strings.Join(says, "; "))
	}
}

// fewest says of how many rounds it was where some of a name were fewer than asked for.
func fewest(name string, best []sample, most int) []string {
	least := math.Inf(1)
	for _, s := range best {
		if n, ok := s.ns[roundsName]; ok {
			least = min(least, n)
		}
	}
	if least >= float64(most) {
		return nil
	}
	return []string{fmt.Sprintf("%s at least %.0f of %d rounds", name, least, most)}
}

// ranksJobs are jobs of all numbers of ranks but one, without workers beside them.
func (d *driver) ranksJobs(what string, rounds, launches int, budget time.Duration) (jobs []job) {
	for _, ranks := range d.counts() {
		if ranks > 1 {
			jobs = append(jobs, job{ranks, 1, "tables", []string{"-rank", what, "-rounds", strconv.Itoa(rounds), "-launches", strconv.Itoa(launches), "-budget", budget.String()}})
		}
	}
	return jobs
}

// share is what a rank may take for its measurements so that all of so many jobs run once in half of the
// time, with as much time to start.
func share(ctx context.Context, jobs int) time.Duration {
	return remaining(ctx) / 4 / time.Duration(max(jobs, 1))
}

// launchTable is what a launch costs beside its items.
func (d *driver) launchTable(ctx context.Context) error {
	most := d.rounds(200)
	jobs := d.ranksJobs("launch", most, 50, share(ctx, len(d.counts())-1))
	best, runs, err := d.best(ctx, jobs)
	if err != nil {
		return err
	}
	fmt.Fprint(d.out, "\n**A reduction of one value**, µs: MPI_Allreduce of one double, a fold of as many elements as ranks, and a reduction with a functor, on a space that is eager and on one that is not.\n")
	d.head("ranks", "MPI_Allreduce", "fold", "eager reduction", "reduction")
	for k, j := range jobs {
		cells := []string{strconv.Itoa(j.ranks)}
		for _, name := range []string{"allreduce", "fold", "eager", "reduce"} {
			cells = append(cells, cell("%.2f", best[k].ns[name]/1e3))
		}
		d.row(cells...)
	}
	d.short(best, runs, fewest("each", best, most))
	return nil
}

// crossing is where the tree of ranks is quicker than an Allgather.
func (d *driver) crossing(ctx context.Context) error {
	most := d.rounds(100)
	jobs := d.ranksJobs("crossing", most, 20, share(ctx, len(d.counts())-1))
	best, runs, err := d.best(ctx, jobs)
	if err != nil {
		return err
	}
	fmt.Fprint(d.out, "\n**One Allgather or the tree**, µs: a reduction of values of so many bytes, by an Allgather of them, by an Allgather to agree and the tree for the values, and by the tree alone. Launches take the first up to 64 ranks with 160 bytes each, the second for larger values, and the third for more ranks.\n")
	d.head("ranks", "bytes", "Allgather", "both", "tree", "least")
	for k, j := range jobs {
		for _, size := range crossingBytes {
			cells := []string{strconv.Itoa(j.ranks), strconv.Itoa(size)}
			least, quickest := math.Inf(1), "–"
			for _, way := range crossingWays {
				us := best[k].ns[crossingName(way.name, size)] / 1e3
				if cells = append(cells, cell("%.2f", us)); us > 0 && us < least {
					least, quickest = us, way.name
				}
			}
			d.row(append(cells, quickest)...)
		}
	}
	d.short(best, runs, fewest("each", best, most))
	return nil
}

// A problem is a program whose time is told.
type problem struct {
	name, unit string
	program    string
	most       int                                                    // rounds
	fixed      bool                                                   // the result depends on the rounds: all runs have as many
	items      func(times int) int                                    // of a problem so many times as large
	args       func(times, rounds int, budget time.Duration) []string // of that
}

func (d *driver) problems() []problem {
	text := strconv.Itoa
	side := func(times int) int { return int(math.Round(math.Sqrt(float64(times * d.size(1<<18, 256))))) }
	const m = 4096
	n := d.size(1<<20, 4*m) / m
	ranks := func(what string, size int) (func(times int) int, func(times, rounds int, budget time.Duration) []string) {
		return func(times int) int { return times * size }, func(times, rounds int, budget time.Duration) []string {
			return []string{"-rank", what, "-items", text(times * size), "-rounds", text(rounds), "-budget", budget.String()}
		}
	}
	sum := problem{name: "sum", unit: "ns", program: "tables", most: d.rounds(20)}
	sum.items, sum.args = ranks("fold", d.size(1<<24, 1<<12))
	functor := problem{name: "functor", unit: "ns", program: "tables", most: d.rounds(20)}
	functor.items, functor.args = ranks("compute", d.size(1<<17, 1<<10))
	return []problem{sum, functor, {
		"heat", "ns per point", "heat", d.rounds(200), true,
		func(times int) int { return times * n * m },
		func(times, rounds int, _ time.Duration) []string {
			return []string{"-space", "mpi", "-n", text(times * n), "-m", text(m), "-steps", text(rounds), "-every", "1000000", "-time"}
		},
	}, {
		"CG", "ns per row", "cg", d.rounds(200), true,
		func(times int) int { return side(times) * side(times) },
		func(times, rounds int, _ time.Duration) []string {
			return []string{"-space", "mpi", "-poisson", text(side(times)), "-most", text(rounds), "-every", "1000000", "-tolerance", "0", "-time"}
		},
	}}
}

// probeRounds is how many rounds a run has that tells how many there is time for.
const probeRounds = 4

// fit returns how many rounds of a problem take so much time, of one rank with so many workers.
func (d *driver) fit(ctx context.Context, p problem, times, workers int, share time.Duration) (rounds int, err error) {
	if p.most <= probeRounds {
		return p.most, nil
	}
	until, cancel := context.WithTimeout(ctx, 2*slack*share)
	defer cancel()
	start := time.Now()
	s, err := d.once(until, job{1, workers, p.program, p.args(times, probeRounds, 0)})
	if errors.Is(err, errLate) {
		return 1, nil
	}
	round := time.Duration(s.ns["ns"] * float64(p.items(times)))
	return roundsIn(share, time.Since(start), round, p.most), err
}

// roundsIn returns the rounds of a run that takes twice a share, at most so many, where a run of probeRounds
// took a time.
func roundsIn(share, took, round time.Duration, most int) int {
	begin := took - probeRounds*round
	return min(max(int((2*share-begin)/max(round, 1)), 1), most)
}

// jobsOf returns the jobs of all problems for all numbers of ranks, and what is said of their rounds.
func (d *driver) jobsOf(ctx context.Context, problems []problem, times, workers func(ranks int) int) (jobs []job, fewer []string, err error) {
	counts := d.counts()
	rounds, budget := make([]int, len(problems)), share(ctx, len(counts)*len(problems))
	for n, p := range problems {
		rounds[n] = p.most
		if !p.fixed {
			continue
		}
		if rounds[n], err = d.fit(ctx, p, times(1), workers(1), budget); err != nil {
			return nil, nil, err
		}
		if rounds[n] < p.most {
			fewer = append(fewer, fmt.Sprintf("%s %d of %d rounds", p.name, rounds[n], p.most))
		}
	}
	for _, ranks := range counts {
		for n, p := range problems {
			jobs = append(jobs, job{ranks, workers(ranks), p.program, p.args(times(ranks), rounds[n], budget)})
		}
	}
	return jobs, fewer, nil
}

// fewerOf adds what is said of the rounds of problems whose ranks have counted them.
func fewerOf(problems []problem, best []sample, fewer []string) []string {
	for n, p := range problems {
		var of []sample
		for k := n; k < len(best); k += len(problems) {
			of = append(of, best[k])
		}
		if !p.fixed {
			fewer = append(fewer, fewest(p.name, of, p.most)...)
		}
	}
	return fewer
}

// sameCores is one problem on all cores, by ranks or by workers.
func (d *driver) sameCores(ctx context.Context) error {
	problems, counts := d.problems(), d.counts()
	workers := func(ranks int) int { return d.cores / ranks }
	jobs, fewer, err := d.jobsOf(ctx, problems, func(int) int { return 16 }, workers)
	if err != nil {
		return err
	}
	best, runs, err := d.best(ctx, jobs)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.out, "\n**The same problem on %d cores**, by ranks or by workers: time beside that of one rank, and whether the bits are those. The sum is of %d elements, the functor has %d items, heat %d points, CG %d rows.\n",
		d.cores, problems[0].items(16), problems[1].items(16), problems[2].items(16), problems[3].items(16))
	d.head("ranks × workers", "sum", "functor", "heat", "CG", "same bits")
	for k, ranks := range counts {
		cells, same := []string{fmt.Sprintf("%d × %d", ranks, workers(ranks))}, "yes"
		for n, p := range problems {
			one, now := best[n], best[k*len(problems)+n]
			if k == 0 {
				cells = append(cells, cell("%.4g "+p.unit, now.ns["ns"]))
			} else {
				cells = append(cells, cell("%.3f", now.ns["ns"]/one.ns["ns"]))
			}
			switch {
			case one.ns == nil || now.ns == nil:
				if same == "yes" {
					same = "–"
				}
			case one.bits != now.bits:
				same = "no: " + p.name
			}
		}
		d.row(append(cells, same)...)
	}
	d.short(best, runs, fewerOf(problems, best, fewer))
	return nil
}

// weak is problems that grow with the ranks, of one worker each.
func (d *driver) weak(ctx context.Context) error {
	problems, counts := d.problems(), d.counts()
	jobs, fewer, err := d.jobsOf(ctx, problems, func(ranks int) int { return ranks }, func(int) int { return 1 })
	if err != nil {
		return err
	}
	best, runs, err := d.best(ctx, jobs)
	if err != nil {
		return err
	}
	fmt.Fprint(d.out, "\n**Weak scaling**, ranks of one worker: time of one rank divided by that of as many times the work on many. The functor stays in registers, the others wait for memory, which cores share.\n")
	d.head("ranks", "sum", "functor", "heat", "CG")
	for k, ranks := range counts {
		cells := []string{strconv.Itoa(ranks)}
		for n, p := range problems {
			one, now := best[n].ns["ns"], best[k*len(problems)+n].ns["ns"]
			if p.program != "tables" { // which tells the time of all
				now *= float64(p.items(ranks)) / float64(p.items(1))
			}
			cells = append(cells, cell("%.0f %%", 100*one/now))
		}
		d.row(cells...)
	}
	d.short(best, runs, fewerOf(problems, best, fewer))
	return nil
}
