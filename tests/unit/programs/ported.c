/* The programs of programs/ports, against the same in C. */
#include "tests/unit/fed.h"

#include <math.h>

static void start_example(struct fed *f, const char *name)
{
    struct lib_arena *arena = lib_arena_new();
    struct lib_diags diags = {0};
    const char *path = lib_arena_printf(arena, "%s/programs/ports/%s.df",
                                        test_source_directory(), name);
    const struct lib_source *source = lib_file_read(arena, path, &diags);
    ck_assert_msg(source != NULL, "cannot read %s", path);
    fed_start(f, source->bytes);
    lib_arena_free(arena);
}

START_TEST(means_come_one_by_one)
{
    struct fed f;
    isa_value mean;
    double expected = 0;
    start_example(&f, "means");
    for (uint64_t i = 0; i < 50; i++) {
        const double x = (double)(i * i % 17) / 4;
        const struct isa_port_value fed = {.value = isa_value_of_real(x)};
        ck_assert_int_eq(isa_interp_feed(&f.interp, 0, &fed), ISA_FEED_DONE);
        ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
        expected = i == 0 ? x : expected + (x - expected) / (double)(i + 1);
        ck_assert(isa_port_get(&f.interp.exec, 1, i, &mean));
        ck_assert(isa_value_real(mean) == expected);
    }
    fed_end(&f);
}
END_TEST

START_TEST(an_automaton_is_driven)
{
    enum { COMMANDS = 60 };
    struct fed f;
    int64_t states[COMMANDS] = {0};
    isa_value state;
    start_example(&f, "automaton");
    for (int64_t i = 0; i < COMMANDS; i++) {
        const int64_t kind = i * 7 % 5 % 3, amount = i % 4;
        const int64_t back = kind == 2 ? i - amount : i;
        const int64_t before = back <= 0 ? 0 : states[back - 1];
        states[i] = kind == 2 ? before : kind == 1 ? before * amount : before + amount;
        const struct isa_port_value fed[] = {{.value = isa_value_of_int(kind)},
                                             {.value = isa_value_of_int(amount)}};
        ck_assert_int_eq(isa_interp_feed(&f.interp, 0, fed), ISA_FEED_DONE);
        ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
        ck_assert(isa_port_get(&f.interp.exec, 1, (uint64_t)i, &state));
        ck_assert_int_eq(isa_value_int(state), states[i]);
    }
    ck_assert(isa_interp_close(&f.interp, 0));
    ck_assert_int_eq(fed_go_on(&f), ISA_END_COMPLETED);
    ck_assert_int_eq(isa_value_int(f.interp.exec.results[0]), states[COMMANDS - 1]);
    isa_exec_check_quiet(&f.interp.exec);
    fed_end(&f);
}
END_TEST

START_TEST(a_layer_keeps_its_state)
{
    enum { WIDTH = 4, STEPS = 8 };
    struct fed f;
    double hidden[WIDTH] = {0};
    isa_value best;
    start_example(&f, "layer");
    for (int i = 0; i < STEPS; i++) {
        double in[WIDTH], out[WIDTH], most = -1;
        const struct isa_shape shape = {ISA_ELEMENT_REAL, 1, {WIDTH}};
        struct isa_tensor *tensor = isa_tensor_new(&f.interp.exec.structures.tensors,
                                                   &shape);
        for (int k = 0; k < WIDTH; k++) {
            tensor->reals[k] = (double)((i + k) % 3) - 1;
            in[k] = hidden[k] + tensor->reals[k];
        }
        isa_tensor_seal(tensor, true);
        const struct isa_port_value fed = {.tensor = tensor};
        ck_assert_int_eq(isa_interp_feed(&f.interp, 0, &fed), ISA_FEED_DONE);
        ck_assert_int_eq(fed_go_on(&f), ISA_END_WAITING);
        for (int r = 0; r < WIDTH; r++) {
            out[r] = 0;
            for (int c = 0; c < WIDTH; c++)
                out[r] += (double)((3 * r + 5 * c) % 7 - 3) / 8 * in[c];
            out[r] = tanh(out[r]);
            most = out[r] > most ? out[r] : most;
        }
        memcpy(hidden, out, sizeof hidden);
        ck_assert(isa_port_get(&f.interp.exec, 1, (uint64_t)i, &best));
        ck_assert(fabs(isa_value_real(best) - most) < 1e-12);
    }
    fed_end(&f);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ports");
    tcase_add_test(tcase, means_come_one_by_one);
    tcase_add_test(tcase, an_automaton_is_driven);
    tcase_add_test(tcase, a_layer_keeps_its_state);
    return test_main("ported", tcase);
}
