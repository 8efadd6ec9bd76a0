/* Where a run spends what it costs: its events (traces/events.h) counted for each function, each
 * line of the source or each opcode. The rows of a table are those for which anything was
 * counted, the dearest first. Sums over rows are the statistics of the run; peaks are each row's
 * own. */
#ifndef ANALYSIS_COST_COST_H
#define ANALYSIS_COST_COST_H

#include "traces/live_tags.h"

/* BY(NAME, key, help): what a row is; `key` names it in JSON. */
#define ANALYSIS_COST_BYS(BY)                                                            \
    BY(FUNCTION, "function", "where an instruction stands; loops stand in a function")   \
    BY(LINE, "line", "the line of the source")                                           \
    BY(OPCODE, "opcode", "what an instruction does, whatever the types")

enum analysis_cost_by {
#define BY(NAME, key, help) ANALYSIS_COST_BY_##NAME,
    ANALYSIS_COST_BYS(BY)
#undef BY
        ANALYSIS_COST_BY_NOTHING,
};

/* SUM(key, stat, label, help): summed over rows it is the statistic `stat` of the run. PEAK(key,
 * stat, label, help): the most at the end of a cycle; `stat` is that of the whole run. */
#define ANALYSIS_COST_COUNTS(SUM, PEAK)                                                  \
    SUM(busy, busy_cycles, "busy",                                                       \
        "busy function-unit cycles (executor: cycles of workers)")                       \
    SUM(firings, firings, "firings", "instructions executed")                            \
    SUM(dead_firings, dead_firings, "dead", "instructions that only passed a hiaton on") \
    SUM(tokens, tokens, "tokens", "tokens delivered to the row's instructions")          \
    SUM(calls, calls, "calls",                                                           \
        "calls of the function; or made by the row's instructions")                      \
    PEAK(peak_waiting, peak_waiting, "waiting",                                          \
         "most tokens that waited for the row's instructions")                           \
    PEAK(peak_live_tokens, peak_live_tokens, "live",                                     \
         "most tokens alive for the row's instructions")                                 \
    PEAK(peak_tags, peak_tags, "tags",                                                   \
         "most activations alive: of the function and its loops; or made by the row's "  \
         "instructions")

struct analysis_cost {
    uint32_t
        number; /* of the function; of the line, 0 where there is none; of the opcode */
#define COUNT(key, stat, label, help) uint64_t key;
    ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    uint64_t waiting, live_tokens, tags; /* now */
    bool is_touched;                     /* one of these changed in this cycle */
};

/* A table. After the last event its rows are sorted: by `busy`, then by `firings`, then by
 * `tokens`, the greatest first; then by number. */
struct analysis_costs {
    enum analysis_cost_by by;
    const struct isa_graph *graph; /* borrowed */
    struct analysis_cost *rows;
    size_t row_count;

    /* While events come. */
    bool has_workers;
    uint64_t cycle;
    uint32_t *row_of_node, *row_of_function;
    LIB_VEC(uint32_t) touched;
    const struct traces_live_tags
        *live; /* borrowed: the activations alive; NULL: it has their rows */
    struct lib_hash_index tags; /* the row of each activation; row_count: it has none */
};

/* The table of that key; ANALYSIS_COST_BY_NOTHING: there is none. */
enum analysis_cost_by analysis_cost_by_find(const char *key);
const char *analysis_cost_by_key(enum analysis_cost_by by);

/* Of each function the one in which it stands: of a loop, however deep, that which it is written
 * in; of a function itself. */
void analysis_cost_functions(const struct isa_graph *graph, uint32_t *functions);

/* The number of the row to which a node belongs; `around` is what analysis_cost_functions found. */
uint32_t analysis_cost_number(enum analysis_cost_by by, const struct isa_node *node,
                              const uint32_t *around);

/* `has_workers`: the run is that of an executor. `live`, or NULL: the activations alive, which
 * the caller has; an event is noted there before the sink takes it, but GONE behind. */
struct analysis_costs *analysis_costs_new(enum analysis_cost_by by,
                                          const struct isa_graph *graph, bool has_workers,
                                          const struct traces_live_tags *live);
void analysis_costs_free(struct analysis_costs *costs); /* NULL is allowed */

/* Takes all events of a run, of the level `all`. */
struct traces_event_sink analysis_costs_sink(struct analysis_costs *costs);

/* What a row is about: a name, or a number. Borrowed from the graph and tables; of a line "12", in
 * `buffer`. */
enum { ANALYSIS_COST_NAME = 16 };
const char *analysis_cost_name(const struct analysis_costs *costs,
                               const struct analysis_cost *row,
                               char buffer[ANALYSIS_COST_NAME]);

#endif
