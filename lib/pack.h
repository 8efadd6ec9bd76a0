/* Conversion of state to bytes and back.
 *
 * A module that has state has one function that passes each part of the state to a pack, which is
 * either a writer or a reader. So the format written and the format read cannot differ.
 *
 * Numbers are little-endian, as on the supported hosts. Input is not trusted: a count never exceeds
 * what the remaining bytes can hold, and a failed reader returns zeros. So a function may check for
 * failure once, at its end. */
#ifndef LIB_PACK_H
#define LIB_PACK_H

#include "lib/memory.h"
#include "lib/stash.h"
#include "lib/text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "packs are little-endian");

struct lib_pack {
    /* Borrowed: text to which a writer adds bytes. NULL: this is a reader. */
    struct lib_text *out;
    const unsigned char *in; /* borrowed: bytes to read */
    size_t length, at; /* number of bytes to read, and number of bytes read so far */
    bool failed;
    /* Borrowed: sequence of bytes (lib/stash.h) to use instead of `out` and `in`; or NULL. */
    struct lib_stash *stash;
};

static inline struct lib_pack lib_pack_writer(struct lib_text *out)
{
    return (struct lib_pack){.out = out};
}

static inline struct lib_pack lib_pack_reader(const void *bytes, size_t length)
{
    return (struct lib_pack){.in = bytes, .length = length};
}

/* Make a writer to a stash or a reader of it (lib/stash.h). After writing, the caller calls
 * lib_stash_end. */
static inline struct lib_pack lib_pack_stash_writer(struct lib_stash *stash)
{
    return (struct lib_pack){.out = &stash->rest, .stash = stash};
}

static inline struct lib_pack lib_pack_stash_reader(struct lib_stash *stash)
{
    return (struct lib_pack){.length = lib_stash_length(stash), .stash = stash};
}

static inline bool lib_pack_reads(const struct lib_pack *pack)
{
    return pack->out == NULL;
}

/* Marks the reader or writer as failed if `holds` is false. Returns whether it has not failed so
 * far. */
static inline bool lib_pack_expect(struct lib_pack *pack, bool holds)
{
    pack->failed |= !holds;
    return !pack->failed;
}

void lib_pack_bytes(struct lib_pack *pack, void *data, size_t size);

/* Writes or reads up to 8 numbers, or structures of numbers without padding. */
#define LIB_PACK(pack, ...) LIB_EACH(LIB_PACK_ONE, pack, __VA_ARGS__)
#define LIB_PACK_ONE(pack, thing) lib_pack_bytes((pack), &(thing), sizeof(thing))

/* Writes or reads a bool. Reading fails at a byte other than 0 and 1. */
void lib_pack_bool(struct lib_pack *pack, bool *value);

/* Writes `count`, or reads and returns the count written. The items follow, of at least `size`
 * bytes each. Reading fails if `count` items do not fit in the remaining bytes. */
uint64_t lib_pack_count(struct lib_pack *pack, uint64_t count, size_t size);

/* Writes or reads up to 8 LIB_VECs of numbers, or of structures of numbers without padding. */
#define LIB_PACK_VEC(pack, ...) LIB_EACH(LIB_PACK_ONE_VEC, pack, __VA_ARGS__)
#define LIB_PACK_ONE_VEC(pack, v)                                                        \
    ((v)->items = lib_pack_items((pack), (v)->items, &(v)->count, &(v)->capacity,        \
                                 sizeof *(v)->items))

void *lib_pack_items(struct lib_pack *pack, void *items, size_t *count, size_t *capacity,
                     size_t size);

/* Writes or reads a LIB_VEC whose items have padding or pointers. `...` are statements that write
 * or read one item, to which `item` points. */
#define LIB_PACK_EACH(pack, v, item, ...)                                                \
    do {                                                                                 \
        const uint64_t count_ = lib_pack_count((pack), (v)->count, 1);                   \
        for (uint64_t i_ = 0; i_ < count_ && !(pack)->failed; i_++) {                    \
            if (lib_pack_reads(pack))                                                    \
                memset(LIB_VEC_PUSH(v), 0, sizeof *(v)->items);                          \
            __typeof__((v)->items) item = &(v)->items[i_];                               \
            __VA_ARGS__                                                                  \
        }                                                                                \
    } while (0)

/* Whether a reader has read all its bytes without failure. */
static inline bool lib_pack_is_whole(const struct lib_pack *pack)
{
    return !pack->failed && pack->at == pack->length;
}

#endif
