package main

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed cpp
var peersSource embed.FS

// peers is a running program of peers: that of cpp/kernels.cpp or of kokkos/kernels.cpp, or this one as gokkosc builds
// it. Between two commands nothing of it runs.
type peers struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// makePeers starts a program that it makes first.
func makePeers(ctx context.Context, compile func(ctx context.Context, dir string) (program string, err error)) (*peers, error) {
	dir, err := os.MkdirTemp("", "gokkos-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // a program that runs does not need its file
	program, err := compile(ctx, dir)
	if err != nil {
		return nil, err
	}
	return startPeers(ctx, program)
}

// startPeers starts a program that was made before.
func startPeers(ctx context.Context, program string) (*peers, error) {
	p := &peers{cmd: exec.CommandContext(ctx, program, serving)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// compileInPlace makes this program in a directory, with its functors compiled where they stand.
func compileInPlace(ctx context.Context, dir string) (program string, err error) {
	program = filepath.Join(dir, "compiled")
	compile := exec.CommandContext(ctx, "go", "tool", "gokkosc", "build", "-o", program, "github.com/gokkos/gokkos/examples/bench")
	if text, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go tool gokkosc build: %w\n%s", err, strings.TrimSpace(string(text)))
	}
	return program, nil
}

// compileCpp makes the program of cpp/kernels.cpp in a directory.
func compileCpp(ctx context.Context, dir string) (program string, err error) {
	if err := os.CopyFS(dir, peersSource); err != nil {
		return "", err
	}
	source, strict, program := filepath.Join(dir, "cpp", "kernels.cpp"), filepath.Join(dir, "strict.o"), filepath.Join(dir, "peers")
	for _, args := range [][]string{
		{"-ffp-contract=off", "-fno-math-errno", "-c", "-o", strict, filepath.Join(dir, "cpp", "strict.cpp")},
		{"-fopenmp", "-o", program, source, strict},
	} {
		compile := exec.CommandContext(ctx, "g++", append([]string{"-std=c++17", "-O3", "-march=native"}, args...)...)
		if text, err := compile.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w\n%s", err, strings.TrimSpace(string(text)))
		}
	}
	return program, nil
}

func (p *peers) close() {
	p.in.Close()
	_ = p.cmd.Wait() // it has nothing to say any more
}

// errNoKernel is what run returns if a program lacks a kernel.
var errNoKernel = errors.New("no such kernel")

// A command is what peers are asked to do.
type command struct {
	kernel, impl string
	n, room      int // items, and elements that arrays have at least
	workers      int
	repeats      int
	rest         time.Duration // before each run
}

// run runs a kernel.
func (p *peers) run(c command) (s sample, err error) {
	if _, err := fmt.Fprintln(p.in, c.kernel, c.impl, c.n, c.room, c.workers, c.repeats, c.rest.Nanoseconds()); err != nil {
		return sample{}, fmt.Errorf("%s ended: %w", p.cmd.Path, err)
	}
	line, err := p.out.ReadString('\n')
	switch {
	case err != nil:
		return sample{}, fmt.Errorf("%s ended: %w", p.cmd.Path, err)
	case line == "none\n":
		return sample{}, errNoKernel
	}
	if n, err := fmt.Sscan(line, &s.took, &s.cpu, &s.result, &s.bits, &s.allocs); n < 3 {
		return s, fmt.Errorf("%s answers %q: %w", p.cmd.Path, line, err)
	}
	return s, nil
}

// written runs a kernel once on results that are reset, and returns the checksum of them.
func (p *peers) written(c command, results string) (s sample, err error) {
	all := command{impl: results, n: c.room, room: c.room, workers: c.workers, repeats: 1}
	before, after := all, all
	before.kernel, after.kernel = "reset", "checksum"
	for _, step := range []command{before, c, after} {
		if s, err = p.run(step); err != nil {
			break
		}
	}
	return s, err
}
