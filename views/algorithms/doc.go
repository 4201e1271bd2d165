// Package algorithms has parallel algorithms over views of rank 1.
package algorithms
