// Package group has the group functions of SYCL, OpenCL and CUDA that Kokkos does not have: votes,
// shuffles, scans and reductions with an initial value, and joint operations on a slice.
//
// They are collectives of package team, for the same groups: a [team.Member] stands for its team, a
// [team.SubGroup] for itself. Every member must make the same call, which is a barrier, too. The rules
// for collectives and the functions that they are given are in the documentation of package team, with
// the order in which values are joined.
//
// Package team itself has the functions that Kokkos has: team.AllReduce, team.ExclusiveScan,
// team.Broadcast, team.Single and the nested patterns.
package group
