#include "sim/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/host.h"

static const double first_after = 0.3, every = 0.2; /* seconds: short runs show nothing */

void sim_progress_start(struct sim_progress *progress, const struct sim_voice *voice,
                        const struct machine_settings *settings)
{
    double now = sim_host_clock();
    *progress = (struct sim_progress){
        .shown = !voice->quiet && sim_on_terminal(),
        .settings = settings,
        .start = now,
        .next = now + first_after,
        .last = now,
    };
}

/* The share of the way to a limit; 0 where there is none. */
static double share_of(uint64_t done, uint64_t limit)
{
    return limit ? (double)done / (double)limit : 0;
}

static void add_time(struct lib_text *line, double seconds)
{
    if (seconds < 100)
        lib_text_printf(line, "%.0f s", seconds);
    else if (seconds < 6000)
        lib_text_printf(line, "%.0f min", seconds / 60);
    else
        lib_text_printf(line, "%.1f h", seconds / 3600);
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
        add_time(line, (now - p->start) * (1 - share) / share);
        lib_text_puts(line, " left at most");
    }
}

static unsigned terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col
                                                                           : 80;
}

void sim_progress_show(struct sim_progress *p, const struct isa_exec *exec,
                       const uint64_t *cycle)
{
    if (!p->shown)
        return;
    double now = sim_host_clock();
    if (now < p->next)
        return;
    struct lib_text line = {0};
    compose(p, &exec->counts, cycle, now, &line);
    unsigned width = terminal_width() - 1;
    if (line.length > width)
        line.bytes[line.length = width] = '\0';
    bool colour = sim_in_colour();
    fprintf(stderr, "\r%s%s%s\033[K", colour ? "\033[2m" : "", line.bytes,
            colour ? "\033[m" : "");
    lib_text_free(&line);
    p->visible = true;
    p->next = now + every;
    p->last = now;
    p->last_tokens = exec->counts.tokens;
}

void sim_progress_end(struct sim_progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}
