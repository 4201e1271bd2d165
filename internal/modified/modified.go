// Package modified finds the reducer within one that differs from it in its traits only, which
// is a reducers.Modified. Those who ask for more than traits are below package reducers, and
// so cannot name that type; a method of its own would be one of whatever embeds it, too.
package modified

// Within returns the reducer within r if r is a reducers.Modified, and whether it is one.
// Package reducers sets it when the program starts; without that package there is none.
var Within = func(r any) (inner any, ok bool) { return nil, false }
