/* The graphs of paper 1: figure 2 (function graphs of the factorial program) and figure 3
 * (the static graph), node for node and arc for arc. */
#include "tests/unit/support.h"

/* One node of a figure: how to recognise it. */
struct figure_node {
    const char *name;
    enum isa_op op;
    int site;            /* CALL, RETURN, APPLY; else -1 */
    const char *literal; /* its immediate, or NULL */
};

/* An arc: from output list `output` of a node to operand `port` of another. */
struct figure_arc {
    const char *from;
    uint32_t output;
    const char *to;
    uint32_t port;
};

static bool fits(const struct isa_node *n, const struct figure_node *f)
{
    bool has_literal = false;
    for (uint32_t i = 0; i < n->operand_count; i++) {
        if (n->operands[i].kind != ISA_OPERAND_LITERAL)
            continue;
        struct lib_text text = {0};
        isa_value_write(&text, ISA_INT, n->operands[i].value);
        has_literal = true;
        bool same = f->literal && strcmp(text.bytes, f->literal) == 0;
        lib_text_free(&text);
        if (!same)
            return false;
    }
    return n->op == f->op && has_literal == (f->literal != NULL) &&
           (f->site < 0 || n->site == (uint32_t)f->site);
}

static uint32_t find_node(const struct isa_graph *graph, const struct figure_node *nodes,
                          const char *name)
{
    while (strcmp(nodes->name, name) != 0)
        nodes++;
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (fits(&graph->nodes[i], nodes)) {
            ck_assert_msg(found == UINT32_MAX, "%s stands in the graph twice", name);
            found = i;
        }
    ck_assert_msg(found != UINT32_MAX, "the graph has no %s", name);
    return found;
}

static void check_figure(const struct isa_graph *graph, const struct figure_node *nodes,
                         size_t node_count, const struct figure_arc *arcs,
                         size_t arc_count)
{
    ck_assert_uint_eq(graph->node_count, node_count);
    size_t arcs_there = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t o = 0; o < graph->nodes[i].output_count; o++)
            arcs_there += graph->nodes[i].outputs[o].count;
    ck_assert_uint_eq(arcs_there, arc_count);
    for (size_t a = 0; a < arc_count; a++) {
        const struct isa_node *from =
            &graph->nodes[find_node(graph, nodes, arcs[a].from)];
        uint32_t to = find_node(graph, nodes, arcs[a].to);
        const struct isa_dests *list = &from->outputs[arcs[a].output];
        unsigned times = 0;
        for (uint32_t k = 0; k < list->count; k++)
            times += list->items[k].node == to && list->items[k].port == arcs[a].port;
        ck_assert_msg(times == 1, "%u arcs from %s to %s", times, arcs[a].from,
                      arcs[a].to);
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char program[] = "result = fact(3) + 5\n"
                              "fact(n) = if n == 1 then n else n * fact(n - 1)\n";

START_TEST(figure_2)
{
    static const struct figure_node nodes[] = {
        {"apply 0", ISA_OP_APPLY, 0, "3"},   {"+", ISA_OP_ADD_I, -1, "5"},
        {"output", ISA_OP_OUTPUT, -1, NULL}, {"n", ISA_OP_PARAM, -1, NULL},
        {"==", ISA_OP_EQ_I, -1, "1"},        {"SWITCH", ISA_OP_SWITCH, -1, NULL},
        {"-", ISA_OP_SUB_I, -1, "1"},        {"apply 1", ISA_OP_APPLY, 1, NULL},
        {"*", ISA_OP_MUL_I, -1, NULL},       {"MERGE", ISA_OP_MERGEIF, -1, NULL},
        {"result", ISA_OP_RESULT, -1, NULL},
    };
    static const struct figure_arc arcs[] = {
        {"apply 0", 0, "+", 0}, {"+", 0, "output", 0},  {"n", 0, "==", 0},
        {"n", 0, "SWITCH", 0},  {"==", 0, "SWITCH", 1}, {"SWITCH", 0, "MERGE", 0},
        {"SWITCH", 1, "-", 0},  {"SWITCH", 1, "*", 0},  {"-", 0, "apply 1", 0},
        {"apply 1", 0, "*", 1}, {"*", 0, "MERGE", 0},   {"MERGE", 0, "result", 0},
    };
    struct isa_graph *graph = test_compile(program, ISA_STAGE_FUNCTIONS);
    check_figure(graph, nodes, COUNT(nodes), arcs, COUNT(arcs));
    isa_graph_free(graph);
}
END_TEST

START_TEST(figure_3)
{
    static const struct figure_node nodes[] = {
        {"CALL_0", ISA_OP_CALL, 0, "3"},
        {"CALL_1", ISA_OP_CALL, 1, NULL},
        {"MERGE of the parameter", ISA_OP_MERGE, -1, NULL},
        {"==", ISA_OP_EQ_I, -1, "1"},
        {"SWITCH", ISA_OP_SWITCH, -1, NULL},
        {"-", ISA_OP_SUB_I, -1, "1"},
        {"*", ISA_OP_MUL_I, -1, NULL},
        {"MERGE of the conditional", ISA_OP_MERGEIF, -1, NULL},
        {"RETURN_0", ISA_OP_RETURN, 0, NULL},
        {"RETURN_1", ISA_OP_RETURN, 1, NULL},
        {"+", ISA_OP_ADD_I, -1, "5"},
        {"output", ISA_OP_OUTPUT, -1, NULL},
    };
    static const struct figure_arc arcs[] = {
        {"CALL_0", 0, "MERGE of the parameter", 0},
        {"CALL_1", 0, "MERGE of the parameter", 0},
        {"MERGE of the parameter", 0, "==", 0},
        {"MERGE of the parameter", 0, "SWITCH", 0},
        {"==", 0, "SWITCH", 1},
        {"SWITCH", 0, "MERGE of the conditional", 0},
        {"SWITCH", 1, "-", 0},
        {"SWITCH", 1, "*", 0},
        {"-", 0, "CALL_1", 0},
        {"RETURN_1", 0, "*", 1},
        {"*", 0, "MERGE of the conditional", 0},
        {"MERGE of the conditional", 0, "RETURN_0", 0},
        {"MERGE of the conditional", 0, "RETURN_1", 0},
        {"RETURN_0", 0, "+", 0},
        {"+", 0, "output", 0},
        /* the control edges, drawn dashed */
        {"CALL_0", 1, "RETURN_0", 1},
        {"CALL_1", 1, "RETURN_1", 1},
    };
    struct isa_graph *graph = test_compile(program, ISA_STAGE_STATIC);
    check_figure(graph, nodes, COUNT(nodes), arcs, COUNT(arcs));
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("figures");
    tcase_add_test(tcase, figure_2);
    tcase_add_test(tcase, figure_3);
    return test_main("figures", tcase);
}
