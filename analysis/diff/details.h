/* A firing in two runs: its cycle and PE in both, and its tag. */
#ifndef ANALYSIS_DIFF_DETAILS_H
#define ANALYSIS_DIFF_DETAILS_H

#include "analysis/diff/shifts.h"
#include "lib/arena.h"

struct analysis_detail {
    uint64_t key;
    uint32_t number;
    bool is_there[2];
    struct analysis_fired fired[2];
    const char *tag; /* the tag as text; NULL if neither run has the firing */
};

/* Fills in `count` details; the caller has set `key` and `number` of each. Texts belong to the
 * arena. Returns false if the events of a run cannot be read from `sources`. */
bool analysis_details_find(const struct analysis_node_mapping *alike,
                           const struct analysis_source sources[2],
                           struct analysis_detail *details, size_t count,
                           struct lib_arena *arena);

#endif
