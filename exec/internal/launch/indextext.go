package launch

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/policy"
)

// IndexText returns an index as text: the coordinates of a point, and for a row or a tile also its other end.
func IndexText(index reflect.Value) string {
	if index.Kind() == reflect.Interface && !index.IsNil() {
		index = index.Elem()
	}
	ours := index.Type().PkgPath() == reflect.TypeFor[policy.Span]().PkgPath()
	switch {
	case index.Kind() != reflect.Struct:
		return fmt.Sprint(index)
	case ours && index.FieldByName("At").IsValid(): // a policy.Row, of any rank
		return IndexText(index.FieldByName("At")) + pointsText(index.FieldByName("Span").Interface().(policy.Span))
	case ours && index.FieldByName("Lower").IsValid(): // a policy.Tile
		return IndexText(index.FieldByName("Lower")) + " to " + IndexText(index.FieldByName("Upper"))
	case RankOf(index.Type()) == 0:
		return fmt.Sprint(index)
	}
	at := make([]int, index.NumField())
	for k := range at {
		at[k] = int(index.Field(k).Int())
	}
	return PointText(at)
}

// PointText returns the coordinates of a point as text.
func PointText(at []int) string {
	return "(" + strings.ReplaceAll(strings.Trim(fmt.Sprint(at), "[]"), " ", ", ") + ")"
}

// rowText returns the text of run r as IndexText returns it for a row.
func rowText(r *policy.Run, rank int) string { return PointText(r.At[:rank]) + pointsText(SpanOf(r)) }

func pointsText(s policy.Span) string { return fmt.Sprintf(", points %d to %d", s.Begin, s.End-1) }

// RankOf returns the number of coordinates of an index of type t, 1 to 6: an int, or an array or struct of
// ints. It returns 0 for any other type.
func RankOf(t reflect.Type) int {
	rank, elem := 1, t
	switch t.Kind() {
	case reflect.Array:
		rank, elem = t.Len(), t.Elem()
	case reflect.Struct:
		rank = t.NumField()
		for k := range rank {
			if elem = t.Field(k).Type; elem.Kind() != reflect.Int {
				break
			}
		}
	}
	if elem.Kind() != reflect.Int || rank > len(policy.Run{}.At) {
		return 0
	}
	return rank
}

// SpanOf returns the range of the coordinate that grows along a run.
func SpanOf(r *policy.Run) policy.Span {
	first := r.At[r.Dim]
	return policy.Span{Begin: first, End: first + r.Len}
}
