#include "sim/ending/idle_pes.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/derive.h"

bool sim_idle_pes_were(const struct traces_machine *machine,
                       const struct traces_stats *stats)
{
    return !machine->has_workers && analysis_is_one_of_many(stats, machine->pe_count);
}

void sim_idle_pes_write(const struct traces_machine *machine, enum isa_stage strategy,
                        const struct traces_stats *stats, struct lib_text *out)
{
    lib_text_printf(
        out, "1 of %" PRIu32 " PEs did all the work, %" PRIu64 " calls and iterations",
        machine->pe_count, stats->calls + stats->loop_iterations);
    if (strategy == ISA_STAGE_EXPANDING && machine->copies_stay)
        lib_text_puts(out, " (copy.placement=caller: each copy runs where its caller "
                           "does; `placed` spreads them)");
}

/* Runs with one working PE: number, then the values that the rule needs. */
static const char sql[] =
    "SELECT number, strategy = 'expanding', \"copy.placement\" = 'caller', \"pe.count\", "
    "\"executor.workers\", calls, loop_iterations, working_pes FROM results "
    "WHERE working_pes = 1 AND status = 'completed' ORDER BY number";

static void check_row(const struct traces_query *row, struct sim_idle_pes *found)
{
    uint64_t cells[8];
    for (int i = 0; i < 8; i++)
        cells[i] = (uint64_t)traces_query_cell(row, i).integer;
    const struct traces_machine machine = {
        .copies_stay = cells[2] != 0,
        .pe_count = (uint32_t)cells[3],
        .has_workers = cells[4] != 0,
    };
    const struct traces_stats stats = {
        .calls = cells[5], .loop_iterations = cells[6], .working_pes = cells[7]};
    if (!sim_idle_pes_were(&machine, &stats) || found->count++)
        return;
    found->first = cells[0];
    sim_idle_pes_write(&machine, cells[1] ? ISA_STAGE_EXPANDING : ISA_STAGE_IMAGE, &stats,
                       &found->why);
}

bool sim_idle_pes_find(struct traces_database *store, struct sim_idle_pes *found)
{
    struct traces_query query;
    *found = (struct sim_idle_pes){0};
    if (traces_query_new(&query, store, sql))
        while (traces_query_next(&query))
            check_row(&query, found);
    return traces_query_end(&query);
}
