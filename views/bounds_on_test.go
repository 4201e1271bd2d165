//go:build gokkos_bounds

package views_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/views"
)

// Typed views check every dimension.
func TestBoundsOfTypedViews(t *testing.T) {
	a1 := views.Must(views.New1[int]("a", 2))
	a2 := views.Must(views.New2[int]("a", 2, 2))
	a3 := views.Must(views.New3[int]("a", 2, 2, 2))
	a4 := views.Must(views.New4[int]("a", 2, 2, 2, 2))
	s1 := views.Must(views.AsStrided1(a1.View, nil))
	s2 := views.Must(views.AsStrided2(a2.View, nil))
	s3 := views.Must(views.AsStrided3(a3.View, nil))
	s4 := views.Must(views.AsStrided4(a4.View, nil))
	first := `views: index 2 of view "a" in dimension 0, expected 0 <= index < 2`
	second := `views: index 2 of view "a" in dimension 1, expected 0 <= index < 2`
	for _, c := range []struct {
		want string
		f    func()
	}{
		{first, func() { a1.At(2) }}, {first, func() { a1.Set(2, 1) }},
		{first, func() { a1.Ptr(2) }}, {first, func() { s1.Ptr(2) }}, {second, func() { a2.Ptr(0, 2) }}, {second, func() { s2.Ptr(0, 2) }},
		{second, func() { a3.Ptr(0, 2, 0) }}, {second, func() { s3.Ptr(0, 2, 0) }}, {second, func() { a4.Ptr(0, 2, 0, 0) }}, {second, func() { s4.Ptr(0, 2, 0, 0) }},
		{first, func() { s1.At(2) }}, {first, func() { s1.Set(2, 1) }},
		{second, func() { a2.At(0, 2) }}, {second, func() { a2.Set(0, 2, 1) }}, {first, func() { a2.Row(2) }},
		{second, func() { s2.At(0, 2) }}, {second, func() { s2.Set(0, 2, 1) }},
		{second, func() { a3.At(0, 2, 0) }}, {second, func() { a3.Set(0, 2, 0, 1) }}, {second, func() { a3.Row(0, 2) }},
		{second, func() { s3.At(0, 2, 0) }}, {second, func() { s3.Set(0, 2, 0, 1) }},
		{second, func() { a4.At(0, 2, 0, 0) }}, {second, func() { a4.Set(0, 2, 0, 0, 1) }}, {second, func() { a4.Row(0, 2, 0) }},
		{second, func() { s4.At(0, 2, 0, 0) }}, {second, func() { s4.Set(0, 2, 0, 0, 1) }},
	} {
		assert.EqualError(t, caught(t, c.f), c.want)
	}
}
