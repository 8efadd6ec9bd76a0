/* Cost of each kernel, with extents that are all different: operations and bytes of doc/tensors.md,
 * as numbers. Runs of programs with one kernel count them. */
#include "tests/tensor/kernels.h"
#include "tests/unit/support.h"

#include <string.h>

enum {
    R = ISA_ELEMENT_REAL,
    R32 = ISA_ELEMENT_REAL32,
    I = ISA_ELEMENT_INT,
    B = ISA_ELEMENT_BOOL
};

struct cost {
    const char *kernel;
    struct isa_shape a, b, c, result;
    uint64_t flops, bytes;
};

static const struct cost costs[] = {
    {"+", {R, 2, {3, 5}}, {R, 1, {5}}, {0}, {R, 2, {3, 5}}, 15, 8 * (15 + 5 + 15)},
    {"-", {I, 2, {3, 5}}, {I, 0, {0}}, {0}, {I, 2, {3, 5}}, 15, 8 * (15 + 1 + 15)},
    {"*", {R32, 1, {5}}, {R32, 1, {5}}, {0}, {R32, 1, {5}}, 5, 4 * 15},
    {"/", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 20, 8 * 15},
    {"%", {I, 1, {5}}, {I, 0, {0}}, {0}, {I, 1, {5}}, 20, 8 * 11},
    {"min", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 8 * 15},
    {"max", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 8 * 15},
    {"==", {I, 1, {5}}, {I, 1, {5}}, {0}, {B, 1, {5}}, 5, 8 * 10 + 5},
    {"/=", {B, 1, {5}}, {B, 1, {5}}, {0}, {B, 1, {5}}, 5, 15},
    {"<", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 8 * 15},
    {"<=", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 8 * 15},
    {">", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 8 * 15},
    {">=", {I, 1, {5}}, {I, 1, {5}}, {0}, {B, 1, {5}}, 5, 8 * 10 + 5},
    {"and", {B, 2, {3, 5}}, {B, 1, {5}}, {0}, {B, 2, {3, 5}}, 15, 35},
    {"or", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 8 * 15},
    {"not", {B, 1, {5}}, {0}, {0}, {B, 1, {5}}, 5, 10},
    {"neg", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 5, 80},
    {"abs", {I, 1, {5}}, {0}, {0}, {I, 1, {5}}, 5, 80},
    {"sqrt", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 20, 80},
    {"exp", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 40, 80},
    {"log", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 40, 80},
    {"sin", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 40, 80},
    {"cos", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 40, 80},
    {"tanh", {R32, 1, {5}}, {0}, {0}, {R32, 1, {5}}, 40, 40},
    {"atan", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 40, 80},
    {"erf", {R32, 1, {5}}, {0}, {0}, {R32, 1, {5}}, 40, 40},
    {"atan_slope", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 30, 80},
    {"erf_slope", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 50, 80},
    {"**", {I, 1, {5}}, {I, 0, {0}}, {0}, {I, 1, {5}}, 40, 8 * 11},
    {"atan2", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 40, 8 * 15},
    {"hypot", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 40, 8 * 15},
    {"floor", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 5, 80},
    {"relu", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 5, 80},
    {"sigmoid", {R, 1, {5}}, {0}, {0}, {R, 1, {5}}, 40, 80},
    {"real", {B, 1, {5}}, {0}, {0}, {R, 1, {5}}, 0, 45},
    {"real32", {R, 1, {5}}, {0}, {0}, {R32, 1, {5}}, 0, 60},
    {"int", {R, 1, {5}}, {0}, {0}, {I, 1, {5}}, 5, 80},
    {"bool", {I, 1, {5}}, {0}, {0}, {B, 1, {5}}, 5, 45},
    {"when", {B, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 85},
    {"unless", {B, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 5, 85},
    {"matmul",
     {R, 2, {2, 3}},
     {R, 2, {3, 5}},
     {0},
     {R, 2, {2, 5}},
     60,
     8 * (6 + 15 + 10)},
    {"matmul_left",
     {R, 2, {2, 5}},
     {R, 2, {3, 5}},
     {0},
     {R, 2, {2, 3}},
     60,
     8 * (10 + 15 + 6)},
    {"matmul_right",
     {R, 2, {2, 3}},
     {R, 2, {2, 5}},
     {0},
     {R, 2, {3, 5}},
     60,
     8 * (6 + 10 + 15)},
    {"reduce_sum", {I, 2, {3, 5}}, {0}, {0}, {I, 1, {5}}, 15, 8 * 20},
    {"reduce_max", {R, 2, {3, 5}}, {0}, {0}, {R, 0, {0}}, 15, 8 * 16},
    {"reduce_min", {I, 2, {3, 5}}, {0}, {0}, {I, 1, {5}}, 15, 8 * 20},
    {"reduce_mean", {R, 2, {3, 5}}, {0}, {0}, {R, 1, {5}}, 15 + 4 * 5, 8 * 20},
    {"sum_last", {R, 2, {3, 5}}, {0}, {0}, {R, 1, {3}}, 15, 8 * 18},
    {"sum_like", {R, 2, {3, 5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 15, 8 * 25},
    {"spread_last", {R, 1, {3}}, {R, 2, {3, 5}}, {0}, {R, 2, {3, 5}}, 0, 8 * 33},
    {"sum_to", {R, 2, {3, 5}}, {0}, {0}, {R, 1, {5}}, 15, 8 * 20},
    {"spread_to", {R, 1, {5}}, {0}, {0}, {R, 2, {3, 5}}, 15, 8 * 20},
    {"spread_last_to", {R, 1, {3}}, {0}, {0}, {R, 2, {3, 5}}, 0, 8 * 18},
    {"tanh_back", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 15, 8 * 15},
    {"sigmoid_back", {R, 1, {5}}, {R, 1, {5}}, {0}, {R, 1, {5}}, 15, 8 * 15},
    {"softmax", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {3, 5}}, 15 * 15, 8 * 30},
    {"log_softmax", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {3, 5}}, 12 * 15, 8 * 30},
    {"random_bits", {I, 1, {2}}, {I, 0, {0}}, {0}, {I, 1, {2}}, 50, 8 * 5},
    {"random_uniform", {I, 0, {0}}, {0}, {0}, {R, 2, {3, 5}}, 50 * 15, 8 * 16},
    {"random_normal", {I, 0, {0}}, {0}, {0}, {R, 2, {3, 5}}, 47 * 15, 8 * 16},
    {"dropout",
     {R, 2, {3, 5}},
     {R, 0, {0}},
     {I, 0, {0}},
     {R, 2, {3, 5}},
     55 * 15,
     8 * 32},
    {"cross_entropy",
     {R, 2, {3, 5}},
     {R, 2, {3, 5}},
     {0},
     {R, 1, {3}},
     13 * 15,
     8 * (15 + 15 + 3)},
    {"cross_entropy_at", {R, 2, {3, 5}}, {0}, {0}, {R, 1, {3}}, 11 * 15, 8 * 18},
    {"one_hot", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {3, 5}}, 0, 8 * 30},
    {"one_hots", {I, 1, {3}}, {0}, {0}, {R, 2, {3, 5}}, 0, 8 * 18},
    {"first_max", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {3, 5}}, 15, 8 * 30},
    {"concat", {B, 1, {3}}, {B, 1, {5}}, {0}, {B, 1, {8}}, 0, 16},
    {"stack", {I, 1, {3}}, {I, 1, {3}}, {0}, {I, 2, {2, 3}}, 0, 8 * 12},
    /* Of what is left alone nothing is read. */
    {"slice", {R, 2, {100, 5}}, {0}, {0}, {R, 2, {2, 5}}, 0, 2 * 80},
    {"gather", {R, 2, {100, 5}}, {0}, {0}, {R, 2, {2, 5}}, 0, 2 * 80},
    {"split", {R, 2, {100, 5}}, {0}, {0}, {R, 2, {50, 5}}, 0, 2 * 2000},
    {"part", {R, 2, {100, 5}}, {0}, {0}, {R, 2, {2, 5}}, 0, 2 * 80},
    {"take", {R, 2, {100, 5}}, {I, 1, {2}}, {0}, {R, 2, {2, 5}}, 0, 16 + 2 * 80},
    {"take_last", {R, 2, {100, 5}}, {I, 1, {2}}, {0}, {R, 2, {2, 5}}, 0, 16 + 2 * 80},
    {"update",
     {R, 2, {100, 5}},
     {I, 1, {2}},
     {R, 2, {2, 5}},
     {R, 2, {100, 5}},
     0,
     16 + 2 * 80},
    {"scatter_add",
     {R, 2, {100, 5}},
     {I, 1, {2}},
     {R, 2, {2, 5}},
     {R, 2, {100, 5}},
     10,
     16 + 3 * 80},
    {"scatter", {R, 2, {2, 5}}, {0}, {0}, {R, 2, {100, 5}}, 10, 80 + 4000},
    {"transpose", {B, 2, {3, 5}}, {0}, {0}, {B, 2, {5, 3}}, 0, 30},
    {"untranspose", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {5, 3}}, 0, 8 * 30},
    {"reshape", {R, 2, {3, 5}}, {0}, {0}, {R, 1, {15}}, 0, 8 * 30},
    {"reshape_like", {R, 1, {15}}, {R, 2, {3, 5}}, {0}, {R, 2, {3, 5}}, 0, 8 * 45},
    {"iota", {R, 1, {1}}, {0}, {0}, {I, 1, {5}}, 0, 8 * 6},
    {"argmax", {R, 2, {3, 5}}, {0}, {0}, {I, 1, {5}}, 15, 8 * 20},
    {"top_values", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {3, 2}}, 15 + 6, 8 * 21},
    {"top_indices", {R, 2, {3, 5}}, {0}, {0}, {I, 2, {3, 2}}, 15 + 6, 8 * 21},
    {"cumsum", {I, 2, {3, 5}}, {0}, {0}, {I, 2, {3, 5}}, 15, 8 * 30},
    {"cumsum_back", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {3, 5}}, 15, 8 * 30},
    {"pad", {R, 2, {3, 5}}, {0}, {0}, {R, 2, {3, 7}}, 0, 8 * (15 + 21)},
    {"pad_with", {R, 2, {3, 5}}, {R, 0, {0}}, {0}, {R, 2, {3, 7}}, 0, 8 * (15 + 1 + 21)},
    {"select",
     {B, 1, {5}},
     {R, 2, {3, 5}},
     {R, 0, {0}},
     {R, 2, {3, 5}},
     15,
     5 + 8 * (15 + 1 + 15)},
};

START_TEST(each_kernel_costs_what_the_page_says)
{
    bool seen[ISA_KERNEL_COUNT] = {false};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        const struct cost *c = &costs[i];
        const enum isa_kernel kernel = test_kernel_find(c->kernel);
        const struct isa_shape *const operands[] = {&c->a, &c->b, &c->c};
        ck_assert_msg(kernel != ISA_KERNEL_NONE, "%s", c->kernel);
        const struct isa_kernel_cost found = isa_kernel_cost(kernel, operands,
                                                             &c->result);
        ck_assert_msg(found.flops == c->flops && found.bytes == c->bytes,
                      "%s: %llu operations, not %llu; %llu bytes, not %llu", c->kernel,
                      (unsigned long long)found.flops, (unsigned long long)c->flops,
                      (unsigned long long)found.bytes, (unsigned long long)c->bytes);
        seen[kernel] = true;
    }
    for (enum isa_kernel kernel = 0; kernel < ISA_KERNEL_COUNT; kernel++)
        ck_assert_msg(seen[kernel], "%s has no cost here", isa_kernels[kernel].text);
}
END_TEST

/* Programs whose kernels are known; x is a literal of 3 x 5, and k of two ints. */
static const struct {
    const char *result;
    uint64_t kernels, flops, bytes;
} programs[] = {
    {"update(x, k, gather(x, k))", 2, 0, 2 * 80 + 16 + 2 * 80},
    {"scatter_add(x, [1, 1], gather(x, k))", 2, 10, 2 * 80 + 16 + 3 * 80},
    {"update(x, 1, tensor([1, 2, 3, 4, 5.0]))", 1, 0, 8 + 2 * 40},
    {"select(x > 0.0, x, -1.0)", 2, 15 + 15, 8 * 31 + 8 * 46},
    {"iota(7)", 1, 0, 8 + 56},
    {"argmax(x)", 1, 15, 8 * 16},
    {"argmax(x, -1)", 1, 15, 8 * 18},
    {"top_k(x, 2)", 2, 2 * (15 + 6), 2 * 8 * 21},
    {"cumsum(x)", 1, 15, 8 * 30},
    {"stack(x, x, x)", 3, 0, 8 * (2 * 15 + 30) + 8 * 30 + 8 * (30 + 15 + 45)},
    {"split(x, [1, 4], -1)", 2, 0, 2 * 8 * 3 + 2 * 8 * 12},
    {"pad(x, 1, 0, 0)", 1, 0, 8 * (15 + 20)},
    {"pad(x, 1, 0, 0, 7.0)", 1, 0, 8 * (15 + 1 + 20)},
    {"one_hot(k, 4)", 1, 0, 8 * (2 + 8)},
    {"scatter(gather(x, k), k, 4)", 2, 10, 2 * 80 + 80 + 8 * 20},
    {"reduce_mean(x, 0)", 1, 15 + 20, 8 * 20},
    {"x[1]", 2, 0, 2 * 40 + 2 * 40},
    {"x[1][2]", 2, 0, 2 * 40 + 2 * 40},
    {"k % 2 == 0 and not (k > 1)", 5, 8 + 2 + 2 + 2 + 2, 40 + 26 + 26 + 4 + 6},
    {"matmul(k, k)", 1, 4, 8 * 5},
};

START_TEST(runs_count_what_kernels_cost)
{
    struct lib_text text = {0};
    lib_text_puts(&text,
                  "x = tensor([[1.0, 2, 3, 4, 5], [5, 4, 3, 2, 1], [0, 0, 1, 0, 0]])\n"
                  "k = tensor([2, 0], int)\nresult = ");
    lib_text_puts(&text, programs[_i].result);
    lib_text_puts(&text, "\n");
    struct machine_settings s;
    machine_settings_default(&s);
    s.tensor_math = MACHINE_TENSOR_REFERENCE;
    const enum isa_stage stages[] = {ISA_STAGE_IMAGE, ISA_STAGE_EXPANDING};
    for (int i = 0; i < 2; i++) {
        struct isa_graph *graph = test_compile(lib_text_get(&text), stages[i]);
        unsigned kernels = 0;
        for (uint32_t n = 0; n < graph->node_count; n++)
            kernels += isa_op_table[graph->nodes[n].op].unit == ISA_UNIT_TENSOR;
        struct test_outcome outcome = test_run(graph, NULL, &s, 3);
        ck_assert_msg(outcome.end == ISA_END_COMPLETED, "%s", lib_text_get(&text));
        ck_assert_msg(kernels == programs[_i].kernels &&
                          outcome.stats.tensor_flops == programs[_i].flops &&
                          outcome.stats.tensor_bytes == programs[_i].bytes,
                      "%s: %u kernels, %llu operations, %llu bytes", programs[_i].result,
                      kernels, (unsigned long long)outcome.stats.tensor_flops,
                      (unsigned long long)outcome.stats.tensor_bytes);
        traces_stats_free(&outcome.stats);
        isa_graph_free(graph);
    }
    lib_text_free(&text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("tensor_costs");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, each_kernel_costs_what_the_page_says);
    tcase_add_loop_test(tcase, runs_count_what_kernels_cost, 0,
                        (int)(sizeof programs / sizeof *programs));
    return test_main("tensor_costs", tcase);
}
