//go:build gokkos_slow

package exectest_test

const slow = true
