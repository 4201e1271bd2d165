package reduce_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/gokkos/gokkos/reducers"
)

func add[T int | float64](dst, src *T) { *dst += *src }

func concat(dst, src *string) { *dst += *src }

func sum(result *int) reducers.Func[int] { return reducers.New(result, add[int]) }

func product(result *int) reducers.Func[int] {
	return reducers.New(result, func(dst, src *int) { *dst *= *src }, reducers.Init(func(val *int) { *val = 1 }))
}

type stats struct {
	count int
	words string
}

func countField(result *int) reducers.Reducer[stats] {
	return reducers.Field(func(s *stats) *int { return &s.count }, sum(result))
}

func wordsField(result *string) reducers.Reducer[stats] {
	return reducers.Field(func(s *stats) *string { return &s.words }, reducers.Ordered(reducers.New(result, concat)))
}

// last is a reducer of any type: its values need not be joined to leave the process.
func last[T any]() reducers.Reducer[T] { return lastTo(new(T)) }

func lastTo[T any](result *T) reducers.Reducer[T] {
	return reducers.New(result, func(dst, src *T) { *dst = *src })
}

func second[T any](_, b T) T { return b }

type (
	entry struct {
		X    float32
		On   bool
		Name string
	}
	six   struct{ A, B, C, D, E, F float64 }
	hists struct {
		N    int
		Hist map[string]int
	}
)

var payload = math.Float64frombits(0x7ff8_0000_dead_beef)

// union is a reducer of sets that gives them a form.
type union struct {
	reducers.Base[map[string]bool]
}

func (union) Init(val *map[string]bool)      { *val = map[string]bool{} }
func (union) Join(dst, src *map[string]bool) { maps.Copy(*dst, *src) }

func (union) AppendValue(buf []byte, val *map[string]bool) ([]byte, error) {
	buf = binary.AppendUvarint(buf, uint64(len(*val)))
	for _, name := range slices.Sorted(maps.Keys(*val)) {
		buf = append(binary.AppendUvarint(buf, uint64(len(name))), name...)
	}
	return buf, nil
}

func (union) SetValue(val *map[string]bool, data []byte) ([]byte, error) {
	size, bytes := binary.Uvarint(data)
	if bytes <= 0 {
		return nil, errors.New("no size is left, expected one")
	}
	data = data[bytes:]
	for range size {
		n, bytes := binary.Uvarint(data)
		if bytes <= 0 || uint64(len(data)-bytes) < n {
			return nil, errors.New("less than a name is left, expected one")
		}
		(*val)[string(data[bytes:][:n])] = true
		data = data[bytes+int(n):]
	}
	return data, nil
}
