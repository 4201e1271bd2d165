package kokkos

func unlabelled(int) {} // its line is its name
