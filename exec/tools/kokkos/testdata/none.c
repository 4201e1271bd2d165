/* No library of the tools of Kokkos. */
int kokkosp_of_another_time(void) { return 1; }
