package atomics

import (
	"sync/atomic"
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/watch"
)

// Add adds x to *p and returns the sum.
//
//go:norace
func Add[T builtin.Real](p *T, x T) T {
	_, now := update(p, x, sum)
	return now
}

// FetchAdd adds x to *p and returns what it was.
//
//go:norace
func FetchAdd[T builtin.Real](p *T, x T) T {
	old, _ := update(p, x, sum)
	return old
}

// Sub subtracts x from *p and returns the difference.
//
//go:norace
func Sub[T builtin.Real](p *T, x T) T { return Add(p, -x) }

// FetchSub subtracts x from *p and returns what it was.
//
//go:norace
func FetchSub[T builtin.Real](p *T, x T) T { return FetchAdd(p, -x) }

// Mul multiplies *p by x and returns the product.
//
//go:norace
func Mul[T builtin.Real](p *T, x T) T {
	_, now := update(p, x, product)
	return now
}

// FetchMul multiplies *p by x and returns what it was.
//
//go:norace
func FetchMul[T builtin.Real](p *T, x T) T {
	old, _ := update(p, x, product)
	return old
}

// Min sets *p to min(*p, x) and returns that. It writes only what is new.
//
//go:norace
func Min[T builtin.Real](p *T, x T) T {
	_, now := update(p, x, least)
	return now
}

// FetchMin sets *p to min(*p, x) and returns what it was. It writes only what is new.
//
//go:norace
func FetchMin[T builtin.Real](p *T, x T) T {
	old, _ := update(p, x, least)
	return old
}

// Max sets *p to max(*p, x) and returns that. It writes only what is new.
//
//go:norace
func Max[T builtin.Real](p *T, x T) T {
	_, now := update(p, x, most)
	return now
}

// FetchMax sets *p to max(*p, x) and returns what it was. It writes only what is new.
//
//go:norace
func FetchMax[T builtin.Real](p *T, x T) T {
	old, _ := update(p, x, most)
	return old
}

// An operation says what update does.
type operation uint8

const (
	sum operation = iota
	product
	least // from here on, what is not new is not written
	most
)

// of returns the result of the operation.
//
//go:norace
func of[T builtin.Real](does operation, old, x T) T {
	switch does {
	case sum:
		return old + x
	case product:
		return old * x
	case least:
		return min(old, x)
	}
	return max(old, x)
}

// update sets *p to the result of the operation on *p and x, and returns what it was and what it is.
//
// The operation is a number, and the two loops on words are written out, for them to call nothing: each
// call takes a tenth as long as the exchange.
//
//go:norace
func update[T builtin.Real](p *T, x T, does operation) (old, now T) {
	if !kind.IsFloat[T]() && does == sum && (words(p, 8) || words(p, 4)) {
		now = addInteger(p, x)
		return now - x, now
	}
	if words(p, 8) && !watch.On {
		word := (*uint64)(unsafe.Pointer(p))
		for {
			was := atomic.LoadUint64(word)
			old = as[T](was)
			now = of(does, old, x)
			is := as[uint64](now)
			if does >= least && is == was || atomic.CompareAndSwapUint64(word, was, is) {
				return old, now
			}
		}
	}
	if words(p, 4) && !watch.On {
		word := (*uint32)(unsafe.Pointer(p))
		for {
			was := atomic.LoadUint32(word)
			old = as[T](was)
			now = of(does, old, x)
			is := as[uint32](now)
			if does >= least && is == was || atomic.CompareAndSwapUint32(word, was, is) {
				return old, now
			}
		}
	}
	for {
		old = Load(p)
		now = of(does, old, x)
		if does >= least && same(old, now) || swap(p, old, now) {
			return old, now
		}
	}
}

// addInteger is for integers of 4 and 8 bytes.
//
//go:norace
func addInteger[T builtin.Real](p *T, x T) T {
	watched(p, watch.Update)
	if unsafe.Sizeof(x) == 8 {
		return T(atomic.AddUint64((*uint64)(unsafe.Pointer(p)), uint64(x)))
	}
	return T(atomic.AddUint32((*uint32)(unsafe.Pointer(p)), uint32(x)))
}
