/* The first event in which two runs of images of one strategy differ. Both streams are read in
 * step; memory does not grow with them. */
#ifndef ANALYSIS_DIFF_FIRST_H
#define ANALYSIS_DIFF_FIRST_H

#include "analysis/diff/walk.h"
#include "analysis/diff/pull.h"
#include "lib/arena.h"

/* The event of one run. Numbers of activations are those of that run. */
struct analysis_first_event {
    bool is_there; /* false after the end of the stream */
    struct traces_event event;
    const char *tag; /* tag of the event, or NULL */
    uint32_t by;     /* node that sent a token; else TRACES_NONE */
};

struct analysis_first {
    bool is_found, is_whole; /* is_whole: both sources could be read */
    uint64_t before;         /* events before, which are the same */
    struct analysis_first_event events[2];

    /* The fields in which the two differ, such as "cycle, formed"; "event" for different kinds. */
    const char *differs_in;
};

/* Reads both sources at a level that both have. Texts live in the arena. */
struct analysis_first analysis_first_find(const struct analysis_node_mapping *alike,
                                          const struct analysis_source sources[2],
                                          enum traces_level level,
                                          struct lib_arena *arena);

#endif
