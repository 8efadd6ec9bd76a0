/* Events that are asked for, in place of being told: so two streams can be read in step. A thread
 * reads the source, some blocks ahead. What is pulled does not depend on how far ahead it is. */
#ifndef ANALYSIS_DIFF_PULL_H
#define ANALYSIS_DIFF_PULL_H

#include "analysis/diff/source.h"

struct analysis_pull;

/* Begins to read all of a source, at a level. */
struct analysis_pull *analysis_pull_start(const struct analysis_source *source,
                                          enum traces_level level);

/* The next block, valid until the next call; NULL, of 0 events: there are no more. */
const struct traces_event *analysis_pull_next(struct analysis_pull *pull, size_t *count);

/* Ends it, early where not all was pulled. false: the source could not be read to its end, though
 * all of it was wanted. */
bool analysis_pull_end(struct analysis_pull *pull);

#endif
