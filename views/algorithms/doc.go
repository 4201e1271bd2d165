// Package algorithms has parallel algorithms over views of rank 1: sorting, scans,
// histograms, searches, and what else the standard libraries of C++ and Kokkos have.
//
// # Calls
//
// An algorithm takes views, what it needs besides them, and last, if wanted, where to run:
//
//	err := algorithms.Sort(v, policy.On(space).WithContext(ctx))
//
// Its launches are labelled with its name, unless that [policy.Launch] carries a label.
//
// Views may have any stride; a part of a view is a view, see [views.View.Sub]. Outputs come
// before inputs. A function whose name ends in Func takes a comparison or an equality, one
// whose name ends in If a predicate.
//
// # Results
//
// Results are the same on every space, bits included. An index is the lowest that there is
// unless the name says otherwise, and -1 if there is none. Elements that are kept or moved
// keep their order: everything here is stable.
//
// A view is of one process. On a space of several, as ranks are, each works on all of its own views.
//
// # Functions
//
// A function of the user is called by several workers at a time, and must return the same for
// the same arguments. How often it is called, and in which order, depends on the space unless
// the algorithm says so.
//
// # Errors
//
// Views of another rank, of lengths that do not fit, without room or with elements in common
// where that matters are errors, as is a nil function; then nothing has been written. A
// launch that is cancelled or cannot run is an error too, and a panic of a function arrives
// as an [exec.Panic]. What moves elements of a view about writes them at the end, so then the
// view keeps its content; Reverse and what changes elements one by one may be half done, as
// may outputs that are apart from the inputs. With an error, numbers are 0, indices -1 and
// answers false.
//
// # Cards
//
// Some algorithms run on a card if all of their views are in its memory, which the host cannot touch. ExclusiveScan and
// InclusiveScan are some of these. The others are Sort, SortByKey, Unique, UniqueCopy, UniqueByKey, Remove, RemoveCopy, Reverse,
// ReverseCopy, Rotate, RotateCopy, ShiftLeft, ShiftRight, SwapRanges, MinElement, MaxElement and MinMaxElement. All other
// algorithms are an error that names the view.
//
// # Cost
//
// Everything is O(n) but the sorts by comparison, O(n log n), and Search and FindEnd. Memory is
// allocated for each call, as documented.
//
// # For users of Kokkos
//
//	Kokkos                                       here
//	sort, stable_sort                            Sort, SortFunc (stable)
//	sort_by_key                                  SortByKey, SortByKeyFunc
//	is_sorted, is_sorted_until                   IsSorted, IsSortedUntil, ...Func
//	unique, unique_copy                          Unique, UniqueCopy, ...Func
//	thrust::unique_by_key, reduce_by_key         UniqueByKey, ReduceByKey
//	exclusive_scan, inclusive_scan               ExclusiveScan, InclusiveScan
//	transform_exclusive_scan, ..._inclusive_scan exec.ParallelScan
//	reduce                                       exec.ParallelFold(views.Source(v), ...)
//	transform_reduce                             exec.ParallelFold(exec.Map(...), ...)
//	adjacent_difference                          AdjacentDifference, ...Func
//	Experimental::BinSort, numpy.histogram       SortByKey, Histogram, WeightedHistogram
//	find, find_if, find_if_not                   Find, FindIf, FindIfNot
//	find_first_of, find_end, search, search_n    FindFirstOf, FindEnd, Search, SearchN
//	adjacent_find                                AdjacentFind, AdjacentFindFunc
//	all_of, any_of, none_of                      AllOf, AnyOf, NoneOf
//	count, count_if                              Count, CountIf
//	min_element, max_element, minmax_element     MinElement, MaxElement, MinMaxElement, ...Func
//	equal, mismatch                              Equal, Mismatch, ...Func
//	lexicographical_compare                      Compare(a, b) < 0, CompareFunc
//	for_each, for_each_n                         ForEach
//	generate, generate_n                         Generate
//	fill, fill_n                                 views.Fill
//	copy, copy_n, copy_backward, move            views.DeepCopy
//	copy_if                                      CopyIf
//	transform                                    Transform, Transform2
//	replace, replace_if                          Replace, ReplaceIf
//	replace_copy, replace_copy_if                ReplaceCopy, ReplaceCopyIf
//	remove, remove_if                            Remove, RemoveIf
//	remove_copy, remove_copy_if                  RemoveCopy, RemoveCopyIf
//	reverse, reverse_copy                        Reverse, ReverseCopy
//	rotate, rotate_copy                          Rotate, RotateCopy
//	shift_left, shift_right                      ShiftLeft, ShiftRight
//	swap_ranges                                  SwapRanges
//	is_partitioned, partition_point              IsPartitioned, PartitionPoint
//	partition_copy                               PartitionCopy
//	(std::stable_partition)                      StablePartition
//
// The n of an algorithm that ends in _n is the length of a part of a view.
package algorithms
