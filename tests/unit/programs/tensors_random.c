/* Random programs on tensors, with results by an evaluator (tests/random/generate_tensors.h). The
 * interpreter and machines agree with it, by both strategies, with and without hiatons, however
 * tensors are transported, batched or partitioned, by the reference and by OpenBLAS: numbers are
 * small, so that sums are exact. */
#include "isa/kernel_use.h"
#include "programs/partition/partition.h"
#include "isa/tensor/blas.h"
#include "machine/machine.h"
#include "tests/random/draw.h"
#include "tests/random/generate_tensors.h"
#include "tests/unit/main.h"
#include "tests/unit/tensor_runs.h"

enum { PROGRAMS = 5000, QUICK_PROGRAMS = 60, DRAWN = 600 };

/* --- runs ------------------------------------------------------------------------------------- */

static const struct isa_blas *blas; /* NULL: it is not there */

static void load_blas(void)
{
    struct lib_text why = {0};
    enum isa_blas_outcome outcome;
    blas = isa_blas_load("haswell", &outcome, &why);
    if (!blas)
        printf("skipped: products by OpenBLAS: %s\n", lib_text_get(&why));
    lib_text_free(&why);
}

static void simulate(const struct isa_code *code, const struct machine_settings *settings,
                     const char *program, const char *expected, uint64_t digest)
{
    struct machine *m = machine_new(code, settings, 1);
    machine_set_blas(m, settings->tensor_math == MACHINE_TENSOR_BLAS ? blas : NULL);
    while (machine_advance(m, UINT64_MAX))
        ;
    ck_assert_uint_eq(test_tensor_end(machine_exec(m), machine_end(m), program, expected),
                      digest);
    machine_free(m);
}

static void check_divided(struct draw *draw, const struct isa_graph *image,
                          const char *program, const char *expected, uint64_t digest)
{
    struct machine_settings s;
    struct lib_diags diags = {0};
    const struct programs_partition_choice choice = {
        .by = draw_below(draw, 4) ? PROGRAMS_PARTITION_RANDOM
                                  : PROGRAMS_PARTITION_FUNCTION,
        .machines = (uint32_t)(2 + draw_below(draw, 3)),
        .seed = draw_below(draw, 1000),
        .schedules = draw_below(draw, 2),
    };
    struct isa_graph *graph = programs_partition(image, &choice, &diags);
    ck_assert_msg(graph != NULL, "%s", diags.count ? diags.items[0].text : "");
    machine_settings_default(&s);
    s.pe_count = choice.machines * (1 + draw_below(draw, 4));
    s.partition_by = MACHINE_PARTITION_RANDOM;
    s.partition_machines = choice.machines;
    s.tensor_transport = draw_below(draw, 2);
    s.tensor_math = MACHINE_TENSOR_REFERENCE;
    s.limit_memory = UINT64_C(1) << 30;
    if (choice.schedules) {
        s.partition_receive = MACHINE_RECEIVE_SCHEDULED;
        s.deadness = MACHINE_PROPAGATE;
    }
    struct isa_code *code = isa_code_make(graph, NULL, s.deadness == MACHINE_PROPAGATE);
    simulate(code, &s, program, expected, digest);
    isa_code_free(code);
    isa_graph_free(graph);
    lib_diags_free(&diags);
}

static void check_stage(struct draw *draw, const char *program, const char *expected,
                        enum isa_stage stage)
{
    struct isa_graph *graph = test_compile(program, stage);
    for (int propagate = 0; propagate < 2; propagate++) {
        struct isa_code *code = isa_code_make(graph, NULL, propagate);
        const uint64_t digest = test_interpret_tensors(code, program, expected, true);
        test_interpret_tensors(code, program, expected, false);
        for (int executor = 0; executor < 2; executor++) {
            struct machine_settings s;
            if (executor)
                draw_executor(draw, &s);
            else
                draw_settings(draw, &s);
            draw_unlimited(&s);
            s.tensor_math = draw_below(draw, 2) ? MACHINE_TENSOR_BLAS
                                                : MACHINE_TENSOR_REFERENCE;
            if (!executor)
                draw_tensor_units(draw, &s);
            s.limit_cycles = s.limit_tokens = s.limit_depth = 0;
            s.limit_memory = UINT64_C(1) << 30;
            s.deadness = propagate ? MACHINE_PROPAGATE : MACHINE_SUPPRESS;
            simulate(code, &s, program, expected, digest);
        }
        if (stage == ISA_STAGE_IMAGE)
            check_divided(draw, graph, program, expected, digest);
        isa_code_free(code);
    }
    isa_graph_free(graph);
}

START_TEST(random_programs)
{
    const uint64_t programs = test_is_quick() ? QUICK_PROGRAMS : PROGRAMS;
    for (uint64_t seed = 0; seed < programs; seed++) {
        struct draw draw = {.seed = seed};
        struct lib_text program = {0}, result = {0};
        generate_tensors(seed, &program, &result);
        check_stage(&draw, lib_text_get(&program), lib_text_get(&result),
                    ISA_STAGE_IMAGE);
        check_stage(&draw, lib_text_get(&program), lib_text_get(&result),
                    ISA_STAGE_EXPANDING);
        lib_text_free(&program);
        lib_text_free(&result);
    }
}
END_TEST

/* Kernels that random programs do not have: of reals that are not small ints, those of gradients,
 * and `real32`. */
static bool is_elsewhere(enum isa_kernel kernel)
{
    switch (kernel) {
    case ISA_KERNEL_NE:
    case ISA_KERNEL_LT:
    case ISA_KERNEL_GE:
    case ISA_KERNEL_SQRT:
    case ISA_KERNEL_EXP:
    case ISA_KERNEL_LOG:
    case ISA_KERNEL_SIN:
    case ISA_KERNEL_COS:
    case ISA_KERNEL_TANH:
    case ISA_KERNEL_SIGMOID:
    case ISA_KERNEL_SOFTMAX:
    case ISA_KERNEL_LOG_SOFTMAX:
    case ISA_KERNEL_ATAN:
    case ISA_KERNEL_ERF:
    case ISA_KERNEL_ATAN2:
    case ISA_KERNEL_HYPOT:
    case ISA_KERNEL_RANDOM_BITS:
    case ISA_KERNEL_RANDOM_UNIFORM:
    case ISA_KERNEL_RANDOM_NORMAL:
    case ISA_KERNEL_DROPOUT:
    case ISA_KERNEL_ATAN_SLOPE:
    case ISA_KERNEL_ERF_SLOPE:
    case ISA_KERNEL_CROSS_ENTROPY:
    case ISA_KERNEL_CROSS_ENTROPY_AT:
    case ISA_KERNEL_TO_REAL32:
    case ISA_KERNEL_WHEN:
    case ISA_KERNEL_UNLESS:
    case ISA_KERNEL_CUMSUM_BACK:
    case ISA_KERNEL_TAKE:
    case ISA_KERNEL_TAKE_LAST:
    case ISA_KERNEL_SUM_TO:
    case ISA_KERNEL_SPREAD_TO:
    case ISA_KERNEL_SPREAD_LAST_TO:
    case ISA_KERNEL_TANH_BACK:
    case ISA_KERNEL_SIGMOID_BACK:
        return true;
    default: /* the rows of gradients stand together */
        return kernel >= ISA_KERNEL_SUM_LIKE && kernel <= ISA_KERNEL_UNTRANSPOSE &&
               kernel != ISA_KERNEL_SCATTER;
    }
}

START_TEST(random_programs_have_each_kernel)
{
    bool seen[ISA_KERNEL_COUNT] = {false};
    for (uint64_t seed = 0; seed < DRAWN; seed++) {
        struct lib_text program = {0}, result = {0};
        generate_tensors(seed, &program, &result);
        struct isa_graph *graph = test_compile(lib_text_get(&program), ISA_STAGE_IMAGE);
        for (uint32_t i = 0; i < graph->node_count; i++) {
            const struct isa_node *n = &graph->nodes[i];
            if ((n->op == ISA_OP_MAP || n->op == ISA_OP_COMBINE) &&
                isa_use_of(n->index) < ISA_KERNEL_COUNT)
                seen[isa_use_of(n->index)] = true;
        }
        isa_graph_free(graph);
        lib_text_free(&program);
        lib_text_free(&result);
    }
    for (enum isa_kernel kernel = 0; kernel < ISA_KERNEL_COUNT; kernel++)
        ck_assert_msg(seen[kernel] || is_elsewhere(kernel), "no program has `%s`",
                      isa_kernels[kernel].text);
}
END_TEST

int main(void)
{
    load_blas();
    TCase *tcase = tcase_create("tensors_random");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, random_programs);
    tcase_add_test(tcase, random_programs_have_each_kernel);
    return test_main("tensors_random", tcase);
}
