// The random numbers of data.go.
#pragma once

#include <cstdint>

static uint64_t random_number(uint64_t k) {
	k += 0x9e3779b97f4a7c15;
	k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
	k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
	return k ^ (k >> 31);
}

static double uniform(uint64_t k) { return double(random_number(k) >> 11) * 0x1p-53 - 0.5; }
