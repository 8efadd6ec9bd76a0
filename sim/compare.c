/* hiaton compare: a program under both strategies, side by side. */
#include "sim/commands.h"

#include <string.h>

#include "sim/comparison.h"
#include "sim/stop.h"

enum { KEY_ROWS = 0x200, KEY_PLACEMENT, KEY_COLUMNS, KEY_CSV, KEY_JSON, KEY_LATEX };

enum form { FORM_TEXT, FORM_CSV, FORM_JSON, FORM_LATEX };

struct own {
    struct sim_comparison_how how;
    unsigned jobs;
    const char *columns; /* NULL: not given */
    enum form form;
};

static const struct argp_option own_options[] = {
    {"rows", KEY_ROWS, NULL, 0,
     "Take values in step, a row of the i-th of each, and not every combination", 0},
    {"placement", KEY_PLACEMENT, "WHERE", 0,
     "Where copies run: caller, placed or both; without it as copy.placement says", 0},
    {"columns", KEY_COLUMNS, "NAME,...", 0,
     "Which statistics are shown, and `speedup'; --json has all", 0},
    {"csv", KEY_CSV, NULL, 0, "Print comma-separated values", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object, and nothing else", 0},
    {"latex", KEY_LATEX, NULL, 0, "Print a tabular with the rules of booktabs", 0},
    {"jobs", 'j', "N", 0, "Simulate N runs at once; default: 1", 0},
    {0},
};

static void choose(struct own *own, enum form form, const char *command)
{
    if (own->form != FORM_TEXT && own->form != form)
        sim_options_wrong(command,
                          "only one of --csv, --json and --latex can be printed");
    own->form = form;
}

static enum sim_placement placement_of(const char *text, const char *command)
{
    static const char *const words[SIM_PLACEMENT_GIVEN] = {"caller", "placed", "both"};
    for (unsigned i = 0; i < SIM_PLACEMENT_GIVEN; i++)
        if (strcmp(text, words[i]) == 0)
            return (enum sim_placement)i;
    sim_options_wrong(command, "--placement: expected caller, placed or both, found `%s`",
                      text);
}

static error_t parse(int key, char *text, struct argp_state *state, void *context)
{
    struct own *own = context;
    switch (key) {
    case KEY_ROWS:
        own->how.in_rows = true;
        return 0;
    case KEY_PLACEMENT:
        own->how.placement = placement_of(text, state->name);
        return 0;
    case KEY_COLUMNS:
        own->columns = text;
        return 0;
    case KEY_CSV:
        choose(own, FORM_CSV, state->name);
        return 0;
    case KEY_JSON:
        choose(own, FORM_JSON, state->name);
        return 0;
    case KEY_LATEX:
        choose(own, FORM_LATEX, state->name);
        return 0;
    case 'j':
        own->jobs = sim_options_jobs(text, state->name);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT | SIM_TAKES_MACHINE | SIM_TAKES_SEED,
    .arguments = "PROGRAM [NAME=VALUES]...",
    .help =
        "Run a program under both strategies, static and expanding, on one machine, "
        "and print both side by side."
        "\vVALUES are one value, several (1,2,5), a range (24..33) or a range in steps "
        "(10..100:10), or a list of these. Every combination of the inputs' values is "
        "a row. With --placement=both expanding is shown with copies at their callers "
        "and "
        "with copies that are placed. The speedup is 100 * (1 - static / expanding), of "
        "cycles. The exit "
        "status is 1 where the strategies differ in result, calls or iterations.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
    .options = own_options,
    .parse = parse,
};

static enum sim_status deliver(const struct sim_comparison *c,
                               const struct sim_shown *shown, enum form form)
{
    struct lib_text text = {0};
    switch (form) {
    case FORM_TEXT:
        sim_comparison_write_text(c, shown, &text);
        break;
    case FORM_CSV:
        sim_comparison_write_csv(c, shown, &text);
        break;
    case FORM_JSON:
        sim_comparison_write_json(c, &text);
        break;
    case FORM_LATEX:
        sim_comparison_write_latex(c, shown, &text);
        break;
    }
    enum sim_status status = sim_put(&c->options->voice, c->options->output, &text);
    lib_text_free(&text);
    return status;
}

/* Rows without a result are shown as such, so that those that have one are not lost. */
static enum sim_status compare(struct sim_comparison *c, const struct sim_shown *shown,
                               const struct own *own, struct lib_diags *diags)
{
    sim_stop_catch();
    enum sim_status status = sim_comparison_run(c, own->jobs, diags);
    if (status != SIM_DONE)
        return status;
    status = sim_comparison_check(c);
    sim_comparison_warn(c);
    enum sim_status delivered = deliver(c, shown, own->form);
    return delivered == SIM_DONE ? status : delivered;
}

int sim_compare(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {.how.placement = SIM_PLACEMENT_GIVEN, .jobs = 1};
    struct sim_comparison comparison = {0};
    struct sim_shown shown;
    struct lib_diags diags = {0};
    sim_options_parse(&options, &usage, &own, argc, argv);
    enum sim_status status = SIM_DONE;
    if (options.output)
        status = sim_check_writable(&options.voice, options.output);
    if (status == SIM_DONE) {
        bool good = sim_comparison_open(&comparison, &options, own.how, &diags) &&
                    sim_shown_read(&shown, &comparison, own.columns, &diags);
        status = sim_tell(&options.voice, &diags);
        if (good)
            status = compare(&comparison, &shown, &own, &diags);
        sim_tell(&options.voice, &diags);
        sim_comparison_close(&comparison);
    }
    sim_options_free(&options);
    return status;
}
