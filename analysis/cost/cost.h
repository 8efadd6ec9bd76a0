/* Costs of a run: counts of its events (traces/events.h) for each function, each line of the source
 * or each opcode. A table has the rows that are not all 0, the greatest cost first. Sums over all
 * rows are statistics of the run; a peak belongs to its row only. */
#ifndef ANALYSIS_COST_COST_H
#define ANALYSIS_COST_COST_H

#include "traces/live_tags.h"

/* Kinds of rows of a table: BY(NAME, key, help). `key` is the key in JSON. */
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

/* Columns of a table. The sum of SUM(key, stat, label, help) over all rows is the statistic `stat`
 * of the run. PEAK(key, stat, label, help) is the maximum at the end of a cycle; `stat` is the peak
 * of the whole run. */
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
    uint32_t number; /* number of the function, line (0: none) or opcode */
#define COUNT(key, stat, label, help) uint64_t key;
    ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    uint64_t waiting, live_tokens, tags; /* current numbers, whose peaks are kept */
    bool is_touched;                     /* a current number changed in this cycle */
};

/* A table of costs. After the last event its rows are sorted by `busy`, `firings` and `tokens`,
 * greatest first, then by number. */
struct analysis_costs {
    enum analysis_cost_by by;
    const struct isa_graph *graph; /* borrowed */
    struct analysis_cost *rows;
    size_t row_count;

    /* State while events arrive. */
    bool has_workers;
    uint64_t cycle;
    uint32_t *row_of_node, *row_of_function;
    LIB_VEC(uint32_t) touched;
    /* Live activations, borrowed; if NULL, `tags` is used instead. */
    const struct traces_live_tags *live;
    struct lib_hash_index tags; /* row of each activation; row_count: none */
};

const char *analysis_cost_by_key(enum analysis_cost_by by);

/* Sets functions[f] to the function of the source that contains function f of the graph: for a
 * loop, the one that it is written in; else f itself. */
void analysis_cost_functions(const struct isa_graph *graph, uint32_t *functions);

/* Returns the number of a node's row. `around` is the array of analysis_cost_functions. */
uint32_t analysis_cost_number(enum analysis_cost_by by, const struct isa_node *node,
                              const uint32_t *around);

/* Makes an empty table; `has_workers` if the run is of an executor. `live` are the live
 * activations, or NULL. The caller must note each event there before the sink processes it, but
 * GONE afterwards. */
struct analysis_costs *analysis_costs_new(enum analysis_cost_by by,
                                          const struct isa_graph *graph, bool has_workers,
                                          const struct traces_live_tags *live);
void analysis_costs_free(struct analysis_costs *costs); /* NULL is allowed */

/* Returns the sink that counts the events of a run; it needs the level `all`. */
struct traces_event_sink analysis_costs_sink(struct analysis_costs *costs);

/* Whether two rows, which are functions, have one name: local ones can. */
bool analysis_costs_have_twins(const struct analysis_costs *costs);

/* Returns the name of a row: a function or opcode, borrowed; or a line, as "12", in `buffer`. */
enum { ANALYSIS_COST_NAME = 16 };
const char *analysis_cost_name(const struct analysis_costs *costs,
                               const struct analysis_cost *row,
                               char buffer[ANALYSIS_COST_NAME]);

#endif
