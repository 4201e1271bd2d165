package ir

// An Atomic is an operation on element x of a memory that no other worker comes between. Its value is the old
// value of the element, and Func names the new value:
//
//	load              what it was
//	exchange          y
//	add, mul, and, or, xor
//	                  what it was, and y
//	min, max          the same; nothing is written that is there, bit by bit
//	compareexchange   z, if it was y bit by bit
//
// An Atomic happens once, in the order of the loads and stores of the item. It cannot be undone: nothing
// behind it may stop the item.
var atomics = map[string]int{
	"load": 0, "exchange": 1, "add": 1, "mul": 1, "and": 1, "or": 1, "xor": 1, "min": 1, "max": 1, "compareexchange": 2,
}

// isAtomic reports whether an Atomic has arguments and a type that go together.
func isAtomic(v *Value) bool {
	n, ok := atomics[v.Func]
	if !ok || len(v.Args) != 1+n || v.Args[0].Type != I64 || !isNumber(v.Type) {
		return false
	}
	for _, a := range v.Args[1:] {
		if a.Type != v.Type {
			return false
		}
	}
	return v.Type.IsInt() || v.Func != "and" && v.Func != "or" && v.Func != "xor"
}

// Becomes returns the operation by which an Atomic computes the new value from the old one and y. It returns
// Invalid if the element becomes an argument.
func (v *Value) Becomes() Op {
	return map[string]Op{"add": Add, "mul": Mul, "and": And, "or": Or, "xor": Xor, "min": Min, "max": Max}[v.Func]
}

// Accesses reports whether an operation has a memory as its Index.
func (o Op) Accesses() bool { return o == Load || o == Store || o == Atomic }

// Writes reports whether a value may write to memory.
func (v *Value) Writes() bool { return v.Op == Store || v.Op == Atomic }
