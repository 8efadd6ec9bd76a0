#include "sim/commands/cmd_trace.h"

#include "sim/cli/options.h"
#include "sim/explain/trace_diff.h"
#include "sim/messages/stop.h"

static const struct lib_field options_of[] = {
    {"at", .kind = LIB_FIELD_U64, .at = offsetof(struct analysis_diff_config, at),
     .given = LIB_GIVEN(offsetof(struct analysis_diff_config, has_at)),
     .most = UINT64_MAX - 1, .value = "N",
     .help = "Causes of the first firing that differs in this cycle or later; else of "
             "the last one"},
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_JSON,
    .arguments = "FILE FILE",
    .help = "Say where two runs differ, why, and by how much."
            "\vA and B, the first and the second FILE, are recordings (`hiaton run "
            "--record FILE'), or files of all events (`--trace FILE', at the level "
            "firings at least; causes need the level all).\n\n"
            "Of runs by one strategy: the first event that differs, the first firing "
            "that does and what its tokens reach, and the causes of the last firing that "
            "does. Of any two runs, also by different machines or strategies: firings "
            "one by one, what came later or earlier, per function and line; the first "
            "place where a PE fires in another order; and what only one run has.\n\n"
            "The exit status is 0 if the runs are the same, and 1 if they differ.",
    .least = 2,
    .most = 2,
    .missing = "FILE",
    .options = options_of,
};

static bool stop(void)
{
    return sim_stop != 0;
}

static enum sim_status report(const struct sim_options *o,
                              const struct sim_trace_diff *diff)
{
    LIB_TEXT_OWN text = {0};
    const bool is_same = sim_trace_diff_is_same(diff);
    if (!is_same)
        sim_say(&o->printer, "%s and %s differ", diff->names[0], diff->names[1]);
    if (o->json || !o->printer.quiet || !is_same)
        lib_findings_write_from(o->json ? LIB_FORM_JSON : LIB_FORM_TEXT, NULL,
                                sim_trace_diff_findings, diff, &text);
    const enum sim_status status = sim_put(&o->printer, NULL, &text);
    return status != SIM_DONE ? status : is_same ? SIM_DONE : SIM_DIFFERS;
}

int sim_trace_diff(int argc, char **argv)
{
    struct sim_options options = {0};
    struct analysis_diff_config config = {0};
    struct sim_trace_diff diff;
    struct lib_diags diags = {0};
    sim_options_parse(&options, &usage, &config, argc, argv);
    const char *const paths[2] = {options.arguments[0], options.arguments[1]};
    sim_stop_catch();
    const bool found = sim_trace_diff_find(&diff, paths, &config, stop, &diags);
    enum sim_status status = sim_tell(&options.printer, &diags);
    if (found)
        status = report(&options, &diff);
    else if (status == SIM_DONE)
        status = sim_interrupted(&options.printer);
    sim_trace_diff_free(&diff);
    sim_options_free(&options);
    return status;
}
