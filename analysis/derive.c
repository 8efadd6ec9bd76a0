#include "analysis/derive.h"

#include <math.h>

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static double greatest_load(const struct traces_stats *stats)
{
    uint64_t most = 0;
    for (size_t i = 0; i < stats->link_count; i++)
        if (stats->links[i].stats.busy > most)
            most = stats->links[i].stats.busy;
    return stats->link_count ? ratio(most, stats->cycles) : NAN;
}

void analysis_derive(struct traces_stats *stats)
{
    stats->parallelism = ratio(stats->firings, stats->span);
    stats->bypass_ratio = ratio(stats->one_operand, stats->firings);
    stats->mean_waiting = ratio(stats->waiting_cycles, stats->cycles);
    stats->mean_batch = ratio(stats->batched_kernels, stats->tensor_batches);
    stats->mean_link_wait = ratio(stats->link_waits, stats->link_tokens);
    stats->mean_link_load = ratio(stats->link_busy, stats->link_cycles);
    stats->greatest_link_load = greatest_load(stats);
    stats->utilisation = ratio(stats->busy_cycles, stats->unit_cycles);
    stats->occupancy = ratio(stats->has_workers ? stats->busy_cycles : stats->turns,
                             stats->turn_cycles);
    stats->energy = stats->energy_delay = NAN; /* set by analysis_energy_derive */
}

struct analysis_pe_ratios analysis_derive_pe(const struct traces_stats *stats, size_t i)
{
    const struct traces_pe_stats *pe = &stats->pe[i];
    const uint64_t utilisation = stats->pe_units ? stats->pe_units[i] * stats->cycles
                                                 : stats->unit_cycles / stats->pe_count;
    const uint64_t occupancy = stats->pe_units ? utilisation
                                               : stats->turn_cycles / stats->pe_count;
    return (struct analysis_pe_ratios){
#define RATIO(key, part, help) .key = ratio(part, key),
        TRACES_PE_RATIOS(RATIO)
#undef RATIO
    };
}

struct analysis_link_ratios analysis_derive_link(const struct traces_stats *stats,
                                                 size_t i)
{
    const struct traces_link_stats *link = &stats->links[i].stats;
    return (struct analysis_link_ratios){
#define RATIO(key, part, whole, help) .key = ratio(part, whole),
        TRACES_LINK_RATIOS(RATIO)
#undef RATIO
    };
}

double analysis_percent(double value, double base)
{
    return 100 * (base - value) / base;
}

bool analysis_is_one_of_many(const struct traces_stats *stats, uint64_t pe_count)
{
    return pe_count > 1 && stats->working_pes == 1 &&
           stats->calls + stats->loop_iterations >= ANALYSIS_SHARED;
}
