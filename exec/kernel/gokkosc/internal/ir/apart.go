package ir

import "slices"

// AreApart reports whether two memories never overlap. That holds if a memory is an array of the item's own,
// or an array without stores. It also holds for the pairs in Apart.
func (k *Kernel) AreApart(a, b int) bool {
	x, y := k.Mems[a], k.Mems[b]
	return a != b && (x.Local > 0 || y.Local > 0 || x.Array || y.Array) || slices.Contains(k.Apart, pair(a, b))
}

// Separate notes that items run only if two memories do not overlap.
func (k *Kernel) Separate(a, b int) {
	if !k.AreApart(a, b) {
		k.Apart = append(k.Apart, pair(a, b))
	}
}

// Renumber gives the memories of pairs their new numbers, and leaves out pairs of which one has a negative number.
func (k *Kernel) Renumber(at []int) {
	pairs := k.Apart
	k.Apart = nil
	for _, p := range pairs {
		if a, b := at[p[0]], at[p[1]]; a >= 0 && b >= 0 {
			k.Apart = append(k.Apart, pair(a, b))
		}
	}
}

func pair(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }
