#include "sim/commands/cmd_trace.h"

#include "sim/cli/options.h"
#include "sim/explain/trace_info.h"
#include "sim/messages/stop.h"

static const struct sim_usage usage = {
    .takes = SIM_TAKES_JSON,
    .arguments = "FILE",
    .help = "Say what is in a file of events, or in a recording."
            "\vAll of the file is read: what ran, which events it has, how many of each "
            "kind, its size, and whether it is whole.",
    .least = 1,
    .most = 1,
    .missing = "FILE",
};

static bool look(const struct sim_simulation *simulation, void *context)
{
    (void)simulation, (void)context;
    return !sim_stop;
}

int sim_trace_info(int argc, char **argv)
{
    const struct sim_watch watch = {.look = look};
    struct sim_options options = {0};
    struct sim_source source;
    struct sim_trace_info info = {0};
    struct lib_diags diags = {0};
    LIB_TEXT_OWN text = {0};
    sim_options_parse(&options, &usage, NULL, argc, argv);
    sim_stop_catch();
    const bool known = sim_source_open(&source, options.arguments[0], &diags) &&
                       sim_trace_info_find(&info, &source, &watch, &diags);
    enum sim_status status = sim_tell(&options.printer, &diags);
    if (known) {
        lib_findings_write_from(options.json ? LIB_FORM_JSON : LIB_FORM_TEXT, NULL,
                                sim_trace_info_findings, &info, &text);
        status = sim_put(&options.printer, NULL, &text);
    } else if (status == SIM_DONE) {
        status = sim_interrupted(&options.printer);
    }
    sim_source_close(&source);
    sim_options_free(&options);
    return status;
}
