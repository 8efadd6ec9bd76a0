#include "sim/explain/causes.h"

#include "machine/describe.h"
#include "machine/machine.h"
#include "sim/ending/ending.h"
#include "sim/loading/divide.h"
#include "sim/replay/spool.h"

#include <assert.h>
#include <string.h>

/* A saved state: of a simulation between two cycles, or a position in a file. */
struct kept {
    uint32_t name;
    struct traces_event_place place;
    struct lib_stash state;
};

struct causes {
    const struct sim_simulation_config *config;
    struct sim_source_cursor *cursor; /* NULL if the run is simulated */
    struct lib_diags *diags;
    struct analysis_causes *analysis;
    struct traces_event_sink sink; /* of the analysis */
    struct sim_simulation *simulation;
    LIB_VEC(struct kept) kept;
    bool begins;   /* the simulation was opened and has emitted nothing */
    bool is_known; /* the analysis knows the state at the start of the simulation */
};

/* --- a simulation --------------------------------------------------------------------- */

static void report_lost(struct causes *c)
{
    lib_diag_plain(c->diags, LIB_DIAG_FILE,
                   "what was kept of the run cannot be read again from a file of the "
                   "folder TMPDIR, or /tmp");
}

static bool open_simulation(struct causes *c)
{
    c->simulation = sim_simulation_open(c->config, c->diags);
    c->begins = true;
    c->is_known = false;
    return c->simulation != NULL;
}

static void close_simulation(struct causes *c)
{
    if (c->simulation)
        sim_simulation_close(c->simulation, NULL);
    c->simulation = NULL;
}

static bool advance_simulation(struct causes *c, uint64_t tokens)
{
    const struct sim_until until = {.tokens = tokens};
    if (c->begins && c->is_known)
        sim_simulation_listen_on(c->simulation, &c->sink, 1);
    else if (c->begins)
        sim_simulation_listen(c->simulation, 0, &c->sink, 1);
    c->begins = false;
    const enum sim_advanced advanced = sim_simulation_advance(c->simulation, &until);
    if (advanced == SIM_ADVANCED_TO_END)
        close_simulation(c); /* emits END */
    return advanced != SIM_ADVANCED_TO_STOP;
}

/* --- a file --------------------------------------------------------------------------- */

static bool advance_cursor(struct causes *c, uint64_t tokens)
{
    enum { EVENTS = 4 }; /* minimum number of events per token */
    return sim_source_cursor_advance(c->cursor, EVENTS * tokens, c->sink, c->diags);
}

/* --- the source ----------------------------------------------------------------------- */

static bool advance_source(void *context, uint64_t tokens)
{
    struct causes *c = context;
    if (c->cursor)
        return advance_cursor(c, tokens);
    return c->simulation && advance_simulation(c, tokens);
}

static size_t keep_place(void *context, uint32_t place)
{
    struct causes *c = context;
    struct kept *kept = LIB_VEC_PUSH(&c->kept);
    *kept = (struct kept){.name = place};
    lib_stash_start(&kept->state);
    if (c->cursor)
        kept->place = sim_source_cursor_place(c->cursor);
    if (c->simulation && place > 0) /* place 0 is the start */
        sim_simulation_stash(c->simulation, &kept->state);
    return lib_stash_length(&kept->state);
}

static void drop_place(void *context, uint32_t place)
{
    struct causes *c = context;
    size_t count = 0;
    for (size_t i = 0; i < c->kept.count; i++)
        if (c->kept.items[i].name == place)
            lib_stash_free(&c->kept.items[i].state);
        else
            c->kept.items[count++] = c->kept.items[i];
    c->kept.count = count;
}

static bool return_to_place(void *context, uint32_t place)
{
    struct causes *c = context;
    for (size_t i = 0; i < c->kept.count; i++) {
        struct kept *kept = &c->kept.items[i];
        if (kept->name != place)
            continue;
        if (c->cursor)
            return sim_source_cursor_seek(c->cursor, kept->place, c->diags);
        close_simulation(c);
        if (!open_simulation(c))
            return false;
        c->is_known = lib_stash_length(&kept->state) > 0;
        if (!c->is_known || sim_simulation_unstash(c->simulation, &kept->state))
            return true;
        report_lost(c);
        return false;
    }
    return false;
}

/* --- the run -------------------------------------------------------------------------- */

/* Reports why there is no firing to begin with. Without a result, says how the run ended and what
 * to ask instead. */
static void report_no_chain(struct lib_diags *diags,
                            const struct analysis_causes_wish *wish, enum isa_end end)
{
    const bool is_blocked = end == ISA_END_STORE_FULL || end == ISA_END_TAGS_EXHAUSTED ||
                            end == ISA_END_DEADLOCKED;
    if (wish->from == ANALYSIS_CAUSES_FROM_RESULT && end != ISA_END_COMPLETED)
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "the run ended before its result was there (%s): --end=run "
                       "follows what it did until then%s",
                       sim_end_name(end),
                       is_blocked ? ", --why-stopped what it waited for" : "");
    else
        lib_diag_plain(diags, LIB_DIAG_FILE,
                       "nothing of that kind has fired, so no chain leads to it");
}

static bool report_outcome(struct causes *c, const struct analysis_causes_wish *wish,
                           enum analysis_causes_done done,
                           const struct analysis_causes_run *run)
{
    switch (done) {
    case ANALYSIS_CAUSES_DONE:
        return true;
    case ANALYSIS_CAUSES_NO_RESULT:
        report_no_chain(c->diags, wish, (enum isa_end)run->end.how);
        return false;
    case ANALYSIS_CAUSES_LOST:
        report_lost(c);
        return false;
    case ANALYSIS_CAUSES_ODD: {
        LIB_TEXT_OWN text = {0};
        traces_event_write(analysis_causes_invalid(c->analysis), &text);
        lib_diag_plain(c->diags, LIB_DIAG_FILE,
                       "an event does not fit to those before it: %s",
                       lib_text_get(&text));
        return false;
    }
    default:
        return false;
    }
}

static bool run_causes(const struct sim_simulation_config *config,
                       struct sim_source *file, const struct analysis_causes_wish *wish,
                       const struct analysis_causes_walker *walker,
                       struct analysis_causes_run *run, struct analysis_causes **analysis,
                       struct lib_diags *diags)
{
    const struct isa_graph *graph = config->code ? config->code->graph : config->graph;
    assert(!sim_divides(graph, config->settings));
    const struct traces_machine machine = machine_describe(config->settings, graph, NULL);
    struct causes c = {.config = config,
                       .diags = diags,
                       .analysis = analysis_causes_new(&machine, graph)};
    const struct analysis_causes_source source = {graph,      advance_source,  keep_place,
                                                  drop_place, return_to_place, &c};
    struct sim_source *spool = NULL;
    bool done = false;
    c.sink = analysis_causes_sink(c.analysis);
    if (!file && !machine_can_be_saved(config->settings))
        file = spool = sim_spool_new(config, diags);
    if (file)
        c.cursor = sim_source_cursor_new(file, &config->watch);
    if (file || (machine_can_be_saved(config->settings) && open_simulation(&c)))
        done = report_outcome(
            &c, wish, analysis_causes_run(c.analysis, &source, wish, walker, run), run);
    close_simulation(&c);
    LIB_VEC_FREE(&c.kept);
    sim_source_cursor_free(c.cursor);
    sim_spool_free(spool);
    *analysis = c.analysis;
    return done;
}

bool sim_causes_run(const struct sim_simulation_config *config, struct sim_source *file,
                    const struct analysis_causes_wish *wish,
                    const struct analysis_causes_walker *walker,
                    struct analysis_causes_run *run, struct lib_diags *diags)
{
    struct analysis_causes *analysis;
    const bool done = run_causes(config, file, wish, walker, run, &analysis, diags);
    analysis_causes_free(analysis);
    return done;
}

bool sim_causes_state(const struct sim_simulation_config *config,
                      enum analysis_stopped_by by, struct analysis_stopped *stopped,
                      struct lib_diags *diags)
{
    const struct analysis_causes_wish wish = {.from = ANALYSIS_CAUSES_FROM_STATE};
    const struct analysis_causes_walker walker = {0};
    struct analysis_causes_run run;
    struct analysis_causes *analysis;
    const bool done = run_causes(config, NULL, &wish, &walker, &run, &analysis, diags);
    if (done)
        analysis_stopped_find(analysis, by, stopped);
    analysis_causes_free(analysis);
    return done;
}

/* --- sums ---------------------------------------------------------------------------- */

/* Reports if the causal chain could not be stored; most of a long one is in a file. */
static bool is_kept(const struct sim_causes_summary *causes, struct lib_diags *diags)
{
    const int error = causes->found.chain.error;
    if (error)
        lib_diag_plain(diags, LIB_DIAG_HOST,
                       "the critical path cannot be kept in a file of the folder TMPDIR, "
                       "or /tmp: %s",
                       strerror(error));
    return error == 0;
}

/* Workers of an executor have no stages, so their kernels are not divided. Kernels of PEs whose
 * launches differ are not divided either. */
static struct analysis_causes_kernel kernel_of(const struct traces_machine *m)
{
    const uint64_t unit = m->others.unit[ISA_UNIT_TENSOR];
    bool is_divided = !m->has_workers;
    for (uint32_t i = 0; i < m->class_count; i++)
        is_divided &= m->classes[i].unit[ISA_UNIT_TENSOR] == unit;
    return (struct analysis_causes_kernel){.launch = is_divided ? unit + m->launch : 0,
                                           .limit = m->bytes == 0 ? "operations"
                                                    : m->flops == 0
                                                        ? "bytes"
                                                        : "operations or bytes"};
}

bool sim_causes_find(struct sim_causes_summary *causes, const struct sim_session *session,
                     struct sim_source *file, const struct sim_causes_request *wish,
                     const struct sim_watch *watch, struct lib_diags *diags)
{
    struct sim_simulation_config config = sim_session_config(session);
    config.energy = NULL;
    config.window = NULL;
    config.watch = *watch;
    analysis_causes_summary_start(&causes->found, session->program.graph, wish->chain,
                                  wish->is_brief);
    causes->is_found = true;
    const struct traces_machine machine = machine_describe(config.settings,
                                                           session->program.graph, NULL);
    causes->found.kernel = kernel_of(&machine);
    causes->found.from = wish->from;
    causes->found.to = wish->to ? wish->to : UINT64_MAX;
    causes->arena = lib_arena_new();
    causes->links = machine_link_names(config.settings, causes->arena,
                                       &causes->first_link, &causes->link_count);
    const struct analysis_causes_walker walker = analysis_causes_summary_walker(
        &causes->found);
    return sim_causes_run(&config, file, &wish->of, &walker, &causes->run, diags) &&
           is_kept(causes, diags);
}

void sim_causes_summary_free(struct sim_causes_summary *causes)
{
    if (causes->is_found)
        analysis_causes_summary_free(&causes->found);
    lib_arena_free(causes->arena);
    *causes = (struct sim_causes_summary){0};
}

void sim_causes_summary_write(struct sim_causes_summary *causes,
                              const struct analysis_causes_tables *tables,
                              struct lib_findings *findings)
{
    struct analysis_causes_tables all = *tables;
    all.links = causes->links;
    all.first_link = causes->first_link;
    all.link_count = causes->link_count;
    analysis_causes_summary_tell(&causes->found, &causes->run, &all, findings);
}
