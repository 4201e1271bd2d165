package exec

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/policy"
)

// indexText returns an index as text: the coordinates of a point, with the other ends of what is larger than one.
func indexText(index reflect.Value) string {
	if index.Kind() == reflect.Interface && !index.IsNil() {
		index = index.Elem()
	}
	ours := index.Type().PkgPath() == reflect.TypeFor[policy.Span]().PkgPath()
	switch {
	case index.Kind() != reflect.Struct:
		return fmt.Sprint(index)
	case ours && index.FieldByName("At").IsValid(): // a policy.Row, of any rank
		return indexText(index.FieldByName("At")) + pointsText(index.FieldByName("Span").Interface().(policy.Span))
	case ours && index.FieldByName("Lower").IsValid(): // a policy.Tile
		return indexText(index.FieldByName("Lower")) + " to " + indexText(index.FieldByName("Upper"))
	case rankOf(index.Type()) == 0:
		return fmt.Sprint(index)
	}
	at := make([]int, index.NumField())
	for k := range at {
		at[k] = int(index.Field(k).Int())
	}
	return pointText(at)
}

// pointText returns the coordinates of a point as text.
func pointText(at []int) string {
	return "(" + strings.ReplaceAll(strings.Trim(fmt.Sprint(at), "[]"), " ", ", ") + ")"
}

// rowText returns a run as indexText does the row that the functor has.
func rowText(r *policy.Run, rank int) string { return pointText(r.At[:rank]) + pointsText(spanOf(r)) }

func pointsText(s policy.Span) string { return fmt.Sprintf(", points %d to %d", s.Begin, s.End-1) }

// rankOf returns of how many coordinates an index of that type consists: integers, and
// nothing else.
func rankOf(t reflect.Type) int {
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
