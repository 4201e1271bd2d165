// Package suite has the cases of package spacetest. It is apart so that tests can try single cases on spaces that break
// the contract, and so that these tests do not compile the cases once more.
package suite

import "slices"

// Cases returns all cases, in the order in which they are run.
func Cases() []Case {
	return slices.Concat(contractCases(), patternCases(), compiledCases(), failureCases(), launchCases(), teamCases(), partCases())
}
