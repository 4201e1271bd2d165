package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/gokkos/gokkos/exec"
)

// head prints what is measured, as BabelStream does.
func head(w io.Writer, on exec.Space, o options, width uintptr) {
	if o.csv {
		return
	}
	precision := map[uintptr]string{4: "float", 8: "double"}[width]
	size := float64(o.size) * float64(width)
	fmt.Fprintf(w, "BabelStream\nImplementation: gokkos, %s\nRunning kernels %d times\nPrecision: %s\n", on.Name(), o.times, precision)
	fmt.Fprintf(w, "Array size: %.1f MB (=%.1f GB)\nTotal size: %.1f MB (=%.1f GB)\n", size*1e-6, size*1e-9, 3*size*1e-6, 3*size*1e-9)
}

// table prints a line for each kernel. Rounds after the first count.
func table(w io.Writer, rows []row, o options, width uintptr) {
	unit, name, short := 1e6, "MBytes/sec", "mbytes"
	if o.mebibytes {
		unit, name, short = 1<<20, "MiBytes/sec", "mibytes"
	}
	if o.csv {
		fmt.Fprintf(w, "function,num_times,n_elements,sizeof,max_%s_per_sec,min_runtime,max_runtime,avg_runtime\n", short)
	} else {
		fmt.Fprintf(w, "%-12s%-12s%-12s%-12s%-12s\n", "Function", name, "Min (sec)", "Max", "Average")
	}
	for _, r := range rows {
		counted := r.seconds[1:]
		sum := 0.0
		for _, s := range counted {
			sum += s
		}
		least, most, mean := slices.Min(counted), slices.Max(counted), sum/float64(len(counted))
		rate := float64(r.arrays) * float64(o.size) * float64(width) / unit / least
		if o.csv {
			fmt.Fprintf(w, "%s,%d,%d,%d,%.6g,%.6g,%.6g,%.6g\n", r.name, o.times, o.size, width, rate, least, most, mean)
			continue
		}
		fmt.Fprintf(w, "%-12s%-12.3f%-12.5f%-12.5f%-12.5f\n", r.name, rate, least, most, mean)
	}
}
