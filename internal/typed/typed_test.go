package typed

import (
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type adder[T any] interface{ Add(x T) T }

type (
	pair  struct{ a, b int } // does not fit in the word of an interface
	place struct{ p *int }   // is one
	other struct{}
)

func (p pair) Add(x int) int  { return p.a + 10*p.b + x }
func (p place) Add(x int) int { return *p.p + x }
func (p *pair) Sub(x int) int { return p.a - x }

// What is remembered is the type, and not the value.
func TestAs(t *testing.T) {
	one, two := 1, 2
	for range 3 {
		for _, x := range []struct {
			value any
			want  int
			ok    bool
		}{
			{pair{1, 2}, 121, true}, {pair{3, 4}, 143, true}, {&pair{5, 6}, 165, true}, {place{&one}, 101, true}, {place{&two}, 102, true},
			{other{}, 0, false}, {other{}, 0, false}, {nil, 0, false}, {nil, 0, false}, {3, 0, false}, {adder[int](pair{7, 0}), 107, true},
		} {
			got, ok := As[adder[int]](x.value)
			require.Equal(t, x.ok, ok, "%T", x.value)
			if !ok {
				require.Nil(t, got, "%T", x.value)
				continue
			}
			require.Equal(t, x.want, got.Add(100), "%T", x.value)
			require.Equal(t, x.value, any(got))
		}
	}
}

// Types that share a place are told apart, and what nobody remembers is asked.
func TestMoreTypesThanPlaces(t *testing.T) {
	for range 2 {
		for n := range 5 * len(answers) {
			array := reflect.New(reflect.ArrayOf(n, reflect.TypeFor[pair]())).Elem().Interface()
			_, ok := As[adder[int]](array)
			require.False(t, ok)
			_, ok = As[adder[string]](pair{})
			require.False(t, ok)
			got, ok := As[adder[int]](pair{n, 0})
			require.True(t, ok)
			require.Equal(t, n, got.Add(0))
		}
	}
}

func TestAsAtOneTime(t *testing.T) {
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for n := range 100 {
				got, ok := As[interface{ Sub(x int) int }](&pair{a: n})
				assert.True(t, ok)
				assert.Equal(t, n-w, got.Sub(w))
			}
		})
	}
	all.Wait()
}

func TestOf(t *testing.T) {
	require.Equal(t, Of(pair{1, 2}), Of(pair{3, 4}))
	require.Equal(t, Of(pair{}), Of(adder[int](pair{})))
	require.NotEqual(t, Of(pair{}), Of(&pair{}))
	require.NotEqual(t, Of(int32(1)), Of(uint32(1)))
	require.Zero(t, Of(nil))
}

func TestSame(t *testing.T) {
	require.True(t, Same[adder[int]](pair{1, 2}, pair{3, 4}))
	require.True(t, Same[any](1, 2))
	require.False(t, Same[any](1, int8(1)))
	require.False(t, Same[any](1, nil))
}
