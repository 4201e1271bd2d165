// Package draw makes random numbers of counters: what package views/random is made of, for spaces that make random numbers
// in a memory of their own, see device.RandomFiller. A kernel that calls these functions has the bits of all other spaces.
// Programs use package views/random.
package draw
