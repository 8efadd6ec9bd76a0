/* Tags as users read them: [i,j,...], the innermost label first. The label of a loop has the number
 * of its iteration, i.n. Long tags are shortened in the middle. */
#ifndef ISA_TAG_TEXT_H
#define ISA_TAG_TEXT_H

#include "lib/text.h"

enum { ISA_TAG_SHOWN_HEAD = 6, ISA_TAG_SHOWN_TAIL = 3 };

/* Adds label number `i` of a tag of `depth` labels, if it is shown. Called for i = 0, 1, ... in
 * order; the caller writes the brackets. `iteration` is NULL if the label is not that of a loop. */
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
