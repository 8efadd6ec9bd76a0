#include "sim/sweep/measuring.h"

#include <string.h>

#include "sim/session/analysed.h"

void sim_measuring_start(struct sim_measuring *m, const struct sim_measures *measures,
                         const struct isa_graph *graph,
                         struct sim_simulation_config *config)
{
    const struct analysis_stream_run run = sim_analysed_run(graph, config->settings, NULL,
                                                            0, UINT64_MAX);
    *m = (struct sim_measuring){.measures = measures};
    if (!sim_measures_are_any(measures))
        return;
    m->streams = analysis_streams_new(&run, measures->wanted);
    config->sinks = m->sinks;
    config->sink_count = analysis_streams_sinks(m->streams, m->sinks);
}

static void take(const struct sim_measuring *m, size_t which, struct sim_outcome *outcome)
{
    struct analysis_findings f;
    analysis_findings_start(&f, analysis_stream_table[which].name, false);
    analysis_streams_tell(m->streams, which, &f);
    for (size_t i = 0; i < f.numbers.count; i++) {
        const struct analysis_cell *cell = &f.numbers.items[i].cell;
        struct sim_outcome_number *number = LIB_VEC_PUSH(&outcome->measured);
        memset(number, 0, sizeof *number); /* what is between goes through a pipe too */
        number->measure = sim_measure_of(which, i);
        number->is_real = cell->kind == ANALYSIS_CELL_REAL;
        if (number->is_real)
            number->real = cell->real;
        else
            number->count = cell->count;
    }
    analysis_findings_free(&f);
}

void sim_measuring_end(struct sim_measuring *m, struct sim_outcome *outcome)
{
    if (!m->streams)
        return;
    for (size_t i = 0; i < ANALYSIS_STREAM_COUNT && sim_outcome_is_final(outcome); i++)
        if (m->measures->wanted[i])
            take(m, i, outcome);
    analysis_streams_free(m->streams);
    m->streams = NULL;
}
