package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// instantiate counts what Go's compiler makes of generic code: for one more type of partial results in a program, and in
// the tests of exec.
func (f *figures) instantiate() error {
	temp, err := os.MkdirTemp("", "count")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var symbols, size [2]int
	for k := range 2 {
		if symbols[k], size[k], err = program(temp, k+1); err != nil {
			return err
		}
	}
	f.symbols, f.bytes = symbols[1]-symbols[0], size[1]-size[0]
	tests := filepath.Join(temp, "exec.test")
	if err := command("go", "test", "-c", "-ldflags=-w", "-o", tests, "./exec"); err != nil {
		return err
	}
	return eachFunction(tests, func(name string, _ int) {
		if strings.Contains(name, "exec/internal/launch.Keep[go.shape") {
			f.kinds++
		}
	})
}

// program builds a program with that many types of partial results, and returns how many functions it has, and how
// large they are.
func program(temp string, types int) (symbols, size int, err error) {
	var text bytes.Buffer
	text.WriteString(`package main

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

type sum[T any] struct {
	reducers.Base[T]
	join func(dst, src *T)
}

func (s sum[T]) Join(dst, src *T) { s.join(dst, src) }

func main() {
`)
	for k := range types {
		fmt.Fprintf(&text, "\t{\n\t\ttype value struct{ x [%d]float64 }\n\t\tvar v value\n", k+2)
		text.WriteString("\t\tadd := func(dst, src *value) { dst.x[0] += src.x[0] }\n")
		text.WriteString("\t\tif err := exec.ParallelReduce(policy.Range(0, 1), func(i int, acc *value) { acc.x[0]++ }, sum[value]{reducers.Into(&v), add}); err != nil {\n\t\t\tpanic(err)\n\t\t}\n\t}\n")
	}
	text.WriteString("}\n")
	source, overlay, binary := filepath.Join(temp, "main.go"), filepath.Join(temp, "overlay.json"), filepath.Join(temp, "program")
	if err := os.WriteFile(source, text.Bytes(), 0o600); err != nil {
		return 0, 0, err
	}
	seems, err := filepath.Abs("internal/count/program/main.go")
	if err != nil {
		return 0, 0, err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{seems: source}})
	if err != nil {
		return 0, 0, err
	}
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return 0, 0, err
	}
	if err := command("go", "build", "-overlay", overlay, "-ldflags=-w", "-o", binary, "./internal/count/program"); err != nil {
		return 0, 0, err
	}
	err = eachFunction(binary, func(_ string, bytes int) {
		symbols++
		size += bytes
	})
	return symbols, size, err
}

// eachFunction calls f for each function of a binary.
func eachFunction(binary string, f func(name string, size int)) error {
	out, err := exec.Command("go", "tool", "nm", "-size", binary).Output()
	if err != nil {
		return fmt.Errorf("go tool nm: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line) // address, size, kind, name with spaces
		if len(fields) < 4 || strings.ToUpper(fields[2]) != "T" {
			continue
		}
		size, err := strconv.Atoi(fields[1])
		if err != nil {
			return fmt.Errorf("go tool nm prints %q: %w", line, err)
		}
		f(strings.Join(fields[3:], " "), size)
	}
	return nil
}

// command runs a command, and says what it printed if it fails.
func command(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
