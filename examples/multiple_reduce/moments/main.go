// Package moments is the program multiple_reduce: the mean and the mean of squares of a tensor over some of its
// dimensions, on several spaces, whose bits are compared.
//
// The files, in the order of a run:
//
//	main.go      the process: signals, messages, exit status
//	options.go   the command line
//	process.go   the whole run, phase by phase
//	memory.go    what the run takes, and what there is
//	nhwc.go      the tensor, and which of its dimensions are reduced
//	generate.go  the tensor, made in parallel
//	file.go      the tensor, read from a file
//	reduce.go    the reductions: what gokkos is about
//	verify.go    the results compared, with each other and with a plain loop
//	progress.go  how far a phase is, and whether it is to go on
//
// Its exit status is 0 if the results have the same bits everywhere and are
// right, 1 if they are not, if there is too little memory or if a file, a space or the output cannot
// be used, 2 for a wrong command line, and 130 if it was interrupted.
package moments

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/gokkos/gokkos/examples/internal/spaces"
)

const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// Main is the program. It ends the process.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks the run to stop; a second one ends the process.
	context.AfterFunc(ctx, stop)
	os.Exit(Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Run is Main without what would end the process: it takes the command line and where to print, and returns the exit
// status.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &printer{w: stdout}
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		out.printf("%s", usage)
		err = out.err
	case err != nil:
		fmt.Fprintf(stderr, "multiple_reduce: %v\nRun with -h for the options.\n", err)
		return exitUsage
	default:
		err = o.on.Start(func(on spaces.Choice) error {
			o.on = on
			if !on.First() {
				return execute(ctx, o, &printer{w: io.Discard}, newTerminal(io.Discard))
			}
			return execute(ctx, o, out, newTerminal(stderr))
		})
	}
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		// Whatever failed, it did because it was told to stop.
		fmt.Fprintln(stderr, "multiple_reduce: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "multiple_reduce: %v\n", err)
	return exitFailed
}

// printer prints until that fails. It keeps the error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
