/* The path of a tag: a hash of all its labels, the same on every machine. The constants never
 * change (doc/model.md, Digests). */
#ifndef ISA_TAG_PATH_H
#define ISA_TAG_PATH_H

#include "lib/hash.h"
#include "lib/text.h"

/* That of the empty tag. */
#define ISA_ROOT_PATH UINT64_C(0x68696174f6e0001d)

/* The path of the tag i:t after that of the tag t. */
static inline uint64_t isa_tag_path(uint64_t parent_path, uint32_t site)
{
    return lib_hash_mix(parent_path + UINT64_C(0x9e3779b97f4a7c15) * (site + 1));
}

/* The path of i.n:t, after that of i:t. */
static inline uint64_t isa_tag_iteration_path(uint64_t path, uint64_t iteration)
{
    return lib_hash_mix(path ^ UINT64_C(0xc2b2ae3d27d4eb4f) * (iteration + 1));
}

/* Adds label `i` of a tag of `depth` labels, from the innermost on: called for each
 * of them, it writes "3,0.2,1", and a long tag shortened in the middle. */
enum { ISA_TAG_SHOWN_HEAD = 6, ISA_TAG_SHOWN_TAIL = 3 };

static inline void isa_tag_write_label(struct lib_text *out, uint32_t i, uint32_t depth,
                                       uint32_t site, bool is_loop, uint64_t iteration)
{
    if (i == ISA_TAG_SHOWN_HEAD && i + ISA_TAG_SHOWN_TAIL < depth)
        lib_text_printf(out, ",...(%u more)...",
                        depth - ISA_TAG_SHOWN_HEAD - ISA_TAG_SHOWN_TAIL);
    if (i < ISA_TAG_SHOWN_HEAD || i + ISA_TAG_SHOWN_TAIL >= depth) {
        lib_text_printf(out, "%s%u", i ? "," : "", site);
        if (is_loop)
            lib_text_printf(out, ".%llu", (unsigned long long)iteration);
    }
}

#endif
