package workers

import "time"

// What decides how a launch is run. None of it changes a bit of a result. The times were
// chosen by the benchmarks that are named, run with go test ./exec -run xxx -bench NAME on
// machines of 2 and of 16 cores.
const (
	// claimsPerWorker is how many claims a long launch, or one of which nothing is known, has for each worker, or up to
	// twice as many: enough to even out the load, few enough to make a claim cheap. [Tree, Fold]
	claimsPerWorker = 8

	// claimTime is what it takes to take a claim and to join its result, where other cores have the lines of
	// the cache. Larger: fewer claims, and more waiting for whoever has the last one. Smaller: claims cost
	// more than waiting. [Short]
	claimTime = 250 * time.Nanosecond

	// holdUps is one over the part of a claim that a launch waits, in the end, for who was held up. Larger: short launches
	// are cut into few claims, and wait for slow processors. Smaller: more claims. [Short]
	holdUps = 4

	// soloLimit is how long a launch may take for its caller to run it alone: a parked
	// helper would take about as long to come. Larger: launches that helpers could halve
	// are not shared. Smaller: callers wait for helpers that come too late. [Launch]
	soloLimit = 10 * time.Microsecond

	// soloLimitWarm is soloLimit where another launch ended less than soloLimit ago:
	// helpers are still awake, and come at once. [Launch]
	soloLimitWarm = 3 * time.Microsecond

	// comeTime is how much later a launch ends for each helper that is awake: they come, take
	// claims and leave one after the other. Larger: short launches have fewer helpers than they
	// could use. Smaller: more than it is worth. Where helpers are parked, it is parkedComeTime
	// that it takes to wake each. [Short]
	comeTime       = 200 * time.Nanosecond
	parkedComeTime = soloLimit / 2

	// patience is how many looks at a launch a helper takes that it does not want first, up to
	// a microsecond. Larger: a launch waits longer for others where those are parked or
	// busy. Smaller: they come before those that have the data. [Helpers]
	patience = 16

	// spinTime is how long helpers and those who wait look before they park. Larger: more launches
	// find helpers awake. Smaller: other goroutines get the processors sooner. [Rest]
	spinTime = 50 * time.Microsecond

	// spinLooks is how often they look before they yield. Larger: who else wants the processor waits
	// longer, up to spinTime. Smaller: helpers meet at the lock of the scheduler, and change
	// cores. A look and its pause take 10 to 60 nanoseconds. [Rest]
	spinLooks = 512

	// untimedLimit is the length of a launch that is timed one time in timedOneIn only: to
	// read the clock takes a good part of it. [Launch]
	untimedLimit = soloLimitWarm / 4
	timedOneIn   = 16

	// maxPosted is how many launches helpers may come to at a time; those above run alone.
	// More: a helper has more places to look at. As many as minPosted are in one line of the
	// cache. [Launch]
	minPosted, maxPosted = 8, 64

	// launchOverhead is about what a launch takes whatever its items do. [Launch]
	launchOverhead = 300 * time.Nanosecond
)

// Most is the most workers that a pool may have: far more than any machine has processors, and few enough that what is
// kept for each is no burden.
const Most = 4096
