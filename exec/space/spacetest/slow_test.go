//go:build gokkos_slow

package spacetest_test

const slow = true
