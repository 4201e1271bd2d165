//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"errors"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// onDeviceOfItsOwn runs a program that makes a device and closes it, which tells what the host has read.
func onDeviceOfItsOwn(f func(s exec.Space, h, d views.View1[float64]) error) error {
	s := exec.NewSimGPU(gpu.H200()).WithChecks(check.Mirrors)
	h := host("h")
	d, err := views.MirrorCopy(s.Memory(), h, onHost)
	if err == nil {
		err = f(s, h, d)
	}
	return errors.Join(err, s.Close())
}

// doubled doubles the elements of a view.
func doubled(s exec.Space, v views.View1[float64]) error {
	return exec.ParallelFor(over(s), func(i int) { v.Set(i, 2*v.At(i)+1) })
}

var staleMirrors = []planted{
	{"a kernel reads before the copy", stale, func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		h.Set(7, 100)
		return nil, exec.ParallelFor(over(s), func(i int) {
			d.Set(i, 2*d.At(i)) //!
		})
	}},
	{"a kernel reads a slice of a view before the copy", stale, func(s exec.Space) (any, error) {
		x := ramp(600)
		d, err := views.MirrorCopy(views.MemoryOf(s), views.Must(views.Of2("h", x, 20, 30)), onHost)
		if err != nil {
			return nil, err
		}
		copy(x, x[300:])
		return nil, exec.ParallelFor(policy.Range(0, 20).On(s), func(i int) {
			for _, e := range d.Row(i) { //!
				if e < 0 {
					panic("negative")
				}
			}
		})
	}},
	{"the second step lacks its copy", stale, func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		w := on(s, "w", items)
		for step := range 2 {
			if err := exec.ParallelFor(over(s), func(i int) {
				w.Set(i, w.At(i)+d.At(i)) //!
			}); err != nil {
				return nil, err
			}
			h.Set(step, -1)
		}
		return nil, nil
	}},
	{"a small type", stale, func(s exec.Space) (any, error) {
		h := views.Must(views.New1[uint8]("h", items))
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		h.Set(items-1, 1)
		return nil, exec.ParallelFor(over(s), func(i int) {
			d.Set(i, d.At(i)+1) //!
		})
	}},
	{"the host reads before the copy", stale, func(exec.Space) (any, error) {
		return nil, onDeviceOfItsOwn(func(s exec.Space, h, d views.View1[float64]) error {
			err := doubled(s, d)
			if h.At(3) > 10 { //!
				panic("large")
			}
			return err
		})
	}},
	{"the host reads a slice before the copy", stale, func(exec.Space) (any, error) {
		return nil, onDeviceOfItsOwn(func(s exec.Space, h, d views.View1[float64]) error {
			err := views.Fill(d, 5, policy.On(s))
			for _, e := range h.Row() { //!
				if e < 0 {
					panic("negative")
				}
			}
			return err
		})
	}},
	{"the host reads after one copy of two", stale, func(exec.Space) (any, error) {
		return nil, onDeviceOfItsOwn(func(s exec.Space, h, d views.View1[float64]) error {
			err := errors.Join(doubled(s, d), views.DeepCopy(h, d, onHost), doubled(s, d))
			if h.At(3) > 10 { //!
				panic("large")
			}
			return err
		})
	}},
}

var mirrorsThatAreRight = []planted{
	{"copies both ways", copiedInTime, func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		for step := range 3 {
			if err == nil {
				h.Set(step, h.At(step)+100)
				err = errors.Join(views.DeepCopy(d, h, onHost), doubled(s, d), views.DeepCopy(h, d, onHost))
			}
		}
		return h, err
	}},
	{"the old content is compared with the new", copiedInTime, func(s exec.Space) (any, error) {
		h := host("h")
		if views.MemoryOf(s) == views.Host {
			return 0, nil
		}
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		if err := doubled(s, d); err != nil {
			return nil, err
		}
		differ := 0
		r, err := views.Mirror(d)
		if err != nil {
			return nil, err
		}
		for i := range items {
			r.Set(i, 2*h.At(i)+1)
		}
		n, err := views.MirrorCopy(views.Host, d, onHost)
		if err != nil {
			return nil, err
		}
		for i := range items {
			if n.At(i) == h.At(i) || n.At(i) != r.At(i) {
				differ++
			}
		}
		return differ, nil
	}},
	{"elements that nobody has changed", copiedInTime, func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		h.Set(0, 50)
		err = exec.ParallelFor(policy.Range(1, items/2).On(s), func(i int) { d.Set(i, d.At(i)+1) })
		return h.At(items-1) + h.At(0), err
	}},
	{"what a kernel has written itself", copiedInTime, func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		h.Set(3, 50)
		if err := exec.ParallelFor(over(s), func(i int) {
			d.Set(i, float64(i%17)+0.1*float64(i%7)) // as before
			d.Set(i, d.At(i)+1)
		}); err != nil {
			return nil, err
		}
		return back(d)
	}},
	{"a buffer on the host for several views", copiedInTime, func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		w := on(s, "w", items)
		if err := errors.Join(exec.ParallelFor(over(s), func(i int) { w.Set(i, float64(i)) }), views.DeepCopy(h, w, onHost)); err != nil {
			return nil, err
		}
		err = exec.ParallelFor(over(s), func(i int) { w.Set(i, d.At(i)) })
		return h.At(5), err
	}},
	{"a mirror that the host fills first", copiedInTime, func(s exec.Space) (any, error) {
		d := on(s, "d", items)
		if err := exec.ParallelFor(over(s), func(i int) { d.Set(i, 1) }); err != nil {
			return nil, err
		}
		h, err := views.Mirror(d)
		if err != nil {
			return nil, err
		}
		for i := range items {
			h.Set(i, h.At(i)+float64(i))
		}
		if err := views.DeepCopy(d, h, onHost); err != nil {
			return nil, err
		}
		return back(d)
	}},
}
