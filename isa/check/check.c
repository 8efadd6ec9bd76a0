#include "isa/check/check.h"

#include "isa/check/rules.h"
#include "isa/parts.h"
#include "lib/memory.h"
#include "lib/name_table.h"

#include <stdio.h>

struct isa_check_name isa_check_name(const struct isa_check *c, uint32_t node)
{
    const struct isa_node *n = &c->graph->nodes[node];
    struct isa_check_name name;
    LIB_TEXT_OWN opcode = {0};
    enum { LABEL_SHOWN = 40 };
    if ((unsigned)n->op < ISA_OP_COUNT && isa_type_is_good(n->type)) {
        lib_text_puts(&opcode, " ");
        isa_node_write_opcode(n, &opcode);
    }
    if (c->places) {
        uint32_t length = c->places[node].length;
        snprintf(name.text, sizeof name.text, "%.*s%s",
                 (int)(length < LABEL_SHOWN ? length : LABEL_SHOWN),
                 c->places[node].label, lib_text_get(&opcode));
    } else {
        snprintf(name.text, sizeof name.text, "%%%u%s", node, lib_text_get(&opcode));
    }
    return name;
}

struct lib_pos isa_check_pos(const struct isa_check *c, uint32_t node)
{
    if (!c->in_text)
        return c->graph->nodes[node].pos;
    return c->places ? c->places[node].pos : (struct lib_pos){0};
}

/* Adds an error or warning about a node; its text begins with the node. */
static void report(struct isa_check *c, enum lib_diag_code code, bool is_warning,
                   uint32_t node, const char *format, va_list ap)
{
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text, "%s: ", isa_check_name(c, node).text);
    lib_text_vprintf(&text, format, ap);
    (is_warning ? lib_diag_warning : lib_diag_error)(
        c->diags, code, c->source, isa_check_pos(c, node), "%s", lib_text_get(&text));
}

struct isa_check_name isa_check_function(const struct isa_check *c, uint32_t function)
{
    struct isa_check_name name;
    snprintf(name.text, sizeof name.text, "function %u " ISA_CHECK_NAME_FORMAT, function,
             c->graph->functions[function].name);
    return name;
}

void isa_check_say(struct isa_check *c, enum lib_diag_code code, uint32_t node,
                   const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    report(c, code, false, node, format, ap);
    va_end(ap);
}

void isa_check_warn(struct isa_check *c, uint32_t node, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    report(c, LIB_DIAG_MEANING, true, node, format, ap);
    va_end(ap);
}

void isa_check_say_of(struct isa_check *c, enum lib_diag_code code, struct lib_pos pos,
                      const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    if (c->in_text) /* position of the declaration is unknown */
        pos = (struct lib_pos){0};
    lib_diag_verror(c->diags, code, c->source, pos, format, ap);
    va_end(ap);
}

static bool has_address(const struct isa_function *function)
{
    for (uint32_t i = 0; i < function->result_count; i++)
        if (isa_type_is_address(function->results[i]))
            return true;
    return false;
}

static void check_function(struct isa_check *c, uint32_t f, uint32_t sites)
{
    const struct isa_function *function = &c->graph->functions[f];
    const char *wrong = NULL;
    if (f == 0 && function->param_count)
        wrong = "the top level has no parameters";
    else if (f == 0 && function->is_loop)
        wrong = "the top level is not a loop";
    else if (f == 0 && has_address(function))
        wrong = "the address of an element cannot be a result";
    else if (f != 0 && function->is_loop && sites != 1)
        wrong = sites ? "a loop has one site only" : "no site enters it";
    else if (f != 0 && function->is_loop && function->param_count == 0)
        wrong = "a loop has at least one variable";
    else if (function->on && function->is_loop)
        wrong = "a loop is on the class of PEs of its function";
    else if (function->held_count && !function->is_loop)
        wrong = "only a loop holds constants";
    else if (f != 0 && function->param_count == 0)
        wrong = "a function has at least one parameter";
    else if (f != 0 && function->result_count == 0 && !function->is_loop)
        wrong = "a function has at least one result";
    else if (f != 0 && sites == 0)
        wrong = "no site calls it";
    if (wrong)
        isa_check_say_of(c, LIB_DIAG_MEANING, function->pos,
                         "function %u " ISA_CHECK_NAME_FORMAT ": %s", f, function->name,
                         wrong);
}

void isa_check_naming(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    uint32_t *sites = lib_mem_new(g->function_count * sizeof *sites);
    for (uint32_t s = 0; s < g->site_count; s++) {
        sites[g->sites[s].callee]++;
        if (g->sites[s].callee == 0)
            isa_check_say_of(c, LIB_DIAG_MEANING, g->sites[s].pos,
                             "site %u: function 0, the top level, cannot be called", s);
    }
    for (uint32_t f = 0; f < g->function_count; f++)
        check_function(c, f, sites[f]);
    lib_mem_free(sites);

    struct lib_name_table *names = lib_name_table_new();
    for (uint32_t i = 0; i < g->input_count; i++)
        if (!lib_name_table_add(names, g->inputs[i].name, strlen(g->inputs[i].name), i))
            isa_check_say_of(
                c, LIB_DIAG_NAME, (struct lib_pos){0},
                "input %u: a second input of the name " ISA_CHECK_NAME_FORMAT, i,
                g->inputs[i].name);
    lib_name_table_free(names);
}

static void number_functions(struct isa_check *c)
{
    const struct isa_graph *g = c->graph;
    c->first_result = lib_mem_new(((size_t)g->function_count + 1) * sizeof(uint32_t));
    c->first_param = lib_mem_new(((size_t)g->function_count + 1) * sizeof(uint32_t));
    c->first_held = lib_mem_new(((size_t)g->function_count + 1) * sizeof(uint32_t));
    for (uint32_t f = 0; f < g->function_count; f++) {
        c->first_result[f + 1] = c->first_result[f] + g->functions[f].result_count;
        c->first_param[f + 1] = c->first_param[f] + g->functions[f].param_count;
        c->first_held[f + 1] = c->first_held[f] + g->functions[f].held_count;
    }
}

static bool check(struct isa_check *c);

/* Checks a PARTITIONED graph: its nodes, its parts, and the undivided graph, whose nodes have the
 * same numbers. */
static bool check_joined(struct isa_check *c)
{
    const size_t before = c->diags->errors;
    isa_check_nodes(c);
    if (c->diags->errors == before)
        isa_check_parts(c);
    if (c->diags->errors > before)
        return false;
    struct isa_graph *joined = isa_parts_join(c->graph);
    struct isa_check of_joined = {.graph = joined,
                                  .source = c->source,
                                  .diags = c->diags,
                                  .in_text = c->in_text,
                                  .places = c->places};
    const bool good = check(&of_joined);
    isa_graph_free(joined);
    return good;
}

static bool check(struct isa_check *c)
{
    static void (*const groups[])(struct isa_check *) = {
        isa_check_naming,  isa_check_nodes, isa_check_arcs,
        isa_check_results, isa_check_calls, isa_check_loops,
    };
    size_t before = c->diags->errors;
    isa_check_ranges(c);
    if (c->diags->errors > before)
        return false;
    if (c->graph->stage == ISA_STAGE_PARTITIONED)
        return check_joined(c);
    number_functions(c);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (c->diags->errors == before)
            groups[i](c);
    LIB_MEM_FREE(c->first, c->arrivals, c->from, c->first_result, c->first_param);
    lib_mem_free(c->first_held);
    return c->diags->errors == before;
}

bool isa_check(const struct isa_graph *graph, const struct lib_source *source,
               struct lib_diags *diags)
{
    struct isa_check c = {.graph = graph, .source = source, .diags = diags};
    return check(&c);
}

bool isa_check_text(const struct isa_graph *graph, const struct lib_source *source,
                    const struct isa_place *places, struct lib_diags *diags)
{
    struct isa_check c = {.graph = graph,
                          .source = source,
                          .diags = diags,
                          .in_text = true,
                          .places = places};
    return check(&c);
}
