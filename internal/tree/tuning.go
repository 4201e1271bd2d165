package tree

// NodeLeaves is the most leaves that a reducer reduces in one call. It changes no bits: a node
// has the same value whoever joins its leaves. More leaves are fewer calls, and more scratch
// memory and larger pieces of work for each worker. See exec's BenchmarkParallelFold, and
// internal/simd's BenchmarkLeaves for the loop itself.
const NodeLeaves = 64
