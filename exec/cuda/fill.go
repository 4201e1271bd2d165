package cuda

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/space/device"
)

// Fill implements [device.Memory].
func (m *memory) Fill(f device.Fill) error {
	n := len(f.Pattern)
	if n < 1 || n > device.MaxPattern {
		return fmt.Errorf("cuda: a pattern of %d bytes, expected 1 to %d", n, device.MaxPattern)
	}
	if err := m.d.enter(); err != nil {
		return err
	}
	defer m.d.leave()
	c := device.Copy{Dst: f.Dst, Src: device.Side{Strides: make([]int, len(f.Extents))}, Extents: f.Extents, Bytes: n}
	return m.divide(f.Dst, f.Extents, n, func(d *card, q *queue, begin, end int) error {
		c := slab(c, begin, end)
		if _, whole := together(c.Dst, c.Extents, c.Bytes); whole && n == 1 {
			return m.runs(count(c.Extents), []driver.Address{addressOf(c.Dst.Address)}, func(at []driver.Address, n int) error {
				return q.Set(at[0], f.Pattern[0], uint64(n))
			})
		}
		c.Src.Address = pointer(q.there)
		copy(q.host, f.Pattern)
		if err := q.ToDevice(q.there, q.host[:n]); err != nil {
			return err
		}
		return d.kernelCopy(q, c, 0, count(c.Extents))
	})
}

// runs calls f for n bytes at some addresses, piece by piece: each is on one card at each address, as bytes must be that the
// driver copies or sets.
func (m *memory) runs(n int, at []driver.Address, f func(at []driver.Address, n int) error) error {
	for n > 0 {
		most := n
		for _, a := range at {
			most = m.until(a, most)
		}
		if err := f(at, most); err != nil {
			return err
		}
		for k := range at {
			at[k] += driver.Address(most)
		}
		n -= most
	}
	return nil
}

// within copies within the memory of the device.
func (m *memory) within(d *card, q *queue, c device.Copy) error {
	runs, dst := together(c.Dst, c.Extents, c.Bytes)
	_, src := together(c.Src, c.Extents, c.Bytes)
	if !dst || !src {
		return d.kernelCopy(q, c, 0, runs)
	}
	return m.runs(runs*c.Bytes, []driver.Address{addressOf(c.Dst.Address), addressOf(c.Src.Address)}, func(at []driver.Address, n int) error {
		return q.Within(at[0], at[1], uint64(n))
	})
}
