/* Storage of numbers in a block of events (traces/files/event_block.h). Each field of each kind of
 * event is a column, with a fixed number of bytes per number. A plane is an array with one byte of
 * each number of a column. Numbers that do not fit are stored separately, with a variable length,
 * as long numbers. */
#ifndef TRACES_FILES_EVENT_PLANES_H
#define TRACES_FILES_EVENT_PLANES_H

#include "traces/files/event_block.h"

#include <string.h>

#define PLANES_INLINE static inline __attribute__((always_inline))

/* --- columns and planes --------------------------------------------------------------------- */

/* Bytes per number of an event's field, by what the field means. */
enum {
    PLANES_SITE = 1,
    PLANES_TAG = 3,
    PLANES_PE = 1,
    PLANES_INSTR = 1,
    PLANES_CYCLE = 1,
    PLANES_COUNT = 1,
    PLANES_STRUCTURE = 1,
    PLANES_VALUE = 1,
    PLANES_NUMBER = 1,
    PLANES_PORT = 1,
    PLANES_OUTCOME = 1,
    PLANES_HOLDER = 1,
    PLANES_PLACE = 1,
    PLANES_END = 1,
};

/* Indexes of the first and last plane of each kind of event, among the planes of all kinds. */
enum {
#define FIELD(member, MEANING, text) PLANES_##MEANING +
#define EVENT(NAME, text, LEVEL, fields, help)                                           \
    PLANES_FIRST_##NAME, PLANES_LAST_##NAME = PLANES_FIRST_##NAME + (fields 0) - 1,
#include "traces/events.def"
#undef FIELD
    PLANES_ALL,
};

/* Bytes from the start of one plane of the encoder to the start of the next plane. 192 is added so
 * that the planes do not all begin in the same set of the processor's cache. */
enum { PLANES_STRIDE = TRACES_EVENT_BLOCK_MAX + 192 };

/* Planes of a kind of event: the start of the first plane, the byte in it for the next event, and
 * the distance in bytes to the same byte of the next plane. */
struct planes_kind {
    uint8_t *bytes, *at;
    size_t stride;
};

/* Position of a number whose bytes are in adjacent planes: its lowest byte, and the distance in
 * bytes to its next byte. */
struct planes_column {
    uint8_t *at;
    size_t stride;
};

/* --- long numbers --------------------------------------------------------------------------- */

/* Buffer of numbers of variable length: the next byte to write or read, and the end. */
struct planes_longs {
    uint8_t *at, *end;
    uint8_t *bytes; /* owned buffer, when writing */
    bool failed;    /* reading failed, as the buffer ended within a number */
};

enum { PLANES_MAX_BYTES = 10 };

static __attribute__((cold, noinline)) void planes_grow(struct planes_longs *longs)
{
    const size_t used = (size_t)(longs->at - longs->bytes);
    const size_t size = used < 2048 ? 4096 : 2 * used;
    longs->bytes = lib_mem_resize(longs->bytes, size);
    longs->at = longs->bytes + used;
    longs->end = longs->bytes + size;
}

static __attribute__((noinline)) void planes_put_long(struct planes_longs *longs,
                                                      uint64_t number)
{
    if (longs->end - longs->at < PLANES_MAX_BYTES)
        planes_grow(longs);
    while (number >= 0x80) {
        *longs->at++ = (uint8_t)(number | 0x80);
        number >>= 7;
    }
    *longs->at++ = (uint8_t)number;
}

static __attribute__((noinline)) uint64_t planes_get_long(struct planes_longs *longs)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && longs->at < longs->end; shift += 7) {
        const uint64_t byte = *longs->at++;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    longs->failed = true;
    return 0;
}

/* --- numbers -------------------------------------------------------------------------------- */

/* Returns the value which means that the number does not fit in `width` bytes and is stored as a
 * long number. */
PLANES_INLINE uint64_t planes_most(unsigned width)
{
    return (UINT64_C(1) << 8 * width) - 1;
}

PLANES_INLINE void planes_put(struct planes_longs *longs, struct planes_column c,
                              unsigned width, uint64_t number)
{
    const bool is_long = number >= planes_most(width);
    const uint64_t bytes = is_long ? planes_most(width) : number;
    for (unsigned i = 0; i < width; i++)
        /* cppcheck-suppress unreadVariable ; cppcheck misses that the buffer is read later */
        c.at[i * c.stride] = (uint8_t)(bytes >> 8 * i);
    if (__builtin_expect(is_long, 0))
        planes_put_long(longs, number);
}

PLANES_INLINE uint64_t planes_get(struct planes_longs *longs, struct planes_column c,
                                  unsigned width)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < width; i++)
        number |= (uint64_t)c.at[i * c.stride] << 8 * i;
    return __builtin_expect(number == planes_most(width), 0) ? planes_get_long(longs)
                                                             : number;
}

/* Convert a signed distance to an unsigned number with the sign in the lowest bit, and back. 32-bit
 * distances wrap around. */
PLANES_INLINE uint64_t planes_fold(uint64_t distance)
{
    return distance << 1 ^ -(distance >> 63);
}

PLANES_INLINE uint32_t planes_fold32(uint32_t distance)
{
    return distance << 1 ^ -(distance >> 31);
}

PLANES_INLINE uint64_t planes_unfold(uint64_t number)
{
    return number >> 1 ^ -(number & 1);
}

#endif
