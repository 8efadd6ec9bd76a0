/* Reads the events of a run in blocks on demand, so that two runs can be read in parallel. A thread
 * reads some blocks ahead. */
#ifndef ANALYSIS_DIFF_PULL_H
#define ANALYSIS_DIFF_PULL_H

#include "analysis/diff/source.h"

struct analysis_pull;

/* Starts to read all events of a source up to a level. */
struct analysis_pull *analysis_pull_start(const struct analysis_source *source,
                                          enum traces_level level);

/* Returns the next block of `count` events, valid until the next call. At the end returns NULL and
 * sets `count` to 0. */
const struct traces_event *analysis_pull_next(struct analysis_pull *pull, size_t *count);

/* Stops reading, also before the end, and frees `pull`. Returns false if an error occurred
 * before. */
bool analysis_pull_end(struct analysis_pull *pull);

#endif
