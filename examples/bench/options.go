package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	levels "github.com/gokkos/gokkos/exec/kernel"
)

func usage() string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.name)
	}
	return fmt.Sprintf(`usage: bench [options]

  -kernels a,b    kernels to run (all of them): %s
  -impls a,b      implementations to run (all): %s
  -sizes 1e5,5e7  numbers of items (those that suit the kernel); kernels in two
                  dimensions take the square that fits
  -workers n      workers of everything that is parallel (GOMAXPROCS)
  -level l        what folds, scans and compiled functors use at most: go, avx2 or avx512 (avx512)
  -rounds n       rounds of which the median is taken (7)
  -seconds s      time for an implementation at one size, all rounds together (.2)
  -rest d         before each implementation, for which nothing runs (10ms)
  -cpu            figures of processor time, of all cores together: for a machine with others
                  on it, with -workers 1, as threads that wait for a core in vain spin
  -orders         run each round in reversed order, too, and print the ratio of the two
  -peers a,b      programs made before: of cpp/kernels.cpp, of kokkos/kernels.cpp, and this one
                  as gokkosc builds it (made now otherwise, but that of kokkos)
  -json           a line of JSON for each measurement, instead of tables
  -markdown       one table of all kernels, instead of one for each
  -plot f.png     also draw time per item over size; .svg and .pdf do as well
  -roofline f.png measure what this machine can do at most, and draw where kernels lie: those of
                  -kernels, which are none then unless they are named, and those of -mark
  -mark k=o/b/t   a kernel k for the roofline: an item of it takes o operations, b bytes and t ns;
                  may be given several times
  -h              this help
`, strings.Join(names, ", "), strings.Join(impls, ", "))
}

// options are the command line.
type options struct {
	kernels, impls choice
	sizes          []int
	workers        int
	level          level
	rounds         int
	time           time.Duration // for an implementation, all rounds together
	rest           time.Duration
	cpu            bool // figures are of processor time
	orders         bool
	peers          []string // programs, or nil to make them
	json, markdown bool
	plot           string
	roofline       string
	marks          []point
}

// A choice is some of the names that there are, or all of them if it is nil.
type choice []string

func (c choice) has(name string) bool { return c == nil || slices.Contains(c, name) }

func parseChoice(s string, names []string) (choice, error) {
	c := choice(strings.Split(s, ","))
	for _, name := range c {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%q is none of %s", name, strings.Join(names, ", "))
		}
	}
	return c, nil
}

// A level is a flag.Value.
type level levels.Level

func (l *level) String() string { return levels.Level(*l).String() }

func (l *level) Set(s string) error {
	for _, of := range []levels.Level{levels.Go, levels.AVX2, levels.AVX512} {
		if of.String() == s {
			*l = level(of)
			return nil
		}
	}
	return fmt.Errorf("%q, expected go, avx2 or avx512", s)
}

func parse(args []string) (*options, error) {
	o := &options{workers: runtime.GOMAXPROCS(0), level: level(levels.AVX512), rounds: 7}
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Func("kernels", "", func(s string) (err error) {
		var names []string
		for _, k := range kernels {
			names = append(names, k.name)
		}
		o.kernels, err = parseChoice(s, names)
		return err
	})
	f.Func("impls", "", func(s string) (err error) {
		o.impls, err = parseChoice(s, impls)
		return err
	})
	f.Func("sizes", "", func(s string) (err error) {
		o.sizes, err = parseSizes(s)
		return err
	})
	f.Var(&o.level, "level", "")
	f.IntVar(&o.workers, "workers", o.workers, "")
	f.IntVar(&o.rounds, "rounds", o.rounds, "")
	seconds := f.Float64("seconds", .2, "")
	f.DurationVar(&o.rest, "rest", 10*time.Millisecond, "")
	f.BoolVar(&o.cpu, "cpu", false, "")
	f.BoolVar(&o.orders, "orders", false, "")
	f.Func("peers", "", func(s string) error {
		o.peers = strings.Split(s, ",")
		return nil
	})
	f.BoolVar(&o.json, "json", false, "")
	f.BoolVar(&o.markdown, "markdown", false, "")
	f.StringVar(&o.plot, "plot", "", "")
	f.StringVar(&o.roofline, "roofline", "", "")
	f.Func("mark", "", func(s string) error {
		m, err := parseMark(s)
		o.marks = append(o.marks, m)
		return err
	})
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if o.roofline != "" && o.kernels == nil {
		o.kernels = choice{}
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("what is %q for?", f.Arg(0))
	}
	if !(*seconds > 0 && *seconds < 3600) {
		return nil, fmt.Errorf("-seconds %v, expected more than 0 and less than 3600", *seconds)
	}
	o.time = time.Duration(*seconds * float64(time.Second))
	if err := o.check(); err != nil {
		return nil, err
	}
	return o, nil
}

// parseSizes returns numbers of items, which commas part.
func parseSizes(s string) (sizes []int, err error) {
	for word := range strings.SplitSeq(s, ",") {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || x != math.Trunc(x) || x < 1 || x > 1<<33 {
			return nil, fmt.Errorf("%q, expected a number of items, 1 to 2^33, such as 100000 or 1e5", word)
		}
		sizes = append(sizes, int(x))
	}
	return sizes, nil
}

// check returns what is wrong with the options, alone or together.
func (o *options) check() error {
	switch {
	case o.workers < 1 || o.workers > 4096:
		return fmt.Errorf("-workers %d, expected 1 to 4096", o.workers)
	case o.rounds < 1:
		return fmt.Errorf("-rounds %d, expected at least 1", o.rounds)
	case o.rest < 0 || o.rest > time.Minute:
		return fmt.Errorf("-rest %v, expected 0 to 1m", o.rest)
	case o.cpu && cpuTime() == 0:
		return errors.New("-cpu: the processor time of a program is not known on this system")
	case o.peers == nil && slices.ContainsFunc(o.impls, onKokkos):
		return errors.New("-impls with kokkos: expected -peers with a program of kokkos/kernels.cpp, too")
	case o.json && o.markdown:
		return errors.New("-json and -markdown: expected one of them")
	case !isPicture(o.plot):
		return fmt.Errorf("-plot %q, expected a name that ends in .png, .svg or .pdf", o.plot)
	case !isPicture(o.roofline):
		return fmt.Errorf("-roofline %q, expected a name that ends in .png, .svg or .pdf", o.roofline)
	case o.roofline == "" && o.marks != nil:
		return errors.New("-mark: expected -roofline, too")
	}
	return nil
}

// isPicture reports whether a name is that of a picture, or empty.
func isPicture(name string) bool {
	return name == "" || slices.Contains([]string{".png", ".svg", ".pdf"}, filepath.Ext(name))
}

// sizesOf returns the sizes to run a kernel at.
func (o *options) sizesOf(k kernel) []int {
	if o.sizes == nil || k.fixed {
		return k.sizes
	}
	return o.sizes
}

// wants reports whether an implementation is to be run.
func (o *options) wants(impl string) bool {
	_, level := levelOf(impl)
	return o.impls.has(impl) && level <= levels.Level(o.level)
}

// wantsSome reports whether some of the implementations are to be run.
func (o *options) wantsSome(is func(name string) bool) bool {
	return slices.ContainsFunc(impls, func(name string) bool { return is(name) && o.wants(name) })
}

// idle reports whether no kernel is to be run.
func (o *options) idle() bool { return o.kernels != nil && len(o.kernels) == 0 }

// about says what the figures are.
func (o *options) about() string {
	of := "time"
	if o.cpu {
		of = "processor time of all cores together"
	}
	use, undo := levels.Limit(levels.Level(o.level))
	undo()
	return fmt.Sprintf("%s, medians of %s, %s, at most %v, %s on %s/%s", of, counted(o.rounds, "round"), counted(o.workers, "worker"), use, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// counted tells a number of things.
func counted(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
