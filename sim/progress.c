#include "sim/progress.h"

#include <inttypes.h>

#include "sim/host.h"

void sim_progress_start(struct sim_progress *progress, const struct sim_voice *voice,
                        const struct machine_settings *settings)
{
    double now = sim_host_clock();
    *progress = (struct sim_progress){.settings = settings, .start = now, .last = now};
    sim_line_start(&progress->line, voice);
}

/* The share of the way to a limit; 0 where there is none. */
static double share_of(uint64_t done, uint64_t limit)
{
    return limit ? (double)done / (double)limit : 0;
}

static void compose(const struct sim_progress *p, const struct isa_counts *counts,
                    const uint64_t *cycle, double now, struct lib_text *line)
{
    double rate = (double)(counts->tokens - p->last_tokens) / (now - p->last);
    lib_text_printf(line, "%.1f Mtokens/s  ", rate * 1e-6);
    if (cycle)
        lib_text_printf(line, "cycle %" PRIu64 "  ", *cycle);
    lib_text_printf(line, "done %" PRIu64 "  live %" PRIu64, counts->tokens,
                    counts->live);
    /* How much there is to do is unknown; how soon a limit is reached is not. */
    double cycles = cycle ? share_of(*cycle, p->settings->limit_cycles) : 0;
    double tokens = share_of(counts->tokens, p->settings->limit_tokens);
    double share = cycles > tokens ? cycles : tokens;
    if (share > 0 && share <= 1) {
        lib_text_printf(line, "  %.0f %% of limit, ", 100 * share);
        sim_line_add_time(line, (now - p->start) * (1 - share) / share);
        lib_text_puts(line, " left at most");
    }
}

void sim_progress_show(struct sim_progress *p, const struct isa_exec *exec,
                       const uint64_t *cycle)
{
    if (!sim_line_is_due(&p->line))
        return;
    double now = sim_host_clock();
    struct lib_text text = {0};
    compose(p, &exec->counts, cycle, now, &text);
    sim_line_write(&p->line, &text);
    lib_text_free(&text);
    p->last = now;
    p->last_tokens = exec->counts.tokens;
}

void sim_progress_end(struct sim_progress *progress)
{
    sim_line_end(&progress->line);
}
