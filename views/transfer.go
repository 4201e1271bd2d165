package views

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/nest"
	"github.com/gokkos/gokkos/policy"
)

// This file has what is done by a memory that the host can never touch.

// transfer is [DeepCopy] by the memories of two views of equal extents that are apart, at
// least one of which the host can never touch.
func transfer(d, s *shape, dst, src unsafe.Pointer, size int, on []policy.Launch) error {
	if size == 0 || d.length == 0 {
		return nil
	}
	loops := nestOf(d, s.stride[:]).ByPlace()
	c := copyOf(&loops, size)
	c.Dst.Address, c.Src.Address = dst, src
	err := byMemory(on, fmt.Sprintf("DeepCopy of %v to %v", s, d), func() error {
		to, from := d.home.memory, s.home.memory
		if err := copyBy(to, from, c); err != nil {
			return fmt.Errorf("views: DeepCopy of %v in %v to %v in %v: %w", s, from, d, to, err)
		}
		return nil
	})
	runtime.KeepAlive(d) // of which the copy has an address
	runtime.KeepAlive(s)
	return err
}

// copyBy copies by one of the memories, or by both of them.
func copyBy(to, from device.Memory, c device.Copy) error {
	switch {
	case !memory.Far(from):
		c.Direction = device.HostToDevice
		return to.Copy(c)
	case !memory.Far(to):
		c.Direction = device.DeviceToHost
		return from.Copy(c)
	case from == to:
		c.Direction = device.DeviceToDevice
		return to.Copy(c)
	}
	if p, ok := to.(device.Peer); ok {
		c.Direction = device.DeviceToDevice
		if done, err := p.CopyFrom(from, c); done || err != nil {
			return err
		}
	}
	return stage(to, from, c)
}

// byMemory calls f, in a launch that can be cancelled before it begins and has a label.
func byMemory(on []policy.Launch, label string, f func() error) (err error) {
	p := policy.Range(0, 1).WithLabel(label).With(on...).On(exec.Serial{})
	ran := false
	refused := exec.ParallelFor(p, func(int) { err, ran = f(), true })
	if ran { // whole, whoever cancelled meanwhile
		return err
	}
	return refused
}

// copyOf returns the copy that the loops are, of elements of that size, but for addresses.
func copyOf(x *nest.Loops, size int) (c device.Copy) {
	c.Bytes = size
	loops := x.Rank
	if last := loops - 1; x.A[last] == 1 && x.B[last] == 1 {
		c.Bytes *= x.N[last]
		loops = last
	}
	for d := range loops {
		c.Extents = append(c.Extents, x.N[d])
		c.Dst.Strides = append(c.Dst.Strides, x.A[d]*size)
		c.Src.Strides = append(c.Src.Strides, x.B[d]*size)
	}
	return c
}

// stageBytes is how much of a copy between two memories is on the host at a time.
const stageBytes = 4 << 20

// stage copies from one memory to another by way of the host, in pieces: some steps of one
// loop, which the buffer has room for with all of the loops in it.
func stage(to, from device.Memory, c device.Copy) error {
	c = bytewise(c)
	split := len(c.Extents) - 1
	bytes := 1 // of one step of loop split
	for split > 0 && bytes*c.Extents[split] <= stageBytes {
		bytes *= c.Extents[split]
		split--
	}
	most := min(stageBytes/bytes, c.Extents[split])
	buffer := make([]byte, most*bytes)
	for part := range c.Each(len(c.Extents) - split) {
		n := part.Extents[0]
		for begin := 0; begin < n; begin += most {
			piece := part
			piece.Extents = slices.Clone(part.Extents)
			piece.Extents[0] = min(most, n-begin)
			piece.Dst.Address = unsafe.Add(part.Dst.Address, begin*part.Dst.Strides[0])
			piece.Src.Address = unsafe.Add(part.Src.Address, begin*part.Src.Strides[0])
			if err := stagePiece(to, from, piece, buffer); err != nil {
				return err
			}
		}
	}
	return nil
}

// bytewise returns the copy with the run of bytes as one more extent.
func bytewise(c device.Copy) device.Copy {
	c.Extents = append(c.Extents, c.Bytes)
	c.Dst.Strides = append(c.Dst.Strides, 1)
	c.Src.Strides = append(c.Src.Strides, 1)
	c.Bytes = 1
	return c
}

// stagePiece copies what there is room for in the buffer, whose last extent is one of bytes.
func stagePiece(to, from device.Memory, c device.Copy, buffer []byte) error {
	last := len(c.Extents) - 1
	c.Bytes, c.Extents = c.Extents[last], c.Extents[:last]
	c.Dst.Strides, c.Src.Strides = c.Dst.Strides[:last], c.Src.Strides[:last]
	host := device.Side{Address: unsafe.Pointer(unsafe.SliceData(buffer)), Strides: make([]int, last)}
	step := c.Bytes
	for d, n := range slices.Backward(c.Extents) {
		host.Strides[d] = step
		step *= n
	}
	out, in := c, c
	out.Direction, out.Dst = device.DeviceToHost, host
	if err := from.Copy(out); err != nil {
		return err
	}
	in.Direction, in.Src = device.HostToDevice, host
	return to.Copy(in)
}

// fillFar is [Fill] of a view in memory that the host can never touch.
func fillFar(s *shape, address unsafe.Pointer, x []byte, on []policy.Launch) error {
	m, size := s.home.memory, len(x)
	if size == 0 || s.length == 0 {
		return nil
	}
	pattern := period(x)
	loops := nestOf(s, noStride[:]).ByPlace()
	err := byMemory(on, "Fill of "+s.String(), func() (err error) {
		if len(pattern) <= device.MaxPattern {
			err = m.Fill(fillOf(&loops, address, pattern, size))
		} else {
			err = fillRows(&loops, m, address, pattern)
		}
		if err != nil {
			err = fmt.Errorf("views: Fill of %v in %v: %w", s, m, err)
		}
		return err
	})
	runtime.KeepAlive(s)
	return err
}

// period returns the part of x that x is repetitions of if a pattern can have it, and else x:
// of zeros, it is one byte.
func period(x []byte) []byte {
	for n := 1; n <= min(len(x)/2, device.MaxPattern); n++ {
		if len(x)%n == 0 && bytes.Equal(x[n:], x[:len(x)-n]) {
			return x[:n]
		}
	}
	return x
}

// fillOf returns the fill that the loops are, of elements of that size.
func fillOf(x *nest.Loops, address unsafe.Pointer, pattern []byte, size int) device.Fill {
	f := device.Fill{Dst: device.Side{Address: address}, Pattern: pattern}
	for d := range x.Rank {
		f.Extents = append(f.Extents, x.N[d])
		f.Dst.Strides = append(f.Dst.Strides, x.A[d]*size)
	}
	if repeats, last := size/len(pattern), x.Rank-1; repeats > 1 {
		if x.A[last] == 1 { // elements without gaps are one row of patterns
			f.Extents[last] *= repeats
			f.Dst.Strides[last] = len(pattern)
			return f
		}
		f.Extents = append(f.Extents, repeats)
		f.Dst.Strides = append(f.Dst.Strides, len(pattern))
	}
	return f
}

// fillRows fills by copies of rows that the host has, with elements that are too long for a
// pattern.
func fillRows(x *nest.Loops, m device.Memory, address unsafe.Pointer, element []byte) error {
	last, size := x.Rank-1, len(element)
	most := 1 // elements that are copied at a time
	if x.A[last] == 1 {
		most = min(x.N[last], max(fillBytes/size, 1))
	}
	row := bytes.Repeat(element, most)
	r := x.Rows(0, x.Items)
	for r.Next() {
		for begin := 0; begin < r.N; begin += most {
			n := min(most, r.N-begin)
			err := m.Copy(device.Copy{
				Direction: device.HostToDevice,
				Dst:       device.Side{Address: unsafe.Add(address, (r.A+begin*x.A[last])*size)},
				Src:       device.Side{Address: unsafe.Pointer(unsafe.SliceData(row))},
				Bytes:     n * size,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
