#include "sim/loading/fit.h"

#include <inttypes.h>
#include <string.h>

#include "isa/kernel_use.h"
#include "machine/machine.h"
#include "sim/loading/divide.h"

static const struct lib_pos nowhere;

/* Returns the maximum of a setting; for a choice, the index of its last word. */
static uint64_t greatest_of(const struct lib_setting *setting)
{
    uint64_t places = 0;
    if (setting->kind == LIB_SETTING_NUMBER)
        return setting->greatest;
    for (const char *p = setting->choices; (p = strchr(p, '|')); p++)
        places++;
    return places;
}

bool sim_settings_are_in_range(const struct machine_settings *settings,
                               struct lib_diags *diags)
{
    size_t errors = diags->errors;
    for (size_t i = 0; i < machine_setting_count; i++) {
        const struct lib_setting *s = &machine_setting_table[i];
        if (!lib_setting_has_number(s))
            continue; /* checked by lib_setting_set */
        uint64_t value = lib_setting_get(settings, s), greatest = greatest_of(s);
        if (value < s->least || value > greatest)
            lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                           "%s: expected a number from %" PRIu64 " to %" PRIu64
                           ", found %" PRIu64,
                           s->key, s->least, greatest, value);
    }
    return diags->errors == errors;
}

/* Returns the setting that keeps a machine from having input ports, or NULL. */
static const char *forbids_ports(const struct machine_settings *settings)
{
    if (!machine_can_be_saved(settings))
        return "network.model";
    return machine_counted_by(settings);
}

/* Checks that a machine has the input ports of the program. Returns false and adds a diagnostic if
 * not. */
static bool ports_fit(const struct isa_graph *graph,
                      const struct machine_settings *settings, struct lib_diags *diags)
{
    const char *setting = graph->array_count ? forbids_ports(settings) : NULL;
    if (setting)
        lib_diag_error(diags, LIB_DIAG_USAGE, NULL, nowhere,
                       "%s: a machine with it has no ports in, and the program has some",
                       setting);
    return !setting;
}

bool sim_settings_fit(const struct machine_settings *settings, struct lib_diags *diags)
{
    return sim_settings_are_in_range(settings, diags) &&
           sim_divide_is_said(settings, diags) && machine_settings_fit(settings, diags);
}

bool sim_program_fits(const struct isa_graph *graph,
                      const struct machine_settings *settings, struct isa_graph **divided,
                      struct lib_diags *diags)
{
    struct isa_graph *own = NULL;
    bool good = sim_settings_are_in_range(settings, diags);
    if (good && sim_divides(graph, settings)) {
        graph = own = sim_divide(graph, settings, NULL, diags);
        good = own != NULL;
    }
    good = good && machine_settings_fit(settings, diags) &&
           ports_fit(graph, settings, diags) &&
           (graph->stage != ISA_STAGE_PARTITIONED ||
            sim_divided_fits(graph, settings, diags)) &&
           machine_program_fits(settings, graph, diags);
    if (divided)
        *divided = good ? own : NULL;
    if (!divided || !good)
        isa_graph_free(own);
    return good;
}

/* Puts the place in the source before the message of a diagnostic. An image has the name of it. */
static void write_place(const struct isa_graph *image, struct lib_diag *d)
{
    struct lib_text text = {0};
    lib_text_printf(&text, "%s:%u:%u: %s", image->source, d->pos.line, d->pos.column,
                    d->text);
    lib_mem_free(d->text);
    d->text = text.bytes;
}

bool sim_loaded_fits(const struct sim_program *program,
                     const struct machine_settings *settings, struct lib_diags *diags)
{
    struct lib_diags found = {0};
    const struct lib_source *source = sim_program_source(program);
    const bool good = sim_program_fits(program->graph, settings, NULL, &found);
    for (size_t i = 0; i < found.count; i++) {
        struct lib_diag *d = &found.items[i];
        if (!d->pos.line || d->source)
            continue;
        d->source = source;
        if (!source && *program->graph->source)
            write_place(program->graph, d);
    }
    lib_diags_adopt(diags, &found, NULL, nowhere, "", "");
    return good;
}

bool sim_program_runs_alone(const struct isa_graph *graph, struct lib_diags *diags)
{
    for (uint32_t i = 0; i < graph->port_count; i++) {
        if (!graph->ports[i].is_input)
            continue;
        lib_diag_error(
            diags, LIB_DIAG_USAGE, NULL, nowhere,
            "the program has a port in, `%s`, which nobody feeds here; only "
            "`hiaton run`, `hiaton interp` and `hiaton analyse` do, with --port",
            graph->ports[i].name);
        return false;
    }
    return true;
}

bool sim_program_draws(const struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *n = &graph->nodes[i];
        const unsigned use = isa_use_of(n->index);
        if ((n->op == ISA_OP_MAP || n->op == ISA_OP_COMBINE) &&
            (use == ISA_USE_NORMAL || use == ISA_USE_UNIFORM))
            return true;
    }
    return false;
}
