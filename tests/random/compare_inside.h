/* What the modules of the comparison share: engines (compare.c), forms (compare_forms.c). */
#ifndef TESTS_RANDOM_COMPARE_INSIDE_H
#define TESTS_RANDOM_COMPARE_INSIDE_H

#include "isa/graph.h"
#include "programs/graph/build_options.h"
#include "tests/random/compare.h"

/* Says what was found, once: the first finding stays. Returns false. */
bool compare_found(struct compare_report *report, enum compare_verdict verdict,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Every form of the program is written, read back, and compared. `image` is the program
 * at an executable stage, compiled with the options, `printed` what programs_print makes of it.
 * false: found something. */
bool compare_forms(const struct lib_source *source,
                   const struct programs_options *options, const struct isa_graph *image,
                   const char *printed, struct compare_report *report);

#endif
