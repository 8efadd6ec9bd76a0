/* Finds the first event in which two runs differ. The graphs must be of one strategy. Reads both
 * runs in parallel; memory does not grow with their length. */
#ifndef ANALYSIS_DIFF_FIRST_H
#define ANALYSIS_DIFF_FIRST_H

#include "analysis/diff/walk.h"
#include "analysis/diff/pull.h"
#include "lib/arena.h"

/* The first differing event, as it is in one of the two runs. Identifiers of activations are those
 * of this run. */
struct analysis_first_event {
    bool is_there; /* whether the run has an event there; false if the run ended before */
    struct traces_event event;
    /* Tag of the event as text, or NULL; if the event makes an activation, its parent's tag. */
    const char *tag;
    /* The node that fired last, if the event sends a token; it is the sender, unless the token
     * answers a read. TRACES_NONE for other events. */
    uint32_t by;
};

struct analysis_first {
    bool is_found, is_whole; /* `is_whole`: whether both runs could be read */
    uint64_t before;         /* number of equal events before the difference */
    struct analysis_first_event events[2];

    /* Names of the fields that differ: "cycle, formed". If the kinds of events differ: "event", or
     * "event, cycle" if the cycles do, too. "" if one run has ended. */
    const char *differs_in;
};

/* Compares the events up to `level`, which both runs must have. Texts belong to the arena. */
struct analysis_first analysis_first_find(const struct analysis_node_mapping *alike,
                                          const struct analysis_source sources[2],
                                          enum traces_level level,
                                          struct lib_arena *arena);

#endif
