package moments

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/views/npy"
)

const usage = `usage: multiple_reduce [options] [init [time]]
       multiple_reduce -in file.npy [options] [[init] time]

Computes the mean and the mean of squares over some dimensions of a tensor of
shape (N, H, W, C), in one pass over the tensor.

  -D n,h,w,c   lengths of the tensor (600,28,28,256); also --inLengths
  -reduce d    dimensions to reduce over, by number, with commas between them: any
               of 0,1,2,3, or none (1,2,3)
  -type t      f32 or f64: type of the tensor and of the results (f32)
  -in file     read the tensor from an NPY file, instead of -D, -type and init
  -out file    write the results to an NPY file of shape (2, ...), where ... are the
               lengths that are not reduced: the means, then the means of squares;
               only if everything went well
  -v 0|1       verify the results against a plain loop (1); also --verify
  -space s     some of serial, goroutines, simgpu, cuda and mpi, with commas between
               them, to run on each and compare; all is the first three (all)
  -workers n   number of workers of goroutines, at most 4096 (0: one per core)
  -strategy s  blockwise: the items of a reduction are split among the workers
               threadwise: the reductions are split among the workers
               auto: the shape decides (auto)
  -h, -?       this help

  init         0: zeros, 1: ones, 2: integers in [-5, 5), 3: decimals in [-5, 5) (2)
  time         0: run once, 1: warm up, run 10 times, report the median (1)

With -in, a single argument is time; of two, the first is init and is ignored.
`

// options are the command line.
type options struct {
	lengths  [4]int // N, H, W, C
	reduced  dims
	typ      npy.Type
	in, out  string
	verify   bool
	on       spaces.Choice
	strategy string
	init     int
	timed    bool
}

// parse returns the options, or flag.ErrHelp if it is help that is asked for.
func parse(args []string) (options, error) {
	o := options{lengths: [4]int{600, 28, 28, 256}, reduced: dims{1: true, 2: true, 3: true}, typ: npy.Float32, verify: true, init: 2, timed: true, on: spaces.Choice{Name: "all", Ranks: true}}
	f := o.flags()
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if err := o.on.Check(); err != nil {
		return o, err
	}
	given := map[string]bool{}
	f.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, name := range []string{"in", "out"} {
		if given[name] && f.Lookup(name).Value.String() == "" {
			return o, fmt.Errorf("-%s without a file name", name)
		}
	}
	switch {
	case given["?"]:
		return o, flag.ErrHelp
	case given["in"] && (given["D"] || given["inLengths"] || given["type"]):
		return o, fmt.Errorf("-in together with -D or -type, which the file decides")
	case !given["in"]:
		if err := checkSize(o.lengths, o.reduced, o.typ); err != nil {
			return o, fmt.Errorf("-D: %v", err)
		}
	}
	return o, o.positionals(f.Args())
}

// flags returns the flags that set o.
func (o *options) flags() *flag.FlagSet {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	f.SetOutput(io.Discard) // run reports errors, and prints the usage
	f.BoolFunc("?", "", func(string) error { return nil })
	for _, name := range []string{"D", "inLengths"} {
		f.Func(name, "", func(s string) (err error) {
			o.lengths, err = parseLengths(s)
			return err
		})
	}
	f.Func("reduce", "", func(s string) (err error) {
		o.reduced, err = parseDims(s)
		return err
	})
	for _, name := range []string{"v", "verify"} {
		f.Func(name, "", func(s string) (err error) {
			o.verify, err = parseSwitch(s)
			return err
		})
	}
	f.Func("type", "", func(s string) error {
		switch s {
		case "f32":
			o.typ = npy.Float32
		case "f64":
			o.typ = npy.Float64
		default:
			return fmt.Errorf("expected f32 or f64")
		}
		return nil
	})
	o.on.Flags(f)
	f.StringVar(&o.in, "in", "", "")
	f.StringVar(&o.out, "out", "", "")
	choice(f, &o.strategy, "strategy", "auto", "blockwise", "threadwise")
	return f
}

// positionals sets what comes after the flags: init and time. An input file
// needs no init, so with one a single argument is time; that of a command line
// made for a generated tensor is ignored.
func (o *options) positionals(args []string) error {
	hint := ""
	if o.in != "" && len(args) == 1 {
		hint = "; with -in, a single argument is time"
	} else if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 0 || n >= len(inits) {
			return fmt.Errorf("init is %q, expected 0, 1, 2 or 3", args[0])
		}
		o.init, args = n, args[1:]
	}
	if len(args) > 0 {
		var err error
		if o.timed, err = parseSwitch(args[0]); err != nil {
			return fmt.Errorf("time is %q, %v%s", args[0], err, hint)
		}
		args = args[1:]
	}
	if len(args) > 0 {
		return fmt.Errorf("what is %q for? Options come before init and time", args[0])
	}
	return nil
}

// choice defines a flag that is one of some words, the first by default.
func choice(f *flag.FlagSet, value *string, name string, words ...string) {
	*value = words[0]
	f.Func(name, "", func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("expected one of %s", strings.Join(words, ", "))
		}
		*value = s
		return nil
	})
}

func parseSwitch(s string) (bool, error) {
	if s != "0" && s != "1" {
		return false, fmt.Errorf("expected 0 or 1")
	}
	return s == "1", nil
}

func parseLengths(s string) (lengths [4]int, err error) {
	words := strings.Split(s, ",")
	if len(words) != len(lengths) {
		return lengths, fmt.Errorf("expected 4 lengths with commas between them, N,H,W,C; found %d", len(words))
	}
	for k, word := range words {
		if lengths[k], err = strconv.Atoi(word); err != nil || lengths[k] < 1 {
			return lengths, fmt.Errorf("length %d is %q, expected a positive integer that an int can hold", k+1, word)
		}
	}
	return lengths, nil
}

// parseDims returns the dimensions of a list such as 0,2, or of "none".
func parseDims(s string) (d dims, err error) {
	if s == "none" {
		return d, nil
	}
	for _, word := range strings.Split(s, ",") {
		k, err := strconv.Atoi(word)
		if err != nil || k < 0 || k >= len(d) {
			return d, fmt.Errorf("dimension %q, expected some of 0,1,2,3, or none", word)
		}
		if d[k] {
			return d, fmt.Errorf("dimension %d is there twice", k)
		}
		d[k] = true
	}
	return d, nil
}

// commas returns lengths as the command line has them.
func commas(lengths []int) string {
	words := make([]string, len(lengths))
	for k, n := range lengths {
		words[k] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// maxBytes bounds what the program takes for a tensor and its results. It is a
// guard against a slip of the pen; checkMemory looks at the machine's memory.
const maxBytes = min(64<<30, math.MaxInt)

// checkSize returns an error unless all lengths are positive and a tensor of
// them is, with its results, not too large.
func checkSize(lengths [4]int, reduced dims, typ npy.Type) error {
	tooLarge := fmt.Errorf("a tensor of lengths %s and type %v is, with its results, larger than %d bytes", commas(lengths[:]), typ, maxBytes)
	bytes := uint64(typ.Size())
	for k, n := range lengths {
		if n < 1 {
			return fmt.Errorf("length %d of %s is %d, expected at least 1", k+1, commas(lengths[:]), n)
		}
		var hi uint64
		hi, bytes = bits.Mul64(bytes, uint64(n))
		if hi > 0 || bytes > maxBytes {
			return tooLarge
		}
	}
	// No overflow: there are at most as many reductions as items.
	if n := needOf(lengths, reduced, typ, false); n.tensor+n.results > maxBytes {
		return tooLarge
	}
	return nil
}
