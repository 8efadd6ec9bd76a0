#include "sim/commands/cmd_analyse.h"
#include "sim/explain/stopped.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *place_text(struct lib_findings *f, const struct isa_graph *graph,
                              enum analysis_stopped_where where, uint32_t number,
                              uint32_t channel)
{
    const char *text = analysis_stopped_text(where);
    const bool is_function = where == ANALYSIS_STOPPED_IDENTIFIER ||
                             where == ANALYSIS_STOPPED_COPY;
    if (number == TRACES_NONE)
        return text;
    if (is_function)
        return lib_arena_printf(
            f->arena, "%s of %s", text,
            number < graph->function_count ? graph->functions[number].name : "?");
    if (where == ANALYSIS_STOPPED_BEHIND_LINK)
        return lib_arena_printf(f->arena, "%s %" PRIu32 ", channel %" PRIu32, text,
                                number, channel);
    if (channel != TRACES_NONE)
        return lib_arena_printf(f->arena, "%s, PE %" PRIu32 ", channel %" PRIu32, text,
                                number, channel);
    return lib_arena_printf(f->arena, "%s, PE %" PRIu32, text, number);
}

static void tell_node(const struct isa_graph *graph, uint32_t instr, uint32_t function,
                      struct lib_table *t)
{
    const bool has_instr = instr < graph->node_count;
    const struct isa_node *node = has_instr ? &graph->nodes[instr] : NULL;
    if (node)
        lib_table_count(t, instr);
    else
        lib_table_real(t, NAN);
    lib_table_word(t, node ? isa_op_table[node->op].text : "-");
    lib_table_word(t, function < graph->function_count ? graph->functions[function].name
                                                       : "-");
    if (node)
        lib_table_count(t, node->pos.line);
    else
        lib_table_real(t, NAN);
}

static void tell_step(const struct isa_graph *graph,
                      const struct analysis_stopped_step *s, struct lib_findings *f,
                      struct lib_table *t)
{
    lib_table_word(t, place_text(f, graph, s->where, s->number, s->channel));
    tell_node(graph, s->instr, s->function, t);
    lib_table_word(t, lib_arena_printf(f->arena, "%s", s->tag));
    lib_table_word(
        t, s->lacks == ANALYSIS_STOPPED_CALL
               ? "what is in it"
               : place_text(f, graph, s->lacks, s->lacks_number, s->lacks_channel));
}

static void tell_waits(const struct isa_graph *graph,
                       const struct analysis_stopped *waits, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "waits",
        waits->cycle != SIZE_MAX ? "each waits for the next, and the last for the first"
                                 : "each waits for what follows, or is in it");
    LIB_TABLE_COLUMNS(t, "where", "node", "opcode", "function", "line", "tag",
                      "waits_for");
    for (size_t i = 0; i < waits->steps.count; i++)
        tell_step(graph, &waits->steps.items[i], f, t);
}

static void tell_remedies(const struct sim_stopped *stopped, struct lib_findings *f)
{
    struct lib_table *t = lib_findings_table(
        f, "settings", "each of them alone lets it go on, with this value at least");
    LIB_TABLE_COLUMNS(t, "setting", "now", "least", "ends", "cycles", "one_less");
    for (size_t i = 0; i < stopped->remedies.count; i++) {
        const struct sim_stopped_remedy *r = &stopped->remedies.items[i];
        lib_table_word(t, r->key);
        lib_table_word(t, lib_arena_printf(f->arena, "%s", r->now));
        lib_table_word(t, lib_arena_printf(f->arena, "%s", r->value));
        lib_table_word(t, sim_end_name(r->end));
        lib_table_count(t, r->cycles);
        lib_table_word(t, r->fails ? r->fails : "-");
    }
}

static void tell_circle(const struct isa_graph *graph,
                        const struct sim_deadlock_cycle *circle, struct lib_findings *f)
{
    lib_findings_word(f, "circle", circle->steps.count ? "yes" : "no",
                      "whether some wait for each other");
    if (circle->steps.count == 0)
        return;
    struct lib_table *t = lib_findings_table(
        f, "circle", "each waits for what the next would do, and the last for the first");
    LIB_TABLE_COLUMNS(t, "node", "opcode", "function", "line", "tag", "waits_for");
    for (size_t i = 0; i < circle->steps.count; i++) {
        const struct sim_deadlock_cycle_step *s = &circle->steps.items[i];
        tell_node(graph, s->instr, graph->nodes[s->instr].function, t);
        lib_table_word(t, s->tag);
        lib_table_word(t, s->for_what);
    }
}

/* Explains what waits in a deadlock, which no setting can prevent. */
static void tell_deadlock(const struct isa_graph *graph,
                          const struct sim_stopped *stopped, struct lib_findings *f)
{
    tell_circle(graph, &stopped->ending.circle, f);
    struct lib_table *t = lib_findings_table(
        f, "waiting", "for what never comes: the program's own fault");
    lib_table_column(t, "what");
    char *rest = lib_arena_printf(f->arena, "%s", lib_text_get(&stopped->ending.waiting));
    for (char *line; (line = strsep(&rest, "\n"));) {
        while (*line == ' ')
            line++;
        if (*line)
            lib_table_word(t, line);
    }
}

struct asked {
    const struct isa_graph *graph;
    const struct sim_stopped *stopped;
};

static void tell(const void *context, struct lib_findings *f)
{
    const struct asked *asked = context;
    const struct isa_graph *graph = asked->graph;
    const struct sim_stopped *stopped = asked->stopped;
    const struct sim_ending *e = &stopped->ending;
    if (!f->for_people) { /* people have read it above */
        lib_findings_word(f, "status", sim_end_name(e->end), "");
        lib_findings_count(f, "cycles", e->stats.cycles, "");
        lib_findings_word(f, "reason", lib_text_get(&e->reason), "");
    }
    if (!sim_stopped_is(e->end)) {
        lib_findings_word(f, "stopped", "no",
                          "nothing was full, exhausted or deadlocked");
        return;
    }
    if (e->end == ISA_END_DEADLOCKED) {
        tell_deadlock(graph, stopped, f);
        return;
    }
    lib_findings_word(f, "limit", e->limit, "the setting that ended it");
    lib_findings_count(f, "blocked", stopped->waits.blocked, "tokens that cannot go on");
    lib_findings_word(f, "circle", stopped->waits.cycle != SIZE_MAX ? "yes" : "no",
                      "whether those below wait for each other");
    lib_findings_count(f, "runs", stopped->runs, "made to find the settings");
    tell_waits(graph, &stopped->waits, f);
    if (stopped->remedies.count || !f->for_people)
        tell_remedies(stopped, f);
}

enum sim_status sim_analyse_stopped(const struct sim_options *o,
                                    const struct sim_session *session,
                                    const struct sim_watch *watch, bool csv)
{
    struct sim_simulation_config config = sim_session_config(session);
    struct sim_stopped stopped;
    struct lib_diags diags = {0};
    LIB_TEXT_OWN out = {0};
    config.energy = NULL;
    config.window = NULL;
    config.watch = *watch;
    const bool done = sim_stopped_find(&config, &stopped, &diags);
    enum sim_status status = sim_tell(&o->printer, &diags);
    if (done && status == SIM_DONE) {
        const struct asked asked = {session->program.graph, &stopped};
        const struct sim_analyse_answer answer = {
            .key = "stopped",
            .status = sim_end_name(stopped.ending.end),
            .cycles = stopped.ending.stats.cycles,
            .reason = lib_text_get(&stopped.ending.reason),
            .tell = tell,
            .context = &asked};
        sim_analyse_write_answer(&answer, o, session, csv, &out);
        status = sim_put(&o->printer, o->output, &out);
    } else if (status == SIM_DONE) {
        status = sim_interrupted(&o->printer);
    }
    sim_stopped_free(&stopped);
    return status;
}
