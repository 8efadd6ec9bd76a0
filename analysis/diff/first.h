/* Finds the first event in which two runs differ, whose graphs are of one strategy. Both runs are
 * read in step; memory does not grow with them. */
#ifndef ANALYSIS_DIFF_FIRST_H
#define ANALYSIS_DIFF_FIRST_H

#include "analysis/diff/walk.h"
#include "analysis/diff/pull.h"
#include "lib/arena.h"

/* The event in one run; numbers of activations are those of that run. */
struct analysis_first_event {
    bool is_there; /* false after the end of the run */
    struct traces_event event;
    const char *tag; /* tag of the event as text, or NULL */
    uint32_t by;     /* node that sent the token, or TRACES_NONE */
};

struct analysis_first {
    bool is_found, is_whole; /* `is_whole`: both runs could be read */
    uint64_t before;         /* number of equal events before the difference */
    struct analysis_first_event events[2];

    /* The fields that differ, as "cycle, formed"; "event" if kinds differ. */
    const char *differs_in;
};

/* Reads both runs up to a level that both have. Strings live in the arena. */
struct analysis_first analysis_first_find(const struct analysis_node_mapping *alike,
                                          const struct analysis_source sources[2],
                                          enum traces_level level,
                                          struct lib_arena *arena);

#endif
