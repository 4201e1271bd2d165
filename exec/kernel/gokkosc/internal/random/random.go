package random

import (
	"fmt"
	"runtime/debug"
	"sort"
)

// Kernels are kernels that can be tried together.
type Kernels []*kernel

// Seeds returns random kernels, of the seeds from first on.
func Seeds(first uint64, n int) (list Kernels) {
	for k := range n {
		list = append(list, newKernel(fmt.Sprintf("k%d", k), first+uint64(k)))
	}
	return list
}

// gcPercent is GOGC for the compiler of programs of kernels. With a lower value, a third of the time goes
// into collecting little memory.
const gcPercent = 400

// Try tries kernels in one program, and makes some failing kernels smaller, up to a number of them. In place,
// the kernels are unmarked literals, and the only ways are loops.
func Try(kernels Kernels, inPlace bool, shrink int) (*Result, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	p, err := newProgram()
	if err != nil {
		return nil, err
	}
	defer p.remove()
	p.inPlace = inPlace
	r, err := p.try(kernels)
	if err != nil {
		return nil, err
	}
	for k, f := range r.Failures {
		if k < shrink {
			if r.Failures[k], err = p.shrink(f); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// maxCandidates is the number of kernels that are tried at a time in place of one that fails.
const maxCandidates = 60

// shrink returns the smallest kernel that it finds and that fails like the given kernel.
func (p *program) shrink(f *Failure) (*Failure, error) {
	for {
		candidates := f.kernel.smaller()
		sort.SliceStable(candidates, func(i, j int) bool { return candidates[i].size() < candidates[j].size() })
		found, err := p.first(candidates, f)
		if err != nil {
			return nil, err
		}
		if found == nil {
			return f, nil
		}
		f = found
	}
}

// first returns the first of the candidates, some at a time, that fails in the same way; nil if none does.
func (p *program) first(candidates []*kernel, f *Failure) (*Failure, error) {
	for len(candidates) > 0 {
		some := candidates[:min(len(candidates), maxCandidates)]
		candidates = candidates[len(some):]
		var named []*kernel
		for n, k := range some {
			named = append(named, k.named(fmt.Sprintf("%sx%d", f.kernel.name, n)))
		}
		named, err := p.valid(named)
		if err != nil {
			return nil, err
		}
		if len(named) == 0 {
			continue
		}
		r, err := p.try(named)
		if err != nil {
			return nil, err
		}
		var best *Failure
		for _, g := range r.Failures {
			if g.Way == f.Way && (best == nil || g.kernel.size() < best.kernel.size()) {
				best = g
			}
		}
		if best != nil {
			best.kernel = best.kernel.named(f.kernel.name)
			best.Name, best.Text = best.kernel.name, best.kernel.text()
			return best, nil
		}
	}
	return nil, nil
}
