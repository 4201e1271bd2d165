// Mutants breaks the compiler, in one place at a time, and says whether kernels that are written by hand, and then
// random ones, find it.
//
//	go run ./internal/random/mutants
//	go run ./internal/random/mutants -only hoist -n 3000
//	go run ./internal/random/mutants -p 16
//
// The files of the module stay as they are: the mutants are in an overlay of the build.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// batch is the number of kernels that are compiled at a time.
const batch = 75

func main() {
	n := flag.Int("n", 1200, "how many kernels a mutant is tried with at most")
	seed := flag.Uint64("seed", 1, "the seed of the first kernel")
	only := flag.String("only", "", "only mutants with this in their names")
	together := flag.Int("p", 1, "how many are tried at the same time")
	flag.Parse()
	log.SetFlags(0)
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gokkos/gokkos/exec/kernel/gokkosc").Output()
	if err != nil {
		log.Fatal(err)
	}
	var some []mutant
	for _, m := range slices.Concat(mutants, ofTeams) {
		if strings.Contains(m.name, *only) {
			some = append(some, m)
		}
	}
	if left := try(some, *together, strings.TrimSpace(string(root)), *n, *seed); left > 0 {
		log.Fatalf("%d of %d mutants are not found", left, len(some))
	}
	fmt.Printf("all %d mutants are found\n", len(some))
}

// try tries mutants, some at a time, prints the result of each, and returns the number of those not found.
func try(some []mutant, together int, root string, n int, seed uint64) (left int) {
	var all sync.WaitGroup
	var printing sync.Mutex
	places := make(chan bool, together)
	for _, m := range some {
		places <- true
		all.Go(func() {
			defer func() { <-places }()
			how, err := m.try(root, n, seed)
			printing.Lock()
			defer printing.Unlock()
			switch {
			case err != nil:
				how = fmt.Sprintf("not tried: %v", err)
				left++
			case how == "":
				how = fmt.Sprintf("not found by %d kernels", n)
				left++
			}
			fmt.Printf("%-40s %s\n", m.name, how)
		})
	}
	all.Wait()
	return left
}

// A mutant is a mistake: text of a file that is another one.
type mutant struct {
	name, file string // a file of internal
	text, is   string
}

// try builds the compiler with the mistake, and returns how it is found, or "" if it is not.
func (m mutant) try(root string, n int, seed uint64) (how string, err error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(root, "internal", m.file)
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if k := strings.Count(string(source), m.text); k != 1 {
		return "", fmt.Errorf("%s has its text %d times, expected once", m.file, k)
	}
	broken, overlay := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(broken, []byte(strings.Replace(string(source), m.text, m.is, 1)), 0o644); err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{path: broken}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, replace, 0o644); err != nil {
		return "", err
	}
	fuzz := filepath.Join(dir, "fuzz")
	build := exec.Command("go", "build", "-overlay", overlay, "-o", fuzz, "./internal/random/fuzz")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	run := exec.Command(fuzz, "-shrink", "0", "-batch", strconv.Itoa(batch), "-n", strconv.Itoa(n), "-seed", strconv.FormatUint(seed, 10), fmt.Sprintf("-teams=%t", slices.Contains(ofTeams, m)))
	run.Dir = root
	out, err := run.CombinedOutput()
	switch text := string(out); {
	case err == nil:
		return "", nil
	case strings.Contains(text, "panic: "):
		_, after, _ := strings.Cut(text, "panic: ")
		return "found by a panic of the compiler: " + firstLine(after), nil
	case strings.Contains(text, kernelsOf): // some fail, or their program does not build, or does not end
		_, after, _ := strings.Cut(text, kernelsOf)
		return "found by " + kernelsOf + firstLine(after), nil
	case !run.ProcessState.Exited(): // it has used up all memory, say
		return "found: " + err.Error(), nil
	default:
		return "", fmt.Errorf("%w\n%s", err, out)
	}
}

// kernelsOf is how the command fuzz begins to say which kernels fail.
const kernelsOf = "kernels of "

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
