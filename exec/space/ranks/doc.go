// Package ranks is the part of the contract of spaces for spaces that run the parts of one launch in several
// processes, as the ranks of an MPI. Package [space] has the rest, and says how a launch ends.
//
// Such a space needs a [Carrier], a job whose partial results can leave the process. [RunShare] and [Assemble]
// do most of the work: the space brings nodes and faults to the other processes.
package ranks
