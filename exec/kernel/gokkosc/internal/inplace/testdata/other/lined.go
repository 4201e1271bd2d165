package other

// A generator of code may say where its lines come from, with columns and without.

//line grammar.y:100
func Lined(x []float64) {
	a := 2.5
	Each(len(x), func(i int) { x[i] = a * float64(i) })
	/*line grammar.y:200:3*/ Each(len(x), func(i int) { x[i] += a })
}
