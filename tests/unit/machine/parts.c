/* Parts of a machine: which of them a run has, which gates its tokens ask, and what is left of
 * their states when a machine is reset. */
#include "machine/state.h"
#include "tests/unit/rig.h"

#define BOUND (1U << MACHINE_GATE_BOUND)
#define MEMORY (1U << MACHINE_GATE_MEMORY)
#define UNIT (1U << MACHINE_GATE_TENSOR_UNIT)
#define COUNTED (1U << MACHINE_GATE_UNIT)
#define TAGS (1U << MACHINE_GATE_TAG_MANAGER | 1U << MACHINE_GATE_IDENTIFIER)

static const char program[] = "result = (f(1), f(2), f(3), loop i = 0, s = 0 while i < 3 "
                              "do i + 1, s + i return s)\n"
                              "f(x) = x + 1\n";

START_TEST(an_opcode_asks_the_gates_that_the_settings_make)
{
    static const struct {
        const char *settings;
        enum isa_op op;
        unsigned gates;
    } rows[] = {
        {"pe.count=1", ISA_OP_CALL, 0},
        {"pe.count=1", ISA_OP_NEXT, 0},
        {"loop.bound=2", ISA_OP_NEXT, BOUND},
        {"loop.bound=2", ISA_OP_CALL, 0},
        {"tag.scheme=interned", ISA_OP_CALL, TAGS},
        {"tag.scheme=interned", ISA_OP_NEXT, TAGS},
        {"tag.scheme=interned", ISA_OP_RETURN, 0},
        {"tag.scheme=pool", ISA_OP_CALL, 0},
        {"tag.scheme=pool tag.pool=4", ISA_OP_ENTER, TAGS},
        {"tag.scheme=pool tag.pool=4 loop.bound=2", ISA_OP_NEXT, BOUND | TAGS},
        {"memory.capacity=1000", ISA_OP_ALLOC, MEMORY},
        {"memory.capacity=1000", ISA_OP_MAP, MEMORY},
        {"memory.capacity=1000", ISA_OP_CALL, 0},
        {"unit.tag.count=1", ISA_OP_CALL, COUNTED},
        {"unit.tag.count=1", ISA_OP_ALLOC, 0},
        {"unit.tag.count=1 loop.bound=2", ISA_OP_NEXT, COUNTED | BOUND},
        {"match.bandwidth=1", ISA_OP_ALLOC, COUNTED},
        {"tensor.unit.count=1", ISA_OP_MAP, 0}, /* a program without tensors */
    };
    struct test_rig rig = test_rig_program(program);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine_settings settings = rig.settings;
        test_set_all(&settings, rows[i].settings);
        struct machine *m = machine_new(rig.code, &settings, 0);
        unsigned any = 0;
        for (int op = 0; op < ISA_OP_COUNT; op++)
            any |= m->gates_of[op];
        ck_assert_uint_eq(m->gates_of[rows[i].op], rows[i].gates);
        ck_assert_int_eq(m->has_gates, any != 0);
        for (unsigned place = 0; place < MACHINE_GATE_COUNT; place++)
            ck_assert_int_eq(m->gates[place].ask != NULL, any >> place & 1);
        machine_free(m);
    }
    test_rig_free(&rig);
}
END_TEST

START_TEST(a_machine_has_states_of_its_own_parts_only)
{
    struct test_rig rig = test_rig_program(program);
    struct machine *m = machine_new(rig.code, &rig.settings, 0);
    ck_assert(!m->bound && !m->tag_manager && !m->copy && !m->late && !m->coordinator);
    ck_assert(!m->pace && !m->tensors && !m->units && !m->swap);
    machine_free(m);
    test_set_all(&rig.settings, "loop.bound=2 tag.scheme=interned memory.capacity=1000");
    m = machine_new(rig.code, &rig.settings, 0);
    ck_assert(m->bound && m->tag_manager && m->swap);
    ck_assert(!m->copy && !m->units);
    machine_free(m);
    test_rig_free(&rig);
}
END_TEST

START_TEST(a_reset_restores_the_states_where_they_are)
{
    struct test_rig rig = test_rig_program(program);
    test_set_all(&rig.settings, "tag.scheme=pool tag.pool=2 loop.bound=1");
    struct machine *m = machine_new(rig.code, &rig.settings, 0);
    struct machine_tag_manager *const state = m->tag_manager;
    uint64_t stalls = 0;
    for (int round = 0; round < 3; round++) {
        ck_assert_uint_eq(m->watch.counts.tag_stalls, 0);
        while (machine_advance(m, 1))
            ;
        ck_assert_uint_gt(m->watch.counts.tag_stalls, 0);
        ck_assert(round == 0 || stalls == m->watch.counts.tag_stalls);
        stalls = m->watch.counts.tag_stalls;
        machine_reset(m, rig.code, 0);
        ck_assert_ptr_eq(m->tag_manager, state);
    }
    machine_free(m);
    test_rig_free(&rig);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("parts");
    tcase_add_test(tcase, an_opcode_asks_the_gates_that_the_settings_make);
    tcase_add_test(tcase, a_machine_has_states_of_its_own_parts_only);
    tcase_add_test(tcase, a_reset_restores_the_states_where_they_are);
    return test_main("parts", tcase);
}
