//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"runtime"
	"slices"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// onHost is where copies run.
var onHost = policy.On(exec.Serial{})

// on returns a view in the memory of a space.
func on(s exec.Space, label string, n int) views.View1[float64] {
	return views.Must(views.As1(views.NewIn[float64](views.MemoryOf(s), label, []int{n})))
}

// host returns a view on the host.
func host(label string) views.View1[float64] {
	return views.Must(views.Of1(label, ramp(items)))
}

// back returns the content of a view.
func back(v views.View1[float64]) (any, error) {
	h, err := views.Mirror(v)
	if err == nil {
		err = views.DeepCopy(h, v, onHost)
	}
	return h, err
}

func points(s exec.Space) policy.MDRangePolicy[policy.Index2, [2]int] {
	return policy.MDRange2([2]int{}, [2]int{20, 30}).On(s)
}

var viewRaces = []planted{
	{"the row below", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New2[float64]("v", 20, 30))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) {
			v.Set(p.I, p.J, v.At((p.I+1)%20, p.J)+1) //!
		})
	}},
	{"a column of layout Left", races, func(s exec.Space) (any, error) {
		v := views.Must(views.AsStrided2(views.New[float64]("v", []int{20, 30}, views.Left)))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) {
			v.Set(p.I, p.J, v.At(p.I, (p.J+1)%30)+1) //!
		})
	}},
	{"three dimensions", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New3[int32]("v", 5, 6, 7))
		return v, exec.ParallelFor(policy.MDRange3([3]int{}, [3]int{5, 6, 7}).On(s), func(p policy.Index3) {
			v.Set(p.I, p.J, p.K, v.At(p.I, (p.J+1)%6, p.K)+1) //!
		})
	}},
	{"four dimensions", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New4[int64]("v", 3, 4, 5, 6))
		return v, exec.ParallelFor(policy.MDRange4([4]int{}, [4]int{3, 4, 5, 6}).On(s), func(p policy.Index4) {
			v.Set(p.I, p.J, p.K, p.L, v.At(0, p.J, p.K, p.L)+1) //!
		})
	}},
	{"any rank", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New[int]("v", []int{20, 30}))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) {
			v.Set([]int{p.I, p.J}, v.At(p.I/2, p.J)+1) //!
		})
	}},
	{"a view and its transpose", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New2[float64]("v", 30, 30))
		t := v.Transpose()
		return v, exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{30, 30}).On(s), func(p policy.Index2) {
			v.Set(p.I, p.J, t.At(p.I, p.J)+1) //!
		})
	}},
	{"a view and a part of it", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New1[int]("v", items+5))
		part := views.Must(views.As1(v.Sub(views.Range(5, items+5))))
		return v, exec.ParallelFor(over(s), func(i int) {
			v.Set(i, part.At(i)+1) //!
		})
	}},
	{"a view and the slice that it is of", races, func(s exec.Space) (any, error) {
		x := ramp(items)
		v := views.Must(views.Of1("v", x))
		return v, exec.ParallelFor(over(s), func(i int) {
			x[i] = v.At((i + 1) % items) //!
		})
	}},
	{"a reshaped view", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New1[int]("v", 600))
		flat := views.Must(views.As2(v.Reshape(20, 30)))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) {
			flat.Set(p.I, p.J, v.At((30*p.I+p.J+1)%600)) //!
		})
	}},
	{"pointers of a view", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New2[int]("v", 20, 30))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) {
			*v.Ptr(p.I, 0) += p.J //!
		})
	}},
	{"rows as slices", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New2[int]("v", 20, 30))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) {
			v.Row(0)[p.J] += p.I //!
		})
	}},
	{"memory of a device", races, func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		if err := exec.ParallelFor(over(s), func(i int) {
			v.Set(i/2, float64(i)) //!
		}); err != nil {
			return nil, err
		}
		return back(v)
	}},
	{"elements of a view of structs", races, func(s exec.Space) (any, error) {
		v := views.Must(views.New1[[3]float32]("v", items))
		return v, exec.ParallelFor(over(s), func(i int) {
			v.Set(i, v.At(items-1-i)) //!
		})
	}},
	{"functor of FillFunc", races, func(s exec.Space) (any, error) {
		v, n := views.Must(views.New1[int]("v", items)), 0
		return v, views.FillFunc(v, func(p policy.Span, x []int) {
			for k := range x {
				n++ //!
				x[k] = p.Begin + k
			}
			n += len(x) //!
		}, policy.On(s))
	}},
}

var outOfBounds = []planted{
	{"past the end of a slice", panicsWith("index out of range [1000] with length 1000"), func(s exec.Space) (any, error) {
		x, y := ramp(items), make([]float64, items)
		return y, exec.ParallelFor(over(s), func(i int) { y[i] = x[i+1] })
	}},
	{"before a slice", panicsWith("index out of range [-1]"), func(s exec.Space) (any, error) {
		x, y := ramp(items), make([]float64, items)
		return y, exec.ParallelFor(over(s), func(i int) { y[i] = x[i-1] })
	}},
	{"past the last row", panicsWith("index "), func(s exec.Space) (any, error) {
		v := views.Must(views.New2[float64]("v", 20, 30))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) { v.Set(p.I+1, p.J, 1) })
	}},
	{"past the end of a row", outside(`index 30 of view "v" in dimension 1`), func(s exec.Space) (any, error) {
		v, y := views.Must(views.New2[float64]("v", 20, 30)), make([]float64, 20)
		return y, exec.ParallelFor(policy.Range(0, 19).On(s), func(i int) {
			for j := 0; j <= 30; j++ {
				y[i] += v.At(i, j)
			}
		})
	}},
	{"before a row", outside(`index -1 of view "v" in dimension 1`), func(s exec.Space) (any, error) {
		v, y := views.Must(views.New2[float64]("v", 20, 30)), make([]float64, 20)
		return y, exec.ParallelFor(policy.Range(1, 20).On(s), func(i int) { y[i] = v.At(i, -1) })
	}},
	{"rows and columns exchanged", outside(`of view "v" in dimension 0, expected 0 <= index < 20`), func(s exec.Space) (any, error) {
		v := views.Must(views.AsStrided2(views.New[float64]("v", []int{20, 30}, views.Left)))
		y := make([]float64, 20)
		return y, exec.ParallelFor(policy.Range(0, 20).On(s), func(i int) { y[i] = v.At(i+3, i/2) })
	}},
	{"a part that reaches into the rest", outside(`index 5 of view "v" in dimension 1`), func(s exec.Space) (any, error) {
		v, y := views.Must(views.New2[float64]("v", 20, 30)), make([]float64, 20)
		part := views.Must(views.As2(v.Sub(views.Range(0, 19), views.Range(10, 15))))
		return y, exec.ParallelFor(policy.Range(0, 18).On(s), func(i int) { y[i] = part.At(i, 5) })
	}},
	{"three dimensions", outside(`index 7 of view "v" in dimension 2`), func(s exec.Space) (any, error) {
		v := views.Must(views.New3[int]("v", 5, 6, 7))
		return v, exec.ParallelFor(policy.Range(0, 4).On(s), func(i int) { v.Set(i, i, 7, 1) })
	}},
	{"any rank", panicsWith(`index 30 of view "v" in dimension 1`), func(s exec.Space) (any, error) {
		v := views.Must(views.New[int]("v", []int{20, 30}))
		return v, exec.ParallelFor(policy.Range(0, 19).On(s), func(i int) { v.Set([]int{i, 30}, 1) })
	}},
	{"scratch of a team", panicsWith("index out of range [64] with length 64"), inTeams(func(m *member, e, _ []float64) { e[m.Rank()+1] = 1 })},
}

var wrongSides = []planted{
	{"the host reads memory of a device", denied(`views: access to "v" [1000] in the memory of`), func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		if err := exec.ParallelFor(over(s), func(i int) { v.Set(i, 1) }); err != nil {
			return nil, err
		}
		return v.At(3), nil
	}},
	{"the host writes memory of a device", denied(`views: access to "v" [1000] in the memory of`), func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		v.Set(0, 1)
		return nil, nil
	}},
	{"the host takes a slice of it", denied(`views: access to "v" [1000] in the memory of`), func(s exec.Space) (any, error) {
		x, _ := on(s, "v", items).Slice()
		return len(x), nil
	}},
	{"a kernel on another space", denied(`views: access to "v" [1000] in the memory of`), func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		return nil, exec.ParallelFor(policy.Range(0, items).On(exec.Serial{}), func(i int) { v.Set(i, 1) })
	}},
	{"a kernel on another device", denied(`views: access to "v" [1000] in the memory of`), func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		other := exec.NewSimGPU(gpu.H200())
		defer other.Close()
		return nil, exec.ParallelFor(over(other), func(i int) { v.Set(i, 1) })
	}},
	{"a slice that outlives its launch", sides, func(s exec.Space) (any, error) {
		v, row := on(s, "v", items), []float64(nil)
		if err := exec.ParallelFor(policy.Range(0, 1).On(s), func(i int) { row = v.Row() }); err != nil {
			return nil, err
		}
		x := row[3] //!
		err := launchAgain(s)
		runtime.KeepAlive(v)
		return x, err
	}},
	{"a pointer that outlives its launch", sides, func(s exec.Space) (any, error) {
		v, p := on(s, "v", items), (*float64)(nil)
		if err := exec.ParallelFor(policy.Range(0, 1).On(s), func(i int) { p = v.Ptr(7) }); err != nil {
			return nil, err
		}
		*p = 1 //!
		err := launchAgain(s)
		runtime.KeepAlive(v)
		return nil, err
	}},
	{"a slice that goes to another space", sides, func(s exec.Space) (any, error) {
		v, row := on(s, "v", items), []float64(nil)
		if err := exec.ParallelFor(policy.Range(0, 1).On(s), func(i int) { row = v.Row() }); err != nil {
			return nil, err
		}
		if err := exec.ParallelFor(over(exec.Serial{}), func(i int) {
			row[i] = 1 //!
		}); err != nil {
			return nil, err
		}
		err := launchAgain(s)
		runtime.KeepAlive(v)
		return nil, err
	}},
	{"a mirror that was not copied back", differs("differs from that of a loop in every schedule"), func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		return h, exec.ParallelFor(over(s), func(i int) { d.Set(i, 2*d.At(i)) })
	}},
	{"a mirror that was copied too early", differs("differs from that of a loop in every schedule"), func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		h.Set(0, 100)
		if err := exec.ParallelFor(over(s), func(i int) { d.Set(i, 2*d.At(i)) }); err != nil {
			return nil, err
		}
		return back(d)
	}},
	{"a mirror that has no content", differs("differs from that of a loop in every schedule"), func(s exec.Space) (any, error) {
		h := host("h")
		d := h
		if views.MemoryOf(s) != views.Host {
			d = on(s, "d", items)
		}
		if err := exec.ParallelFor(over(s), func(i int) { d.Set(i, 1+d.At(i)) }); err != nil {
			return nil, err
		}
		return back(d)
	}},
}

// launchAgain is a launch, which hears of what the host did before it.
func launchAgain(s exec.Space) error { return exec.ParallelFor(policy.Range(0, 1).On(s), func(int) {}) }

var viewsThatAreRight = []planted{
	{"points of their own", right, func(s exec.Space) (any, error) {
		v := views.Must(views.New2[float64]("v", 20, 30))
		return v, exec.ParallelFor(points(s), func(p policy.Index2) { v.Set(p.I, p.J, v.At(p.I, p.J)+1) })
	}},
	{"parts that are apart", right, func(s exec.Space) (any, error) {
		v := views.Must(views.New1[int]("v", 2*items))
		even, odd := views.Must(views.AsStrided1(v.Sub(views.All().By(2)))), views.Must(views.AsStrided1(v.Sub(views.Range(1, 2*items).By(2))))
		return v, exec.ParallelFor(over(s), func(i int) { even.Set(i, odd.At((i+1)%items)+1) })
	}},
	{"a mirror", right, func(s exec.Space) (any, error) {
		d, err := views.MirrorCopy(views.MemoryOf(s), host("h"), onHost)
		if err != nil {
			return nil, err
		}
		if err := exec.ParallelFor(over(s), func(i int) { d.Set(i, 2*d.At(i)) }); err != nil {
			return nil, err
		}
		return back(d)
	}},
	{"a mirror that is copied back", right, func(s exec.Space) (any, error) {
		h := host("h")
		d, err := views.MirrorCopy(views.MemoryOf(s), h, onHost)
		if err != nil {
			return nil, err
		}
		if err := exec.ParallelFor(over(s), func(i int) { d.Set(i, 2*d.At(i)) }); err != nil {
			return nil, err
		}
		return h, views.DeepCopy(h, d, onHost)
	}},
	{"all indices inside", right, func(s exec.Space) (any, error) {
		v, y := views.Must(views.Of2("v", ramp(600), 20, 30)), make([]float64, 20)
		return y, exec.ParallelFor(policy.Range(0, 20).On(s), func(i int) {
			for j := range 30 {
				y[i] += v.At(i, j)
			}
		})
	}},
	{"fill, copy and algorithms of views", right, func(s exec.Space) (any, error) {
		v, w := views.Must(views.New2[float64]("v", 20, 30)), views.Must(views.New2[float64]("w", 20, 30))
		if err := views.Fill(v, 3, policy.On(s)); err != nil {
			return nil, err
		}
		return w, views.DeepCopy(w, v, policy.On(s))
	}},
	{"rows and pointers inside of a launch", right, func(s exec.Space) (any, error) {
		v := on(s, "v", items)
		if err := exec.ParallelFor(over(s), func(i int) {
			row, p := v.Row(), v.Ptr(i)
			row[i] = 1
			*p++
		}); err != nil {
			return nil, err
		}
		return back(v)
	}},
	{"FillFunc", right, func(s exec.Space) (any, error) {
		v := views.Must(views.AsStrided2(views.New[int]("v", []int{20, 30}, views.Left)))
		err := views.FillFunc(v, func(p policy.Span, x []int) {
			for k := range x {
				x[k] = p.Begin + k
			}
		}, policy.On(s))
		return slices.Collect(v.Values()), err
	}},
}
