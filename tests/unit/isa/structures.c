/* The store of I-structures and data, which counts references. Programs that use it are in
 * structure_programs.c and structure_failures.c. */
#include "machine/engine/engine.h"
#include "tests/unit/isa_texts.h"
#include "tests/unit/support.h"

/* --- the store ------------------------------------------------------------------------ */

static isa_value make_array(struct isa_structures *s, uint64_t length,
                            bool holds_references)
{
    const struct isa_structure made = {.hash = length,
                                       .holds_references = holds_references};
    const uint32_t number = isa_structures_make(s, length, &made);
    ck_assert_uint_ne(number, ISA_STRUCTURE_NONE);
    return isa_reference(number, 0);
}

static void put_element(struct isa_structures *s, isa_value array, uint32_t i,
                        isa_value value)
{
    *isa_structures_element(s, array | i) = (struct isa_element){value,
                                                                 ISA_ELEMENT_WRITTEN};
}

START_TEST(structures_are_freed_with_their_last_reference)
{
    struct isa_structures s;
    isa_structures_init(&s, UINT64_MAX);
    const isa_value outer = make_array(&s, 3, true), inner = make_array(&s, 5, false);
    put_element(&s, outer, 0, inner);
    isa_structures_hold(&s, inner, 1);
    put_element(&s, outer, 2, inner);
    ck_assert_uint_eq(s.count, 2);
    ck_assert_uint_eq(s.elements, 8);
    isa_structures_hold(&s, outer, 2);
    isa_structures_drop(&s, outer);
    isa_structures_drop(&s, outer);
    ck_assert_uint_eq(s.count, 2);
    isa_structures_drop(&s, outer | 1); /* an address counts as much */
    ck_assert_uint_eq(s.count, 0);
    ck_assert_uint_eq(s.elements, 0);
    ck_assert_uint_eq(s.bytes, 0);
    isa_structures_free(&s);
}
END_TEST

START_TEST(numbers_are_used_again_and_elements_are_clear)
{
    struct isa_structures s;
    isa_structures_init(&s, UINT64_MAX);
    for (int i = 0; i < 1000; i++) {
        const isa_value a = make_array(&s, 7, false), b = make_array(&s, 2, false);
        ck_assert(!isa_element_is_written(isa_structures_element(&s, a | 6)));
        ck_assert_uint_eq(isa_element_first(isa_structures_element(&s, a | 6)),
                          ISA_DEFERRED_END);
        put_element(&s, a, 6, 1);
        isa_structures_drop(&s, a);
        isa_structures_drop(&s, b);
    }
    ck_assert_uint_eq(s.all.count, 2);
    isa_structures_free(&s);
}
END_TEST

static isa_value make_cons(struct isa_structures *s, isa_value tail)
{
    const struct isa_structure made = {
        .holds_references = true, .is_data = true, .constructor = 1};
    const uint32_t number = isa_structures_make(s, 2, &made);
    const isa_value data = isa_reference(number, 1);
    *isa_structures_field(s, data, 0) = (struct isa_element){5, ISA_ELEMENT_WRITTEN};
    *isa_structures_field(s, data, 1) = (struct isa_element){tail, ISA_ELEMENT_WRITTEN};
    return data;
}

/* Lists so long that a recursion would exceed the stack; one hangs in an array in the other. */
START_TEST(deep_data_is_freed)
{
    enum { DEEP = 1000000 };
    struct isa_graph *g = isa_graph_new(ISA_STAGE_IMAGE, "");
    struct isa_field fields[] = {{"head", ISA_INT}, {"tail", ISA_DATA}};
    isa_graph_add_constructor(g,
                              &(struct isa_constructor){.name = "Nil", .type = "List"});
    isa_graph_add_constructor(g, &(struct isa_constructor){.name = "Cons",
                                                           .type = "List",
                                                           .number = 1,
                                                           .fields = fields,
                                                           .field_count = 2});
    struct isa_structures s;
    isa_structures_init(&s, UINT64_MAX);
    isa_structures_reset(&s, g->constructors);
    isa_value list = 0; /* Nil */
    for (int i = 0; i < DEEP; i++)
        list = make_cons(&s, list);
    const isa_value array = make_array(&s, 1, true);
    put_element(&s, array, 0, list);
    ck_assert_uint_eq(s.count, DEEP + 1);
    isa_structures_hold(&s, list, 1);
    isa_structures_drop(&s, array);
    ck_assert_uint_eq(s.count, DEEP);
    isa_structures_drop(&s, list);
    ck_assert_uint_eq(s.count, 0);
    ck_assert_uint_eq(s.bytes, 0);
    ck_assert(s.all.items[0].is_alive && s.all.items[0].references > 0);
    isa_structures_free(&s);
    isa_graph_free(g);
}
END_TEST

START_TEST(the_limit_on_structures_is_exact)
{
    enum { LENGTH = 10 };
    const uint64_t bytes = sizeof(struct isa_structure) +
                           LENGTH * sizeof(struct isa_element);
    const struct isa_structure made = {0};
    struct isa_structures s;
    isa_structures_init(&s, 2 * bytes);
    const isa_value a = make_array(&s, LENGTH, false);
    ck_assert_uint_eq(s.bytes, bytes);
    ck_assert_uint_eq(isa_structures_make(&s, LENGTH + 1, &made), ISA_STRUCTURE_NONE);
    ck_assert_uint_eq(isa_structures_make(&s, UINT64_MAX, &made), ISA_STRUCTURE_NONE);
    make_array(&s, LENGTH, false);
    ck_assert_uint_eq(isa_structures_make(&s, 0, &made), ISA_STRUCTURE_NONE);
    isa_structures_drop(&s, a);
    make_array(&s, LENGTH, false);
    isa_structures_free(&s);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("structures");
    tcase_add_test(tcase, structures_are_freed_with_their_last_reference);
    tcase_add_test(tcase, numbers_are_used_again_and_elements_are_clear);
    tcase_add_test(tcase, deep_data_is_freed);
    tcase_add_test(tcase, the_limit_on_structures_is_exact);
    return test_main("structures", tcase);
}
