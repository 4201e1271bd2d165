package asm_test

import _ "github.com/gokkos/gokkos/exec" // has the hooks for go test -gcflags=-race
