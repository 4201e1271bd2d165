package policy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/policy"
)

func TestLaunchWith(t *testing.T) {
	type Launch = policy.Launch
	ctx, other := context.WithValue(context.Background(), key{}, 1), context.Background()
	a, b := named("a"), named("b")
	full := policy.On(a).WithContext(ctx).WithLabel("a")
	for _, test := range []struct {
		name      string
		got, want Launch
	}{
		{"nothing", full.With(), full},
		{"a zero one", full.With(Launch{}, Launch{}), full},
		{"a space", full.With(policy.On(b)), policy.On(b).WithContext(ctx).WithLabel("a")},
		{"a context", full.With(Launch{}.WithContext(other)), policy.On(a).WithContext(other).WithLabel("a")},
		{"a label", full.With(Launch{}.WithLabel("b")), policy.On(a).WithContext(ctx).WithLabel("b")},
		{"all", Launch{}.With(full), full},
		{"parts", Launch{}.With(policy.On(a), Launch{}.WithContext(ctx), Launch{}.WithLabel("a")), full},
		{"the last", Launch{}.With(policy.On(a), policy.On(b)), policy.On(b)},
		{"no space any more", full.On(nil), Launch{}.WithContext(ctx).WithLabel("a")},
	} {
		assert.Equal(t, test.want, test.got, test.name)
	}
	assert.Equal(t, a, full.Space(), "a launch is a value")
	assert.Nil(t, Launch{}.Space())
}
