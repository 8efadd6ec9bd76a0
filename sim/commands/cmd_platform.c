#include "sim/commands/commands.h"

#include <inttypes.h>
#include <string.h>

#include "machine/simgrid/ready.h"
#include "sim/cli/complete.h"
#include "sim/cli/options.h"

enum { NODES = 64, MAX_NODES = 65536 };

static const struct {
    const char *name, *help;
} kinds[] = {
#define READY(NAME, name, help) {#name, help},
    MACHINE_READY_PLATFORMS(READY)
#undef READY
};

#define READY(NAME, name, help) #name "|"
static const char choices[] = MACHINE_READY_PLATFORMS(READY);
#undef READY

struct own {
    struct machine_ready ready;
    bool has_nodes, has_links;
};

/* Whether a text is a number with a unit that SimGrid knows. */
static bool is_quantity(const char *text, const char *units)
{
    static const char prefixes[] = "kMGT";
    size_t length = strspn(text, "0123456789"), left = length;
    if (text[length] == '.')
        left += strspn(text + ++length, "0123456789");
    length = (size_t)(strspn(text, "0123456789.") > 0 ? strspn(text, "0123456789.") : 0);
    if (left == 0 || strchr(text, '.') != strrchr(text, '.'))
        return false;
    const char *unit = text + length;
    if (strcmp(units, "s") == 0)
        return strcmp(unit, "s") == 0 || strcmp(unit, "ms") == 0 ||
               strcmp(unit, "us") == 0 || strcmp(unit, "ns") == 0 ||
               strcmp(unit, "ps") == 0;
    unit += *unit && strchr(prefixes, *unit) ? 1 : 0;
    return strcmp(unit, "Bps") == 0 || strcmp(unit, "bps") == 0;
}

#define OF(member) offsetof(struct own, member)

static bool take_bandwidth(void *place, const char *text, struct lib_text *why)
{
    *(const char **)place = text;
    if (!is_quantity(text, "Bps"))
        lib_text_printf(why, "expected a rate such as 12.5GBps or 100Gbps, found `%s`",
                        text);
    return !why->length;
}

static bool take_latency(void *place, const char *text, struct lib_text *why)
{
    *(const char **)place = text;
    if (!is_quantity(text, "s"))
        lib_text_printf(why, "expected a time such as 500ns or 0.5us, found `%s`", text);
    return !why->length;
}

static const struct lib_field own_options[] = {
    {"nodes", .kind = LIB_FIELD_UNSIGNED, .at = OF(ready.nodes),
     .given = LIB_GIVEN(OF(has_nodes)), .least = 2, .most = MAX_NODES, .value = "N",
     .help = "Hosts; default: 64"},
    {"bandwidth", .take = take_bandwidth, .at = OF(ready.bandwidth),
     .given = LIB_GIVEN(OF(has_links)), .value = "RATE",
     .help = "Of each link, as 12.5GBps (the default) or 100Gbps"},
    {"latency", .take = take_latency, .at = OF(ready.latency),
     .given = LIB_GIVEN(OF(has_links)), .value = "TIME",
     .help = "Of each link, as 500ns (the default) or 0.5us"},
    {0},
};

static bool complete(const struct sim_complete_value *value)
{
    if (strcmp(value->name, "KIND") != 0)
        return false;
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        sim_complete_offer(value, 0, kinds[i].name, "", kinds[i].help);
    return true;
}

#define READY(NAME, name, help) "\n  " #name ": " help
static const struct sim_usage usage = {
    .takes = SIM_TAKES_OUTPUT,
    .arguments = "KIND",
    .help = "Write a platform for `network.topology=simgrid`, in SimGrid's XML.\v"
            "KIND is one of" MACHINE_READY_PLATFORMS(READY),
    .least = 1,
    .most = 1,
    .missing = "KIND",
    .options = own_options,
    .complete = complete,
};
#undef READY

static void choose(struct own *own, const char *kind, const char *command)
{
    size_t at = 0;
    while (at < MACHINE_READY_COUNT && strcmp(kinds[at].name, kind) != 0)
        at++;
    if (at == MACHINE_READY_COUNT) {
        struct lib_text all = {0};
        lib_text_add(&all, choices, sizeof choices - 2); /* without the last bar */
        sim_options_no_choice("KIND", kind, lib_text_get(&all), command);
    }
    own->ready.kind = (enum machine_ready_kind)at;
    const uint32_t hosts = machine_ready_hosts(own->ready.kind);
    if (hosts && (own->has_nodes || own->has_links))
        sim_options_wrong(command,
                          "`%s` is a real cluster of %" PRIu32
                          " hosts: it takes neither nodes nor figures of links",
                          kind, hosts);
}

int sim_platform(int argc, char **argv)
{
    struct sim_options options = {0};
    LIB_TEXT_OWN text = {0};
    struct own own = {
        .ready = {.nodes = NODES, .bandwidth = "12.5GBps", .latency = "500ns"}};
    sim_options_parse(&options, &usage, &own, argc, argv);
    choose(&own, options.arguments[0], argv[0]);
    machine_ready_write(&own.ready, &text);
    const enum sim_status status = sim_put(&options.printer, options.output, &text);
    sim_options_free(&options);
    return status;
}
