/* Hash functions for digests and placement. Their constants must never change: digests are compared
 * between versions and machines. */
#ifndef LIB_HASH_H
#define LIB_HASH_H

#include <stdint.h>

/* Spreads the bits of x: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t lib_hash_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Folds the 128-bit product of a and b to 64 bits. */
static inline uint64_t lib_hash_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
