package main

import (
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A window is a part of the plane.
type window struct {
	left, top float64
	step      float64 // from pixel to pixel
}

// escape sets each pixel of picture to the number of rounds of w²+c, for c the pixel's point, that stay
// within 2 of the origin; most is when to stop counting.
//
//gokkos:kernel
func escape(of window, most int, picture views.View2[int32]) func(p policy.Index2) {
	return func(p policy.Index2) {
		cr, ci := of.left+float64(of.step*float64(p.J)), of.top-float64(of.step*float64(p.I))
		re, im, k := 0.0, 0.0, 0
		for ; k < most; k++ {
			rr, ii := float64(re*re), float64(im*im)
			if rr+ii > 4 {
				break
			}
			re, im = rr-ii+cr, float64(2*re*im)+ci
		}
		picture.Set(p.I, p.J, int32(k))
	}
}
