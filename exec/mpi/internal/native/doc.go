// Package native is a link over the MPI library that belongs to the launcher of this process.
// Nothing of it is needed when a program is built: [Start] looks at who started the process,
// loads that launcher's library, and knows the three binary interfaces that there are.
//
//	who started it        launcher.go   variables of the environment, the process above
//	where its library is  library.go    GOKKOS_MPI, beside the launcher, where the system looks
//	what it looks like    abi.go        Open MPI, MPICH and its kin, the standard of MPI 5
//	how it is called      call.go       as the granted thread level allows
//	how it is waited for  wait.go       inside the library, or by polls that give the core away
//	what never comes      ended.go, pulse.go: ranks that have ended, and are waited for
//	messages              comm.go, collective.go, vector.go, request.go, large.go
//	manners               signals.go, binding.go
package native
