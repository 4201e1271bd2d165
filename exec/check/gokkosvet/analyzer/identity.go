package analyzer

type sided struct {
	fate fate
}

type fate uint8

const (
	compares fate = iota + 1
)

type choice uint8

func (l leaf) choices() (yes, no choice) { return 0, 0 }
