/* Packing: state as bytes, and back. Whoever owns state describes it once, in a function that hands
 * each part of it to a pack. The pack is written, or read, and the same function does both; so what
 * is written and what is read cannot differ.
 *
 * Numbers are little-endian, as in the memory of the hosts that hiaton runs on. What is read is
 * not trusted: a count is never beyond what the bytes can hold, and a pack that has failed gives
 * zeros. So a function may go on to its end, and asks then. */
#ifndef LIB_PACK_H
#define LIB_PACK_H

#include "lib/memory.h"
#include "lib/stash.h"
#include "lib/text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "packs are little-endian");

struct lib_pack {
    struct lib_text *out; /* borrowed: where bytes are added; NULL: the pack is read */
    const unsigned char *in;
    size_t length, at;
    bool failed;
    struct lib_stash
        *stash; /* borrowed; not NULL: the bytes are there, and none at `in` */
};

static inline struct lib_pack lib_pack_writer(struct lib_text *out)
{
    return (struct lib_pack){.out = out};
}

/* `bytes` are borrowed as long as the pack is read. */
static inline struct lib_pack lib_pack_reader(const void *bytes, size_t length)
{
    return (struct lib_pack){.in = bytes, .length = length};
}

/* The same, of a stash. Once all is written, the caller ends it. */
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

/* Fails unless `holds`. Returns whether the pack may be gone on with. */
static inline bool lib_pack_expect(struct lib_pack *pack, bool holds)
{
    pack->failed |= !holds;
    return !pack->failed;
}

/* `size` bytes at `data`. */
void lib_pack_bytes(struct lib_pack *pack, void *data, size_t size);

/* A number, or a structure of numbers without padding. */
#define LIB_PACK(pack, thing) lib_pack_bytes((pack), &(thing), sizeof(thing))

/* A truth value: any other byte than 0 and 1 fails. */
void lib_pack_bool(struct lib_pack *pack, bool *value);

/* How many items of at least `size` bytes each follow; returns `count`, or what was read. */
uint64_t lib_pack_count(struct lib_pack *pack, uint64_t count, size_t size);

/* A LIB_VEC of numbers, or of structures of numbers without padding. */
#define LIB_PACK_VEC(pack, v)                                                            \
    ((v)->items = lib_pack_items((pack), (v)->items, &(v)->count, &(v)->capacity,        \
                                 sizeof *(v)->items))

void *lib_pack_items(struct lib_pack *pack, void *items, size_t *count, size_t *capacity,
                     size_t size);

/* The same, of structures whose items `each` packs one by one: they have padding or pointers. */
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

/* Whether all was read, and nothing was wrong. */
static inline bool lib_pack_is_whole(const struct lib_pack *pack)
{
    return !pack->failed && pack->at == pack->length;
}

#endif
