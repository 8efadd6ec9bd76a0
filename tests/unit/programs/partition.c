/* Partitions: what a profile says of instructions, maps that are written, and changes of a
 * partition. */
#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "programs/partition/moves.h"
#include "programs/partition/partition.h"
#include "programs/partition/weights.h"
#include "tests/unit/support.h"

enum { MACHINES = 3 };

static const char program[] = "result = f(4) + g(2)\n"
                              "f(n) = if n < 2 then 1 else\n"
                              "       n * f(n - 1)\n"
                              "g(m) = loop i = 0, s = 0\n"
                              "       while i < m\n"
                              "       do i + 1, s + i\n"
                              "       return s\n";

static uint64_t *weigh(const struct isa_graph *image, const char *profile)
{
    struct lib_diags diags = {0};
    const struct lib_source source = {"p.json", profile, strlen(profile)};
    uint64_t *weights = programs_partition_weights(image, &source, &diags);
    ck_assert_msg(weights != NULL, "%s", diags.count ? diags.items[0].text : "");
    lib_diags_free(&diags);
    return weights;
}

/* What a row says is divided among the instructions of the line; of others nothing is known,
 * which is 1. */
START_TEST(a_profile_of_lines_weighs_their_instructions)
{
    struct isa_graph *image = test_compile(program, ISA_STAGE_IMAGE);
    uint64_t *weights = weigh(image, "{\"by_line\": [{\"line\": 3, \"firings\": 7000},"
                                     " {\"line\": 6, \"firings\": 3}]}");
    uint32_t count = 0;
    for (uint32_t i = 0; i < image->node_count; i++)
        count += image->nodes[i].pos.line == 3;
    ck_assert_uint_gt(count, 3);
    for (uint32_t i = 0; i < image->node_count; i++)
        ck_assert_uint_eq(weights[i], image->nodes[i].pos.line == 3 ? 7000 / count : 1);
    lib_mem_free(weights);
    isa_graph_free(image);
}
END_TEST

/* A row of a function has the loops in it, as hiaton run --by=function counts. */
START_TEST(a_profile_of_functions_weighs_their_loops)
{
    struct isa_graph *image = test_compile(program, ISA_STAGE_IMAGE);
    uint64_t *weights = weigh(image,
                              "{\"by_function\": [{\"function\": \"g\", \"firings\": "
                              "9000}]}");
    uint32_t count = 0, in_loop = 0;
    for (uint32_t i = 0; i < image->node_count; i++) {
        const struct isa_function *f = &image->functions[image->nodes[i].function];
        in_loop += f->is_loop;
        count += f->is_loop || strcmp(f->name, "g") == 0;
    }
    ck_assert_uint_gt(in_loop, 5);
    for (uint32_t i = 0; i < image->node_count; i++) {
        const struct isa_function *f = &image->functions[image->nodes[i].function];
        ck_assert_uint_eq(weights[i],
                          f->is_loop || strcmp(f->name, "g") == 0 ? 9000 / count : 1);
    }
    lib_mem_free(weights);
    isa_graph_free(image);
}
END_TEST

START_TEST(a_profile_without_rows_is_none)
{
    struct isa_graph *image = test_compile(program, ISA_STAGE_IMAGE);
    struct lib_diags diags = {0};
    const struct lib_source source = {"p.json", "{\"cycles\": 1}", 13};
    ck_assert_ptr_null(programs_partition_weights(image, &source, &diags));
    ck_assert_uint_eq(diags.errors, 1);
    ck_assert_ptr_nonnull(strstr(diags.items[0].text, "neither `by_line` nor"));
    lib_diags_free(&diags);
    isa_graph_free(image);
}
END_TEST

/* Instructions of one group stay together, through any changes; and the map of what comes out
 * reads back. */
START_TEST(changes_keep_groups_and_maps_read_back)
{
    struct isa_graph *image = test_compile(program, ISA_STAGE_IMAGE);
    struct programs_partition_moves *moves = programs_partition_moves_new(image,
                                                                          MACHINES);
    uint32_t *machine_of = lib_mem_new(image->node_count * sizeof *machine_of);
    uint32_t *again = lib_mem_new(image->node_count * sizeof *again);
    const size_t bytes = image->node_count * sizeof *again;
    size_t changed = 0;
    for (uint64_t number = 0; number < 200; number++) {
        struct lib_text text = {0};
        struct lib_diags diags = {0};
        memcpy(again, machine_of, bytes);
        programs_partition_move(moves, machine_of, 5, number, 1 + number % 3);
        changed += memcmp(again, machine_of, bytes) != 0;
        programs_partition_move(moves, again, 5, number, 1 + number % 3);
        ck_assert_mem_eq(again, machine_of, bytes);
        programs_partition_write_map(image, machine_of, MACHINES, &text);
        const struct lib_source map = {"m.yaml", lib_text_get(&text), text.length};
        const struct programs_partition_choice choice = {
            .by = PROGRAMS_PARTITION_FILE, .machines = MACHINES, .map = &map};
        ck_assert_msg(programs_partition_choose(image, &choice, again, &diags), "%s",
                      lib_text_get(&text));
        ck_assert_mem_eq(again, machine_of, bytes);
        lib_text_free(&text);
    }
    ck_assert_uint_gt(changed, 100);
    programs_partition_moves_free(moves);
    lib_mem_free(machine_of);
    lib_mem_free(again);
    isa_graph_free(image);
}
END_TEST

/* --- pragmas -------------------------------------------------------------------------- */

static const char placed[] = "input n = 4\n"
                             "--# machine 1\n"
                             "\n"
                             "-- a comment\n"
                             "result = f(n) +\n"
                             "  1 - n          --# machine 2\n"
                             "f(n) = n * 2     --# machine 2\n"
                             "  - 1\n";

/* The machine of each line's instructions, UINT32_MAX if that is not one. */
static uint32_t machine_of_line(const struct isa_graph *graph, uint32_t line)
{
    uint32_t machine = UINT32_MAX;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].pos.line == line && !isa_op_carries(graph->nodes[i].op)) {
            if (machine != UINT32_MAX && machine != graph->nodes[i].machine)
                return UINT32_MAX;
            machine = graph->nodes[i].machine;
        }
    return machine;
}

/* Of an equation, a line of it, and a line of none; through text and image, which say the same. */
START_TEST(pragmas_place_lines)
{
    struct isa_graph *image = test_compile(placed, ISA_STAGE_IMAGE);
    struct isa_graph *graphs[3] = {image};
    struct lib_text text = {0}, bytes = {0};
    struct lib_diags diags = {0};
    isa_asm_write(image, &text);
    isa_image_write(image, &bytes);
    graphs[1] = isa_asm_read(&(struct lib_source){"a", text.bytes, text.length}, &diags);
    graphs[2] = isa_image_read(&(struct lib_source){"i", bytes.bytes, bytes.length},
                               &diags);
    for (int g = 0; g < 3; g++) {
        const struct programs_partition_choice choice = {.by = PROGRAMS_PARTITION_SOURCE,
                                                         .machines = 3};
        ck_assert_ptr_nonnull(graphs[g]);
        struct isa_graph *divided = programs_partition(graphs[g], &choice, &diags);
        ck_assert_ptr_nonnull(divided);
        ck_assert_uint_eq(divided->placing_count, 0);
        ck_assert_uint_eq(machine_of_line(divided, 5), 1);
        ck_assert_uint_eq(machine_of_line(divided, 6), 2);
        ck_assert_uint_eq(machine_of_line(divided, 7), 2);
        ck_assert_uint_eq(machine_of_line(divided, 8), 0);
        isa_graph_free(divided);
        isa_graph_free(graphs[g]);
    }
    lib_text_free(&text);
    lib_text_free(&bytes);
}
END_TEST

/* At all stages; also gradients, but not functions that are called. */
START_TEST(pragmas_place_functions)
{
    static const char text[] = "--# on a-1\n"
                               "f(x) = g(x) * x + loop i = 0.0 while i < x do i + 1.0\n"
                               "g(x) = x\n"
                               "--# on b\n"
                               "k(x) =\n"
                               " x\n"
                               "--# on b\n"
                               "unused(x) = x + 1\n"
                               "--# on top\n"
                               "c = f(2.0)\n"
                               "--# on top\n"
                               "result = (c, grad(f, 1.0), k(2.0))\n";
    static const char *const classes[][2] = {
        {"result", "top"}, {"f", "a-1"}, {"f.grad", "a-1"}, {"g", NULL}, {"k", "b"}};
    for (int stage = ISA_STAGE_FUNCTIONS; stage <= ISA_STAGE_EXPANDING; stage++) {
        struct isa_graph *graph = test_compile(text, (enum isa_stage)stage);
        uint32_t found = 0;
        for (uint32_t f = 0; f < graph->function_count; f++)
            for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
                if (strncmp(graph->functions[f].name, classes[i][0],
                            strlen(classes[i][0])) == 0 &&
                    !graph->functions[f].is_loop) {
                    const bool is_gradient = strstr(graph->functions[f].name, "grad");
                    found += !is_gradient;
                    ck_assert_pstr_eq(graph->functions[f].on, classes[i][1]);
                }
        ck_assert_uint_eq(found, 4);
        isa_graph_free(graph);
    }
}
END_TEST

START_TEST(pragmas_name_machines_that_there_are)
{
    struct isa_graph *image = test_compile(placed, ISA_STAGE_IMAGE);
    struct isa_graph *none = test_compile("result = 1\n", ISA_STAGE_IMAGE);
    struct programs_partition_choice choice = {.by = PROGRAMS_PARTITION_SOURCE,
                                               .machines = 2};
    struct lib_diags diags = {0};
    ck_assert_ptr_null(programs_partition(image, &choice, &diags));
    ck_assert_uint_eq(diags.errors, 2); /* both lines */
    ck_assert_ptr_nonnull(strstr(diags.items[0].text, ":6:18: unknown machine 2"));
    choice.machines = 3;
    ck_assert_ptr_null(programs_partition(none, &choice, &diags));
    ck_assert_uint_eq(diags.errors, 3);
    ck_assert_ptr_nonnull(strstr(diags.items[2].text, "nothing in the source says"));
    lib_diags_free(&diags);
    isa_graph_free(image);
    isa_graph_free(none);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("partition");
    tcase_add_test(tcase, a_profile_of_lines_weighs_their_instructions);
    tcase_add_test(tcase, a_profile_of_functions_weighs_their_loops);
    tcase_add_test(tcase, a_profile_without_rows_is_none);
    tcase_add_test(tcase, changes_keep_groups_and_maps_read_back);
    tcase_add_test(tcase, pragmas_place_lines);
    tcase_add_test(tcase, pragmas_place_functions);
    tcase_add_test(tcase, pragmas_name_machines_that_there_are);
    return test_main("partition", tcase);
}
