package exec

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/policy"
)

// An itemPanic is the panic of a functor with the index of its item. A loop over items panics with one.
type itemPanic struct {
	value any
	stack []byte
	index string // of that item, see Panic
}

// locate adds the index in *at to a panic of the functor. A loop defers locate, and keeps in *at the index that
// the functor has. That is a store for each item, 0.05 ns beside a call of 1.9 ns. *done says that the loop has ended
// well, which recover does not: a functor may panic with nil.
func locate[I any](at *I, done *bool) {
	if *done {
		return
	}
	if value := recover(); value != nil || !goexit.Runs() {
		panic(located(value, indexText(reflect.ValueOf(*at))))
	}
}

// locateRow is locate for rows of points of a rank: **at is the run that the functor has as a row.
func locateRow(at **policy.Run, rank int, done *bool) {
	if *done {
		return
	}
	if value := recover(); value != nil || !goexit.Runs() {
		panic(located(value, rowText(*at, rank)))
	}
}

// located returns a panic with the index of its item. One of no functor, and one with an index stay as they are.
func located(value any, index string) any {
	switch value.(type) {
	case *itemPanic, *teamFault, *lane.Panic, breach:
		return value
	}
	return &itemPanic{value, debug.Stack(), index}
}

// indexText returns an index as text: the coordinates of a point, with the other ends of what is larger than one.
func indexText(index reflect.Value) string {
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
