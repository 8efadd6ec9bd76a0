#include "sim/cli/reporter.h"

static void report(void *context, const struct hiaton_diagnostic *d)
{
    struct sim_reporter *reporter = context;
    const bool is_warning = d->severity == HIATON_WARNING;
    reporter->errors += !is_warning;
    reporter->is_usage |= !d->file && d->code == HIATON_CODE_USAGE;
    reporter->is_host |= !is_warning && d->code == HIATON_CODE_HOST;
    if (is_warning && reporter->printer->quiet)
        return;
    if (reporter->progress)
        sim_progress_end(reporter->progress);
    if (d->file)
        sim_print_diagnostic(d->printed, is_warning);
    else
        sim_say(reporter->printer, "%s%s%s%s", is_warning ? "warning: " : "",
                reporter->option ? reporter->option : "", reporter->option ? ": " : "",
                d->text);
}

struct hiaton_reporter sim_reporter_of(struct sim_reporter *reporter)
{
    return (struct hiaton_reporter){sizeof(struct hiaton_reporter), report, reporter};
}

enum sim_status sim_reporter_end(struct sim_reporter *reporter)
{
    const enum sim_status status = reporter->is_host  ? SIM_INTERNAL
                                   : reporter->errors ? SIM_USAGE
                                                      : SIM_DONE;
    if (reporter->is_usage)
        sim_point_to_help(reporter->printer);
    reporter->errors = 0;
    reporter->is_usage = reporter->is_host = false;
    return status;
}
