/* Tags as text for users: [i,j,...], the innermost label first. A loop's label shows the number of
 * the iteration, i.n. Long tags are shortened in the middle. */
#ifndef ISA_TAG_TEXT_H
#define ISA_TAG_TEXT_H

#include "lib/text.h"

enum { ISA_TAG_SHOWN_HEAD = 6, ISA_TAG_SHOWN_TAIL = 3 };

/* Appends label `i` of a tag of `depth` labels, unless it is in the middle of a long tag. The
 * caller calls this for i = 0, 1, ... in order, and writes the brackets. `iteration` is NULL if the
 * label is a call's. */
static inline void isa_tag_text_label(struct lib_text *out, uint32_t i, uint32_t depth,
                                      uint32_t site, const uint64_t *iteration)
{
    if (i >= ISA_TAG_SHOWN_HEAD && i + ISA_TAG_SHOWN_TAIL < depth) {
        if (i == ISA_TAG_SHOWN_HEAD)
            lib_text_printf(out, ",...(%u more)...",
                            depth - ISA_TAG_SHOWN_HEAD - ISA_TAG_SHOWN_TAIL);
        return;
    }
    lib_text_printf(out, "%s%u", i ? "," : "", site);
    if (iteration)
        lib_text_printf(out, ".%llu", (unsigned long long)*iteration);
}

#endif
