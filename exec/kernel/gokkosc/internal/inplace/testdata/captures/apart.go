package main

// elsewhere is the functor of launches in another file. This file has no launch.
func elsewhere(i int) {
	if i%2 == 0 { // half of the items
		return
	}
	declaredInto[i] -= chosenOf(float64(i)) // the last statement
}

type apart struct{ x []float64 }

func (a *apart) set(i int) { a.x[i] += chosenOf(a.x[i]) } // a comment
