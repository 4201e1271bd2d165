package asm_test

import _ "github.com/gokkos/gokkos/internal/watch" // for go test -gcflags=-race
