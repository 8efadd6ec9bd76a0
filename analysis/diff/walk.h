/* Follows the events of a run, and identifies its firings by keys that are the same in another
 * run. */
#ifndef ANALYSIS_DIFF_WALK_H
#define ANALYSIS_DIFF_WALK_H

#include "analysis/diff/node_mapping.h"
#include "lib/hash.h"
#include "traces/live_tags.h"

struct analysis_walk {
    const struct analysis_node_mapping *alike; /* borrowed */
    uint32_t side;
    /* number of firings so far, including those that only forward hiatons (dead tokens) */
    uint64_t fired;
    struct traces_live_tags tags;
};

static inline struct analysis_walk
analysis_walk_start(const struct analysis_node_mapping *alike, uint32_t side,
                    uint64_t fired)
{
    struct analysis_walk walk = {.alike = alike, .side = side, .fired = fired};
    traces_live_tags_start(&walk.tags, alike->graphs[side], true);
    return walk;
}

static inline void analysis_walk_free(struct analysis_walk *walk)
{
    traces_live_tags_free(&walk->tags);
}

static inline bool analysis_is_firing(const struct traces_event *event)
{
    return event->kind == TRACES_EVENT_FIRED || event->kind == TRACES_EVENT_DEAD;
}

/* Returns the path of a live tag, or 0 if the tag is not alive. */
static inline uint64_t analysis_walk_path(const struct analysis_walk *walk, uint32_t tag)
{
    const struct traces_live_tag *live = traces_live_tags_find(&walk->tags, tag);
    return live ? traces_live_tags_more(&walk->tags, live)->path : 0;
}

/* Returns the key of the firing of an event, or of the firing to which the token of the event goes.
 * A key identifies an instruction under a tag. It is the same in both runs, and never 0. A RETURN
 * or EXIT has another key when it takes a hiaton (dead token), because the same instruction may
 * also fire with a value under the same tag. */
static inline uint64_t analysis_walk_key(const struct analysis_walk *walk,
                                         const struct traces_event *event)
{
    const enum isa_op op = walk->alike->graphs[walk->side]->nodes[event->instr].op;
    const bool is_dead = event->kind == TRACES_EVENT_DEAD ||
                         event->kind == TRACES_EVENT_SENT_DEAD;
    const bool is_apart = is_dead && (op == ISA_OP_RETURN || op == ISA_OP_EXIT);
    const uint64_t number = walk->alike->numbers[walk->side][event->instr];
    const uint64_t key = lib_hash_mix(analysis_walk_path(walk, event->tag) +
                                      UINT64_C(0x9e3779b97f4a7c15) *
                                          (2 * number + is_apart + 1));
    return key ? key : 1;
}

static inline void analysis_walk_note(struct analysis_walk *walk,
                                      const struct traces_event *event)
{
    walk->fired += analysis_is_firing(event);
    if (traces_event_table[event->kind].level == TRACES_LEVEL_SUMMARY)
        traces_live_tags_note(&walk->tags, event);
}

#endif
