// Bench measures the reductions and loops of gokkos beside plain Go loops, errgroup, conc,
// gonum, C++ with OpenMP, and Kokkos, all in one run:
//
//	make bench ARGS='-kernels sum,minloc -sizes 1e5,5e7'
//
// Rounds of all implementations alternate, and the figures are medians of the rounds, so
// that what the machine does besides meets all of them alike. Threads of one implementation
// are asleep or gone before the next one runs: -orders shows that it does not matter which one
// that is. Where g++ or gokkosc is missing, the rows of their programs say so.
//
// Forms of gokkos are functors as one writes them first. The same source, built by gokkosc, is a program of peers. It runs
// each functor as a loop of each level that it has: gokkos-index-go, gokkos-index-avx2 and gokkos-index-avx512.
//
// For a machine without a compiler, build the programs elsewhere:
//
//	CGO_ENABLED=0 go -C examples/bench build -o /tmp/bench .
//	CGO_ENABLED=0 go -C examples/bench tool gokkosc build -o /tmp/compiled .
//	g++ -std=c++17 -O3 -march=x86-64-v4 -ffp-contract=off -fno-math-errno -c -o /tmp/strict.o examples/bench/cpp/strict.cpp
//	g++ -std=c++17 -O3 -march=x86-64-v4 -fopenmp -static -o /tmp/peers examples/bench/cpp/kernels.cpp /tmp/strict.o
//	/tmp/bench -peers /tmp/peers,/tmp/compiled
//
// Kokkos is a peer where its program is made, with a Kokkos whose default execution space is
// OpenMP, installed at $KOKKOS:
//
//	g++ -std=c++17 -O3 -march=x86-64-v4 -fopenmp -static -I$KOKKOS/include -o /tmp/kokkos \
//		examples/bench/kokkos/kernels.cpp /tmp/strict.o -L$KOKKOS/lib -lkokkoscore
//	OMP_PROC_BIND=spread OMP_PLACES=threads /tmp/bench -peers /tmp/peers,/tmp/compiled,/tmp/kokkos
//
// The files:
//
//	options.go    the command line
//	harness.go    rounds, their order, medians
//	contestant.go one implementation in a race: how it is run, and what it must compute
//	cputime_*.go  the processor time that is used
//	kernel.go     what a kernel is; the list of all of them
//	reduction.go  what all kernels that reduce have in common
//	transform.go  the same for those that write an array
//	kernel_*.go   the kernels, with an implementation for each peer
//	data.go       the arrays that they read
//	workers.go    a loop shared out to goroutines by hand, by errgroup and by conc
//	peers.go      the programs of peers, compilation and commands
//	serve.go      this program as one of peers
//	cpp/*.h       the kernels in C++, one file per kind
//	kokkos/*.h    the same in Kokkos
//	report.go     a table for each kernel, the lines of JSON
//	markdown.go   one table of all kernels
//	summary.go    means of forms, and the worst rows
//	plot.go       the plot
//	roofline.go   the limits of the machine, and where kernels lie below them
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	levels "github.com/gokkos/gokkos/exec/kernel"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if slices.Equal(os.Args[1:], []string{serving}) {
		err = serve(os.Stdin, os.Stdout)
	} else {
		err = run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(stdout, usage())
		return err
	}
	if err != nil {
		return fmt.Errorf("%w; -h lists the options", err)
	}
	_, undo := levels.Limit(levels.Level(o.level))
	defer undo()
	peers, missing, err := wantedPeers(ctx, o)
	defer func() {
		for _, p := range peers {
			p.close()
		}
	}()
	if err != nil {
		return err
	}
	for name, why := range missing {
		fmt.Fprintf(stderr, "bench: no %s: %s\n", name, why)
	}
	h := newHarness(ctx, o, peers, missing)
	defer h.close()
	all, err := h.measureAll(o, newReporter(o, stdout))
	if err != nil {
		return err
	}
	if o.plot != "" {
		if err := plotTo(o.plot, all); err != nil {
			return err
		}
	}
	if o.roofline == "" {
		return nil
	}
	l, err := h.measureLimits()
	if err != nil {
		return err
	}
	marks := append(marksOf(all), o.marks...)
	return errors.Join(l.write(stdout, marks), l.draw(o.roofline, marks))
}

// wantedPeers starts the programs of peers that are given, or if there are none, those that are wanted and can be made.
// Of others, missing says why they cannot, by an implementation that they have.
func wantedPeers(ctx context.Context, o *options) (all []*peers, missing map[string]string, err error) {
	for _, program := range o.peers {
		p, err := startPeers(ctx, program)
		if err != nil {
			return all, nil, fmt.Errorf("-peers %s: %w", program, err)
		}
		all = append(all, p)
	}
	if all != nil {
		return all, nil, nil
	}
	missing = map[string]string{}
	for _, program := range []struct {
		name   string
		wanted bool
		make   func(ctx context.Context, dir string) (program string, err error)
	}{
		{cppFirst, !o.idle() && o.wantsSome(inCpp), compileCpp},
		{goFirst, !o.idle() && o.wantsSome(isCompiled) || o.roofline != "", compileInPlace},
	} {
		if !program.wanted {
			continue
		}
		p, err := makePeers(ctx, program.make)
		if err != nil {
			missing[program.name] = err.Error()
			continue
		}
		all = append(all, p)
	}
	return all, missing, nil
}

// measureAll measures all kernels that are wanted, at all sizes, and reports them one by one.
func (h *harness) measureAll(o *options, to reporter) (all []measurement, err error) {
	for _, k := range kernels {
		if !o.kernels.has(k.name) {
			continue
		}
		for _, n := range o.sizesOf(k) {
			m, err := h.measure(k, n)
			if err != nil {
				return nil, fmt.Errorf("%s at %d: %w", k.name, n, err)
			}
			if err := to.add(k, n, m); err != nil {
				return nil, err
			}
			all = append(all, m...)
		}
	}
	if !o.idle() {
		if err := to.end(h.noise); err != nil {
			return nil, err
		}
	}
	return all, nil
}
