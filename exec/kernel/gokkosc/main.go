// Gokkosc compiles functors to loops, in Go and in vector instructions, with the bits that they have as closures.
//
// In place of the go command it compiles the functors of a program where they stand, and leaves its files as they are:
//
//	gokkosc run|build|test|vet [-strict] [-ptx] [arguments of the go command]
//	gokkosc report [-strict] [-json] [-test] [packages]
//
// A functor is a literal, a function or a method value that reaches a launch. The report lists for each
// functor its loops, or why it stays a closure. With -test, the report includes functors in test files. With
// -strict, a functor that stays a closure is an error, unless its line has the comment //gokkos:closure.
//
// For a library that other modules import, gokkosc writes loops to files of the packages. Functors are then
// literals whose constructors are marked
//
//	//gokkos:kernel
//	func axpy(a float64, x, y []float64) func(i int) {
//		return func(i int) { y[i] += float64(a * x[i]) }
//	}
//
// For each constructor gokkosc writes a function of the same parameters, Axpy. Its functor runs the compiled
// loop if loops are on, and otherwise the closure. The output says for each kernel which loops it has, or
// where and why it is not compiled.
//
//	gokkosc [flags] [packages]
//
// Without packages, gokkosc compiles the package in the current folder. With -strict, a kernel that runs as a
// closure is an error. In a module that has gokkosc as a tool, a line in a package runs it:
//
//	//go:generate go tool gokkosc .
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
)

func main() {
	if os.Getenv("GOGC") == "" {
		// The collector takes a third of the processor time of 155 kernels at 100. At 400 they need 150 MB, not 93.
		debug.SetGCPercent(400)
	}
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if exit := inplace.Exit(0); errors.As(err, &exit) {
		os.Exit(int(exit))
	}
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	check, ir, quiet, slow, ptx, strict bool
	inline, tags, overlay               string
}

func run(args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && slices.Contains([]string{"run", "build", "test", "vet", "report"}, args[0]) {
		return inplace.Run(args[0], args[1:], stdout, stderr)
	}
	o, patterns, err := parse(args, stderr)
	if err != nil {
		return err
	}
	targets := generate.Targets(o.slow)
	if o.ptx {
		targets = append(targets, ptx.Target{})
	}
	packages, err := generate.For(targets, front.Config{Inline: fields(o.inline), Tags: fields(o.tags)}, patterns...)
	if err != nil {
		return err
	}
	if o.overlay != "" && !o.ir {
		if err := overlay(o.overlay, packages); err != nil {
			return err
		}
	}
	var stale []string
	var closures []*generate.Kernel
	all := 0
	for _, p := range packages {
		closures = append(closures, p.Closures()...)
		all += len(p.Compiled)
		switch {
		case o.ir:
			p.Print(stdout)
		case o.check:
			stale = append(stale, p.Stale()...)
		default:
			p.Report(stderr, o.quiet)
			if err := p.Write(); err != nil {
				return err
			}
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("gokkosc: %s; go generate makes them anew", strings.Join(stale, ", "))
	}
	if o.strict && len(closures) > 0 {
		k := closures[0]
		return fmt.Errorf("gokkosc: %d of %d kernels run as closures, the first of them %s at %v; change them, or remove their comments //gokkos:kernel", len(closures), all, k.Func, k.Pos)
	}
	return nil
}

// parse splits the arguments into flags and patterns of packages.
func parse(args []string, stderr io.Writer) (o options, patterns []string, err error) {
	flags := flag.NewFlagSet("gokkosc", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.check, "check", false, "write no files of packages; fail if a generated file is not what gokkosc "+
		"would write.\nWith -overlay, gokkosc writes the loops and compares the constructors alone")
	flags.BoolVar(&o.ir, "ir", false, "print the intermediate representation of the kernels; write no files")
	flags.BoolVar(&o.quiet, "q", false, "do not report kernels that are compiled")
	flags.BoolVar(&o.strict, "strict", false, "fail if a kernel runs as a closure. Its file is written all the same")
	flags.BoolVar(&o.slow, "slow", false, "compile for vectors also where an estimate says that vectors gain nothing")
	flags.BoolVar(&o.ptx, "ptx", false, "compile for NVIDIA's devices as well: z_kernels_ptx.go has the kernels as PTX")
	flags.StringVar(&o.overlay, "overlay", "", "a `file` for go build -overlay: gokkosc writes loops to a folder "+
		".loops beside the file.\nPackages keep their constructors alone")
	flags.StringVar(&o.inline, "inline", "", "`packages` of other modules whose functions may become part of kernels, "+
		"with commas between")
	flags.StringVar(&o.tags, "tags", "", "`tags` of the build, with commas between. "+
		"Loops are for builds that have the same files")
	err = flags.Parse(args)
	if patterns = flags.Args(); len(patterns) == 0 {
		patterns = []string{"."}
	}
	return o, patterns, err
}

// overlay moves the loops of packages into an overlay.
func overlay(file string, packages []*generate.Package) error {
	o, err := generate.OpenOverlay(file)
	if err != nil {
		return err
	}
	for _, p := range packages {
		if err := o.Move(p); err != nil {
			return err
		}
	}
	return o.Write()
}

func fields(list string) (out []string) {
	for _, s := range strings.Split(list, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
