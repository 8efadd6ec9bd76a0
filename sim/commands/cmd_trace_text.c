#include "sim/commands/cmd_trace.h"

#include <stdio.h>

#include "sim/cli/options.h"
#include "sim/messages/stop.h"
#include "sim/replay/event_text.h"
#include "sim/replay/source.h"
#include "traces/filter.h"

struct own {
    bool present, values;
};

static const struct lib_field own_options[] = {
    SIM_FLAG("present", offsetof(struct own, present),
             "First print the activations and arrays that exist when --cycles begins"),
    SIM_FLAG("values", offsetof(struct own, values),
             "Print the values of tokens that are sent, of a recording"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_EVENTS | SIM_TAKES_JSON,
    .arguments = "FILE",
    .help = "Print the events of a run, one on a line."
            "\vFILE is a file of events (`hiaton run --trace FILE') or a recording "
            "(`--record FILE'), of which the events are made again.\n\n"
            "With --json each line is a JSON object.",
    .options = own_options,
    .least = 1,
    .most = 1,
    .missing = "FILE",
};

enum { AT_ONCE = 1 << 16 }; /* bytes */

struct printing {
    struct sim_event_text text;
    struct traces_filter filter;
    bool shows_present;
    struct lib_text lines;
};

static void print(struct lib_text *lines)
{
    fwrite(lib_text_get(lines), 1, lines->length, stdout);
    lib_text_clear(lines);
}

/* All events are noted, as they make tags known; only selected ones are printed. */
static bool is_shown(struct printing *p, const struct traces_event *e)
{
    return traces_filter_asks_for(&p->filter, e) &&
           (p->shows_present || e->kind != TRACES_EVENT_PRESENT);
}

static void take(void *context, const struct traces_event *events, size_t count)
{
    struct printing *p = context;
    for (size_t i = 0; i < count; i++) {
        const bool shown = is_shown(p, &events[i]);
        sim_event_text_add(&p->text, &events[i], shown ? &p->lines : NULL);
        if (p->lines.length >= AT_ONCE)
            print(&p->lines);
    }
}

static bool look(const struct sim_simulation *simulation, void *context)
{
    (void)simulation, (void)context;
    return !sim_stop && !ferror(stdout);
}

static enum sim_status print_events(const struct sim_options *o, const struct own *own,
                                    struct sim_source *source, struct lib_diags *diags)
{
    const struct isa_graph *graph = sim_source_graph(source);
    const struct sim_source_window window = {o->events.from, o->events.to};
    const struct sim_watch watch = {.look = look};
    struct printing p = {.shows_present = own->present};
    enum traces_level level;
    bool done = traces_filter_start(&p.filter, graph, &o->events.filter,
                                    (struct traces_event_sink){0}, diags) &&
                sim_trace_level(o, source, &level, diags) &&
                (!own->values || sim_trace_show_values(o, source, diags));
    if (done) {
        sim_event_text_start(&p.text, graph, o->json);
        p.text.values = own->values;
        if (!o->json)
            sim_event_text_heading(&p.lines);
        const struct traces_event_sink sink = {level, take, &p};
        done = sim_source_read(source, window, &sink, 1, &watch, diags);
        print(&p.lines);
        sim_event_text_free(&p.text);
        lib_text_free(&p.lines);
    }
    traces_filter_free(&p.filter);
    return done || diags->errors ? SIM_DONE : sim_interrupted(&o->printer);
}

int sim_trace_text(int argc, char **argv)
{
    struct sim_options options = {0};
    struct sim_source source;
    struct lib_diags diags = {0};
    struct own own = {0};
    sim_options_parse(&options, &usage, &own, argc, argv);
    const bool opened = sim_source_open(&source, options.arguments[0], &diags);
    enum sim_status status = sim_tell(&options.printer, &diags);
    if (opened) {
        sim_stop_catch();
        const enum sim_status printed = print_events(&options, &own, &source, &diags);
        status = sim_tell(&options.printer, &diags);
        status = status == SIM_DONE ? printed : status;
    }
    sim_source_close(&source);
    sim_options_free(&options);
    return status;
}
