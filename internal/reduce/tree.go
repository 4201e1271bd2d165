package reduce

// JoinTree joins all the values into values[0], as an aligned binary tree: (0,1),
// (2,3), ..., then (0,2), (4,6), ... and so on. The left one is the dst of each join,
// and one without a right neighbour is passed up as it is.
func JoinTree[T any](r reducer[T], values []T) {
	for width := 1; width < len(values); width *= 2 {
		for k := 0; k+width < len(values); k += 2 * width {
			r.Join(&values[k], &values[k+width])
		}
	}
}
