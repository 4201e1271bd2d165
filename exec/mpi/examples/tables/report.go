package main

import (
	"fmt"
	"math"
	"strconv"
)

// counts returns the powers of two up to the cores, and these.
func (d *driver) counts() (counts []int) {
	for n := 1; n < d.cores; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, d.cores)
}

// size returns a number of items, or a small one for a quick look.
func (d *driver) size(n, small int) int {
	if d.quick {
		return small
	}
	return n
}

// launchTable is what a launch costs beside its items.
func (d *driver) launchTable() error {
	var jobs []job
	for _, ranks := range d.counts() {
		if ranks > 1 {
			jobs = append(jobs, job{ranks, 1, "tables", []string{"-rank", "launch", "-rounds", strconv.Itoa(d.size(200, 3)), "-launches", "50"}})
		}
	}
	best, err := d.best(jobs)
	if err != nil {
		return err
	}
	fmt.Printf("\n**A reduction of one value**, µs: MPI_Allreduce of one double, a fold of as many elements as ranks, and a reduction with a functor.\n\n")
	fmt.Print("| ranks | MPI_Allreduce | fold | reduction |\n|---|---|---|---|\n")
	for k, j := range jobs {
		ns := best[k].ns
		fmt.Printf("| %d | %.2f | %.2f | %.2f |\n", j.ranks, ns["allreduce"]/1e3, ns["fold"]/1e3, ns["reduce"]/1e3)
	}
	return nil
}

// A problem is a program whose time is told.
type problem struct {
	name, unit string
	program    string
	args       func(times int) []string // of a problem so many times as large
}

func (d *driver) problems() []problem {
	text := strconv.Itoa
	rounds := text(d.size(20, 2))
	return []problem{
		{"sum", "ns", "tables", func(times int) []string {
			return []string{"-rank", "fold", "-items", text(times * d.size(1<<24, 1<<12)), "-rounds", rounds}
		}},
		{"functor", "ns", "tables", func(times int) []string {
			return []string{"-rank", "compute", "-items", text(times * d.size(1<<17, 1<<10)), "-rounds", rounds}
		}},
		{"heat", "ns per point", "heat", func(times int) []string {
			return []string{"-n", text(times * d.size(256, 16)), "-m", text(d.size(4096, 64)), "-steps", rounds + "0", "-every", "1000000", "-time"}
		}},
		{"CG", "ns per row", "cg", func(times int) []string {
			side := int(math.Round(float64(d.size(512, 16)) * math.Sqrt(float64(times))))
			return []string{"-poisson", text(side), "-most", rounds + "0", "-every", "1000000", "-tolerance", "0", "-time"}
		}},
	}
}

// sameCores is one problem on all cores, by ranks or by workers.
func (d *driver) sameCores() error {
	problems, counts := d.problems(), d.counts()
	fmt.Printf("\n**The same problem on %d cores**, by ranks or by workers: time beside that of one rank, and whether the bits are those. heat is on %d·%d points.\n\n| ranks × workers |", d.cores, 16*d.size(256, 16), d.size(4096, 64))
	for _, p := range problems {
		fmt.Printf(" %s |", p.name)
	}
	fmt.Print(" same bits |\n|---|---|---|---|---|---|\n")
	var jobs []job
	for _, ranks := range counts {
		for _, p := range problems {
			jobs = append(jobs, job{ranks, d.cores / ranks, p.program, p.args(16)})
		}
	}
	best, err := d.best(jobs)
	if err != nil {
		return err
	}
	for k, ranks := range counts {
		fmt.Printf("| %d × %d |", ranks, d.cores/ranks)
		same := "yes"
		for n, p := range problems {
			one, now := best[n], best[k*len(problems)+n]
			if k == 0 {
				fmt.Printf(" %.4g %s |", now.ns["ns"], p.unit)
			} else {
				fmt.Printf(" %.3f |", now.ns["ns"]/one.ns["ns"])
			}
			if one.bits != now.bits {
				same = "no: " + p.name
			}
		}
		fmt.Printf(" %s |\n", same)
	}
	return nil
}

// weak is problems that grow with the ranks, of one worker each.
func (d *driver) weak() error {
	problems, counts := d.problems(), d.counts()
	fmt.Print("\n**Weak scaling**, ranks of one worker: time of one rank divided by that of as many times the work on many. The functor stays in registers, the others wait for memory, which cores share.\n\n| ranks |")
	for _, p := range problems {
		fmt.Printf(" %s |", p.name)
	}
	fmt.Print("\n|---|---|---|---|---|\n")
	var jobs []job
	for _, ranks := range counts {
		for _, p := range problems {
			jobs = append(jobs, job{ranks, 1, p.program, p.args(ranks)})
		}
	}
	best, err := d.best(jobs)
	if err != nil {
		return err
	}
	for k, ranks := range counts {
		fmt.Printf("| %d |", ranks)
		for n, p := range problems {
			one, now := best[n].ns["ns"], best[k*len(problems)+n].ns["ns"]
			if p.program != "tables" { // which tells the time of all
				now *= float64(ranks)
			}
			fmt.Printf(" %.0f %% |", 100*one/now)
		}
		fmt.Println()
	}
	return nil
}
