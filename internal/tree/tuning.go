package tree

// NodeLeaves is the most leaves that a reducer reduces in one call. It changes no bits: a node
// has the same value whoever joins its leaves. More leaves are fewer calls, and more scratch
// memory and larger pieces of work for each worker. See exec's BenchmarkParallelFold, and
// internal/simd's BenchmarkLeaves for the loop itself.
const NodeLeaves = 64

// MaxUnits is the most units of a scan, for each of which it keeps two values and a line of
// the cache. More units are more memory; fewer have more leaves, whose results are computed
// longer after their sums. See exec's BenchmarkScan.
const MaxUnits = 1 << 13
