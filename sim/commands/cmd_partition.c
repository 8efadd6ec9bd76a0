#include "sim/commands/commands.h"

#include <inttypes.h>
#include <string.h>

#include "machine/describe.h"
#include "programs/partition/partition.h"
#include "sim/cli/options.h"
#include "sim/loading/divide.h"
#include "sim/messages/progress_line.h"
#include "sim/messages/stop.h"
#include "sim/session/session.h"
#include "sim/sweep/search.h"

enum { RUNS = 300, MAX_RUNS = 1000000 };

struct own {
    uint64_t runs, seed;
    const struct traces_stat *least;
    unsigned jobs;
};

#define OF(member) offsetof(struct own, member)

/* Takes the statistic to minimise. */
static bool take_least(void *place, const char *text, struct lib_text *why)
{
    static const struct lib_field choice = {.kind = LIB_FIELD_CHOICE,
                                            .value = "cycles|sends|network_tokens"};
    unsigned which;
    if (!lib_field_set(&choice, &which, text, why))
        return false;
    for (size_t i = 0; i < traces_stat_count; i++)
        if (strcmp(text, traces_stat_table[i].key) == 0)
            *(const struct traces_stat **)place = &traces_stat_table[i];
    return true;
}

static const struct lib_field own_options[] = {
    SIM_NUMBER("runs", 0, U64, OF(runs), 1, MAX_RUNS,
               "Run so many partitions; default: 300"),
    SIM_TAKEN_BY("least", "cycles|sends|network_tokens", OF(least), take_least,
                 "What shall be least; default: cycles"),
    SIM_NUMBER("search-seed", 0, U64, OF(seed), 0, INT64_MAX,
               "Seed of what is tried; default: 0"),
    SIM_JOBS(OF(jobs), "Simulate N runs at once; default: one per processor"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_OUTPUT,
    .arguments = "PROGRAM [NAME=VALUE]...",
    .help = "Search for a partition by which a program runs fast on a machine of several."
            "\vThe machines are those of cluster.nodes or partition.machines. What is "
            "written is a map of machines, as partition.by=file takes it. The search "
            "begins with a map in partition.file, if there is one, with the whole "
            "program on one machine, and with partition.by=function, metis and random. "
            "It runs each, and then random changes of the three best ones.",
    .least = 1,
    .most = SIZE_MAX,
    .missing = "PROGRAM",
    .options = own_options,
};

struct command {
    const struct sim_options *options;
    const struct own *own;
    struct sim_session session;
    struct sim_search search;
    struct sim_progress_line line;
};

static bool look(size_t done, size_t failed, size_t all, void *context)
{
    struct command *c = context;
    const struct sim_search *s = &c->search;
    (void)failed;
    if (sim_progress_line_is_due(&c->line)) {
        LIB_TEXT_OWN text = {0};
        lib_text_printf(&text, "%zu of %zu runs", done, all);
        if (s->best.is_known)
            lib_text_printf(&text, "  %s %" PRIu64, s->request.least->key, s->best.value);
        sim_progress_line_write(&c->line, &text);
    }
    return !sim_stop;
}

static bool wrong(struct lib_diags *diags, const char *text)
{
    lib_diag_plain(diags, LIB_DIAG_USAGE, "%s", text);
    return false;
}

static bool check_fits(const struct sim_search *s, struct lib_diags *diags)
{
    struct isa_graph *graph = programs_partition_split(
        s->request.image, s->starts.items[0].machine_of, s->request.machines,
        s->request.schedules, diags);
    const bool fits = graph && sim_divided_fits(graph, s->request.settings, diags);
    isa_graph_free(graph);
    return fits;
}

static bool open_search(struct command *c, struct lib_diags *diags)
{
    const struct sim_session_request session = sim_options_request(c->options);
    if (!sim_session_open(&c->session, &session, diags))
        return false;
    const struct machine_settings *s = &c->session.setup.settings.machine;
    const bool schedules = sim_divide_schedules(s);
    const uint64_t machines = sim_divide_machines(s);
    if (sim_divide_is_asked(s) || c->session.program.graph->stage != ISA_STAGE_IMAGE)
        return wrong(diags, "the partition is what is searched for: expected a program "
                            "that is not divided, and partition.by=none");
    if (schedules && !machine_propagates(s))
        return wrong(diags, "RECVs that are scheduled for each tag wait for hiatons "
                            "where nothing comes: expected deadness=propagate");
    if (machines == 0)
        return wrong(diags, "nothing says among how many machines: expected "
                            "partition.machines or cluster.nodes");
    const struct sim_search_request request = {
        .title = sim_program_title(&c->session.program),
        .image = c->session.program.graph,
        .inputs = c->session.inputs.values,
        .settings = s,
        .run_seed = c->session.seed,
        .machines = (uint32_t)machines,
        .schedules = schedules,
        .least = c->own->least,
        .seed = c->own->seed,
        .runs = c->own->runs,
    };
    return sim_search_open(&c->search, &request, diags) && check_fits(&c->search, diags);
}

static void write_start(const struct sim_search_candidate *start, uint32_t all,
                        struct lib_text *out)
{
    lib_text_printf(out, "%s", start->name);
    if (start->machines < all)
        lib_text_printf(out, " on %u machines", start->machines);
    if (start->seed)
        lib_text_printf(out, ", seed %" PRIu64, start->seed);
}

static void write_map(const struct command *c, struct lib_text *out)
{
    const struct sim_search *s = &c->search;
    const char *least = s->request.least->key;
    lib_text_printf(out, "# %s", sim_program_title(&c->session.program));
    for (size_t i = 1; i < c->options->argument_count; i++)
        lib_text_printf(out, " %s", c->options->arguments[i]);
    lib_text_printf(out, " on %u machines: %s %" PRIu64 ", the least of %zu partitions\n",
                    s->request.machines, least, s->best.value, s->done);
    for (size_t i = 0; i < s->starts.count; i++) {
        const struct sim_search_candidate *start = &s->starts.items[i];
        if (!start->is_known)
            continue;
        lib_text_printf(out, "# %12" PRIu64 "  ", start->value);
        write_start(start, s->request.machines, out);
        lib_text_puts(out, i == s->from ? "; changed from here on\n" : "\n");
    }
    sim_search_write(s, out);
}

static enum sim_status deliver(const struct command *c, bool stopped)
{
    const struct sim_printer *printer = &c->options->printer;
    const struct sim_search *s = &c->search;
    LIB_TEXT_OWN text = {0};
    if (!s->best.is_known && stopped) {
        sim_say(printer, "interrupted before a partition was run");
        return SIM_INTERRUPTED;
    }
    if (!s->best.is_known) {
        sim_say(printer, "no partition completes; the first that does not: %s",
                lib_text_get(&s->reason));
        return SIM_FAILED;
    }
    write_map(c, &text);
    enum sim_status status = sim_put(printer, c->options->output, &text);
    if (stopped) {
        sim_say(printer, "interrupted after %zu of %zu runs; the map is the best so far",
                s->done, s->request.runs);
        return status == SIM_DONE ? SIM_INTERRUPTED : status;
    }
    return status;
}

static enum sim_status run(struct command *c)
{
    struct lib_diags diags = {0};
    const struct sim_printer *printer = &c->options->printer;
    bool good = open_search(c, &diags);
    enum sim_status status = sim_tell(printer, &diags);
    if (!good)
        return status;
    if (c->options->output)
        status = sim_check_writable(printer, c->options->output);
    if (status != SIM_DONE)
        return status;
    sim_stop_catch();
    const struct sim_runs_watch watch = {look, c};
    sim_progress_line_start(&c->line, printer);
    good = sim_search_run(&c->search, sim_options_all_jobs(c->own->jobs), &watch, &diags);
    sim_progress_line_end(&c->line);
    status = sim_tell(printer, &diags);
    return good ? deliver(c, sim_stop != 0) : status;
}

int sim_partition(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {.runs = RUNS};
    struct lib_text unsaid = {0};
    take_least(&own.least, "cycles", &unsaid);
    sim_options_parse(&options, &usage, &own, argc, argv);
    struct command c = {.options = &options, .own = &own};
    const enum sim_status status = run(&c);
    sim_search_close(&c.search);
    sim_session_close(&c.session);
    sim_options_free(&options);
    return status;
}
