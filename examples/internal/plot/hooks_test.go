package plot

import _ "github.com/gokkos/gokkos/exec" // which has the hooks that go test -gcflags=-race links
