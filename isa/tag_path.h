/* The path of a tag: a hash of all its labels, the same on every machine. The constants are part of
 * the digests and never change (doc/model.md, Digests). */
#ifndef ISA_TAG_PATH_H
#define ISA_TAG_PATH_H

#include "lib/hash.h"

/* Path of the empty tag. */
#define ISA_ROOT_PATH UINT64_C(0x68696174f6e0001d)

/* Returns the path of tag `site`:t, where `parent_path` is the path of tag t. */
static inline uint64_t isa_tag_path(uint64_t parent_path, uint32_t site)
{
    return lib_hash_mix(parent_path + UINT64_C(0x9e3779b97f4a7c15) * (site + 1));
}

/* Returns the path of an iteration of a loop. `path` is the path of the loop, from isa_tag_path. */
static inline uint64_t isa_tag_iteration_path(uint64_t path, uint64_t iteration)
{
    return lib_hash_mix(path ^ UINT64_C(0xc2b2ae3d27d4eb4f) * (iteration + 1));
}

#endif
