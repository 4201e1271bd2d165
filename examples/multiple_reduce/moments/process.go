package moments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
	"github.com/gokkos/gokkos/views/tensor"
)

// execute does the run that the options ask for.
func execute(ctx context.Context, o options, stdout *printer, t *terminal) error {
	var in *input
	if o.in != "" {
		var err error
		if in, err = openInput(o.in, o.reduced); err != nil {
			return err
		}
		defer in.file.Close()
		o.typ = in.header.Type
	}
	if o.out != "" {
		if err := checkOutput(o.out, in); err != nil {
			return err
		}
	}
	lengths := o.lengths
	if in != nil {
		lengths = in.lengths
	}
	if err := checkMemory(needOf(lengths, o.reduced, o.typ, o.verify)); err != nil {
		return err
	}
	// From here on the element type is known to the compiler.
	if o.typ == npy.Float32 {
		return process[float32](ctx, o, in, stdout, t)
	}
	return process[float64](ctx, o, in, stdout, t)
}

// process is a run for tensors of type T: get the tensor, reduce it on every
// space, conclude.
func process[T real](ctx context.Context, o options, in *input, stdout *printer, t *terminal) error {
	all, closed, err := open(o.on)
	if err != nil {
		return err
	}
	defer closed()
	x, what, free, err := tensorOf[T](ctx, o, in, t)
	if err != nil {
		return err
	}
	defer free()
	stdout.printf("tensor: %s of %v, %.4g MB, %s\n", commas(x.lengths[:]), o.typ, float64(len(x.data)*o.typ.Size())/1e6, what)

	var c comparison[T]
	for _, s := range all {
		if err := measure(ctx, s.On, o, x, &c, stdout, t); err != nil {
			return err
		}
	}
	return conclude(ctx, o, x, &c, stdout, t)
}

// open is a variable for tests, which run the program on spaces that are wrong.
var open = spaces.Choice.Open

// tensorOf returns the tensor, which is generated or read, with what it is called and what gives its memory back.
// Of a file, a rank reads what it looks at.
func tensorOf[T real](ctx context.Context, o options, in *input, t *terminal) (x nhwc[T], name string, free func(), err error) {
	switch {
	case in == nil:
		workers := exec.NewGoroutines(o.on.Workers)
		defer workers.Close()
		x, err = generate[T](ctx, workers, o.lengths, o.reduced, o.init, t)
		return x, inits[o.init], func() {}, err
	case o.on.Spread():
		file, err := npy.Map[T](o.in)
		if err != nil {
			return x, "", nil, fileError("in", o.in, err)
		}
		data, _ := file.View().Slice()
		return nhwc[T]{in.lengths, in.reduced, data}, o.in, func() { file.Close() }, nil
	}
	x, err = readTensor[T](ctx, in, t)
	return x, o.in, func() {}, err
}

// conclude prints the results, compares the runs, verifies, and if all is well
// writes the results.
func conclude[T real](ctx context.Context, o options, x nhwc[T], c *comparison[T], stdout *printer, t *terminal) error {
	results := c.first
	for k := range min(x.reductions(), 3) {
		stdout.printf("%s: mean %v, mean of squares %v\n", x.name(k), results[k], results[x.reductions()+k])
	}
	failed := c.report(stdout)
	if !o.on.First() {
		return failed
	}
	if o.verify {
		mismatch, err := verify(ctx, x, results, t)
		if err != nil {
			return err
		}
		if mismatch == "" {
			mismatch = "ok"
		} else {
			failed = errors.Join(failed, errors.New("the results are wrong"))
		}
		stdout.printf("verify: %s\n", mismatch)
	}
	switch {
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case stdout.err != nil:
		return stdout.err
	case o.out != "":
		return writeResults(ctx, o.out, x.reduced.kept(x.lengths), results, t)
	}
	return nil
}

// strategies are what the option says.
var strategies = map[string]tensor.Strategy{
	"auto": tensor.Auto, "blockwise": tensor.Blockwise, "threadwise": tensor.Threadwise,
}

// measure reduces the tensor on a space, once or several times, and prints how
// that went.
func measure[T real](ctx context.Context, on exec.Space, o options, x nhwc[T], c *comparison[T], stdout *printer, t *terminal) error {
	strategy := strategies[o.strategy]
	stdout.printf("launch: %s\n", launchShape(on, x))
	in, free, err := placed(on, x)
	if err != nil {
		return err
	}
	defer free() // its memory is gone with the space otherwise
	warm, runs := 0, 1
	if o.timed {
		warm, runs = 1, 10
		stdout.printf("Warm up %d time\nStart running %d times...\n", warm, runs)
	}
	results := make([]T, 2*x.reductions())
	var times []time.Duration
	for k := range warm + runs {
		ph := t.begin(fmt.Sprintf("reducing on %s, run %d of %d,", on.Name(), k+1, warm+runs), x.reductions())
		took, err := timeRun(ctx, on, strategy, x, in, results, ph)
		ph.end() // before anything else is shown: the line of progress may be in the way
		if err != nil {
			return err
		}
		times = append(times, took)
		if err := c.add(ctx, on.Name(), results, t); err != nil {
			return err
		}
	}
	hash, err := hashOf(ctx, results, t)
	if err != nil {
		return err
	}
	times = times[warm:]

	// Every item is read once, every result is written once.
	moved := float64((len(x.data) + len(results)) * npy.TypeOf[T]().Size())
	slices.Sort(times)
	median := (times[(runs-1)/2] + times[runs/2]) / 2
	if sim, ok := on.(*exec.SimGPU); ok {
		r, _ := sim.LastReport()
		stdout.printf("last %v", r)
	}
	stdout.printf("Perf: %.4g ms, %.4g GB/s, %s\n", median.Seconds()*1e3, moved/1e9/median.Seconds(), o.strategy)
	stdout.printf("hash: %016x\n", hash)
	return nil
}

// placed returns the tensor where a space reduces it, and what frees it there.
func placed[T real](on exec.Space, x nhwc[T]) (views.View[T], func() error, error) {
	in, err := views.Of("tensor", x.data, x.lengths[:])
	folder, is := on.(device.TensorFolder)
	if err != nil || !is {
		return in, func() error { return nil }, err
	}
	there, err := views.MirrorCopy(folder.Memory(), in)
	return there, func() error { return views.Free(there) }, err
}

// timeRun reduces the tensor once. It clears the results first, so that a run
// that does nothing is found out.
func timeRun[T real](ctx context.Context, space exec.Space, strategy tensor.Strategy, x nhwc[T], in views.View[T], results []T, ph *phase) (time.Duration, error) {
	err := pieces(ctx, len(results), nil, func(begin, end int) { clear(results[begin:end]) })
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	err = reduce(ctx, space, strategy, x, in, results, ph)
	return time.Since(begin), err
}

// report prints whether all runs gave the same bits. If not, it is an error.
func (c *comparison[T]) report(stdout *printer) error {
	if c.runs == 1 {
		stdout.printf("runs: 1, nothing to compare it with\n")
	} else {
		stdout.printf("runs: %d compared\n", c.runs)
	}
	if c.difference != "" {
		stdout.printf("bits: DIFFER: %s\n", c.difference)
		return errors.New("the bits differ")
	}
	stdout.printf("bits: identical\n")
	return nil
}
