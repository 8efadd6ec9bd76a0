#include "machine/placement/capability.h"

#include "lib/memory.h"
#include "machine/describe.h"
#include "machine/needs.h"
#include "machine/placement/functions.h"

#include <stdlib.h>
#include <string.h>

/* What activations of each function fire, and what each PE can do. */
struct demand {
    const struct traces_machine *about;
    const struct isa_graph *graph;
    uint32_t machines, places; /* machines, 1 if not divided; PEs of each */
    uint32_t *needs; /* for each function and machine: classes of units, as bits */
    uint32_t *can;   /* for each PE: classes of units */
    /* for each function: class of the PEs where it must be, or NULL */
    const struct traces_pe_class **on;
};

static uint32_t machine_of(const struct isa_graph *graph, const struct isa_node *node)
{
    return graph->machine_count ? node->machine : 0;
}

static uint32_t unit_of(const struct isa_node *node)
{
    return 1U << isa_op_table[node->op].unit;
}

static bool lacks_units(const struct traces_machine *about)
{
    for (uint32_t i = 0; i < about->class_count; i++)
        if (about->classes[i].can != TRACES_CAN_ALL)
            return true;
    return false;
}

static void find_demand(struct demand *d, const struct traces_machine *about,
                        const struct isa_graph *graph,
                        const struct machine_settings *settings)
{
    *d = (struct demand){.about = about, .graph = graph};
    d->machines = graph->machine_count ? graph->machine_count : 1;
    d->places = about->pe_count / d->machines;
    d->needs = lib_mem_new((size_t)graph->function_count * d->machines *
                           sizeof *d->needs);
    d->can = lib_mem_new(about->pe_count * sizeof *d->can);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct isa_node *node = &graph->nodes[i];
        const size_t function = isa_node_frame(graph, node);
        d->needs[function * d->machines + machine_of(graph, node)] |= unit_of(node);
    }
    for (uint32_t pe = 0; pe < about->pe_count; pe++)
        d->can[pe] = traces_machine_can(about, pe);
    d->on = lib_mem_new(graph->function_count * sizeof *d->on);
    machine_functions_find(settings->placement_functions, about, graph, d->on);
}

static void free_demand(struct demand *d)
{
    LIB_MEM_FREE(d->needs, d->can, d->on);
}

/* Whether a PE can do all that a function fires on its machine. */
static bool is_able_on(const struct demand *d, uint32_t function, uint32_t machine,
                       uint32_t pe)
{
    const uint32_t needs = d->needs[(size_t)function * d->machines + machine];
    const struct traces_pe_class *on = d->on[function];
    return !(needs & ~d->can[pe]) &&
           (!on || !needs || traces_machine_class(d->about, pe) == on);
}

/* Whether the PEs at a place, one of each of the first `machines` machines, can do all that a
 * function fires there. */
static bool is_able(const struct demand *d, uint32_t function, uint32_t place,
                    uint32_t machines)
{
    for (uint32_t i = 0; i < machines; i++)
        if (!is_able_on(d, function, i, i * d->places + place))
            return false;
    return true;
}

/* --- lists ---------------------------------------------------------------------------------- */

static struct machine_places list_places(const struct demand *d, uint32_t function)
{
    struct machine_places places = {0};
    places.items = lib_mem_new(d->places * sizeof *places.items);
    for (uint32_t place = 0; place < d->places; place++)
        if (is_able(d, function, place, d->machines))
            places.items[places.count++] = place;
    places.items = lib_mem_resize(places.items,
                                  (places.count + 1) * sizeof *places.items);
    return places;
}

static void list_memory(struct machine_capability *c, const struct demand *d)
{
    const uint32_t pes = d->about->pe_count;
    c->memory.items = lib_mem_new(pes * sizeof *c->memory.items);
    c->memory_below = lib_mem_new((pes + 1) * sizeof *c->memory_below);
    for (uint32_t pe = 0; pe < pes; pe++) {
        c->memory_below[pe] = c->memory.count;
        if (d->can[pe] >> ISA_UNIT_MEMORY & 1)
            c->memory.items[c->memory.count++] = pe;
    }
    c->memory_below[pes] = c->memory.count;
}

/* Returns the index of the list of a function among the `count` lists made so far, for the
 * functions `firsts`; `count` if no list is for the same needs. */
static uint32_t find_list(const struct demand *d, const uint32_t *firsts, uint32_t count,
                          uint32_t function)
{
    const size_t size = d->machines * sizeof *d->needs;
    uint32_t list = 0;
    while (list < count && (d->on[firsts[list]] != d->on[function] ||
                            memcmp(&d->needs[(size_t)firsts[list] * d->machines],
                                   &d->needs[(size_t)function * d->machines], size) != 0))
        list++;
    return list;
}

struct machine_capability *
machine_capability_make(const struct traces_machine *about, const struct isa_graph *graph,
                        const struct machine_settings *settings)
{
    struct demand d;
    if (about->has_workers ||
        (!lacks_units(about) &&
         !machine_functions_are_placed(settings->placement_functions, graph)))
        return NULL;
    find_demand(&d, about, graph, settings);
    struct machine_capability *c = lib_mem_new(sizeof *c);
    uint32_t *firsts = lib_mem_new(graph->function_count * sizeof *firsts);
    c->list_of = lib_mem_new(graph->function_count * sizeof *c->list_of);
    c->lists = lib_mem_new(graph->function_count * sizeof *c->lists);
    for (uint32_t f = 0; f < graph->function_count; f++) {
        const uint32_t list = find_list(&d, firsts, c->list_count, f);
        c->list_of[f] = list;
        if (list < c->list_count)
            continue;
        firsts[c->list_count] = f;
        c->lists[c->list_count++] = list_places(&d, f);
    }
    list_memory(c, &d);
    lib_mem_free(firsts);
    free_demand(&d);
    return c;
}

void machine_capability_free(struct machine_capability *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->list_count; i++)
        lib_mem_free(c->lists[i].items);
    LIB_MEM_FREE(c->list_of, c->lists, c->memory.items, c->memory_below, c);
}

uint32_t machine_places_from(const struct machine_places *places, uint32_t place)
{
    uint32_t low = 0, high = places->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (places->items[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool machine_capability_has(const struct machine_capability *c, uint32_t function,
                            uint32_t place)
{
    const struct machine_places *places = machine_capability_of(c, function);
    const uint32_t at = machine_places_from(places, place);
    return at < places->count && places->items[at] == place;
}

/* --- whether a graph fits --------------------------------------------------------------------- */

/* Returns the first instruction that a function fires on a machine, of those with units among
 * `units`; NULL: none. */
static const struct isa_node *find_node(const struct demand *d, uint32_t function,
                                        uint32_t machine, uint32_t units)
{
    for (uint32_t i = 0; i < d->graph->node_count; i++) {
        const struct isa_node *node = &d->graph->nodes[i];
        if (isa_node_frame(d->graph, node) == function &&
            machine_of(d->graph, node) == machine && unit_of(node) & units)
            return node;
    }
    return NULL;
}

/* Whether one of the places from `first` to `end` - 1 is at a PE of a class on a machine. */
static bool has_class(const struct demand *d, uint32_t machine, uint32_t first,
                      uint32_t end, const struct traces_pe_class *class)
{
    for (uint32_t place = first; place < end; place++)
        if (traces_machine_class(d->about, machine * d->places + place) == class)
            return true;
    return false;
}

/* Appends an instruction, such as "add.int at 3:7 on machine 1". */
static void write_node(const struct demand *d, const struct isa_node *node,
                       uint32_t machine, struct lib_text *out)
{
    isa_node_write_opcode(node, out);
    isa_node_write_place(node, out);
    if (d->graph->machine_count)
        lib_text_printf(out, " on machine %u", machine);
}

/* Appends what PEs of a class lack for a function on a machine, if they have some of the places;
 * sets *at to the first instruction. */
static void write_lack(const struct demand *d, uint32_t function, uint32_t machine,
                       const struct traces_pe_class *class, const struct isa_node **at,
                       struct lib_text *out)
{
    const struct isa_node *node = find_node(d, function, machine, ~class->can);
    if (!node)
        return;
    lib_text_printf(out, "%sclass.%s.units lacks %s for ", out->length ? ", " : "",
                    class->name, isa_unit_name(isa_op_table[node->op].unit));
    write_node(d, node, machine, out);
    *at = *at ? *at : node;
}

static void write_lacks(const struct demand *d, uint32_t function, uint32_t first,
                        uint32_t end, const struct isa_node **at, struct lib_text *out)
{
    const struct traces_pe_class *on = d->on[function];
    for (uint32_t machine = 0; machine < d->machines; machine++)
        for (uint32_t i = 0; i < d->about->class_count; i++) {
            const struct traces_pe_class *class = &d->about->classes[i];
            if ((!on || on == class) && has_class(d, machine, first, end, class))
                write_lack(d, function, machine, class, at, out);
        }
}

/* Appends the first machine with no PE for a function at the places, from `first` to `end` - 1,
 * that the machines before it leave; sets *at to the first instruction there. */
static void write_apart(const struct demand *d, uint32_t function, uint32_t first,
                        uint32_t end, const struct isa_node **at, struct lib_text *out)
{
    uint32_t machine = 0;
    for (uint32_t place = first; place < end; place++)
        while (machine < d->machines && is_able(d, function, place, machine + 1))
            machine++;
    *at = find_node(d, function, machine, TRACES_CAN_ALL);
    if (!*at)
        return;
    write_node(d, *at, machine, out);
    lib_text_puts(out, " needs a PE with the same number within its machine as on the "
                       "machines before");
}

/* Adds the diagnostic that a function has none of the places from `first` to `end` - 1. */
static void report_function(const struct demand *d, uint32_t function, uint32_t first,
                            uint32_t end, struct lib_diags *diags)
{
    const struct isa_function *f = &d->graph->functions[function];
    const struct traces_pe_class *on = d->on[function];
    const struct isa_node *at = NULL;
    LIB_TEXT_OWN lacks = {0}, where = {0};
    write_lacks(d, function, first, end, &at, &lacks);
    if (!at)
        write_apart(d, function, first, end, &at, &lacks);
    if (end - first < d->places)
        lib_text_printf(&where, " of node %u", first / (end - first));
    lib_diag_error(diags, LIB_DIAG_MEANING, NULL, at ? at->pos : f->pos,
                   "no PE%s%s%s can do all that %s `%s` fires%s%s", lib_text_get(&where),
                   on ? " of class " : "", on ? on->name : "",
                   f->is_loop ? "the loop" : "function", f->name,
                   lacks.length ? ": " : "", lib_text_get(&lacks));
}

bool machine_placement_fits(const struct machine_settings *settings,
                            struct lib_diags *diags)
{
    if (!machine_functions_are_placed(settings->placement_functions, NULL))
        return true;
    const struct traces_machine about = machine_describe(settings, NULL, NULL);
    return machine_functions_fit(settings->placement_functions, &about, NULL, diags);
}

bool machine_capability_fits(const struct traces_machine *about,
                             const struct isa_graph *graph,
                             const struct machine_settings *settings, uint32_t node_pes,
                             struct lib_diags *diags)
{
    struct machine_capability *c = machine_capability_make(about, graph, settings);
    struct demand d;
    bool fits = machine_functions_fit(settings->placement_functions, about, graph, diags);
    if (!c)
        return fits;
    find_demand(&d, about, graph, settings);
    const uint32_t pes = node_pes ? node_pes : d.places;
    for (uint32_t f = 0; f < graph->function_count && fits; f++) {
        const struct machine_places *places = machine_capability_of(c, f);
        for (uint32_t first = 0; first < d.places && fits; first += pes) {
            fits = machine_places_from(places, first) <
                   machine_places_from(places, first + pes);
            if (!fits)
                report_function(&d, f, first, first + pes, diags);
        }
    }
    free_demand(&d);
    machine_capability_free(c);
    return fits;
}

bool machine_class_has_functions(const struct machine_settings *settings,
                                 const struct isa_graph *graph, const char *name)
{
    const struct traces_machine about = machine_describe(settings, graph, NULL);
    const char *const text = settings->placement_functions;
    struct lib_diags diags = {0};
    bool has = !machine_functions_fit(text, &about, graph, &diags);
    const struct traces_pe_class **on = lib_mem_new(graph->function_count * sizeof *on);
    if (!has)
        machine_functions_find(text, &about, graph, on);
    for (uint32_t f = 0; f < graph->function_count; f++)
        has |= on[f] && strcmp(on[f]->name, name) == 0;
    lib_mem_free(on);
    lib_diags_free(&diags);
    return has;
}
