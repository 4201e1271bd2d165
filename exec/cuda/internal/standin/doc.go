// Package standin has a library in place of NVIDIA's driver, for tests: devices in the memory of the host,
// calls that fail when they are told to, and devices that are lost. It is C, compiled by gcc if there is one.
package standin
