#include "sim/sweep/measuring.h"

#include <string.h>

#include "analysis/causes/causes_summary.h"
#include "sim/explain/analysed.h"
#include "sim/explain/causes.h"
#include "sim/loading/divide.h"

/* Returns the graph that runs, to which findings refer: partitioned if the settings ask for it.
 * Failures are reported when the simulation is opened. */
static const struct isa_graph *divide_graph(struct sim_measuring *m,
                                            const struct isa_graph *graph,
                                            struct sim_simulation_config *config)
{
    struct lib_diags diags = {0};
    if (!sim_divides(graph, config->settings))
        return graph;
    m->divided = sim_divide(graph, config->settings, NULL, &diags);
    lib_diags_free(&diags);
    if (!m->divided)
        return graph;
    config->code = NULL;
    return config->graph = m->divided;
}

void sim_measuring_start(struct sim_measuring *m, const struct sim_measures *measures,
                         const struct isa_graph *graph,
                         struct sim_simulation_config *config)
{
    *m = (struct sim_measuring){.measures = measures};
    if (sim_measures_are_any(measures))
        graph = divide_graph(m, graph, config);
    m->again = *config;
    m->again.series = m->again.profile = false;
    m->again.energy = NULL;
    m->again.window = NULL;
    if (!sim_measures_are_any(measures))
        return;
    const struct analysis_stream_run run = sim_analysed_run(graph, config->settings, NULL,
                                                            0, UINT64_MAX);
    m->streams = analysis_streams_new(&run, measures->wanted);
    config->sinks = m->sinks;
    config->sink_count = analysis_streams_sinks(m->streams, m->sinks);
}

static struct sim_outcome_number *new_number(struct sim_outcome *outcome)
{
    struct sim_outcome_number *number = LIB_VEC_PUSH(&outcome->measured);
    memset(number, 0, sizeof *number); /* padding goes through a pipe, too */
    return number;
}

/* --- the causes --------------------------------------------------------------------------- */

static void lose(struct sim_outcome *outcome, const struct lib_diags *diags)
{
    sim_outcome_free(outcome);
    *outcome = (struct sim_outcome){.crashed = diags->count > 0,
                                    .end = ISA_END_INTERRUPTED};
    if (diags->count)
        lib_text_printf(&outcome->reason, "causes: %s", diags->items[0].text);
}

static void take_causes(const struct sim_measuring *m, struct sim_outcome *outcome)
{
    const struct analysis_causes_wish wish = {.from = ANALYSIS_CAUSES_FROM_END};
    struct analysis_causes_summary found;
    struct analysis_causes_run run;
    struct lib_diags diags = {0};
    analysis_causes_summary_start(&found, m->again.graph, false, false);
    const struct analysis_causes_walker walker = analysis_causes_summary_walker(&found);
    const bool done = sim_causes_run(&m->again, NULL, &wish, &walker, &run, &diags);
    if (!done)
        lose(outcome, &diags);
    for (size_t i = 0; done && i < ANALYSIS_CAUSE_COUNT; i++) {
        struct sim_outcome_number *number = new_number(outcome);
        number->measure = sim_measure_of(SIM_MEASURES_CAUSES, i);
        number->count = found.sums[i];
    }
    analysis_causes_summary_free(&found);
    lib_diags_free(&diags);
}

/* --- all of them -------------------------------------------------------------------------- */

static void take_numbers(const struct sim_measuring *m, size_t which,
                         struct sim_outcome *outcome)
{
    struct lib_findings f;
    lib_findings_start(&f, analysis_stream_table[which].name, false);
    analysis_streams_tell(m->streams, which, &f);
    for (size_t i = 0; i < lib_findings_numbers(&f); i++) {
        const struct lib_value *cell = &lib_findings_number(&f, i)->value;
        struct sim_outcome_number *number = new_number(outcome);
        number->measure = sim_measure_of(which, i);
        number->is_real = cell->kind == LIB_VALUE_REAL;
        if (number->is_real)
            number->real = cell->real;
        else
            number->count = cell->count;
    }
    lib_findings_free(&f);
}

void sim_measuring_end(struct sim_measuring *m, struct sim_outcome *outcome)
{
    if (!m->streams)
        return;
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT && sim_outcome_is_final(outcome); i++)
        if (m->measures->wanted[i])
            take_numbers(m, i, outcome);
    analysis_streams_free(m->streams);
    m->streams = NULL;
    if (m->measures->wanted[SIM_MEASURES_CAUSES] && sim_outcome_is_final(outcome))
        take_causes(m, outcome);
    isa_graph_free(m->divided);
    m->divided = NULL;
}
