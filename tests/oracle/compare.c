#include "tests/oracle/compare.h"

#include "analysis/derive.h"
#include "analysis/energy.h"
#include "machine/machine.h"
#include "machine/ports.h"
#include "sim/explain/causes.h"
#include "tests/random/feeding.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is compared, and where differences are written. */
struct comparison {
    struct lib_text *why;
    bool all, same;
};

/* Translates settings for the second simulator, which must know all. */
static void translate(const struct machine_settings *from, struct oracle_settings *to)
{
    struct lib_text text = {0};
    *to = (struct oracle_settings){0};
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct lib_setting *row = &machine_setting_table[i];
        lib_text_clear(&text);
        lib_setting_write(from, row, &text);
        if (!oracle_set(to, row->key, lib_text_get(&text))) {
            fprintf(stderr, "tests/oracle does not know the setting %s\n", row->key);
            abort();
        }
    }
    struct machine_class_row made;
    for (size_t i = 0; machine_class_row_at(from, i, &made); i++) {
        lib_text_clear(&text);
        lib_setting_write(from, &made.row, &text);
        oracle_set(to, made.key, lib_text_get(&text));
    }
    if (from->network_file) {
        to->file = from->network_file->source.bytes;
        to->file_length = from->network_file->source.length;
    }
    lib_text_free(&text);
}

static void check_text(struct comparison *cmp, const char *what, const char *oracle,
                       const char *engine)
{
    if (strcmp(oracle, engine) == 0 || (!cmp->same && !cmp->all))
        return;
    cmp->same = false;
    lib_text_printf(cmp->why, "%s: oracle %s, engine %s\n", what, oracle, engine);
}

static void check_count(struct comparison *cmp, const char *what, uint64_t oracle,
                        uint64_t engine)
{
    char a[32], b[32];
    snprintf(a, sizeof a, "%" PRIu64, oracle);
    snprintf(b, sizeof b, "%" PRIu64, engine);
    check_text(cmp, what, a, b);
}

static void check_ratio(struct comparison *cmp, const char *what, double oracle,
                        double engine)
{
    char a[32], b[32];
    snprintf(a, sizeof a, "%.17g", isnan(oracle) ? NAN : oracle);
    snprintf(b, sizeof b, "%.17g", isnan(engine) ? NAN : engine);
    check_text(cmp, what, a, b);
}

static void check_statistic(struct comparison *cmp, const struct traces_stat *row,
                            const struct traces_stats *engine,
                            const struct oracle_stats *oracle)
{
#define STAT(name)                                                                       \
    if (strcmp(row->key, #name) == 0) {                                                  \
        check_count(cmp, #name, oracle->name, traces_stat_integer(engine, row));         \
        return;                                                                          \
    }
    ORACLE_COUNTS(STAT)
#undef STAT
#define STAT(name)                                                                       \
    if (strcmp(row->key, #name) == 0) {                                                  \
        check_ratio(cmp, #name, oracle->name, traces_stat_real(engine, row));            \
        return;                                                                          \
    }
    ORACLE_RATIOS(STAT)
#undef STAT
    fprintf(stderr, "tests/oracle does not know the statistic %s\n", row->key);
    abort();
}

static void check_pe(struct comparison *cmp, size_t pe,
                     const struct traces_pe_stats *engine,
                     const struct oracle_pe_stats *oracle)
{
    char what[64];
#define COUNT(name, help)                                                                \
    snprintf(what, sizeof what, #name " of PE %zu", pe);                                 \
    check_count(cmp, what, oracle->name, engine->name);
    TRACES_PE_COUNTS(COUNT)
#undef COUNT
}

static const char *end_of(enum isa_end end)
{
    switch (end) {
    case ISA_END_COMPLETED:
        return "completed";
    case ISA_END_TRAPPED:
        return "trapped";
    case ISA_END_DEADLOCKED:
        return "deadlocked";
    case ISA_END_LIMIT:
        return "limit";
    case ISA_END_STORE_FULL:
        return "store full";
    case ISA_END_TAGS_EXHAUSTED:
        return "tags exhausted";
    case ISA_END_FAULTED:
        return "faulted";
    default:
        return "?";
    }
}

static bool has_limit(enum isa_end end)
{
    return end == ISA_END_LIMIT || end == ISA_END_STORE_FULL ||
           end == ISA_END_TAGS_EXHAUSTED;
}

static bool is_energy(const struct traces_stat *row)
{
    return row->offset == offsetof(struct traces_stats, energy) ||
           row->offset == offsetof(struct traces_stats, energy_delay);
}

/* Computes ratios, and energies by ORACLE_ENERGY_STEP. */
static void measure_energy(struct traces_stats *stats)
{
    struct analysis_energy table = {.name = "", .title = ""};
    for (unsigned e = 0; e < ANALYSIS_ENERGY_COUNT; e++)
        table.entries[e].pj = ORACLE_ENERGY_STEP * (e + 1);
    analysis_derive(stats);
    analysis_energy_derive(&table, stats);
}

static void check_all(struct comparison *cmp, const struct machine *m, bool waits,
                      const struct oracle_case *c, const struct oracle_outcome *oracle)
{
    struct traces_stats stats;
    struct lib_text result = {0}, taken = {0};
    const enum isa_end end = waits ? ISA_END_INTERRUPTED : machine_end(m);
    machine_measure(m, &stats);
    measure_energy(&stats);
    if (end == ISA_END_COMPLETED)
        isa_exec_write_result(machine_exec(m), &result);
    check_text(cmp, "end", oracle_end_text(oracle->end), waits ? "waiting" : end_of(end));
    check_text(cmp, "limit", oracle->limit ? oracle->limit : "none",
               has_limit(end) ? machine_limit(m) : "none");
    check_text(cmp, "result", lib_text_get(&oracle->result), lib_text_get(&result));
    feeding_write_taken(m, c->graph, &taken);
    check_text(cmp, "ports out", lib_text_get(&oracle->taken), lib_text_get(&taken));
    lib_text_free(&taken);
    for (size_t i = 0; i < traces_stat_count; i++)
        if (stats.counts_work || !is_energy(&traces_stat_table[i]))
            check_statistic(cmp, &traces_stat_table[i], &stats, &oracle->stats);
    for (size_t pe = 0; pe < stats.pe_count; pe++)
        check_pe(cmp, pe, &stats.pe[pe], &oracle->stats.pe[pe]);
    lib_text_free(&result);
    traces_stats_free(&stats);
}

/* --- chains --------------------------------------------------------------------------------- */

enum { LEAST_MEMORY = 1 << 16 }; /* of limits.memory (machine/settings.def) */

/* The chain that the analysis finds, in words of the second simulator. */
struct chain {
    LIB_VEC(struct oracle_piece) pieces;
};

static void take_link(void *context, const struct analysis_link *link)
{
    static const enum oracle_place kinds[] = {
        [ANALYSIS_LINK_START] = ORACLE_STARTS,  [ANALYSIS_LINK_TURN] = ORACLE_TURNS,
        [ANALYSIS_LINK_GO_ON] = ORACLE_GOES_ON, [ANALYSIS_LINK_PORT] = ORACLE_PORTS,
        [ANALYSIS_LINK_LOCK] = ORACLE_LOCKS,    [ANALYSIS_LINK_END] = ORACLE_ENDS,
    };
    struct chain *chain = context;
    *LIB_VEC_PUSH(&chain->pieces) = (struct oracle_piece){.kind = kinds[link->kind],
                                                          .from = link->cycle,
                                                          .to = link->cycle,
                                                          .node = link->instr,
                                                          .pe = link->pe};
}

static void take_piece(void *context, const struct analysis_piece *piece)
{
    struct chain *chain = context;
    *LIB_VEC_PUSH(&chain->pieces) = (struct oracle_piece){
        .cause = analysis_cause_table[piece->cause].key,
        .from = piece->from,
        .to = piece->to,
        .node = piece->instr,
        .pe = piece->pe};
}

static void write_piece(const struct oracle_piece *p, struct lib_text *out)
{
    static const char *const kinds[] = {"start", "turn", "goes on",
                                        "port",  "lock", "end"};
    lib_text_clear(out);
    if (p)
        lib_text_printf(out, "%s %" PRIu64 "..%" PRIu64 ", node %" PRIu32 ", PE %u",
                        p->cause ? p->cause : kinds[p->kind], p->from, p->to, p->node,
                        p->pe);
    else
        lib_text_puts(out, "nothing");
}

/* Compares action by action, from the end; reports only the first difference. */
static void check_chain(struct comparison *cmp, const struct chain *chain,
                        const struct oracle_outcome *oracle)
{
    struct lib_text a = {0}, b = {0};
    char what[64];
    for (size_t i = 0; i < oracle->chain.count || i < chain->pieces.count; i++) {
        write_piece(i < oracle->chain.count ? &oracle->chain.items[i] : NULL, &a);
        write_piece(i < chain->pieces.count ? &chain->pieces.items[i] : NULL, &b);
        if (strcmp(lib_text_get(&a), lib_text_get(&b)) == 0)
            continue;
        snprintf(what, sizeof what, "chain, %zu from the end", i);
        check_text(cmp, what, lib_text_get(&a), lib_text_get(&b));
        break;
    }
    lib_text_free(&a);
    lib_text_free(&b);
}

static void compare_chains(struct comparison *cmp, const struct oracle_case *c,
                           const struct isa_code *code, const struct sim_feeds *feeds,
                           const struct oracle_outcome *oracle)
{
    const struct sim_simulation_config config = {.code = code,
                                                 .settings = c->settings,
                                                 .seed = c->seed,
                                                 .feeds = c->ports ? feeds : NULL,
                                                 .engine = SIM_ENGINE_MACHINE};
    const struct analysis_causes_wish wish = {.interval = 500};
    const struct analysis_causes_wish of_result = {.from = ANALYSIS_CAUSES_FROM_RESULT,
                                                   .interval = 50};
    struct chain chain = {0};
    const struct analysis_causes_walker walker = {take_link, take_piece, &chain};
    struct analysis_causes_run run;
    struct lib_diags diags = {0}; /* not that a run without result has no chain */
    const bool found = sim_causes_run(&config, NULL, &wish, &walker, &run, &diags);
    if (found)
        sim_causes_run(&config, NULL, &of_result, &walker, &run, &diags);
    if (!found)
        check_text(cmp, "causes", "found", diags.count ? diags.items[0].text : "none");
    else
        check_chain(cmp, &chain, oracle);
    LIB_VEC_FREE(&chain.pieces);
    lib_diags_free(&diags);
}

static void cover(struct oracle_coverage *seen, const struct oracle_outcome *oracle)
{
    seen->ended[oracle->end]++;
    seen->cycles = oracle->stats.cycles;
    seen->tokens = oracle->stats.tokens;
    seen->depth = oracle->stats.peak_tag_depth;
    seen->bytes = oracle->peak_state;
#define STAT(name)                                                                       \
    if (oracle->stats.name > seen->most.name)                                            \
        seen->most.name = oracle->stats.name;
    ORACLE_COUNTS(STAT)
    ORACLE_RATIOS(STAT)
#undef STAT
}

bool oracle_is_covered(const struct oracle_coverage *seen, struct lib_text *why)
{
    for (int end = 0; end < ORACLE_END_COUNT; end++)
        if (seen->ended[end] == 0)
            lib_text_printf(why, "no run has ended: %s\n",
                            oracle_end_text((enum oracle_end)end));
#define STAT(name)                                                                       \
    if (!(seen->most.name > 0))                                                          \
        lib_text_printf(why, "no run has %s\n", #name);
    ORACLE_COUNTS(STAT)
    ORACLE_RATIOS(STAT)
#undef STAT
    return why->length == 0;
}

/* Every second machine has run before, for some cycles, and was reset. */
static struct machine *new_or_reset(const struct isa_code *code,
                                    const struct oracle_case *c)
{
    struct machine *m = machine_new_timed(code, c->settings, c->seed, c->timing);
    const uint64_t draw = c->graph->node_count / 2 + c->seed;
    if (draw % 2 && machine_can_be_reset(c->settings)) {
        machine_advance_to(m, 1 + draw % 997, 1 + draw % 4999);
        machine_reset(m, code, c->seed);
    }
    return m;
}

bool oracle_compare(const struct oracle_case *c, bool all, struct lib_text *why)
{
    const bool propagate = c->settings->deadness == MACHINE_PROPAGATE;
    struct comparison cmp = {.why = why, .all = all, .same = true};
    struct oracle_settings settings;
    struct oracle_outcome oracle;
    struct feeding feeding = {.host = {NULL, 0}};
    bool waits = false;
    struct isa_code *code = isa_code_make(c->graph, c->inputs, propagate);
    struct machine *m = new_or_reset(code, c);
    if (c->graph->node_count % 2)
        machine_count_work(m); /* by the general engine */
    if (c->ports)
        waits = feeding_run(&feeding, m, c->graph, c->ports, c->seed, c->timing != NULL);
    while (!c->ports && machine_advance(m, UINT64_MAX / 2))
        ;
    translate(c->settings, &settings);
    settings.mistake = c->mistake;
    if (c->timing) {
        settings.scale = c->timing->scale;
        settings.latency = c->timing->latency;
        settings.slot = c->timing->slot;
    }
    oracle_run(c->graph, c->inputs, &settings, c->seed, &feeding.host, &oracle);
    check_all(&cmp, m, waits, c, &oracle);
    /* The analysis rejects limits.memory below its bound, which a trial may have. */
    if ((cmp.same || all) && !c->timing && !waits &&
        c->settings->limit_memory >= LEAST_MEMORY)
        compare_chains(&cmp, c, code, &feeding.all, &oracle);
    if (c->seen)
        cover(c->seen, &oracle);
    oracle_outcome_free(&oracle);
    feeding_free(&feeding);
    machine_free(m);
    isa_code_free(code);
    return cmp.same;
}
