/* Costs of a run: its events (traces/events.h) counted by function, source line or opcode. A table
 * has the rows that are not all 0, greatest cost first. Sums of a column are statistics of the run,
 * but a peak is of its row only. */
#ifndef ANALYSIS_COST_COST_H
#define ANALYSIS_COST_COST_H

#include "traces/live_tags.h"

/* Kinds of rows of a cost table: BY(NAME, key, help). `key` is the key in JSON. */
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

/* Columns of a cost table. Column SUM(key, stat, label, help) is a count; its sum over all rows is
 * the statistic `stat` of the run. Column PEAK(key, stat, label, help) is the maximum of a count at
 * the ends of cycles; `stat` is the same maximum for the whole run. */
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
    uint32_t number; /* index of the function, source line (0: unknown), or opcode */
#define COUNT(key, stat, label, help) uint64_t key;
    ANALYSIS_COST_COUNTS(COUNT, COUNT)
#undef COUNT
    /* counts in the current cycle; their maxima are the peaks */
    uint64_t waiting, live_tokens, tags;
    /* whether `waiting`, `live_tokens` or `tags` changed in this cycle */
    bool is_touched;
};

/* A table of costs. After the last event of the run, its rows are sorted by `busy`, `firings` and
 * `tokens`, greatest first, then by `number`. */
struct analysis_costs {
    enum analysis_cost_by by;
    const struct isa_graph *graph; /* borrowed */
    struct analysis_cost *rows;
    size_t row_count;

    /* The members from here on are used only while events arrive. */
    bool has_workers;
    uint64_t cycle;
    uint32_t *row_of_node, *row_of_function;
    LIB_VEC(uint32_t) touched;
    /* Live activations, borrowed. If NULL, `tags` is used instead. */
    const struct traces_live_tags *live;
    /* index into `rows` of each live activation; row_count: none */
    struct lib_hash_index tags;
};

const char *analysis_cost_by_key(enum analysis_cost_by by);

/* Sets functions[f] to the source function that contains function f of the graph: the function
 * around f if f is a loop, else f. */
void analysis_cost_functions(const struct isa_graph *graph, uint32_t *functions);

/* Returns the `number` of the row that counts a node. `around` was set by
 * analysis_cost_functions. */
uint32_t analysis_cost_number(enum analysis_cost_by by, const struct isa_node *node,
                              const uint32_t *around);

/* Returns an empty cost table. `has_workers`: whether the run uses workers instead of PEs. `live`:
 * the live activations, or NULL. If not NULL, the caller must update `live` with each event: before
 * it passes the event to the sink, but after it if the event is GONE. */
struct analysis_costs *analysis_costs_new(enum analysis_cost_by by,
                                          const struct isa_graph *graph, bool has_workers,
                                          const struct traces_live_tags *live);
void analysis_costs_free(struct analysis_costs *costs); /* NULL is allowed */

/* Returns the sink that counts the events of a run. It needs events of level `all`. */
struct traces_event_sink analysis_costs_sink(struct analysis_costs *costs);

/* Whether two functions in the table have the same name, as local functions can. */
bool analysis_costs_have_twins(const struct analysis_costs *costs);

enum { ANALYSIS_COST_NAME = 16 }; /* bytes for the name of a row: `buffer` below */

/* Returns the name of a row. The name of a function or opcode is borrowed; a line, such as "12", is
 * written to `buffer`. */
const char *analysis_cost_name(const struct analysis_costs *costs,
                               const struct analysis_cost *row,
                               char buffer[ANALYSIS_COST_NAME]);

#endif
