/* Graphs that are built call by call. They are stored as lines of assembly, which can express every
 * graph and is checked by one reader (isa/format/asm.h). */
#include "sim/library/library_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_OUTPUTS = 1 << 16 };

struct arc {
    uint32_t to, operand;
};

struct output {
    LIB_VEC(struct arc) arcs;
};

struct node {
    const char *function, *opcode, *operands; /* in the arena */
    struct lib_pos pos;
    LIB_VEC(struct output) outputs;
};

struct hiaton_graph {
    struct lib_arena *arena;
    struct hiaton_reporter reporter;
    const char *source;   /* in the arena */
    struct lib_text head; /* lines with the functions, which come first */
    struct lib_text rest; /* lines that may refer to functions */
    struct lib_pos pos;
    LIB_VEC(struct node) nodes;
};

static bool is_line(const struct hiaton_graph *graph, const char *text)
{
    const bool is_one = text && !strpbrk(text, "\r\n");
    if (!is_one)
        sim_library_complain(&graph->reporter, LIB_DIAG_USAGE,
                             "a graph is built of lines, found %s",
                             text ? "a text of several" : "no text");
    return is_one;
}

struct hiaton_graph *hiaton_graph_new(const char *stage, const char *source,
                                      const struct hiaton_reporter *reporter)
{
    if (!stage || isa_stage_find(stage) == ISA_STAGE_COUNT) {
        sim_library_complain(reporter, LIB_DIAG_USAGE, "unknown stage `%s`",
                             stage ? stage : "");
        return NULL;
    }
    struct hiaton_graph *graph = lib_mem_new(sizeof *graph);
    graph->arena = lib_arena_new();
    SIM_TAKE(graph->reporter, reporter);
    graph->reporter.size = sizeof graph->reporter;
    lib_text_printf(&graph->head, "hiaton assembly 1\nstage %s\n", stage);
    graph->source = lib_arena_printf(graph->arena, "%s", source ? source : "graph");
    if (source) {
        lib_text_puts(&graph->head, "source ");
        lib_text_json(&graph->head, source);
        lib_text_puts(&graph->head, "\n");
    }
    return graph;
}

enum hiaton_status hiaton_graph_declare(struct hiaton_graph *graph,
                                        const char *declaration)
{
    if (!graph || !is_line(graph, declaration))
        return HIATON_MISUSE;
    /* Declarations may come in any order, as a front end may compile a call before its function. */
    static const char function[] = "function";
    const bool is_function = strncmp(declaration, function, sizeof function - 1) == 0;
    lib_text_printf(is_function ? &graph->head : &graph->rest, "%s\n", declaration);
    return HIATON_OK;
}

void hiaton_graph_place(struct hiaton_graph *graph, uint32_t line, uint32_t column,
                        uint32_t span)
{
    if (graph)
        graph->pos = (struct lib_pos){line, column ? column : 1, span ? span : 1};
}

static const char *keep_text(struct hiaton_graph *graph, const char *text)
{
    return lib_arena_copy(graph->arena, text, strlen(text));
}

uint32_t hiaton_graph_node(struct hiaton_graph *graph, const char *function,
                           const char *opcode, const char *operands)
{
    operands = operands ? operands : "";
    if (!graph || !is_line(graph, function) || !is_line(graph, opcode) ||
        !is_line(graph, operands) || graph->nodes.count >= ISA_MAX_NODES)
        return UINT32_MAX;
    *LIB_VEC_PUSH(&graph->nodes) = (struct node){
        .function = keep_text(graph, function),
        .opcode = keep_text(graph, opcode),
        .operands = keep_text(graph, operands),
        .pos = graph->pos,
    };
    return (uint32_t)graph->nodes.count - 1;
}

static void need_outputs(struct node *node, uint32_t count)
{
    while (node->outputs.count < count)
        *LIB_VEC_PUSH(&node->outputs) = (struct output){0};
}

enum hiaton_status hiaton_graph_arc(struct hiaton_graph *graph, uint32_t from,
                                    uint32_t output, uint32_t to, uint32_t operand)
{
    if (!graph)
        return HIATON_MISUSE;
    if (from >= graph->nodes.count || output >= MAX_OUTPUTS) {
        sim_library_complain(&graph->reporter, LIB_DIAG_USAGE,
                             "an arc from output %" PRIu32 " of node %" PRIu32
                             ", of %zu nodes",
                             output, from, graph->nodes.count);
        return HIATON_MISUSE;
    }
    struct node *node = &graph->nodes.items[from];
    need_outputs(node, output + 1);
    if (to != HIATON_TO_NOWHERE)
        *LIB_VEC_PUSH(&node->outputs.items[output].arcs) = (struct arc){to, operand};
    return HIATON_OK;
}

/* --- finishing --------------------------------------------------------------------------- */

/* Adds empty output lists that the opcode has. The reader completes those of an APPLY, by the
 * results of the callee. */
static void complete_outputs(struct node *node)
{
    enum isa_type type;
    const enum isa_op op = isa_op_find(node->opcode, &type);
    const int outputs = op == ISA_OP_NONE ? 0 : isa_op_outputs(op);
    need_outputs(node, outputs > 0 ? (uint32_t)outputs : 0);
}

static void write_arc(const struct arc *arc, struct lib_text *out)
{
    if (arc->to == HIATON_TO_RETURN)
        lib_text_printf(out, "return %" PRIu32, arc->operand);
    else
        lib_text_printf(out, "%%%" PRIu32 ".%" PRIu32, arc->to, arc->operand);
}

static void write_node(struct node *node, uint32_t number, struct lib_text *out)
{
    complete_outputs(node);
    lib_text_printf(out, "  %%%" PRIu32 " %s %s", number, node->opcode, node->operands);
    for (size_t i = 0; i < node->outputs.count; i++) {
        const struct output *o = &node->outputs.items[i];
        lib_text_puts(out, i ? " | " : " -> ");
        for (size_t k = 0; k < o->arcs.count; k++) {
            lib_text_puts(out, k ? ", " : "");
            write_arc(&o->arcs.items[k], out);
        }
        if (!o->arcs.count)
            lib_text_puts(out, "-");
    }
    if (node->pos.line)
        lib_text_printf(out, "  @%" PRIu32 ":%" PRIu32 "+%" PRIu32, node->pos.line,
                        node->pos.column, node->pos.span);
    lib_text_puts(out, "\n");
}

/* The text of a graph, which the host does not see, and the node of each line. */
struct written {
    const struct hiaton_graph *graph;
    const char *name;
    struct lib_text text;
    LIB_VEC(uint32_t) nodes; /* by line - 1; HIATON_NO_NODE for a declaration */
};

static void note_lines(struct written *w, size_t from, uint32_t node)
{
    for (size_t i = from; i < w->text.length; i++)
        if (w->text.bytes[i] == '\n')
            *LIB_VEC_PUSH(&w->nodes) = node;
}

static void write_text(struct hiaton_graph *graph, struct written *w)
{
    const char *function = "";
    lib_text_puts(&w->text, graph->head.bytes);
    lib_text_puts(&w->text, lib_text_get(&graph->rest));
    note_lines(w, 0, HIATON_NO_NODE);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        struct node *node = &graph->nodes.items[i];
        const size_t from = w->text.length;
        if (strcmp(function, node->function) != 0)
            lib_text_printf(&w->text, "\nin %s\n", node->function);
        function = node->function;
        write_node(node, i, &w->text);
        note_lines(w, from, i);
    }
}

/* Adds the text of a diagnostic, with the node and its operation instead of the line. */
static void describe_node(const struct written *w, const struct lib_diag *d, uint32_t i,
                          struct lib_text *out)
{
    const struct node *node = &w->graph->nodes.items[i];
    char label[16];
    const int length = snprintf(label, sizeof label, "%%%" PRIu32 " ", i);
    /* Messages of the checker begin so already. */
    if (strncmp(d->text, label, (size_t)length) != 0)
        lib_text_printf(out, "%s%s%s%s in %s: ", label, node->opcode,
                        *node->operands ? " " : "", node->operands, node->function);
    lib_text_puts(out, d->text);
}

static void describe_declaration(const struct written *w, const struct lib_diag *d,
                                 struct lib_text *out)
{
    const struct lib_source text = {NULL, w->text.bytes, w->text.length};
    size_t length;
    const char *line = lib_source_line(&text, d->pos.line, &length);
    lib_text_printf(out, "`%.*s`, column %" PRIu32 ": %s", (int)length, line,
                    d->pos.column, d->text);
}

/* Reports a diagnostic whose position, if any, is in the text. */
static void report_written(const struct written *w, const struct lib_diag *d)
{
    struct lib_text text = {0};
    const struct lib_source source = {.name = w->name};
    struct lib_diag own = {
        .code = d->code, .warning = d->warning, .source = &source, .pos = d->pos};
    uint32_t node = HIATON_NO_NODE;
    const bool is_in_text = d->source && d->source->bytes && d->pos.line &&
                            d->pos.line <= w->nodes.count;
    if (is_in_text)
        node = w->nodes.items[d->pos.line - 1];
    if (node != HIATON_NO_NODE) {
        describe_node(w, d, node, &text);
        own.pos = w->graph->nodes.items[node].pos;
    } else if (is_in_text) {
        describe_declaration(w, d, &text);
        own.pos = (struct lib_pos){0};
    } else {
        lib_text_puts(&text, d->text);
    }
    own.text = text.bytes;
    sim_library_report_one(&w->graph->reporter, &own, node);
    lib_text_free(&text);
}

static void report_all(void *context, struct lib_diags *diags)
{
    const struct written *w = context;
    for (size_t i = 0; i < diags->count; i++)
        report_written(w, &diags->items[i]);
    sim_library_report_dropped(&w->graph->reporter, diags);
    lib_diags_free(diags);
}

/* Messages of runs must not refer to lines of the text. */
static void forget_lines(struct isa_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].written) {
            struct isa_written written = *graph->nodes[i].written;
            written.line = 0;
            isa_graph_set_written(graph, i, &written);
        }
}

struct hiaton_program *hiaton_graph_finish(struct hiaton_graph *graph,
                                           const struct hiaton_program_options *options)
{
    struct hiaton_program_options own;
    if (!graph)
        return NULL;
    SIM_TAKE(own, options);
    own.size = sizeof own;
    own.name = own.name ? own.name : graph->source;
    struct written w = {.graph = graph, .name = own.name};
    const struct sim_library_diag_sink teller = {report_all, &w};
    write_text(graph, &w);
    struct hiaton_program *program = sim_library_read_program(
        w.text.bytes, w.text.length, &own, &graph->reporter, &teller);
    if (program)
        forget_lines(program->program.graph);
    lib_text_free(&w.text);
    LIB_VEC_FREE(&w.nodes);
    return program;
}

void hiaton_graph_free(struct hiaton_graph *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        struct node *node = &graph->nodes.items[i];
        for (size_t k = 0; k < node->outputs.count; k++)
            LIB_VEC_FREE(&node->outputs.items[k].arcs);
        LIB_VEC_FREE(&node->outputs);
    }
    LIB_VEC_FREE(&graph->nodes);
    LIB_TEXT_FREE(&graph->head, &graph->rest);
    lib_arena_free(graph->arena);
    lib_mem_free(graph);
}
