package ir

// An Access takes contributions to the cells of a scatter: a scatter.Access that is an accumulator of the launch, or
// a part of one.
type Access struct {
	Lanes  int // index of Kernel.Lanes
	Path   []Step
	Elem   Type // of a contribution in memory
	GoElem string
	Layout AccessLayout
}

// An AccessLayout is where a scatter.Access has the extents of its cells: offsets in bytes, on 64-bit machines.
type AccessLayout struct {
	Scatter int // in an Access: the pointer to its scatter
	Rank    int // in a scatter: an int
	Extents int // in a scatter: an array of int
}

// combines are the methods of an Access with the numbers in an index of theirs. Contributions follow the index:
// as many as a row has cells in a CombineRow, else one.
var combines = map[string]int{
	"Combine1": 1, "Combine2": 2, "Combine3": 3, "Combine4": 4, "CombineRow2": 1, "CombineRow3": 2,
}

// IndexOf returns how many numbers the index of a method of an Access has; 0 of a method that is no Combine.
func IndexOf(method string) int { return combines[method] }

// NewCells returns an extent of cells of a rank, to which an access contributes.
func (k *Kernel) NewCells(access, d, rank int) *Value {
	v := k.NewValue(Cells, I64)
	v.Index, v.Bits = access, uint64(d)<<8|uint64(rank)
	return v
}

// Extent returns the dimension whose extent a Cells is, and the rank that the cells must have.
func (v *Value) Extent() (d, rank int) { return int(v.Bits >> 8), int(v.Bits & 0xff) }

// isCombine reports whether a Combine has arguments that go together.
func isCombine(v *Value) bool {
	n := combines[v.Func]
	if n == 0 || v.Type != None || len(v.Args) < n || len(v.Args) != n+1 && v.Func[:len(v.Func)-1] == "Combine" {
		return false
	}
	for k, a := range v.Args {
		if k < n && a.Type != I64 || k >= n && (!isNumber(a.Type) || a.Type != v.Args[n].Type) {
			return false
		}
	}
	return true
}

// Contributes reports whether items contribute to a scatter.
func (k *Kernel) Contributes() bool { return len(k.Accesses) > 0 }
