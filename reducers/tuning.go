package reducers

// largeBytes is the size above which Init clears a value in place: it trades time and memory,
// never a bit of a result. A local zero value of such a type may be on the heap, one allocation
// for each leaf; clearing in place takes longer for small values. TestLargeValues counts the
// bytes.
const largeBytes = 1 << 16
