#include "sim/cli/progress.h"

#include <inttypes.h>

#include "sim/session/host.h"

void sim_progress_start(struct sim_progress *progress, const struct sim_voice *voice)
{
    double now = sim_host_clock();
    *progress = (struct sim_progress){.start = now, .last = now};
    sim_progress_line_start(&progress->line, voice);
}

/* The share of the way to a limit; 0 where there is none. */
static double share_of(uint64_t done, uint64_t limit)
{
    return limit ? (double)done / (double)limit : 0;
}

static void compose(const struct sim_progress *p, const struct sim_simulation *simulation,
                    double now, struct lib_text *line)
{
    const struct sim_simulation_config *config = sim_simulation_config(simulation);
    const struct isa_counts *counts = &sim_simulation_exec(simulation)->counts;
    const struct machine_settings *settings = config->settings;
    double rate = (double)(counts->tokens - p->last_tokens) / (now - p->last), cycles = 0;
    lib_text_printf(line, "%.1f Mtokens/s  ", rate * 1e-6);
    if (config->engine == SIM_ENGINE_MACHINE) {
        uint64_t cycle = sim_simulation_cycle(simulation);
        lib_text_printf(line, "cycle %" PRIu64 "  ", cycle);
        cycles = share_of(cycle, settings->limit_cycles);
    }
    lib_text_printf(line, "done %" PRIu64 "  live %" PRIu64, counts->tokens,
                    counts->live);
    /* How much there is to do is unknown; how soon a limit is reached is not. */
    double tokens = share_of(counts->tokens, settings->limit_tokens);
    double share = cycles > tokens ? cycles : tokens;
    if (share > 0 && share <= 1) {
        lib_text_printf(line, "  %.0f %% of limit, ", 100 * share);
        sim_progress_line_add_time(line, (now - p->start) * (1 - share) / share);
        lib_text_puts(line, " left at most");
    }
}

void sim_progress_show(struct sim_progress *p, const struct sim_simulation *simulation)
{
    if (!sim_progress_line_is_due(&p->line))
        return;
    double now = sim_host_clock();
    struct lib_text text = {0};
    compose(p, simulation, now, &text);
    sim_progress_line_write(&p->line, &text);
    lib_text_free(&text);
    p->last = now;
    p->last_tokens = sim_simulation_exec(simulation)->counts.tokens;
}

void sim_progress_end(struct sim_progress *progress)
{
    sim_progress_line_end(&progress->line);
}
