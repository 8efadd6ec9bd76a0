#include "sim/commands/cmd_analyse.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure/gains_chart.h"
#include "sim/loading/setup.h"
#include "sim/messages/messages.h"
#include "sim/outputs/figure_file.h"
#include "sim/session/session.h"

static const double factors[ANALYSIS_GAINS] = {0.9, 0.5, 0};

struct asked {
    const struct sim_options *options;
    const struct sim_session *session;
    const struct sim_analyse_whatif *own;
    struct sim_whatif whatif;
    LIB_VEC(struct sim_whatif_change) changes;
    struct sim_whatif_result *results; /* owned */
    struct lib_arena *arena;           /* for texts */
};

static void add_changes(struct asked *a, const struct sim_analyse_whatif *own,
                        struct lib_diags *diags)
{
    bool is_warned = false;
    const struct machine_settings *settings = a->whatif.config->settings;
    for (size_t i = 0; i < own->changes.count; i++) {
        LIB_TEXT_OWN why = {0};
        struct sim_whatif_change *change = LIB_VEC_PUSH(&a->changes);
        if (!sim_whatif_read(a->arena, change, own->changes.items[i], settings,
                             a->whatif.run.graph, &why))
            sim_options_wrong(own->command, "--what-if=%s: %s", own->changes.items[i],
                              lib_text_get(&why));
        if (change->of == SIM_WHATIF_SETTING && !is_warned &&
            !machine_latency_is_raised(settings))
            is_warned = sim_settings_warn(&change->settings.machine, NULL,
                                          (struct lib_pos){0}, diags);
    }
}

/* Asks for each line or function with instructions at each speed-up factor. */
static void add_all(struct asked *a, bool by_function)
{
    const struct isa_graph *g = a->whatif.run.graph;
    uint32_t most = g->function_count;
    for (uint32_t n = 0; n < g->node_count && !by_function; n++)
        most = g->nodes[n].pos.line >= most ? g->nodes[n].pos.line + 1 : most;
    for (uint32_t i = by_function ? 0 : 1; i < most; i++) {
        struct sim_whatif_change c = {
            .of = by_function ? SIM_WHATIF_FUNCTION : SIM_WHATIF_LINE, .which = i};
        bool is_there = false;
        for (uint32_t n = 0; n < g->node_count && !is_there; n++)
            is_there = sim_whatif_concerns(&c, g, n);
        for (size_t k = 0; k < ANALYSIS_GAINS && is_there; k++) {
            c.is_free = factors[k] == 0;
            c.factor = factors[k];
            c.text = by_function ? g->functions[i].name
                                 : lib_arena_printf(a->arena, "%" PRIu32, i);
            *LIB_VEC_PUSH(&a->changes) = c;
        }
    }
}

static double gain(const struct asked *a, double cycles)
{
    return 1 - cycles / (double)a->whatif.cycles;
}

/* Whether a change has no prediction. */
static bool lacks_any(const struct asked *a)
{
    bool any = false;
    for (size_t i = 0; i < a->changes.count; i++)
        any |= sim_whatif_unpredicted(&a->whatif, &a->changes.items[i]) != NULL;
    return any;
}

static void tell_changes(const struct asked *a, struct lib_findings *f)
{
    const bool has_why = f->for_people && lacks_any(a);
    struct lib_table *t = lib_findings_table(
        f, "changes",
        "cycles with each change: predicted from dependences, and simulated");
    LIB_TABLE_COLUMNS(t, "change", "predicted", "simulated", "error", "gain", "ends");
    if (has_why)
        lib_table_column(t, "no_prediction_as");
    for (size_t i = 0; i < a->changes.count; i++) {
        const struct sim_whatif_result *r = &a->results[i];
        lib_table_word(t, a->changes.items[i].text);
        lib_table_real(t, r->predicted);
        lib_table_real(t, r->simulated);
        lib_table_real(t, (r->predicted - r->simulated) / r->simulated);
        lib_table_real(t, gain(a, r->simulated));
        lib_table_word(t, sim_end_name(r->end));
        if (!has_why)
            continue;
        const char *why = sim_whatif_unpredicted(&a->whatif, &a->changes.items[i]);
        lib_table_word(t, why ? why : "");
    }
}

struct row {
    size_t first;
    double most;
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->most != y->most)
        return x->most < y->most ? 1 : -1;
    return x->first < y->first ? -1 : 1;
}

static const char *text_of_line(const struct asked *a,
                                const struct sim_analyse_whatif *own, uint32_t line)
{
    const struct lib_source *source = own->source;
    if (!source || own->by_function)
        return "";
    size_t length = 0;
    const char *at = lib_source_line(source, line, &length);
    for (; length && *at == ' '; at++)
        length--;
    return lib_arena_copy(a->arena, at, length < 48 ? length : 48);
}

/* Returns the rows of the profile, greatest gain first. The caller frees them. */
static struct row *sort_rows(const struct asked *a, size_t *count)
{
    *count = a->changes.count / ANALYSIS_GAINS;
    struct row *rows = lib_mem_new((*count + 1) * sizeof *rows);
    for (size_t i = 0; i < *count; i++) {
        const struct sim_whatif_result *r = &a->results[ANALYSIS_GAINS * i];
        const double most = gain(a, r[ANALYSIS_GAINS - 1].simulated);
        rows[i] = (struct row){ANALYSIS_GAINS * i, isnan(most) ? -1 : most};
    }
    qsort(rows, *count, sizeof *rows, compare_rows);
    return rows;
}

static enum sim_status draw(const struct asked *a, const struct sim_analyse_whatif *own)
{
    struct analysis_chart chart = {0};
    size_t count;
    if (!own->figure || !own->is_profile)
        return SIM_DONE;
    struct row *rows = sort_rows(a, &count);
    struct analysis_gains *gains = lib_mem_new((count + 1) * sizeof *gains);
    for (size_t i = 0; i < count; i++) {
        gains[i].name = a->changes.items[rows[i].first].text;
        for (size_t k = 0; k < ANALYSIS_GAINS; k++)
            gains[i].parts[k] = gain(a, a->results[rows[i].first + k].simulated);
    }
    analysis_gains_chart(&chart, own->by_function ? "function" : "line", gains, count);
    const enum sim_status status = sim_figure_draw(
        &chart, own->figure, sim_program_title(&a->session->program),
        &a->options->printer);
    analysis_chart_free(&chart);
    LIB_MEM_FREE(gains, rows);
    return status;
}

static void tell_profile(const struct asked *a, const struct sim_analyse_whatif *own,
                         struct lib_findings *f)
{
    size_t count;
    struct row *rows = sort_rows(a, &count);
    struct lib_table *t = lib_findings_table(
        f, "profile",
        "what the run would gain, as a part of its cycles, if each were so much faster");
    lib_table_column(t, own->by_function ? "function" : "line");
    LIB_TABLE_COLUMNS(t, "faster_10", "faster_50", "free", "predicted_free");
    if (!own->by_function)
        lib_table_column(t, "text");
    t->bar = 3;
    for (size_t i = 0; i < count; i++) {
        const struct sim_whatif_result *r = &a->results[rows[i].first];
        const struct sim_whatif_change *c = &a->changes.items[rows[i].first];
        if (own->by_function)
            lib_table_word(t, c->text);
        else
            lib_table_count(t, c->which);
        for (size_t k = 0; k < ANALYSIS_GAINS; k++)
            lib_table_real(t, gain(a, r[k].simulated));
        lib_table_real(t, gain(a, r[ANALYSIS_GAINS - 1].predicted));
        if (!own->by_function)
            lib_table_word(t, text_of_line(a, own, c->which));
    }
    lib_mem_free(rows);
}

static void tell(const void *context, struct lib_findings *f)
{
    const struct asked *a = context;
    lib_findings_count(f, "cycles", a->whatif.cycles, "simulated time");
    lib_findings_count(f, "retimed", a->whatif.retimed,
                       "what its dependences take, if nothing is changed");
    if (a->own->is_profile)
        tell_profile(a, a->own, f);
    else
        tell_changes(a, f);
}

bool sim_analyse_what_if_complete(const struct sim_complete_value *value)
{
    if (strcmp(value->name, "CHANGE") != 0)
        return false;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    sim_complete_offer(value, 0, "line(", "", "the instructions of a line: line(3)=free");
    sim_complete_offer(value, 0, "function(", "", "of a function: function(f)/2");
    sim_complete_offer(value, 0, "opcode(", "", "of an opcode: opcode(FETCH)*0.5");
    sim_complete_offer(value, 0, "unit(", "", "of a class of function unit: unit(mul)=1");
    for (size_t i = 0; i < sim_setting_count; i++)
        sim_complete_offer(value, 0, sim_setting_at(i)->key, "=", "a setting");
    return true;
}

enum sim_status sim_analyse_what_if(const struct sim_options *o,
                                    const struct sim_session *session,
                                    const struct sim_analyse_whatif *own,
                                    const struct sim_watch *watch, bool csv)
{
    struct sim_simulation_config config = sim_session_config(session);
    struct asked a = {
        .options = o, .session = session, .own = own, .arena = lib_arena_new()};
    struct lib_diags diags = {0};
    LIB_TEXT_OWN out = {0};
    config.energy = NULL;
    config.window = NULL;
    config.watch = *watch;
    bool done = sim_whatif_open(&a.whatif, &config, &diags);
    if (done) {
        add_changes(&a, own, &diags);
        if (own->is_profile)
            add_all(&a, own->by_function);
        a.results = lib_mem_new((a.changes.count + 1) * sizeof *a.results);
        done = sim_whatif_ask_all(&a.whatif, a.changes.items, a.changes.count,
                                  sim_options_all_jobs(own->jobs), a.results, &diags);
    }
    enum sim_status status = sim_tell(&o->printer, &diags);
    if (done && status == SIM_DONE) {
        const struct sim_analyse_answer answer = {.key = "what_if",
                                                  .status = sim_end_name(a.whatif.end),
                                                  .cycles = a.whatif.cycles,
                                                  .reason = "",
                                                  .tell = tell,
                                                  .context = &a};
        sim_analyse_write_answer(&answer, o, session, csv, &out);
        status = sim_put(&o->printer, o->output, &out);
        if (status == SIM_DONE)
            status = draw(&a, own);
    } else if (status == SIM_DONE) {
        status = sim_interrupted(&o->printer);
    }
    sim_whatif_close(&a.whatif);
    LIB_VEC_FREE(&a.changes);
    lib_mem_free(a.results);
    lib_arena_free(a.arena);
    return status;
}
