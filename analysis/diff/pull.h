/* Pulls events from a source, so that two streams can be read in step. A thread reads the source
 * some blocks ahead. */
#ifndef ANALYSIS_DIFF_PULL_H
#define ANALYSIS_DIFF_PULL_H

#include "analysis/diff/source.h"

struct analysis_pull;

/* Begins to read all of a source, at a level. */
struct analysis_pull *analysis_pull_start(const struct analysis_source *source,
                                          enum traces_level level);

/* Returns the next block, valid until the next call; or NULL, with a count of 0, at the end. */
const struct traces_event *analysis_pull_next(struct analysis_pull *pull, size_t *count);

/* Ends reading, early if not all blocks were pulled. Returns false if all were wanted, but the
 * source could not be read to its end. */
bool analysis_pull_end(struct analysis_pull *pull);

#endif
