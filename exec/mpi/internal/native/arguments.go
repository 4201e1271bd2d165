package native

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// What is wrong with arguments is found on this rank, before the library is called: libraries say
// less, and where counts are added up, nothing.

// checkRank is an error if there is no such rank. what is as "Send to".
func checkRank(what string, rank, size int) error {
	if rank < 0 || rank >= size {
		return fmt.Errorf("link: %s rank %d of %d", what, rank, size)
	}
	return nil
}

func checkMessage(what string, rank, tag, size int, any bool) error {
	if !any || rank != link.AnySource {
		if err := checkRank(what, rank, size); err != nil {
			return err
		}
	}
	if (!any || tag != link.AnyTag) && (tag < 0 || tag > link.MaxTag) {
		return fmt.Errorf("link: %s rank %d with tag %d, expected 0 to %d", what, rank, tag, link.MaxTag)
	}
	return nil
}

// checkCounts is an error if counts does not cut a buffer of so many bytes for so many ranks.
func checkCounts(what string, counts []int, size, bytes int) error {
	if len(counts) != size {
		return fmt.Errorf("link: %s with %d counts, expected %d, one for each rank", what, len(counts), size)
	}
	sum := 0
	for rank, n := range counts {
		if n < 0 || n > bytes-sum {
			return fmt.Errorf("link: %s with %d bytes for rank %d, of a buffer that has %d left", what, n, rank, bytes-sum)
		}
		sum += n
	}
	if sum != bytes {
		return fmt.Errorf("link: %s with counts that sum up to %d, of a buffer of %d bytes", what, sum, bytes)
	}
	return nil
}

// checkOwn is an error if the buffer of this rank has not as many bytes as its count says.
func checkOwn(what string, counts []int, rank, bytes int) error {
	if counts[rank] != bytes {
		return fmt.Errorf("link: %s with a count of %d for rank %d itself, of a buffer of %d bytes", what, counts[rank], rank, bytes)
	}
	return nil
}
