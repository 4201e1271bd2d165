/* A library of the tools of Kokkos that writes down what it is told. */
#include <stdint.h>
#include <stdio.h>

typedef struct { char name[64]; } handle;

static char told[1 << 16];
static size_t length;
static uint64_t kernels;

#define TELL(...) (length += snprintf(told + length, sizeof told - length, __VA_ARGS__))

/* what was told so far, which is forgotten then */
const char *test_take(void) {
	const char *all = length > 0 ? told : "";
	length = 0;
	return all;
}

void kokkosp_init_library(const int number, const uint64_t version, const uint32_t devices, void *about) {
	TELL("init %d %llu %u %p\n", number, (unsigned long long)version, devices, about);
}
void kokkosp_finalize_library(void) { TELL("finalize\n"); }

#define KERNEL(kind) \
	void kokkosp_begin_parallel_##kind(const char *name, uint32_t device, uint64_t *id) { \
		*id = ++kernels; \
		TELL("begin " #kind " %s on %08x is %llu\n", name, device, (unsigned long long)*id); \
	} \
	void kokkosp_end_parallel_##kind(uint64_t id) { TELL("end " #kind " %llu\n", (unsigned long long)id); }
KERNEL(for)
KERNEL(reduce)
KERNEL(scan)

void kokkosp_push_profile_region(const char *name) { TELL("push %s\n", name); }
void kokkosp_pop_profile_region(void) { TELL("pop\n"); }
void kokkosp_allocate_data(handle in, const char *name, const void *at, uint64_t bytes) {
	TELL("allocate %llu at %p of %s in %s\n", (unsigned long long)bytes, at, name, in.name);
}
void kokkosp_begin_deep_copy(handle to, const char *dst, const void *d, handle from, const char *src, const void *s, uint64_t bytes) {
	TELL("begin copy %llu from %s at %p in %s to %s at %p in %s\n", (unsigned long long)bytes, src, s, from.name, dst, d, to.name);
}
void kokkosp_end_deep_copy(void) { TELL("end copy\n"); }
