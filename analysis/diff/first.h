/* The first event in which two runs of images of one strategy differ. Both streams are read in
 * step; memory does not grow with them. */
#ifndef ANALYSIS_DIFF_FIRST_H
#define ANALYSIS_DIFF_FIRST_H

#include "analysis/diff/walk.h"
#include "analysis/diff/pull.h"
#include "lib/arena.h"

/* What a run tells there. Numbers of activations are its own; `tag` is the tag of the event. */
struct analysis_first_event {
    bool is_there; /* else the stream is over */
    struct traces_event event;
    const char *tag; /* NULL: it names none */
    uint32_t by; /* of a token that is sent: the node that has fired; else TRACES_NONE */
};

struct analysis_first {
    bool is_found, is_whole; /* not whole: a source could not be read */
    uint64_t before;         /* so many events are the same */
    struct analysis_first_event events[2];
    /* The fields in which the two differ: "cycle, formed"; "event" where they are of two kinds. */
    const char *differs_in;
};

/* Reads both sources at a level that both have. Texts live in the arena. */
struct analysis_first analysis_first_find(const struct analysis_node_mapping *alike,
                                          const struct analysis_source sources[2],
                                          enum traces_level level,
                                          struct lib_arena *arena);

#endif
