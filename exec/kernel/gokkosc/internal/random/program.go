package random

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	ptxtrial "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/random/trial"
)

// A Failure is a kernel whose bits are not the same in two ways.
type Failure struct {
	Name, Text string // of the constructor, with the functions that it calls
	Way        string // that differs from the closure: "interpreter", "passes", "go", "avx2", "avx512", "ptx"
	Detail     string
	kernel     *kernel
}

func (f *Failure) String() string { return fmt.Sprintf("%s: %s\n%s", f.Way, f.Detail, f.Text) }

// A Result is the result of a program of kernels.
type Result struct {
	Failures []*Failure
	Refused  map[string]string // kernels that have no Go loops, and the reasons
	Compiled int               // kernels that have
	Devices  int               // kernels that are PTX
	Vectors  int               // kernels that have loops in vector instructions
	Bodies   int               // kernels whose loops have the functor's body as it stands
}

// A program is kernels in a package main, which exists as an overlay of files in this module.
type program struct {
	module  string // folder of the module
	temp    string
	inPlace bool // kernels are literals that nothing marks
}

// folder is where the files of a program seem to be.
func (p *program) folder() string { return filepath.Join(p.module, p.pattern()) }

// pattern is the package, of which no other process has one at the same time.
func (p *program) pattern() string { return "./internal/random/" + filepath.Base(p.temp) }

func newProgram() (*program, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gokkos/gokkos/exec/kernel/gokkosc").Output()
	if err != nil {
		return nil, fmt.Errorf("random: go list: %w", err)
	}
	temp, err := os.MkdirTemp("", "kernels")
	return &program{module: strings.TrimSpace(string(out)), temp: temp}, err
}

func (p *program) remove() { os.RemoveAll(p.temp) }

const header = `package main

import (
	"math"
	mathbits "math/bits"
	syncatomic "sync/atomic"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/random/trial"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/scatter"
)

var (
	_ builtin.Average[float64]
	_ random.Pool
	_ scatter.Access[int]
	_ = atomics.Add[int]
	_ = syncatomic.AddInt32
	_ = math.Pi
	_ = mathbits.UintSize
	_ policy.Run
	_ trial.Case
	_ views.View[int]
	_ = kmath.Exp[float64]
)

var (
	tableFloats  = [...]float64{1.5, -2, 0x1p-1070, 1e308, 0, 7, 1 / 3., -9}
	tableSingles = [2][5]float32{{.1, -2, 3e38}, {4: 1, 2: 0x1p-149}}
	tableBytes   = [...]uint8{0, 255, 128, 4, 5}
	tableInts    = [9]int{1: -1, 5: 1 << 62, 8: 3}
	tableBools   = [4]bool{1: true, 3: true}
)

`

// text returns the kernels as a file, and in which line each begins.
func text(kernels []*kernel) (file []byte, first []int) {
	var b bytes.Buffer
	b.WriteString(header)
	for _, k := range kernels {
		first = append(first, 1+bytes.Count(b.Bytes(), []byte("\n")))
		b.WriteString(k.text() + "\n")
	}
	return b.Bytes(), first
}

// valid returns those kernels that the compiler takes.
func (p *program) valid(kernels []*kernel) ([]*kernel, error) {
	file, first := text(kernels)
	cfg := &packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedExportFile,
		Dir:     p.module,
		Overlay: map[string][]byte{filepath.Join(p.folder(), "kernels.go"): append(file, []byte("\nfunc main() {}\n")...)},
	}
	loaded, err := packages.Load(cfg, p.pattern())
	if err != nil {
		return nil, err
	}
	broken := map[int]bool{}
	for _, e := range loaded[0].Errors {
		var line int
		if at := strings.Index(e.Pos, ".go:"); at >= 0 {
			fmt.Sscanf(e.Pos[at+4:], "%d", &line)
		}
		n := 0
		for n+1 < len(first) && first[n+1] <= line {
			n++
		}
		broken[n] = true
	}
	var out []*kernel
	for n, k := range kernels {
		if !broken[n] {
			out = append(out, k)
		}
	}
	return out, nil
}

// try compiles kernels, runs them in all ways, and says which differ.
func (p *program) try(kernels []*kernel) (*Result, error) {
	if p.inPlace {
		return p.tryInPlace(kernels)
	}
	file, _ := text(kernels)
	overlay := map[string][]byte{filepath.Join(p.folder(), "kernels.go"): append(file, []byte("\nfunc main() {}\n")...)}
	config := front.Config{Dir: p.module, Overlay: overlay}
	made, err := generate.For(generate.Targets(true), config, p.pattern())
	if err != nil {
		return nil, err
	}
	out := &Result{Refused: map[string]string{}}
	of := map[string]*kernel{}
	for _, k := range kernels {
		of[k.name] = k
	}
	main := newMain()
	before, after := map[string]both{}, map[string]both{}
	for _, k := range made[0].Compiled {
		if k.Refused != nil {
			out.Refused[k.Func] = k.Refused.Reason
			continue
		}
		out.count(made[0], k, k.Func)
		main.add(of[k.Func], k.Exported)
		before[k.Func], after[k.Func] = both{pass.Right(k.Source), pass.Left(k.Source), nil}, both{k.IR, k.Left(), k.Final()}
	}
	files := map[string][]byte{"kernels.go": file, "main.go": main.text()}
	for name, text := range made[0].Files {
		files[name] = text
	}
	lines, err := p.run(files)
	if err != nil {
		return nil, err
	}
	return out, compare(out, lines, of, before, after)
}

// count counts the back ends that compiled a kernel, and notes refusals.
func (r *Result) count(p *generate.Package, k *generate.Kernel, name string) {
	if err := p.Refused["go"][k.Kernel]; err != nil {
		_, r.Refused[name], _ = strings.Cut(err.Error(), ": ")
	} else {
		r.Compiled++
	}
	if p.Refused["avx2"][k.Kernel] == nil {
		r.Vectors++
	}
}

// A mainText is the file of a program that runs kernels.
type mainText struct {
	b     bytes.Buffer
	seeds []string
}

func newMain() *mainText {
	m := &mainText{}
	m.b.WriteString("package main\n\nimport (\n\"os\"\n\n\"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/random/trial\"\n)\n\nfunc main() {\ntrial.Run(os.Stdout, []trial.Kernel{\n")
	return m
}

// add adds a kernel, and the constructor of its compiled functor.
func (m *mainText) add(k *kernel, compiled string) {
	fmt.Fprintf(&m.b, "{%q, %s, %s},\n", k.name, k.name, compiled)
	m.seeds = append(m.seeds, fmt.Sprint(k.seed))
}

func (m *mainText) text() []byte {
	return fmt.Appendf(m.b.Bytes(), "}, []uint64{%s})\n}\n", strings.Join(m.seeds, ", "))
}

// run builds and runs a program, and returns its output.
func (p *program) run(files map[string][]byte) ([]byte, error) {
	replace := map[string]string{}
	for name, text := range files {
		path := filepath.Join(p.temp, name)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, err
		}
		replace[filepath.Join(p.folder(), name)] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	list, binary := filepath.Join(p.temp, "overlay.json"), filepath.Join(p.temp, "program")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return nil, err
	}
	if err := os.Mkdir(p.folder(), 0o755); err == nil { // the assembler runs there
		defer os.Remove(p.folder())
	}
	build := exec.Command("go", "build", "-gcflags=-dwarf=false", "-ldflags=-w", "-overlay", list, "-o", binary, p.pattern())
	build.Dir, build.Env = p.module, append(os.Environ(), fmt.Sprintf("GOGC=%d", gcPercent))
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("random: go build: %w\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute) // seconds, if no loop is endless
	defer cancel()
	return exec.CommandContext(ctx, binary).Output()
}

// both has a kernel for runs along the last dimension, one for the first dimension, and one for the last pass
// of a scan. The last one is nil if there is none.
type both struct{ right, left, final *ir.Kernel }

func (b both) of(c trial.Case) *ir.Kernel {
	if b.final != nil && c.Final() {
		return b.final
	}
	if b.left != nil && c.Left() {
		return b.left
	}
	return b.right
}

// compare compares the output of a program with the results of the interpreter.
func compare(out *Result, lines []byte, of map[string]*kernel, before, after map[string]both) error {
	failed := map[string]bool{}
	fail := func(name, way, format string, a ...any) {
		if !failed[name] {
			failed[name] = true
			out.Failures = append(out.Failures, &Failure{name, of[name].text(), way, fmt.Sprintf(format, a...), of[name]})
		}
	}
	scan := bufio.NewScanner(bytes.NewReader(lines))
	scan.Buffer(nil, 1<<20)
	want := ""
	devices := texts{}
	for scan.Scan() {
		var name, way string
		var n int
		if _, err := fmt.Sscan(scan.Text(), &name, &n, &way); err != nil {
			return fmt.Errorf("random: the program prints %q: %w", scan.Text(), err)
		}
		got := strings.SplitN(scan.Text(), " ", 4)[3]
		if way != "closure" {
			fail(name, way, "case %d: %s", n, got)
			continue
		}
		want = got
		if before[name].right == nil { // a functor in place, which captures parts of the parameters of the case
			continue
		}
		c := trial.Cases(of[name].seed)[n]
		report := func(way string, differs any) { fail(name, way, "case %d: %v", n, differs) }
		if err := devices.compareMeanings(c, before[name], after[name], want, report); err != nil {
			return err
		}
	}
	for _, k := range devices {
		if k != nil {
			out.Devices++
		}
	}
	return scan.Err()
}

// compareMeanings reports differences of the interpreter, a device and the passes from the results of the
// closure for a case.
func (t texts) compareMeanings(c trial.Case, before, after both, want string, report func(way string, differs any)) error {
	raw, k := before.of(c), after.of(c)
	oracle, next, err := c.Interpret(raw)
	if err != nil {
		return err
	}
	expect := func(way, got, want string) {
		if got != want {
			report(way, got+", expected "+want)
		}
	}
	expect("interpreter", oracle, want)
	device := raw
	if raw.Index.Rank > 0 && !raw.Index.Row { // there is one text for points in all orders
		device = before.right
	}
	if differ, err := t.run(device, c); err != nil {
		return err
	} else if differ != nil {
		report("ptx", differ)
	}
	passed, stop, err := c.Interpret(k)
	if err != nil {
		return err
	}
	if stop < next {
		oracle, _, _ = c.UpTo(k, stop).Interpret(raw)
	}
	expect("passes", passed, oracle)
	return nil
}

// texts are kernels as PTX; nil if there is none.
type texts map[*ir.Kernel]*ptxtrial.Kernel

// run runs a case as PTX, and says how the results differ. No device asks for values: these are left out.
func (t texts) run(k *ir.Kernel, c trial.Case) (differ, err error) {
	if last := len(k.Params) - 1; last >= 0 && k.Params[last].Name == "dst" {
		return nil, nil
	}
	x, ok := t[k]
	if !ok {
		var refusal *ptx.Refusal
		if x, err = ptxtrial.New(k, nil); err != nil && !errors.As(err, &refusal) {
			return nil, err
		}
		t[k] = x
	}
	if x == nil {
		return nil, nil
	}
	return c.PTX(x), nil
}
