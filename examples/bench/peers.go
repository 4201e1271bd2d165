package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed cpp/kernels.cpp
var peersSource string

// peers is the running program of cpp/kernels.cpp. A nil *peers has no kernels.
type peers struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startPeers compiles the peers with g++ and starts them.
func startPeers(ctx context.Context) (*peers, error) {
	dir, err := os.MkdirTemp("", "gokkos-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // a program that runs does not need its file
	source, program := filepath.Join(dir, "kernels.cpp"), filepath.Join(dir, "peers")
	if err := os.WriteFile(source, []byte(peersSource), 0o600); err != nil {
		return nil, err
	}
	compile := exec.CommandContext(ctx, "g++", "-std=c++17", "-O3", "-march=native", "-fopenmp", "-o", program, source)
	if text, err := compile.CombinedOutput(); err != nil {
		return nil, errors.Join(err, errors.New(strings.TrimSpace(string(text))))
	}
	p := &peers{cmd: exec.CommandContext(ctx, program)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	return p, p.cmd.Start()
}

func (p *peers) close() {
	if p != nil {
		p.in.Close()
		_ = p.cmd.Wait() // it has nothing to say any more
	}
}

// errNoKernel is what run returns if the peers lack a kernel.
var errNoKernel = errors.New("no such kernel")

// written runs a kernel once on a z that is reset, and returns the checksum of z.
func (p *peers) written(kernel, impl string, n, workers int) (sum float64, err error) {
	for _, step := range [][2]string{{"reset", "z"}, {kernel, impl}, {"checksum", "z"}} {
		if _, sum, err = p.run(step[0], step[1], n, workers, 1); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// run runs a kernel that often; it returns how long that took, and the last result.
func (p *peers) run(kernel, impl string, n, workers, repeats int) (took time.Duration, result float64, err error) {
	if p == nil {
		return 0, 0, errNoKernel
	}
	if _, err := fmt.Fprintln(p.in, kernel, impl, n, workers, repeats); err != nil {
		return 0, 0, err
	}
	line, err := p.out.ReadString('\n')
	switch {
	case err != nil:
		return 0, 0, fmt.Errorf("the peers in C++ ended: %w", err)
	case line == "none\n":
		return 0, 0, errNoKernel
	}
	_, err = fmt.Sscan(line, &took, &result)
	return took, result, err
}
