package other

// Generated code imports packages of these names.
type kernel struct{ views float64 }

var math, unsafe, views = kernel{3}, kernel{2}, []float64{1, 2}

// Named adds to x.
func Named(x []float64) {
	w := kernel{views: 3}
	Each(len(x), func(i int) { x[i] += max(w.views, unsafe.views*math.views*views[i%2]) }) // loops
}
