#include "sim/messages/progress.h"

#include "sim/library/look.h"
#include "sim/messages/stop.h"
#include "sim/session/host.h"

static const double recent = 0.3;        /* weight of the latest pace in the mean */
static const double worth_a_word = 0.01; /* smallest share of a limit that is shown */

void sim_progress_start(struct sim_progress *progress, const struct sim_printer *printer)
{
    *progress = (struct sim_progress){.last = sim_host_clock()};
    sim_progress_line_start(&progress->line, printer);
}

static double share_of(uint64_t done, uint64_t limit)
{
    return limit ? (double)done / (double)limit : 0;
}

static void look_at_limits(struct sim_progress *p, const struct hiaton_progress *now,
                           double seconds)
{
    const double shares[SIM_PROGRESS_LIMITS] = {
        [SIM_PROGRESS_CYCLES] = now->is_timed ? share_of(now->cycle, now->limit_cycles)
                                              : 0,
        [SIM_PROGRESS_TOKENS] = share_of(now->tokens, now->limit_tokens),
        [SIM_PROGRESS_DEPTH] = share_of(now->deepest, now->limit_depth),
        [SIM_PROGRESS_MEMORY] = share_of(now->memory, now->limit_memory),
    };
    for (int i = 0; i < SIM_PROGRESS_LIMITS; i++) {
        struct sim_progress_pace *limit = &p->paces[i];
        const double pace = (shares[i] - limit->share) / seconds;
        limit->pace = limit->pace > 0 ? (1 - recent) * limit->pace + recent * pace : pace;
        limit->share = shares[i];
    }
}

static double time_left(const struct sim_progress_pace *limit)
{
    return (1 - limit->share) / limit->pace;
}

/* Adds the limit that is reached first at the current pace. How much work is left is unknown. */
static void add_nearest(const struct sim_progress *p, struct lib_text *line)
{
    static const char *const names[SIM_PROGRESS_LIMITS] = {
        [SIM_PROGRESS_CYCLES] = "limits.cycles",
        [SIM_PROGRESS_TOKENS] = "limits.tokens",
        [SIM_PROGRESS_DEPTH] = "limits.depth",
        [SIM_PROGRESS_MEMORY] = "limits.memory",
    };
    int nearest = SIM_PROGRESS_LIMITS;
    for (int i = 0; i < SIM_PROGRESS_LIMITS; i++) {
        const struct sim_progress_pace *limit = &p->paces[i];
        if (limit->share < worth_a_word || limit->share > 1 || limit->pace <= 0)
            continue;
        if (nearest == SIM_PROGRESS_LIMITS ||
            time_left(limit) < time_left(&p->paces[nearest]))
            nearest = i;
    }
    if (nearest == SIM_PROGRESS_LIMITS)
        return;
    lib_text_printf(line, "  %.0f %% of %s, ", 100 * p->paces[nearest].share,
                    names[nearest]);
    sim_progress_line_add_time(line, time_left(&p->paces[nearest]));
    lib_text_puts(line, " left");
}

/* Writes the most important numbers first, as a narrow terminal cuts the line. */
static void write_line(const struct sim_progress *p, const struct hiaton_progress *now,
                       bool knows_depth, double seconds, struct lib_text *line)
{
    const double rate = (double)(now->tokens - p->last_tokens) / seconds;
    lib_text_printf(line, "%.1f Mtokens/s", rate * 1e-6);
    add_nearest(p, line);
    if (now->is_timed)
        sim_progress_line_add_number(line, "cycle", now->cycle);
    sim_progress_line_add_number(line, "alive", now->activations);
    if (knows_depth)
        sim_progress_line_add_number(line, "depth", now->deepest);
}

static void show_numbers(struct sim_progress *p, const struct hiaton_progress *now,
                         bool knows_depth)
{
    const double clock = sim_host_clock();
    LIB_TEXT_OWN text = {0};
    look_at_limits(p, now, clock - p->last);
    write_line(p, now, knows_depth, clock - p->last, &text);
    sim_progress_line_write(&p->line, &text);
    p->last = clock;
    p->last_tokens = now->tokens;
}

void sim_progress_show_numbers(struct sim_progress *p, const struct hiaton_progress *now)
{
    if (sim_progress_line_is_due(&p->line))
        show_numbers(p, now, true);
}

void sim_progress_show(struct sim_progress *p, const struct sim_simulation *simulation)
{
    if (!simulation || !sim_progress_line_is_due(&p->line))
        return;
    struct hiaton_progress now;
    const struct sim_simulation_config *config = sim_simulation_config(simulation);
    sim_library_progress(simulation, &now);
    show_numbers(p, &now, now.is_timed || !config->unmeasured || now.limit_depth);
}

void sim_progress_end(struct sim_progress *progress)
{
    sim_progress_line_end(&progress->line);
}

static bool look_at_progress(const struct sim_simulation *simulation, void *context)
{
    sim_progress_show(context, simulation);
    return !sim_stop;
}

struct sim_watch sim_progress_watch(struct sim_progress *progress)
{
    return (struct sim_watch){.look = look_at_progress, .context = progress};
}
