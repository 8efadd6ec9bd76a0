#include "sim/session/window.h"

#include <inttypes.h>
#include <string.h>

#include "lib/cursor.h"

/* --- reading ------------------------------------------------------------------------ */

static bool read_cycle(struct lib_cursor *c, uint64_t otherwise, uint64_t *cycle)
{
    *cycle = otherwise;
    return !lib_cursor_at_digit(c) ||
           lib_cursor_number(c, "a cycle", 0, UINT64_MAX - 1, cycle);
}

static bool read_cycles(struct sim_window *window, const char *text, const char *what,
                        struct lib_text *why)
{
    struct lib_cursor c;
    lib_cursor_on(&c, text, NULL, why);
    *window = (struct sim_window){.text = text, .to = UINT64_MAX};
    if (!strstr(text, "..") || strcmp(text, "..") == 0)
        return lib_cursor_found(&c, lib_cursor_until(&c, ""), what);
    if (!read_cycle(&c, 0, &window->from) || !lib_cursor_expect(&c, "..") ||
        !read_cycle(&c, UINT64_MAX, &window->to) || !lib_cursor_expect_end(&c))
        return false;
    if (window->from < window->to)
        return true;
    const bool is_cycle = window->from == window->to;
    lib_text_printf(why,
                    "`%s` has no cycle: FROM is the first, TO the one behind the last; "
                    "did you mean `%" PRIu64 "..%" PRIu64 "`?",
                    text, window->to, window->from + is_cycle);
    return false;
}

bool sim_window_read_cycles(struct sim_window *window, const char *text,
                            struct lib_text *why)
{
    return read_cycles(
        window, text,
        "FROM..TO, FROM.. or ..TO, where TO is the cycle behind the last one", why);
}

bool sim_window_read(struct sim_window *window, const char *text, struct lib_text *why)
{
    if (strstr(text, "..") || !*text || strchr("0123456789.+-", *text))
        return read_cycles(window, text,
                           "cycles, FROM..TO, FROM.. or ..TO, or the name of a function",
                           why);
    *window = (struct sim_window){.text = text, .to = UINT64_MAX, .function = text};
    return true;
}

/* Returns "" for loops, which the compiler named, and for the top level. */
static const char *name_of(size_t i, const void *context)
{
    const struct isa_function *f = &((const struct isa_graph *)context)->functions[i];
    return i == 0 || f->is_loop ? "" : f->name;
}

static uint32_t find_function(const struct isa_graph *graph, const char *name)
{
    uint32_t f = 0;
    while (f < graph->function_count && strcmp(name_of(f, graph), name) != 0)
        f++;
    return f;
}

bool sim_window_check(const struct sim_window *window, const struct isa_graph *graph,
                      struct lib_text *why)
{
    const char *wrong = window->function;
    if (!wrong || find_function(graph, wrong) < graph->function_count)
        return true;
    const char *near = lib_text_nearest(wrong, graph->function_count, name_of, graph);
    lib_text_printf(why, "the program has no function `%s`", wrong);
    if (near && *near)
        lib_text_printf(why, "; did you mean `%s`?", near);
    return false;
}

/* --- running ------------------------------------------------------------------------ */

struct follow {
    uint64_t next; /* cycle of the next step */
    uint64_t at;   /* cycle of the last step */
    bool is_made;  /* waits for the end of the call, not for its beginning */
};

static bool has_happened(const struct sim_simulation *s, const struct follow *follow)
{
    const struct isa_activations *tags = &sim_simulation_exec(s)->tags;
    return follow->is_made ? tags->is_over : tags->first_call != ISA_TAG_NONE;
}

static bool watch_call(const struct sim_simulation *simulation, void *context)
{
    struct follow *follow = context;
    follow->at = follow->next;
    follow->next = sim_simulation_cycle(simulation);
    return has_happened(simulation, follow);
}

struct course {
    struct sim_simulation *simulation;
    sim_window_advancer *advance;
    void *context;
};

static enum sim_advanced advance_course(const struct course *c,
                                        const struct sim_until *until)
{
    return c->advance(c->context, until);
}

/* Advances to the end of the cycle of the awaited event, follow->at. A step may be part of a
 * cycle. */
static enum sim_advanced advance_until(const struct course *c, struct follow *follow)
{
    const struct sim_until until = {.event = watch_call, .context = follow};
    follow->next = sim_simulation_cycle(c->simulation);
    if (follow->is_made && has_happened(c->simulation, follow))
        return SIM_ADVANCED_SO_FAR;
    enum sim_advanced advanced = advance_course(c, &until);
    if (advanced == SIM_ADVANCED_TO_END)
        follow->at = follow->next; /* watch_call is not called after the last step */
    if (advanced != SIM_ADVANCED_SO_FAR)
        return advanced;
    return advance_course(c, &(struct sim_until){.cycle = follow->at + 1});
}

static enum sim_advanced advance_call(const struct course *c)
{
    struct follow follow = {0};
    enum sim_advanced advanced = advance_until(c, &follow);
    if (!has_happened(c->simulation, &follow))
        return advanced;
    follow.is_made = true;
    sim_simulation_begin_part(c->simulation, follow.at + 1);
    if (advanced == SIM_ADVANCED_SO_FAR)
        advanced = advance_until(c, &follow);
    if (advanced == SIM_ADVANCED_SO_FAR)
        sim_simulation_end_part(c->simulation, follow.at + 1);
    return advanced;
}

static enum sim_advanced advance_cycles(const struct course *c,
                                        const struct sim_window *window)
{
    enum sim_advanced advanced = SIM_ADVANCED_SO_FAR;
    if (window->from)
        advanced = advance_course(c, &(struct sim_until){.cycle = window->from});
    if (advanced == SIM_ADVANCED_TO_STOP)
        return advanced;
    sim_simulation_begin_part(c->simulation, window->from);
    if (advanced == SIM_ADVANCED_SO_FAR)
        advanced = advance_course(c, &(struct sim_until){.cycle = window->to});
    if (advanced != SIM_ADVANCED_TO_STOP) /* time continues after the end of a run */
        sim_simulation_end_part(c->simulation, window->to);
    return advanced;
}

static enum sim_advanced advance_window(const struct course *c,
                                        const struct sim_window *window)
{
    const struct isa_graph *graph = sim_simulation_config(c->simulation)->graph;
    if (!window->function)
        return advance_cycles(c, window);
    sim_simulation_follow(c->simulation, find_function(graph, window->function));
    return advance_call(c);
}

static enum sim_advanced advance_plainly(void *simulation, const struct sim_until *until)
{
    return sim_simulation_advance(simulation, until);
}

enum sim_advanced sim_window_advance(struct sim_simulation *simulation,
                                     sim_window_advancer *advancer, void *context)
{
    const struct sim_window *window = sim_simulation_config(simulation)->window;
    struct course course = {simulation, advancer, context};
    enum sim_advanced advanced = SIM_ADVANCED_SO_FAR;
    if (!advancer)
        course = (struct course){simulation, advance_plainly, simulation};
    if (window)
        advanced = advance_window(&course, window);
    if (advanced == SIM_ADVANCED_SO_FAR)
        advanced = advance_course(&course, NULL);
    return advanced;
}

uint64_t sim_window_latest(const struct sim_window *window)
{
    return window->function ? 0 : window->from;
}

void sim_window_explain(const struct sim_window *window, const struct sim_ending *ending,
                        struct lib_text *out)
{
    const uint64_t cycles = ending->part.of;
    if (window->function)
        lib_text_printf(out,
                        "`%s` was never called in this run, which has %" PRIu64 " cycles",
                        window->function, cycles);
    else
        lib_text_printf(out, "the run ended at cycle %" PRIu64 ", before the part began",
                        cycles);
}

bool sim_simulate(const struct sim_simulation_config *config, struct sim_ending *ending,
                  struct lib_diags *diags)
{
    *ending = (struct sim_ending){0};
    struct sim_simulation *simulation = sim_simulation_open(config, diags);
    if (!simulation)
        return false;
    sim_window_advance(simulation, NULL, NULL);
    sim_simulation_close(simulation, ending);
    return true;
}
