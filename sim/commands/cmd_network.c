#include "sim/commands/commands.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "lib/file.h"
#include "machine/describe.h"
#include "machine/network/shape.h"
#include "sim/cli/options.h"
#include "sim/cli/output_options.h"
#include "sim/messages/progress_line.h"
#include "sim/messages/stop.h"
#include "sim/network/study.h"
#include "sim/outputs/network_figure.h"
#include "sim/values/range.h"

struct own {
    enum machine_pattern_kind pattern;
    bool has_pattern, has_hot, show, csv;
    const char *matrix, *loads, *links, *figure; /* NULL: not given */
    uint64_t hot_pe, cycles, warm_up, bits;
    double hot_share, precision;
};

#define PATTERN_CHOICES "uniform|transpose|bitrev|tornado|hotspot|neighbour|matrix"

#define OF(member) offsetof(struct own, member)

#define SHARE                                                                            \
    .kind = LIB_FIELD_REAL, .value = "SHARE", .end = 1 + DBL_EPSILON,                    \
    .expected = "a number from 0 to 1"

static const struct lib_field own_options[] = {
    {"pattern", .kind = LIB_FIELD_CHOICE, .at = OF(pattern),
     .given = LIB_GIVEN(OF(has_pattern)), .value = PATTERN_CHOICES,
     .help = "Who sends to whom; default: uniform"},
    SIM_OPTION("matrix", 0, TEXT, "FILE", OF(matrix),
               "The matrix of --pattern=matrix: from,to,tokens, as hiaton analyse "
               "--only=traffic.matrix --csv prints"),
    {"hot", .kind = LIB_FIELD_U64, .at = OF(hot_pe), .given = LIB_GIVEN(OF(has_hot)),
     .most = UINT16_MAX, .value = "PE",
     .help = "To which PE a hotspot sends; default: 0"},
    {"hot-share", SHARE, .at = OF(hot_share), .given = LIB_GIVEN(OF(has_hot)),
     .help = "Which share of all; default: 0.1"},
    SIM_OPTION("load", 0, TEXT, "LOADS", OF(loads),
               "Tokens per PE and cycle, with commas between, or FROM:TO:STEP; default: "
               "0.05:1:0.05, up to the second that is saturated"),
    SIM_NUMBER("cycles", 0, U64, OF(cycles), 1, UINT64_C(1) << 40,
               "Measured at most at each load; default: 50000"),
    SIM_NUMBER("warm-up", 0, U64, OF(warm_up), 1, UINT64_C(1) << 32,
               "Cycles before; default: 2000"),
    {"precision", SHARE, .at = OF(precision),
     .help =
         "How near the mean latency shall be known, to measure no longer; default: 0.01"},
    SIM_NUMBER("bits", 0, U64, OF(bits), 1, 1 << 20,
               "Of a token, where bandwidth is finite; default: 128"),
    SIM_FLAG("show", OF(show), "Run nothing: say what is known of the network"),
    SIM_FLAG("csv", OF(csv), "Print comma-separated values, a line for each load"),
    SIM_OUTPUT(
        "links", 0, TEXT, "FILE", OF(links),
        "Write the load of each link, expected and measured, as comma-separated values"),
    SIM_OUTPUT_TAKEN_BY("figure", "FILE", OF(figure), sim_figure_take,
                        "Draw latency and accepted load: FILE.pdf, .svg or .png"),
    {0},
};

static const struct sim_usage usage = {
    .takes = SIM_TAKES_MACHINE | SIM_TAKES_SEED | SIM_TAKES_JSON | SIM_TAKES_OUTPUT,
    .arguments = "",
    .help = "Offer traffic to a network alone: its latency and what it accepts, by load."
            "\vThe network is that of a machine (-m, -s), one with routers: -s "
            "network.topology=mesh -s pe.count=64. Each PE sends a token per cycle with "
            "the same probability, the load. It is measured after a warm-up, until the "
            "mean latency is known well enough, and until all that was sent meanwhile "
            "has arrived. A network is saturated at a load if what is sent stays behind.",
    .options = own_options,
};

struct command {
    const struct sim_options *options;
    const struct own *own;
    struct lib_arena *arena;
    LIB_VEC(double) loads;
    struct sim_setup setup;
    struct sim_study study;
    struct sim_progress_line line;
    double load; /* current load */
};

static void add_load(struct command *c, double load)
{
    *LIB_VEC_PUSH(&c->loads) = load;
}

/* Reads a load from 0 to 1. Ends the process if it is invalid. */
static double read_load(struct command *c, const char *text)
{
    static const struct lib_field share = {SHARE};
    double load;
    struct lib_text why = {0};
    if (!lib_field_set(&share, &load, text, &why))
        sim_options_wrong(c->options->printer.command, "--load: %s", why.bytes);
    return load;
}

/* Adds FROM:TO:STEP. */
static void add_range(struct command *c, char *word)
{
    const char *command = c->options->printer.command;
    const char *texts[3];
    double part[3];
    for (unsigned i = 0; i < 3; i++) {
        texts[i] = strsep(&word, ":");
        part[i] = texts[i] ? read_load(c, texts[i]) : -1;
    }
    const struct sim_range range = {texts[0], texts[1], texts[2]};
    struct sim_reals loads;
    if (word || part[2] <= 0 || part[0] <= 0 || part[1] < part[0] ||
        !sim_reals_read(&loads, &range))
        sim_options_wrong(command,
                          "--load: expected FROM:TO:STEP above 0, such as 0.1:1:0.1");
    if (loads.steps > 10000)
        sim_options_wrong(command, "--load: expected 10000 loads at most");
    for (size_t i = 0; (double)i <= loads.steps; i++)
        add_load(c, sim_reals_at(&loads, i));
}

static void read_loads(struct command *c)
{
    const char *text = c->own->loads ? c->own->loads : "0.05:1:0.05";
    char *word, *rest = lib_arena_copy(c->arena, text, strlen(text));
    while ((word = strsep(&rest, ","))) {
        if (strchr(word, ':')) {
            add_range(c, word);
            continue;
        }
        const double load = read_load(c, word);
        if (load <= 0)
            sim_options_wrong(c->options->printer.command,
                              "--load: expected loads above 0, found `%s`", word);
        add_load(c, load);
    }
}

static void check_command_line(struct command *c)
{
    const char *command = c->options->printer.command;
    const struct own *own = c->own;
    if (own->csv && c->options->json)
        sim_options_wrong(command, "only one of --csv and --json can be printed");
    if (own->show && (own->csv || own->links || own->figure || own->loads))
        sim_options_wrong(command, "--show runs nothing; --csv, --links, --figure and "
                                   "--load are of what is measured");
    if (own->has_hot && own->pattern != MACHINE_PATTERN_HOTSPOT)
        sim_options_wrong(command, "--hot and --hot-share are of --pattern=hotspot");
    if ((own->matrix != NULL) != (own->pattern == MACHINE_PATTERN_MATRIX))
        sim_options_wrong(command, "--pattern=matrix and --matrix FILE belong together");
    read_loads(c);
}

/* Finds the shape of a network with routers from the settings. */
static bool find_shape(struct command *c, struct machine_shape *shape,
                       struct lib_diags *diags)
{
    const struct sim_options *o = c->options;
    if (!sim_setup_load(&c->setup, c->arena, o->machine, o->sets.items, o->sets.count,
                        diags) ||
        !machine_network_nodes_fit(&c->setup.settings.machine, diags))
        return false;
    if (!machine_network_shape(&c->setup.settings.machine, shape)) {
        lib_diag_plain(diags, LIB_DIAG_USAGE,
                       "expected a network with routers, such as -s "
                       "network.topology=mesh, and PEs (executor.workers=0)");
        return false;
    }
    sim_setup_warn(&c->setup, NULL, (struct lib_pos){0}, diags);
    return true;
}

static bool check_channels(const struct command *c, struct lib_diags *diags)
{
    const struct traces_machine machine = machine_describe(&c->setup.settings.machine,
                                                           NULL, NULL);
    const uint32_t classes = c->study.graph->channel_classes;
    if (machine.network_capacity == 0 || machine.channels >= classes)
        return true;
    lib_diag_plain(
        diags, LIB_DIAG_USAGE,
        "network.channels: expected at least %u, one for each class, found %" PRIu64,
        classes, machine.channels);
    return false;
}

static bool open_study(struct command *c, struct lib_diags *diags)
{
    const struct own *own = c->own;
    struct sim_study_request request = {
        .settings = &c->setup.settings.machine,
        .pattern = {.kind = own->pattern,
                    .hot_pe = (uint32_t)own->hot_pe,
                    .hot_share = own->hot_share},
        .seed = c->options->seed,
        .bits = own->bits,
        .warm_up = own->warm_up,
        .cycles = own->cycles,
        .precision = own->precision,
    };
    if (!find_shape(c, &request.shape, diags) ||
        (own->matrix && !(request.pattern.matrix = lib_file_read_as(
                              c->arena, own->matrix, "the matrix", diags))))
        return false;
    return sim_study_open(&c->study, &request, diags) && check_channels(c, diags);
}

static bool look(void *context, uint64_t cycles, uint64_t all)
{
    struct command *c = context;
    if (sim_progress_line_is_due(&c->line)) {
        LIB_TEXT_OWN text = {0};
        lib_text_printf(&text,
                        "load %g (%zu of %zu): %" PRIu64 " of at most %" PRIu64 " cycles",
                        c->load, c->study.points.count + 1, c->loads.count, cycles, all);
        sim_progress_line_write(&c->line, &text);
    }
    return !sim_stop;
}

/* Default loads end when two in a row are saturated. Returns false if interrupted. */
static bool measure(struct command *c)
{
    unsigned saturated = 0;
    sim_progress_line_start(&c->line, &c->options->printer);
    bool goes_on = true;
    for (size_t i = 0; i < c->loads.count && goes_on; i++) {
        c->load = c->loads.items[i];
        goes_on = sim_study_measure(&c->study, c->load, c->own->links != NULL, look, c);
        if (!goes_on)
            break;
        const struct sim_study_point *p =
            &c->study.points.items[c->study.points.count - 1];
        saturated = p->is_saturated ? saturated + 1 : 0;
        if (!c->own->loads && saturated == 2)
            break;
    }
    sim_progress_line_end(&c->line);
    return goes_on;
}

static enum sim_status put(const struct command *c)
{
    const struct sim_options *o = c->options;
    LIB_TEXT_OWN text = {0}, links = {0};
    sim_study_write(&c->study,
                    o->json       ? LIB_FORM_JSON
                    : c->own->csv ? LIB_FORM_CSV
                                  : LIB_FORM_TEXT,
                    &text);
    enum sim_status status = SIM_DONE;
    if (c->own->links) {
        sim_study_write_links(&c->study, &links);
        status = sim_put(&o->printer, c->own->links, &links);
    }
    if (status == SIM_DONE && c->own->figure)
        status = sim_network_figure_put(&c->study, &o->printer, c->own->figure);
    if (status ==
        SIM_DONE) /* the last, as standard output has a result only if all is written */
        status = sim_put(&o->printer, o->output, &text);
    return status;
}

static enum sim_status run(struct command *c)
{
    struct lib_diags diags = {0};
    const struct sim_printer *printer = &c->options->printer;
    const bool good = open_study(c, &diags);
    enum sim_status status = sim_tell(printer, &diags);
    if (!good)
        return status;
    if (c->own->links)
        status = sim_check_writable(printer, c->own->links);
    if (status == SIM_DONE && c->own->figure)
        status = sim_check_writable(printer, c->own->figure);
    if (status != SIM_DONE)
        return status;
    sim_stop_catch();
    if (!c->own->show && !measure(c)) {
        sim_say(printer, "interrupted at load %g", c->load);
        return SIM_INTERRUPTED;
    }
    return put(c);
}

int sim_network(int argc, char **argv)
{
    struct sim_options options = {0};
    struct own own = {.hot_share = 0.1, .precision = 0.01, .bits = 128};
    sim_options_parse(&options, &usage, &own, argc, argv);
    struct command c = {.options = &options, .own = &own, .arena = lib_arena_new()};
    check_command_line(&c);
    const enum sim_status status = run(&c);
    sim_study_close(&c.study);
    LIB_VEC_FREE(&c.loads);
    lib_arena_free(c.arena);
    sim_options_free(&options);
    return status;
}
