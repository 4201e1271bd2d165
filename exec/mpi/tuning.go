package mpi

import "time"

// Numbers that trade one cost for another, as those of package tuning do. None of them changes a bit of a
// result. All ranks of a program have the same ones.
const (
	// shortLaunches is how many short launches a rank knows of.
	shortLaunches = 64

	// maxKeptBytes is the most memory for nodes that is kept for the next launch.
	maxKeptBytes = 1 << 16

	// shareGrain is how fine the ends of shares are, as a part of a share: 1/shareGrain. Coarse
	// ends make few nodes, each of which is a launch on the inner space and travels by itself;
	// fine ones make shares equal.
	shareGrain = 128

	// mismatchPoll is how long ranks wait between two looks whether they have a launch in common
	// now, at first and at most.
	mismatchPoll, mismatchPollMost = 100 * time.Microsecond, 20 * time.Millisecond

	// awaitPolls is how often a call that can be cancelled looks for its message before it sleeps
	// between two looks, for awaitPause.
	awaitPolls, awaitPause = 2000, 50 * time.Microsecond

	// mismatchTexts is how many different launches an error tells of.
	mismatchTexts = 4
)

// mismatchGrace is how long ranks that have no launch in common wait for one: that of another
// goroutine. After that they make different launches. It is less in tests.
var mismatchGrace = 2 * time.Second

// mismatched reports whether ranks with no launch in common have waited long enough, since start, for one. waiting is
// how many launches of this rank wait. It is another one in tests.
var mismatched = func(_ *queue, start time.Time, _ int) bool { return time.Since(start) > mismatchGrace }

// startedGrace is over when a launch has waited for its turn for so long that it looks whether it can ever have it.
// waitsOn is called when the launch waits on. Both are other ones in tests.
var (
	startedGrace = func() <-chan time.Time { return time.After(time.Second) }
	waitsOn      = func() {}
)

// shortLaunch is what the share of a rank takes at most if its fold is to run before the ranks
// compare launches, which saves a message. It is a variable for tests.
var shortLaunch = 50 * time.Microsecond

// alwaysShort takes every launch for a short one, in tests.
var alwaysShort = false
