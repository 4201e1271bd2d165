package policy

import "github.com/gokkos/gokkos/exec"

type RangePolicy struct{}

func Range(begin, end int) RangePolicy            { return RangePolicy{} }
func (p RangePolicy) On(s exec.Space) RangePolicy { return p }
