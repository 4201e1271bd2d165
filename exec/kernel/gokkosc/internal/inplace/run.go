package inplace

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
)

// Run runs a command.
func Run(command string, args []string, stdout, stderr io.Writer) error {
	a, err := Parse(command, args)
	if err != nil {
		return err
	}
	if a.Dir != "" {
		if err := os.Chdir(a.Dir); err != nil {
			return fmt.Errorf("gokkosc: %w", err)
		}
	}
	if a.Overlay != "" { // so that each load of packages has the overlay
		os.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -overlay="+a.Overlay)
	}
	p, err := List(a)
	if err != nil {
		return err
	}
	for flag := range strings.FieldsSeq(p.Settings["GOFLAGS"]) {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if name == "overlay" {
			a.Overlay = value
		} else if slices.Contains(plain, name) && value != "false" {
			a.Plain = flag
		}
	}
	if a.Plain != "" && command != "report" {
		fmt.Fprintf(stderr, "gokkosc: with %s all functors run as closures\n", a.Plain)
		return run(a, "", stdout, stderr)
	}
	cache, err := p.cache(a)
	if err != nil {
		return err
	}
	overlay := filepath.Join(cache, "overlay.json")
	if _, err := os.Stat(overlay); err != nil {
		if err := p.compile(a, overlay); err != nil {
			return err
		}
	}
	if command == "report" || a.Strict {
		if err := p.failed(); err != nil {
			return err
		}
		r, err := readReport(cache)
		if err != nil {
			return err
		}
		if err := r.write(a, stdout, stderr); err != nil || command == "report" {
			return err
		}
	}
	return run(a, overlay, stdout, stderr)
}

// run runs the go command.
func run(a *Arguments, overlay string, stdout, stderr io.Writer) error {
	args := []string{a.Command}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	cmd := exec.Command("go", append(args, a.Go...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	signals := make(chan os.Signal, 1) // the go command gets an interrupt as well, and ends by it
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return Exit(max(exit.ExitCode(), 1))
	}
	if err != nil {
		return fmt.Errorf("gokkosc: %w", err)
	}
	return nil
}

// An Exit is the exit status of the go command, which has said why.
type Exit int

func (e Exit) Error() string {
	return fmt.Sprintf("gokkosc: the go command ended with status %d", int(e))
}

// unused is how long the files of a program stay in the cache without being asked for.
const unused = 5 * 24 * time.Hour

// cache returns the folder for the generated files of a program. Its name is a hash of everything that these
// files depend on.
func (p *Program) cache(a *Arguments) (string, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("gokkosc: %w", err)
	}
	root = filepath.Join(root, "gokkosc")
	h := sha256.New()
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("gokkosc: %w", err)
	}
	paths := append(p.files(), self)
	if a.Overlay != "" {
		paths = append(paths, a.Overlay)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("gokkosc: %w", err)
		}
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
	}
	for _, q := range p.All {
		if q.Error != nil { // if an import was missing, say, the same files may have functors another time
			fmt.Fprintf(h, "%s %v\n", q.ImportPath, q.Error)
		}
	}
	for _, s := range settings {
		fmt.Fprintf(h, "%s=%s\n", s, p.Settings[s])
	}
	fmt.Fprintln(h, a.PTX, a.Command == "test" || a.Tests, a.Load, a.Packages)
	sweep(root)
	folder := filepath.Join(root, fmt.Sprintf("%x", h.Sum(nil)[:16]))
	now := time.Now()
	os.Chtimes(folder, now, now) // if it is there
	return folder, nil
}

// sweep removes the folders of programs that no command has used for the time unused.
func sweep(root string) {
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(root, e.Name()))
		}
	}
}

// compile compiles the functors of a program, and writes the report, and then the overlay.
func (p *Program) compile(a *Arguments, overlay string) error {
	o, err := generate.OpenOverlay(cmp.Or(a.Overlay, overlay))
	if err != nil {
		return err
	}
	backEnds := generate.Targets(false)
	if p.Settings["GOARCH"] != "amd64" {
		backEnds = backEnds[:1] // loops in Go
	}
	if a.PTX {
		backEnds = append(backEnds, ptx.Target{})
	}
	r := &report{}
	config := front.Config{Flags: a.Load, InPlace: true, Rounded: p.rounded(), Arch: p.Settings["GOARCH"]}
	made, err := generate.Listed(backEnds, config, p.All, p.has)
	if err != nil {
		return err
	}
	asked := map[string]bool{}
	for _, q := range p.All {
		asked[q.Path()] = asked[q.Path()] || !q.DepOnly
	}
	for _, c := range made {
		if err := o.Place(c, filepath.Dir(overlay)); err != nil {
			return err
		}
		if asked[c.Path] {
			r.add(c)
		}
	}
	if err := r.keep(filepath.Dir(overlay)); err != nil {
		return err
	}
	return o.WriteTo(overlay)
}
