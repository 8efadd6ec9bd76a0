/* A function for tests of invalid files. */
#ifndef TESTS_UNIT_FILES_H
#define TESTS_UNIT_FILES_H

#include "tests/unit/main.h"

#include "lib/diag.h"

#include <stdio.h>

/* Returns the only error in `diags`, such as "byte 6: ..." or "2:3: ...", valid until the next
 * call, and frees `diags`. */
static inline const char *test_take_error(struct lib_diags *diags)
{
    static char text[512];
    ck_assert_uint_eq(diags->count, 1);
    const struct lib_diag *d = &diags->items[0];
    if (d->pos.line)
        snprintf(text, sizeof text, "%u:%u: %s", d->pos.line, d->pos.column, d->text);
    else
        snprintf(text, sizeof text, "%s", d->text);
    lib_diags_free(diags);
    return text;
}

#endif
