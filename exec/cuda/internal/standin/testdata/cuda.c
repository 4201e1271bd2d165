// A stand-in for libcuda: up to four devices in the memory of the host, two if a test does not say otherwise.
//
// Addresses of a device are of pages that nobody can touch, so what takes one for an address of the host ends
// with SIGSEGV. What a stream is given is done when somebody waits for it, and not before. Calls without the
// context of a device, handles of others, what is freed twice or used after it was freed, and copies beyond an
// allocation are errors, as those of the real one. Entries of modules are C functions of the same name, or a
// function of the test runs them.
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef int CUresult;
typedef uint64_t u64;

enum { DEVICES = 4, OUT_OF_MEMORY = 2, INVALID_VALUE = 1, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_CONTEXT = 201, INVALID_PTX = 218, INVALID_HANDLE = 400, NOT_FOUND = 500, PEER_ENABLED = 704, ILLEGAL_ADDRESS = 700 };

// What tests set and read.

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int version = 12020, devices = 2, major = 9, lost;
static u64 room = (u64)1 << 32, used;
static char failing[64];
static int failNumber, failCode;
static struct { char name[64]; int calls; } counts[64];
static struct { int memory, host, streams, modules, contexts; } live;
static int launches, launchesOf[DEVICES];
static u64 grain = 2 << 20; // parts of memory of several devices are a multiple of it

void standin_reset(void) { version = 12020; devices = 2; major = 9; lost = 0; room = (u64)1 << 32; failing[0] = 0; memset(counts, 0, sizeof counts); launches = 0; memset(launchesOf, 0, sizeof launchesOf); grain = 2 << 20; }
void standin_version(int v) { version = v; }
void standin_devices(int n) { devices = n; }
void standin_major(int v) { major = v; }
void standin_room(u64 bytes) { room = bytes; }
void standin_grain(u64 bytes) { grain = bytes; }
void standin_lose(int code) { lost = code; }
void standin_fail(const char *name, int number, int code) { snprintf(failing, sizeof failing, "%s", name); failNumber = number; failCode = code; memset(counts, 0, sizeof counts); }
int standin_live(int what) { int all[] = {live.memory, live.host, live.streams, live.modules, live.contexts}; return all[what]; }
int standin_launches(void) { return launches; }
int standin_launchesOf(int device) { return launchesOf[device]; }
int standin_calls(const char *name) {
	for (int k = 0; k < 64 && counts[k].name[0]; k++) if (!strcmp(counts[k].name, name)) return counts[k].calls;
	return 0;
}

// begin counts a call, with the lock held, and returns how it has to fail.
static CUresult begin(const char *name) {
	pthread_mutex_lock(&mu);
	int k = 0;
	while (k < 63 && counts[k].name[0] && strcmp(counts[k].name, name)) k++;
	snprintf(counts[k].name, sizeof counts[k].name, "%s", name);
	counts[k].calls++;
	if (!strcmp(failing, name) && (failNumber == 0 || failNumber == counts[k].calls)) return failCode;
	return 0;
}
static CUresult end(CUresult r) { pthread_mutex_unlock(&mu); return r; }
#define BEGIN CUresult failed = begin(__func__); if (failed) return end(failed)
#define USE BEGIN; if (lost) return end(lost); if (!current || since != generation) return end(INVALID_CONTEXT)

// Devices, contexts, memory.

typedef struct context { int device, count; } context;
static context contexts[DEVICES];
static __thread context *current;
static __thread int since; // the generation of current
static int generation;     // how often a context has ended: threads that had it have none

typedef struct block { u64 at; char *bytes; u64 size, mapped; context *of; unsigned access; struct block *next; } block; // of no context: devices have access, by number
static block *blocks;

// place returns where bytes of the current device are.
static char *placeOf(context *c, u64 at, u64 size) {
	for (block *b = blocks; b; b = b->next)
		if ((b->of ? b->of == c : b->access >> c->device & 1) && at >= b->at && at - b->at <= b->size && size <= b->size - (at - b->at)) return b->bytes + (at - b->at);
	return NULL;
}

// Which devices access the memory of which others.
static int peers[DEVICES][DEVICES];

// Memory of the host that kernels can access.
typedef struct pinned { void *at; u64 size; struct pinned *next; } pinned;
static pinned *pins;

// reached returns where bytes are that a kernel accesses.
static char *reached(context *c, u64 at, u64 size) {
	for (pinned *p = pins; p; p = p->next)
		if (at >= (u64)p->at && at - (u64)p->at <= p->size && size <= p->size - (at - (u64)p->at)) return (char *)at;
	for (int k = 0; k < DEVICES; k++) {
		char *p = k == c->device || peers[c->device][k] ? placeOf(&contexts[k], at, size) : NULL;
		if (p) return p;
	}
	return NULL;
}

static void dropBlock(block **p) {
	block *b = *p;
	*p = b->next;
	used -= b->size;
	live.memory--;
	munmap((void *)((b->at >> 12) << 12), b->mapped);
	free(b->bytes);
	free(b);
}

// Streams, and what they are given.

typedef struct op { int kind; u64 dst, src, size; char *to, *from; context *other; int value; void *f; u64 *p; u64 threads; int block, shared; struct op *next; } op;
enum { TO_DEVICE, TO_HOST, WITHIN, PEER, SET, LAUNCH };
typedef struct stream { context *of; op *first, **last; struct stream *next; } stream;
static stream *streams;
typedef struct module { context *of; char *text; struct module *next; } module;
static module *modules;
typedef struct { context *of; u64 *p; u64 threads; int block; int bad; } launch;
typedef void (*kernel)(launch *l);
typedef struct function { kernel f; int parameters, shared; char *text, *name; struct function *next; } function;
// What runs entries in place of C functions; not 0 if it cannot.
static int (*runner)(const char *text, const char *name, u64 blocks, u64 threads, u64 shared, u64 *p, u64 n);

void standin_runner(void *f) { runner = f; }

// standin_block returns where memory number k is, of a device and of the host, and 0 behind the last one.
int standin_block(int k, u64 *at, u64 *bytes, u64 *size) {
	block *b = blocks;
	while (b && k > 0) b = b->next, k--;
	if (b) {
		*at = b->at, *bytes = (u64)b->bytes, *size = b->size;
		return 1;
	}
	pinned *p = pins;
	while (p && k > 0) p = p->next, k--;
	if (!p) return 0;
	*at = *bytes = (u64)p->at, *size = p->size;
	return 1;
}

static void step(context *c, op *o) {
	char *d, *s;
	switch (o->kind) {
	case TO_DEVICE:
		if (!(d = placeOf(c, o->dst, o->size))) { lost = ILLEGAL_ADDRESS; return; }
		memcpy(d, o->from, o->size);
		break;
	case TO_HOST:
		if (!(s = placeOf(c, o->src, o->size))) { lost = ILLEGAL_ADDRESS; return; }
		memcpy(o->to, s, o->size);
		break;
	case WITHIN:
		d = placeOf(c, o->dst, o->size), s = placeOf(c, o->src, o->size);
		if (!d || !s) { lost = ILLEGAL_ADDRESS; return; }
		memmove(d, s, o->size);
		break;
	case PEER:
		d = placeOf(c, o->dst, o->size), s = placeOf(o->other, o->src, o->size);
		if (!d || !s) { lost = ILLEGAL_ADDRESS; return; }
		memmove(d, s, o->size);
		break;
	case SET:
		if (!(d = placeOf(c, o->dst, o->size))) { lost = ILLEGAL_ADDRESS; return; }
		memset(d, o->value, o->size);
		break;
	case LAUNCH: {
		launch l = {c, o->p, o->threads, o->block, 0};
		launches++, launchesOf[c->device]++;
		function *f = o->f;
		if (runner) l.bad = runner(f->text, f->name, l.threads / l.block, l.block, o->shared, l.p, f->parameters);
		else f->f(&l);
		if (l.bad) lost = ILLEGAL_ADDRESS;
	}
	}
}

static void drain(stream *s) {
	while (s->first) {
		op *o = s->first;
		s->first = o->next;
		if (!s->first) s->last = &s->first;
		if (!lost) step(s->of, o);
		free(o->p);
		free(o);
	}
}
static void drainAll(context *c) { for (stream *s = streams; s; s = s->next) if (s->of == c) drain(s); }

static stream *streamOf(void *handle) {
	for (stream *s = streams; s; s = s->next) if (s == handle && s->of == current) return s;
	return NULL;
}
static CUresult queue(void *handle, op o) {
	stream *s = streamOf(handle);
	if (!s) return INVALID_HANDLE;
	op *p = malloc(sizeof o);
	*p = o;
	p->next = NULL;
	*s->last = p;
	s->last = &p->next;
	return 0;
}

// The functions of the library.

CUresult cuInit(unsigned flags) { BEGIN; return end(devices == 0 ? NO_DEVICE : 0); }
CUresult cuDriverGetVersion(int *v) { BEGIN; *v = version; return end(0); }
CUresult cuGetErrorName(CUresult r, const char **s) {
	*s = r == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : r == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : r == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : r == INVALID_PTX ? "CUDA_ERROR_INVALID_PTX" : "CUDA_ERROR_OF_THE_STAND_IN";
	return r == 12345 ? INVALID_VALUE : 0;
}
CUresult cuGetErrorString(CUresult r, const char **s) {
	*s = r == OUT_OF_MEMORY ? "out of memory" : r == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "a failure of the stand-in";
	return r == 12345 ? INVALID_VALUE : 0;
}
CUresult cuDeviceGetCount(int *n) { BEGIN; *n = devices; return end(0); }
CUresult cuDeviceGet(int *d, int n) { BEGIN; if (n < 0 || n >= devices) return end(INVALID_DEVICE); *d = n; return end(0); }
CUresult cuDeviceGetName(char *name, int n, int d) { BEGIN; snprintf(name, n, "Stand-in %d", d); return end(0); }
CUresult cuDeviceGetAttribute(int *v, int a, int d) { BEGIN; *v = a == 75 ? major : a == 76 ? 0 : a == 16 ? 4 : a == 97 ? 227 << 10 : -1; return end(0); }
CUresult cuDeviceTotalMem_v2(u64 *n, int d) { BEGIN; *n = room; return end(0); }
CUresult cuDevicePrimaryCtxRetain(context **c, int d) {
	BEGIN;
	if (lost) return end(lost);
	*c = &contexts[d];
	(*c)->device = d;
	if ((*c)->count++ == 0) live.contexts++;
	return end(0);
}
CUresult cuDevicePrimaryCtxRelease_v2(int d) {
	BEGIN;
	context *c = &contexts[d];
	if (c->count == 0) return end(INVALID_CONTEXT);
	if (--c->count == 0) {
		live.contexts--;
		generation++;
		drainAll(c);
		for (block **p = &blocks; *p;) if ((*p)->of == c) dropBlock(p); else p = &(*p)->next;
		for (int k = 0; k < DEVICES; k++) peers[d][k] = peers[k][d] = 0;
	}
	return end(0);
}
CUresult cuCtxGetCurrent(context **c) { BEGIN; *c = since == generation ? current : NULL; return end(0); }
CUresult cuCtxSetCurrent(context *c) { BEGIN; if (c && c->count == 0) return end(INVALID_CONTEXT); current = c; since = generation; return end(0); }

CUresult cuCtxEnablePeerAccess(context *peer, unsigned flags) {
	USE;
	if (flags) return end(INVALID_VALUE);
	if (peer == current || peer->count == 0) return end(INVALID_CONTEXT);
	int *p = &peers[current->device][peer->device], before = *p;
	*p = 1;
	return end(before ? PEER_ENABLED : 0);
}

CUresult cuMemAlloc_v2(u64 *at, u64 size) {
	USE;
	if (size == 0) return end(INVALID_VALUE);
	if (size > room || used > room - size) return end(OUT_OF_MEMORY);
	block *b = calloc(1, sizeof *b);
	b->mapped = size + 4096;
	void *pages = mmap(NULL, b->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	b->bytes = malloc(size);
	if (pages == MAP_FAILED || !b->bytes) return end(OUT_OF_MEMORY);
	memset(b->bytes, 0xa5, size); // nobody has set it
	b->at = (u64)pages + 256;
	b->size = size;
	b->of = current;
	b->next = blocks;
	blocks = b;
	used += size;
	live.memory++;
	*at = b->at;
	return end(0);
}
CUresult cuMemFree_v2(u64 at) {
	USE;
	drainAll(current);
	for (block **p = &blocks; *p; p = &(*p)->next)
		if ((*p)->at == at && (*p)->of == current) { dropBlock(p); return end(lost); }
	return end(INVALID_VALUE);
}
// Memory of several devices: addresses that are reserved, and parts with handles that are mapped there.
enum { HANDLES = 64 };
static struct { u64 size, at; int device; } handles[HANDLES]; // at is 0 if it is not mapped
static block *reserved(u64 at, u64 size) {
	for (block *b = blocks; b; b = b->next)
		if (!b->of && at >= b->at && size <= b->size && at - b->at <= b->size - size) return b;
	return NULL;
}
CUresult cuMemGetAllocationGranularity(u64 *n, unsigned *p, int option) { BEGIN; *n = grain; return end(p[0] == 1 && p[2] == 1 && !option ? 0 : INVALID_VALUE); }
CUresult cuMemAddressReserve(u64 *at, u64 size, u64 align, u64 where, u64 flags) {
	USE;
	if (!size || size % grain || where || flags) return end(INVALID_VALUE);
	block *b = calloc(1, sizeof *b);
	b->mapped = size + 4096;
	void *pages = mmap(NULL, b->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pages == MAP_FAILED || !(b->bytes = malloc(size))) return end(OUT_OF_MEMORY);
	memset(b->bytes, 0xa5, size);
	b->at = (u64)pages;
	b->size = size;
	b->next = blocks;
	blocks = b;
	live.memory++;
	*at = b->at;
	return end(0);
}
CUresult cuMemAddressFree(u64 at, u64 size) {
	USE;
	for (int k = 1; k < HANDLES; k++) if (handles[k].at >= at && handles[k].at < at + size) return end(INVALID_VALUE);
	for (block **p = &blocks; *p; p = &(*p)->next)
		if ((*p)->at == at && !(*p)->of && (*p)->size == size) { used += size; dropBlock(p); return end(lost); }
	return end(INVALID_VALUE);
}
CUresult cuMemCreate(u64 *h, u64 size, unsigned *p, u64 flags) {
	USE;
	if (!size || size % grain || p[0] != 1 || p[2] != 1 || p[3] >= DEVICES || flags) return end(INVALID_VALUE);
	if (size > room || used > room - size) return end(OUT_OF_MEMORY);
	int k = 1;
	while (k < HANDLES && handles[k].size) k++;
	if (k == HANDLES) return end(OUT_OF_MEMORY);
	handles[k].size = size, handles[k].at = 0, handles[k].device = p[3];
	used += size;
	live.memory++;
	*h = k;
	return end(0);
}
CUresult cuMemRelease(u64 h) {
	USE;
	if (h < 1 || h >= HANDLES || !handles[h].size || handles[h].at) return end(INVALID_VALUE); // which nothing maps
	used -= handles[h].size;
	handles[h].size = 0;
	live.memory--;
	return end(0);
}
CUresult cuMemMap(u64 at, u64 size, u64 offset, u64 h, u64 flags) {
	USE;
	if (h < 1 || h >= HANDLES || handles[h].size != size || handles[h].at || offset || flags || !reserved(at, size)) return end(INVALID_VALUE);
	handles[h].at = at;
	return end(0);
}
CUresult cuMemUnmap(u64 at, u64 size) {
	USE;
	for (int k = 0; k < DEVICES; k++) drainAll(&contexts[k]);
	for (int k = 1; k < HANDLES; k++) if (handles[k].at == at && handles[k].size == size) { handles[k].at = 0; return end(0); }
	return end(INVALID_VALUE);
}
CUresult cuMemSetAccess(u64 at, u64 size, unsigned *d, u64 n) {
	USE;
	block *b = reserved(at, size);
	u64 there = 0;
	for (int k = 1; k < HANDLES; k++) if (handles[k].at >= at && handles[k].at < at + size) there += handles[k].size;
	if (!b || there != size) return end(INVALID_VALUE);
	for (u64 k = 0; k < n; k++) {
		if (d[3 * k] != 1 || d[3 * k + 1] >= DEVICES || d[3 * k + 2] != 3) return end(INVALID_VALUE);
		b->access |= 1u << d[3 * k + 1];
	}
	return end(0);
}
CUresult cuMemGetInfo_v2(u64 *left, u64 *all) { USE; *left = room - used; *all = room; return end(0); }
CUresult cuMemHostAlloc(void **p, u64 size, unsigned flags) {
	USE;
	if (flags != 2) return end(INVALID_VALUE);
	pinned *new = malloc(sizeof *new);
	*new = (pinned){*p = aligned_alloc(4096, (size + 4095) & ~4095ull), size, pins};
	pins = new;
	live.host++;
	return end(0);
}
CUresult cuMemFreeHost(void *at) {
	USE;
	for (pinned **p = &pins, *old; (old = *p); p = &old->next)
		if (old->at == at) { *p = old->next; free(at); free(old); live.host--; return end(0); }
	return end(INVALID_VALUE);
}
CUresult cuMemcpyHtoDAsync_v2(u64 dst, void *src, u64 size, void *s) { USE; return end(queue(s, (op){TO_DEVICE, .dst = dst, .from = src, .size = size})); }
CUresult cuMemcpyDtoHAsync_v2(void *dst, u64 src, u64 size, void *s) { USE; return end(queue(s, (op){TO_HOST, .to = dst, .src = src, .size = size})); }
CUresult cuMemcpyDtoDAsync_v2(u64 dst, u64 src, u64 size, void *s) { USE; return end(queue(s, (op){WITHIN, .dst = dst, .src = src, .size = size})); }
CUresult cuMemcpyPeerAsync(u64 dst, context *to, u64 src, context *from, u64 size, void *s) {
	USE;
	if (to != current || from->count == 0) return end(INVALID_CONTEXT);
	return end(queue(s, (op){PEER, .dst = dst, .src = src, .other = from, .size = size}));
}
CUresult cuMemsetD8Async(u64 dst, unsigned char v, u64 size, void *s) { USE; return end(queue(s, (op){SET, .dst = dst, .value = v, .size = size})); }

CUresult cuStreamCreate(stream **s, unsigned flags) {
	USE;
	*s = calloc(1, sizeof **s);
	(*s)->of = current;
	(*s)->last = &(*s)->first;
	(*s)->next = streams;
	streams = *s;
	live.streams++;
	return end(0);
}
CUresult cuStreamDestroy_v2(stream *s) {
	USE;
	for (stream **p = &streams; *p; p = &(*p)->next)
		if (*p == s && s->of == current) { drain(s); *p = s->next; free(s); live.streams--; return end(0); }
	return end(INVALID_HANDLE);
}
CUresult cuStreamSynchronize(stream *s) {
	USE;
	if (!streamOf(s)) return end(INVALID_HANDLE);
	drain(s);
	return end(lost);
}

// Modules. A text has its entries, of which there must be C functions.

static kernel entry(const char *name);

// standin_forget drops what was made and not given back.
void standin_forget(void) {
	while (blocks) dropBlock(&blocks);
	memset(handles, 0, sizeof handles);
	for (pinned *p; (p = pins); free(p)) pins = p->next, free(p->at);
	while (streams) { stream *s = streams; streams = s->next; s->of = NULL; for (op *o; (o = s->first); free(o)) s->first = o->next; free(s); }
	while (modules) { module *m = modules; modules = m->next; free(m->text); free(m); }
	for (int k = 0; k < DEVICES; k++) contexts[k].count = 0;
	memset(peers, 0, sizeof peers);
	memset(&live, 0, sizeof live);
	used = 0;
}

CUresult cuModuleLoadDataEx(module **m, const char *text, unsigned n, int *options, void **values) {
	USE;
	if (strncmp(text, ".version ", 9)) {
		for (unsigned k = 0; k + 1 < n; k++)
			if (options[k] == 5) snprintf(values[k], (size_t)values[k + 1], "ptxas: line 1: expected .version");
		return end(INVALID_PTX);
	}
	*m = calloc(1, sizeof **m);
	(*m)->of = current;
	(*m)->text = strdup(text);
	(*m)->next = modules;
	modules = *m;
	live.modules++;
	return end(0);
}
CUresult cuModuleUnload(module *m) {
	USE;
	for (module **p = &modules; *p; p = &(*p)->next)
		if (*p == m) { *p = m->next; free(m->text); free(m); live.modules--; return end(0); }
	return end(INVALID_HANDLE);
}
// A function is that of C, with the number of parameters of its entry.
static function *found;

CUresult cuModuleGetFunction(function **f, module *m, const char *name) {
	USE;
	char head[300];
	snprintf(head, sizeof head, ".entry %s(", name);
	char *at = strstr(m->text, head);
	kernel k = entry(name);
	if (!at || (!k && !runner)) return end(NOT_FOUND);
	function *new = calloc(1, sizeof *new);
	new->f = k;
	new->text = strdup(m->text);
	new->name = strdup(name);
	for (char *close = strstr(at, "\n)"); (at = strstr(at, ".param .u64")) && at < close; at++) new->parameters++;
	new->next = found;
	found = new;
	*f = new;
	return end(0);
}
CUresult cuFuncSetAttribute(function *f, int a, int v) {
	USE;
	if (a != 8 || v < 0 || v > 227 << 10) return end(INVALID_VALUE);
	f->shared = v;
	return end(0);
}
CUresult cuLaunchKernel(function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *s, void **params, void **extra) {
	USE;
	if (gx == 0 || gx > 0x7fffffff || gy != 1 || gz != 1 || bx == 0 || bx > 1024 || by != 1 || bz != 1 || (shared > 48 << 10 && shared > f->shared) || params || !extra) return end(INVALID_VALUE);
	if ((u64)extra[0] != 1 || (u64)extra[2] != 2 || extra[4] || *(size_t *)extra[3] != (size_t)f->parameters * 8) return end(INVALID_VALUE);
	u64 *p = malloc(f->parameters * 8 + 8);
	memcpy(p, extra[1], f->parameters * 8);
	return end(queue(s, (op){LAUNCH, .f = f, .p = p, .threads = (u64)gx * bx, .block = bx, .shared = shared}));
}

// Kernels. They touch memory by at, which finds out what is in none.

static void *at(launch *l, u64 address, u64 size) {
	static char nowhere[64];
	char *p = reached(l->of, address, size);
	if (p && address % size == 0) return p;
	l->bad = 1;
	return nowhere;
}
#define F64(a) (*(double *)at(l, a, 8))
#define U64(a) (*(u64 *)at(l, a, 8))
static void stop(launch *l, u64 status, u64 item, u64 n) {
	u64 *s = at(l, status, 8), v = item << 16 | n;
	if (v < *s) *s = v;
	U64(U64(status + 8)) = 1;
}

// gokkos_copy_SIZE_RANK: dst, src, first, last, extents, strides of dst, strides of src
static void copy(launch *l, int unit, int rank) {
	u64 *e = l->p + 4, *ds = e + rank, *ss = ds + rank;
	for (u64 t = 0; t < l->threads; t++) {
		u64 i = l->p[2] + t, d = l->p[0], s = l->p[1];
		if (i >= l->p[3]) break;
		for (int k = rank - 1; k >= 0; k--) {
			u64 x = k > 0 ? i % e[k] : i;
			if (k > 0) i /= e[k];
			d += x * ds[k];
			s += x * ss[k];
		}
		void *from = at(l, s, unit);
		memcpy(at(l, d, unit), from, unit);
	}
}
#define COPY(u, r) static void copy##u##_##r(launch *l) { copy(l, u, r); }
#define COPIES(u) COPY(u, 1) COPY(u, 2) COPY(u, 3) COPY(u, 4) COPY(u, 5) COPY(u, 6) COPY(u, 7) COPY(u, 8) COPY(u, 9) COPY(u, 10) COPY(u, 11) COPY(u, 12) COPY(u, 13) COPY(u, 14)
COPIES(1) COPIES(2) COPIES(4) COPIES(8)
#define NAMES(u) {copy##u##_1, copy##u##_2, copy##u##_3, copy##u##_4, copy##u##_5, copy##u##_6, copy##u##_7, copy##u##_8, copy##u##_9, copy##u##_10, copy##u##_11, copy##u##_12, copy##u##_13, copy##u##_14}
static kernel copies[4][14] = {NAMES(1), NAMES(2), NAMES(4), NAMES(8)};

// axpy: y[i] += a*x[i], of views with an extent and a stride
static void axpy(launch *l) {
	u64 *p = l->p; // begin first last status | a nx sx ny sy | x y
	double a;
	memcpy(&a, &p[4], 8);
	for (u64 t = 0; t < l->threads; t++)
		for (u64 k = p[1] + t; k < p[2]; k += l->threads) {
			u64 i = p[0] + k;
			if (i >= p[5]) { stop(l, p[3], k, 0); continue; }
			if (i >= p[7]) { stop(l, p[3], k, 1); continue; }
			volatile double product = a * F64(p[9] + i * p[6] * 8);
			F64(p[10] + i * p[8] * 8) += product;
		}
}

static double join(u64 op, double a, double b) { // without NaNs and zeros of both signs
	switch (op) {
	case 0: return a + b;
	case 1: return a * b;
	case 2: return a < b ? a : b;
	case 3: return a > b ? a : b;
	}
	return NAN;
}

// dot: *acc += x[i]*y[i]; begin first last status leaf lanes done | out root identity op | nx ny | x y
static void dot(launch *l) {
	u64 *p = l->p, leaf = p[4], lanes = p[5], leaves = (p[2] - p[1] + leaf - 1) / leaf, base = p[1] / leaf;
	for (u64 k0 = p[1]; k0 < p[2]; k0 += leaf) {
		double lane[32];
		u64 n = p[2] - k0 < leaf ? p[2] - k0 : leaf;
		for (u64 h = 0; h < lanes; h++) memcpy(&lane[h], &p[9], 8);
		for (u64 k = k0; k < k0 + n; k++) {
			u64 i = p[0] + k;
			if (i >= p[11]) { stop(l, p[3], k, 0); continue; }
			if (i >= p[12]) { stop(l, p[3], k, 1); continue; }
			volatile double product = F64(p[13] + i * 8) * F64(p[14] + i * 8);
			lane[(k - k0) & (lanes - 1)] += product;
		}
		for (u64 h = lanes / 2; h > 0; h /= 2)
			for (u64 j = 0; j < h && j + h < n; j++) lane[j] = join(p[10], lane[j], lane[j + h]);
		F64(p[7] + k0 / leaf * 8) = lane[0];
	}
	if (*(uint32_t *)at(l, p[6], 4)) l->bad = 1;
	for (u64 w = 1; w < leaves; w *= 2)
		for (u64 j = 0; j + w < leaves; j += 2 * w) {
			u64 left = p[7] + (base + j) * 8;
			F64(left) = join(p[10], F64(left), F64(left + w * 8));
		}
	F64(p[8]) = F64(p[7] + base * 8);
}
// table: y[i] = c[i&3], of an array that the functor has
static void table(launch *l) {
	u64 *p = l->p; // begin first last status | ny | c y
	for (u64 t = 0; t < l->threads; t++)
		for (u64 k = p[1] + t; k < p[2]; k += l->threads) {
			u64 i = p[0] + k;
			if (i >= p[4]) { stop(l, p[3], k, 0); continue; }
			F64(p[6] + i * 8) = F64(p[5] + (i & 3) * 8);
		}
}
// scratch: y[team] = bytes of scratch memory
static void scratch(launch *l) {
	u64 *p = l->p; // begin end status | before league size dims vector | team member all, of both levels | far | y
	for (u64 k = p[0]; k < p[1]; k++) F64(p[17] + k * 8) = p[12];
}
// wild writes where nothing is.
static void wild(launch *l) { F64(l->p[4] + 8 * 1000000) = 1; }

static kernel entry(const char *name) {
	int unit, rank;
	if (sscanf(name, "gokkos_copy_%d_%d", &unit, &rank) == 2 && rank >= 1 && rank <= 14)
		return unit == 1 ? copies[0][rank - 1] : unit == 2 ? copies[1][rank - 1] : unit == 4 ? copies[2][rank - 1] : unit == 8 ? copies[3][rank - 1] : NULL;
	static struct { const char *name; kernel f; } all[] = {{"axpy", axpy}, {"dot", dot}, {"table", table}, {"scratch", scratch}, {"wild", wild}};
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++) if (!strcmp(all[k].name, name)) return all[k].f;
	return NULL;
}
