// Package conformance checks that a device gives the bits of the host, and measures it.
package conformance
