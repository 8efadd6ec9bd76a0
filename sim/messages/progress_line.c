#include "sim/messages/progress_line.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/session/host.h"

/* Seconds; short runs show nothing. */
static const double first_after = 0.3, every = 0.2;
static const double first_line_after = 1, line_every = 5;

void sim_progress_line_start(struct sim_progress_line *line,
                             const struct sim_printer *printer)
{
    double now = sim_host_clock();
    const bool rewritten = sim_on_terminal();
    *line = (struct sim_progress_line){
        .printer = rewritten ? NULL : printer,
        .shown = !printer->quiet && (rewritten || printer->verbose),
        .start = now,
        .next = now + (rewritten ? first_after : first_line_after),
    };
}

bool sim_progress_line_is_due(const struct sim_progress_line *line)
{
    return line->shown && sim_host_clock() >= line->next;
}

static unsigned terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col
                                                                           : 80;
}

void sim_progress_line_write(struct sim_progress_line *line, struct lib_text *text)
{
    if (line->printer) {
        sim_say(line->printer, "%s", lib_text_get(text));
        line->next = sim_host_clock() + line_every;
        return;
    }
    unsigned width = terminal_width() - 1;
    if (text->length > width)
        text->bytes[text->length = width] = '\0';
    bool colour = sim_in_colour();
    fprintf(stderr, "\r%s%s%s\033[K", colour ? "\033[2m" : "", text->bytes,
            colour ? "\033[m" : "");
    line->visible = true;
    line->next = sim_host_clock() + every;
}

void sim_progress_line_end(struct sim_progress_line *line)
{
    if (line->visible)
        fputs("\r\033[K", stderr);
    line->visible = false;
}

void sim_progress_line_add_time(struct lib_text *text, double seconds)
{
    if (seconds < 100)
        lib_text_printf(text, "%.0f s", seconds);
    else if (seconds < 6000)
        lib_text_printf(text, "%.0f min", seconds / 60);
    else
        lib_text_printf(text, "%.1f h", seconds / 3600);
}

void sim_progress_line_show_runs(struct sim_progress_line *line, size_t done,
                                 size_t failed, size_t all)
{
    if (!sim_progress_line_is_due(line))
        return;
    LIB_TEXT_OWN text = {0};
    double rate = (double)done / (sim_host_clock() - line->start);
    lib_text_printf(&text, "%zu done, %zu failed, %zu left  %.1f runs/s", done, failed,
                    all - done, rate);
    if (done) {
        lib_text_puts(&text, "  ");
        sim_progress_line_add_time(&text, (double)(all - done) / rate);
        lib_text_puts(&text, " left");
    }
    sim_progress_line_write(line, &text);
}

void sim_progress_line_add_number(struct lib_text *text, const char *name,
                                  uint64_t number)
{
    static const char units[] = "kMGTP";
    double value = (double)number;
    int unit = -1;
    while (value >= 999.5 && unit + 1 < (int)sizeof units - 1) {
        value /= 1000;
        unit++;
    }
    if (unit < 0)
        lib_text_printf(text, "  %s %.0f", name, value);
    else
        lib_text_printf(text, "  %s %.*f%c", name, value < 99.95 ? 1 : 0, value,
                        units[unit]);
}

void sim_progress_line_show_events(struct sim_progress_line *line, uint64_t events,
                                   uint64_t cycle, uint64_t last)
{
    if (!sim_progress_line_is_due(line))
        return;
    LIB_TEXT_OWN text = {0};
    const double share = last && cycle < last ? (double)cycle / (double)last : 0;
    if (share > 0) {
        const double passed = sim_host_clock() - line->start;
        lib_text_printf(&text, "%.0f %% of the cycles, ", 100 * share);
        sim_progress_line_add_time(&text, passed / share - passed);
        lib_text_puts(&text, " left");
    }
    sim_progress_line_add_number(&text, "cycle", cycle);
    sim_progress_line_add_number(&text, "events", events);
    sim_progress_line_write(line, &text);
}
