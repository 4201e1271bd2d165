// A tool that does nothing: what it costs to be told.
#include <stdint.h>

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id) { *id = 0; }

void kokkosp_end_parallel_for(uint64_t id) {}
