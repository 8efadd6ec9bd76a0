/* I-structures: the store that counts references, and programs in assembly, run by everything
 * that runs code. */
#include "machine/engine/engine.h"
#include "tests/random/shuffle.h"
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

/* --- programs --------------------------------------------------------------------------- */

#define HEAD "hiaton assembly 1\nstage image\n"
#define RESULT(types) HEAD "function 0 result () -> (" types ")\n"

/* Element 2 is read before it is written, element 0 after it. */
#define READS                                                                            \
    RESULT("int, int, [int], int")                                                       \
    "in result\n"                                                                        \
    "  %a alloc.int 3 -> %i0.0, %i1.0, %i2.0, %l.0, %o2.0 @1:1\n"                        \
    "  %i0 index.int _, 0 -> %s0.0, %j0.0\n"                                             \
    "  %i1 index.int _, 1 -> %s1.0\n"                                                    \
    "  %i2 index.int _, 2 -> %f2.0, %s2.0\n"                                             \
    "  %f2 fetch.int _ -> %c.0, %o0.0 @1:2\n"                                            \
    "  %c add.int _, 1 -> %s0.1, %s1.1\n"                                                \
    "  %s0 store.int _, _\n"                                                             \
    "  %s1 store.int _, _\n"                                                             \
    "  %s2 store.int _, 7\n"                                                             \
    "  %j0 fetch.int _ -> %o1.0\n"                                                       \
    "  %l length.int _ -> %o3.0\n"                                                       \
    "  %o0 output.int _, part 0\n"                                                       \
    "  %o1 output.int _, part 1\n"                                                       \
    "  %o2 output.[int] _, part 2\n"                                                     \
    "  %o3 output.int _, part 3\n"

/* The inner arrays are held by the outer one, by a cell, or by nothing any more; one is a
 * trigger, and goes through a SWITCH into nowhere. */
#define NESTED                                                                           \
    HEAD "cell 0 kept [[real]]\nfunction 0 result () -> ([[real]], real, int)\n"         \
         "in result\n"                                                                   \
         "  %a alloc.[real] 2 -> %i0.0, %i1.0, %o0.0, %w.0\n"                            \
         "  %i0 index.[real] _, 0 -> %s0.0\n"                                            \
         "  %i1 index.[real] _, 1 -> %s1.0, %f.0\n"                                      \
         "  %s0 store.[real] _, _\n"                                                     \
         "  %s1 store.[real] _, _\n"                                                     \
         "  %b alloc.real 0 -> %s0.1, %t.1\n"                                            \
         "  %d alloc.real 1 -> %s1.1, %di.0, %sw.0\n"                                    \
         "  %di index.real _, 0 -> %ds.0\n"                                              \
         "  %ds store.real _, 2.5\n"                                                     \
         "  %sw switch.[real] _, true -> - | -\n"                                        \
         "  %f fetch.[real] _ -> %fi.0, %fl.0\n"                                         \
         "  %fi index.real _, 0 -> %ff.0\n"                                              \
         "  %ff fetch.real _ -> %o1.0\n"                                                 \
         "  %fl length.real _ -> -\n"                                                    \
         "  %w write.[[real]] _, cell kept\n"                                            \
         "  %r read.[[real]] cell kept -> %rl.0\n"                                       \
         "  %rl length.[real] _ -> %e.1\n"                                               \
         "  %e extent.int 0, _ -> %o2.0\n"                                               \
         "  %u alloc.bool 9 -> -\n"                                                      \
         "  %t const.int 4, _ -> -\n"                                                    \
         "  %o0 output.[[real]] _, part 0\n"                                             \
         "  %o1 output.real _, part 1\n"                                                 \
         "  %o2 output.int _, part 2\n"

/* Of an array that goes into a function and comes out of a branch of it. */
#define CALLED                                                                           \
    HEAD "function 0 result () -> ([bool], int)\n"                                       \
         "function 1 f ([bool]) -> ([bool])\n"                                           \
         "site 0 result -> f\n"                                                          \
         "in result\n"                                                                   \
         "  %a alloc.bool 2 -> %c.0, %i.0, %j.0\n"                                       \
         "  %i index.bool _, 0 -> %s.0\n"                                                \
         "  %j index.bool _, 1 -> %s1.0\n"                                               \
         "  %s store.bool _, true\n"                                                     \
         "  %s1 store.bool _, false\n"                                                   \
         "  %c call.[bool] _, site 0, param 0 -> %p.0 | %r.1\n"                          \
         "  %r return.[bool] _, _, site 0, part 0 -> %o.0, %l.0\n"                       \
         "  %l length.bool _ -> %o1.0\n"                                                 \
         "  %o output.[bool] _, part 0\n"                                                \
         "  %o1 output.int _, part 1\n"                                                  \
         "in f\n"                                                                        \
         "  %p merge.[bool] _ -> %ci.0, %cs.0, %k.1\n"                                   \
         "  %k const.int 5, _ -> -\n"                                                    \
         "  %ci index.bool _, 1 -> %cf.0\n"                                              \
         "  %cf fetch.bool _ -> %cs.1\n"                                                 \
         "  %cs switch.[bool] _, _ -> %x.0 | %m.0\n"                                     \
         "  %x index.bool _, 7 -> %y.0\n"                                                \
         "  %y fetch.bool _ -> %zk.1\n"                                                  \
         "  %zk const.int 0, _ -> %z.0\n"                                                \
         "  %z alloc.bool _ -> %m.0\n"                                                   \
         "  %m mergeif.[bool] _ -> return 0\n"

#define LISTS                                                                            \
    HEAD "constructor Nil of List 0\nconstructor Cons of List 1 (int head, data tail)\n"

/* Field 0 is read before it is written. A list is a trigger. Two of them share their end. */
#define DATA                                                                             \
    LISTS "function 0 result () -> (data, int, [data])\n"                                \
          "in result\n"                                                                  \
          "  %c construct constructor Cons -> %f.0, %h.0, %t.0, %b.0, %o0.0 @1:1\n"      \
          "  %b construct _, constructor Cons -> %bh.0, %bt.0, %i.0, %k.0\n"             \
          "  %f field.int _, field Cons.0 -> %p.0 @1:2\n"                                \
          "  %p add.int _, 1 -> %bh.1\n"                                                 \
          "  %h fill.int _, 7, field Cons.0\n"                                           \
          "  %t fill.data _, Nil, field Cons.1\n"                                        \
          "  %i field.data _, field Cons.1 -> %o2.0, %n.0, %bt2.1\n"                     \
          "  %bh fill.int _, _, field Cons.0\n"                                          \
          "  %bt fill.data _, Nil, field Cons.1\n"                                       \
          "  %n constructor _ -> %al.0\n"                                                \
          "  %k constructor _ -> %o1.0\n"                                                \
          "  %al alloc.data _ -> %o3.0\n"                                                \
          "  %a1 alloc.data 1 -> %x.0\n"                                                 \
          "  %x index.data _, 0 -> %bt2.0\n"                                             \
          "  %bt2 store.data _, _\n"                                                     \
          "  %o2 switch.data _, true -> - | -\n"                                         \
          "  %o0 output.data _, part 0\n"                                                \
          "  %o1 output.int _, part 1\n"                                                 \
          "  %o3 output.[data] _, part 2\n"

static const struct {
    const char *text, *result;
} programs[] = {
    {DATA, "(Cons(7, Nil), 1, [])"},
    {READS, "(7, 8, [8, 8, 7], 3)"},
    {RESULT("[int], [bool]") "shape \"[(_, _)]\"\nin result\n"
                             "  %a alloc.int 0 -> %o.0\n  %b alloc.bool 0 -> %p.0\n"
                             "  %o output.[int] _, part 0\n"
                             "  %p output.[bool] _, part 1\n",
     "[]"},
    {RESULT("[int], [bool]") "shape \"[(_, _)]\"\nin result\n"
                             "  %a alloc.int 1 -> %o.0, %i.0\n"
                             "  %b alloc.bool 1 -> %p.0, %j.0\n"
                             "  %i index.int _, 0 -> %s.0\n  %s store.int _, -3\n"
                             "  %j index.bool _, 0 -> %t.0\n  %t store.bool _, true\n"
                             "  %o output.[int] _, part 0\n"
                             "  %p output.[bool] _, part 1\n",
     "[(-3, true)]"},
    /* What nobody reads may stay unwritten. */
    {RESULT("int") "in result\n  %a alloc.int 3 -> %i.0\n  %i index.int _, 1 -> -\n"
                   "  %o output.int 5, part 0\n",
     "5"},
    {RESULT("int") "in result\n  %e extent.int 9223372036854775807, _ -> %o.0\n"
                   "  %k const.int -5 -> %e.1\n  %o output.int _, part 0\n",
     "0"},
};

static const char *const machines[] = {
    "pe.count=1",
    "pe.count=2 queue.discipline=lifo",
    "pe.count=3 network.bandwidth=16",
    "pe.count=64 structure.placement=local",
    "pe.count=5 network.topology=ideal network.latency=0 pe.units=0",
    "pe.count=7 deadness=propagate",
    "pe.count=4 deadness=propagate queue.discipline=lifo pe.units=2",
    "pe.count=4 match.store=hash match.capacity=2 match.ways=1",
    "pe.count=4 match.store=frames match.capacity=40 structure.placement=local",
    "pe.count=4 queue.capacity=60 network.capacity=2",
    "pe.count=6 tag.scheme=interned",
    "pe.count=2 tag.scheme=pool tag.pool=60 loop.bound=1",
};

enum { MACHINES = sizeof machines / sizeof *machines };

static void same(const struct test_outcome *o, const struct test_outcome *expected,
                 const char *who)
{
    ck_assert_msg(o->end == expected->end, "%s: ended %d, not %d", who, o->end,
                  expected->end);
    ck_assert_str_eq(o->result, expected->result);
    if (o->end != ISA_END_COMPLETED)
        return;
    ck_assert_msg(o->stats.value_digest == expected->stats.value_digest, "%s", who);
    ck_assert_uint_eq(o->stats.firings, expected->stats.firings);
    ck_assert_uint_eq(o->stats.span, expected->stats.span);
}

/* Runs on all machines, by both engines, which must do what `expected` did. */
static void compare_machines(const struct isa_graph *graph,
                             const struct test_outcome *expected)
{
    for (int i = 0; i < MACHINES; i++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set_all(&settings, machines[i]);
        struct test_outcome o = test_run(graph, NULL, &settings, 0);
        same(&o, expected, machines[i]);
        if (o.end == ISA_END_COMPLETED)
            ck_assert_uint_eq(o.stats.local_tokens + o.stats.network_tokens,
                              o.stats.tokens + o.stats.element_requests);
        traces_stats_free(&o.stats);
    }
}

static void run_lean(const struct isa_graph *graph, const struct test_outcome *expected)
{
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct isa_interp interp;
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct test_outcome o = {.stats = expected->stats};
    isa_interp_run(&interp, code, &limits, false, NULL);
    test_keep_result(&interp.exec, interp.end, &o);
    same(&o, expected, "lean");
    isa_interp_free(&interp);
    isa_code_free(code);
}

static void run_shuffled(const struct isa_graph *graph,
                         const struct test_outcome *expected)
{
    for (int propagate = 0; propagate < 2; propagate++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct isa_code *code = isa_code_make(graph, NULL, propagate);
            struct isa_exec exec;
            struct test_outcome o = {0};
            const char *wrong;
            enum isa_end end = shuffle_run(&exec, code, seed, 100000, NULL, &wrong);
            ck_assert_ptr_null(wrong);
            test_keep_result(&exec, end, &o);
            o.stats.value_digest = exec.counts.value_digest;
            o.stats.firings = exec.counts.firings;
            o.stats.span = exec.counts.span;
            same(&o, expected, "shuffled");
            isa_exec_free(&exec);
            isa_code_free(code);
        }
}

static struct test_outcome run_everywhere(const char *text)
{
    struct isa_graph *graph = test_read(text);
    const struct test_outcome expected = test_interp(graph, NULL, false);
    run_lean(graph, &expected);
    run_shuffled(graph, &expected);
    compare_machines(graph, &expected);
    isa_graph_free(graph);
    return expected;
}

START_TEST(programs_have_their_results)
{
    const struct test_outcome o = run_everywhere(programs[_i].text);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, programs[_i].result);
}
END_TEST

START_TEST(arrays_of_arrays_are_freed)
{
    const struct test_outcome o = run_everywhere(NESTED);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, "([[], [2.5]], 2.5, 3)");
}
END_TEST

START_TEST(arrays_go_through_calls_and_branches)
{
    const struct test_outcome o = run_everywhere(CALLED);
    ck_assert_int_eq(o.end, ISA_END_COMPLETED);
    ck_assert_str_eq(o.result, "([true, false], 2)");
}
END_TEST

/* Nothing is alive but what the result holds. */
START_TEST(storage_is_given_back)
{
    struct isa_graph *graph = test_read(NESTED);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    struct machine_settings settings;
    machine_settings_default(&settings);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_advance(m, 1))
        ;
    const struct isa_structures *s = &machine_exec(m)->structures;
    ck_assert_uint_eq(s->count, 3);
    ck_assert_uint_eq(s->elements, 3);
    machine_free(m);
    isa_code_free(code);
    isa_graph_free(graph);
}
END_TEST

/* --- failures --------------------------------------------------------------------------- */

static const struct {
    const char *from, *to; /* in READS */
    enum isa_end end;
    enum isa_trap trap;
    const char *says;
} failures[] = {
    {"index.int _, 1", "index.int _, 3", ISA_END_TRAPPED, ISA_TRAP_INDEX,
     "index out of range (3, of 3 elements): %i1 index.int of assembly line 7"
     " in result, tag []"},
    {"index.int _, 1", "index.int _, -1", ISA_END_TRAPPED, ISA_TRAP_INDEX,
     "index out of range (-1, of 3 elements): %i1 index.int of assembly line 7"
     " in result, tag []"},
    {"index.int _, 1", "index.int _, 4294967296", ISA_END_TRAPPED, ISA_TRAP_INDEX,
     "index out of range (4294967296, of 3 elements): %i1 index.int of assembly line 7"
     " in result, tag []"},
    {"index.int _, 1", "index.int _, 0", ISA_END_TRAPPED, ISA_TRAP_SECOND_STORE,
     /* either STORE may be the second */
     "an element is written twice (element 0 of the array made at 1:1): %s"},
    {"alloc.int 3", "alloc.int -1", ISA_END_TRAPPED, ISA_TRAP_LENGTH,
     "an array of negative length (-1): %a alloc.int at 1:1"
     " in result, tag []"},
    {"alloc.int 3", "alloc.int 9223372036854775807", ISA_END_LIMIT, ISA_TRAP_NONE, NULL},
    {"%f2.0, %s2.0", "%f2.0, %s2.0, %s3.0", ISA_END_TRAPPED, ISA_TRAP_SECOND_STORE,
     /* either STORE may be the second */
     "an element is written twice (element 2 of the array made at 1:1): %s"},
    /* An element that needs itself. */
    {"%s2 store.int _, 7\n", "%s2 store.int _, _\n", ISA_END_DEADLOCKED, ISA_TRAP_NONE,
     "fetch.int at 1:2 in result, tag []: element 2 of the array made at 1:1 is not "
     "written\n"},
    /* One that nobody writes. */
    {"%i1 index.int _, 1 -> %s1.0", "%i1 index.int _, 1 -> -", ISA_END_DEADLOCKED,
     ISA_TRAP_NONE,
     "part 2 of the result: element 1 of the array made at 1:1 is not "
     "written\n"},
};

static void check_failure(const struct isa_exec *exec, enum isa_end end, int i,
                          const char *who)
{
    struct lib_text said = {0};
    struct lib_pos pos;
    ck_assert_msg(end == failures[i].end && exec->trap == failures[i].trap,
                  "%s: failure %d: %d, %d", who, i, end, exec->trap);
    if (end == ISA_END_TRAPPED)
        isa_exec_write_trap(exec, &said, &pos);
    else if (end == ISA_END_DEADLOCKED)
        isa_exec_write_waiting(exec, &said, 10);
    ck_assert_msg(!failures[i].says || strstr(lib_text_get(&said), failures[i].says),
                  "%s: failure %d: %s", who, i, lib_text_get(&said));
    lib_text_free(&said);
}

static char *failing_program(int i)
{
    char *text = test_replace(READS, failures[i].from, failures[i].to);
    struct {
        const char *sign, *from, *to;
    } more[] = {
        {"%s3.0", "  %s2 store", "  %s3 store.int _, 8\n  %s2 store"},
        {"%s2 store.int _, _", "-> %c.0, %o0.0", "-> %c.0, %o0.0, %s2.1"},
        {"index.int _, 1 -> -", "%s0.1, %s1.1", "%s0.1"},
        {"index.int _, 1 -> -", "  %s1 store.int _, _\n", ""},
    };
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        if (strstr(failures[i].to, more[k].sign)) {
            char *next = test_replace(text, more[k].from, more[k].to);
            lib_mem_free(text);
            text = next;
        }
    return text;
}

static void fail_on_machine(const struct isa_graph *graph, int i, const char *assignments)
{
    struct machine_settings settings;
    machine_settings_default(&settings);
    test_set_all(&settings, assignments);
    struct isa_code *code = isa_code_make(graph, NULL,
                                          settings.deadness == MACHINE_PROPAGATE);
    struct machine *m = machine_new(code, &settings, 0);
    while (machine_advance(m, 1))
        ;
    check_failure(machine_exec(m), machine_end(m), i, assignments);
    machine_free(m);
    isa_code_free(code);
}

START_TEST(failures_are_named)
{
    char *text = failing_program(_i);
    struct isa_graph *graph = test_read(text);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    for (int digests = 0; digests < 2; digests++) {
        struct isa_interp interp;
        isa_interp_run(&interp, code, &limits, digests, NULL);
        check_failure(&interp.exec, interp.end, _i, "interp");
        isa_interp_free(&interp);
    }
    for (int i = 0; i < MACHINES; i++)
        fail_on_machine(graph, _i, machines[i]);
    isa_code_free(code);
    isa_graph_free(graph);
    lib_mem_free(text);
}
END_TEST

static const struct {
    const char *from, *to; /* in DATA */
    enum isa_end end;
    const char *says;
} data_failures[] = {
    {"%t fill.data _, Nil, field Cons.1", "%t fill.int _, 8, field Cons.0",
     ISA_END_TRAPPED, "a field is written twice (field `head` of `Cons`): %"},
    {"%k constructor _ -> %o1.0",
     "%k constructor _ -> %z.1\n  %z const.data Nil, _ -> "
     "%y.0\n  %y field.int _, field Cons.0 -> %o1.0",
     ISA_END_TRAPPED,
     "data of another constructor (field `head` of `Cons`, found `Nil`): %y field.int of "
     "assembly line "},
    {"%t fill.data _, Nil, field Cons.1", "%t merge.data _ -> -", ISA_END_DEADLOCKED,
     "part 0 of the result: field `tail` of `Cons` made at 1:1 is not written\n"},
    {"%h fill.int _, 7, field Cons.0", "%h merge.data _ -> -", ISA_END_DEADLOCKED,
     "field.int at 1:2 in result, tag []: field `head` of `Cons` made at 1:1 is not "
     "written\n"},
    {"%t.0, %b.0, %o0.0 @1:1\n", "%t.0, %t.1, %b.0, %o0.0 @1:1\n", ISA_END_TRAPPED,
     "data of the result contains itself: %o0 output.data of assembly line "},
};

static void check_data_failure(const struct isa_exec *exec, enum isa_end end, int i)
{
    struct lib_text said = {0};
    struct lib_pos pos;
    ck_assert_int_eq(end, data_failures[i].end);
    if (end == ISA_END_TRAPPED)
        isa_exec_write_trap(exec, &said, &pos);
    else
        isa_exec_write_waiting(exec, &said, 10);
    ck_assert_msg(strstr(lib_text_get(&said), data_failures[i].says), "failure %d: %s", i,
                  lib_text_get(&said));
    lib_text_free(&said);
}

START_TEST(failures_of_data_are_named)
{
    char *text = test_replace(DATA, data_failures[_i].from, data_failures[_i].to);
    const char *own = "%t fill.data _, Nil";
    if (strstr(text, "%t.1")) {
        char *next = test_replace(text, own, "%t fill.data _, _");
        lib_mem_free(text);
        text = next;
    }
    struct isa_graph *graph = test_read(text);
    struct isa_code *code = isa_code_make(graph, NULL, false);
    const struct isa_interp_limits limits = {.memory = UINT64_C(1) << 32};
    struct isa_interp interp;
    isa_interp_run(&interp, code, &limits, false, NULL);
    check_data_failure(&interp.exec, interp.end, _i);
    isa_interp_free(&interp);
    struct machine_settings settings;
    for (int i = 0; i < MACHINES; i++) {
        machine_settings_default(&settings);
        test_set_all(&settings, machines[i]);
        struct isa_code *own_code = isa_code_make(graph, NULL,
                                                  settings.deadness == MACHINE_PROPAGATE);
        struct machine *m = machine_new(own_code, &settings, 0);
        while (machine_advance(m, 1))
            ;
        check_data_failure(machine_exec(m), machine_end(m), _i);
        machine_free(m);
        isa_code_free(own_code);
    }
    isa_code_free(code);
    isa_graph_free(graph);
    lib_mem_free(text);
}
END_TEST

START_TEST(brackets_have_one_length)
{
    const struct test_outcome o = run_everywhere(
        RESULT("[int], [bool]") "shape \"[(_, _)]\"\nin result\n"
                                "  %a alloc.int 0 -> %o.0\n  %b alloc.bool 1 -> %p.0\n"
                                "  %o output.[int] _, part 0\n"
                                "  %p output.[bool] _, part 1\n");
    ck_assert_int_eq(o.end, ISA_END_TRAPPED);
    ck_assert_int_eq(o.trap, ISA_TRAP_UNEVEN);
}
END_TEST

/* Two values for one STORE, whose address is far away: whichever wins, the run fails. */
START_TEST(a_third_operand_of_a_store_collides)
{
    struct isa_graph *graph = test_read(
        RESULT("int") "in result\n  %a alloc.int 4 -> %i.0\n"
                      "  %i index.int _, 3 -> %s.0\n"
                      "  %k const.int 1 -> %m.0, %n.0\n  %n add.int _, 1 -> %m.0\n"
                      "  %m merge.int _ -> %s.1, %o.0\n  %s store.int _, _\n"
                      "  %o output.int _, part 0\n");
    for (int i = 0; i < MACHINES; i++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set_all(&settings, machines[i]);
        struct test_outcome o = test_run(graph, NULL, &settings, 0);
        ck_assert_int_ne(o.end, ISA_END_COMPLETED);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* The address waits, and has left with the first value when the second one arrives. The second is
 * delivered, as the first is not yet: INDEX, STORE, the division, MERGE, the addition, the output
 * and MERGE again had theirs. */
START_TEST(what_collides_with_a_request_is_delivered)
{
    struct isa_graph *graph = test_read(
        RESULT("int") "in result\n  %a alloc.int 4 -> %i.0\n"
                      "  %i index.int _, 3 -> %s.0\n"
                      "  %k const.int 1 -> %d.0\n  %d div.int _, 1 -> %m.0, %n.0\n"
                      "  %n add.int _, 1 -> %m.0\n"
                      "  %m merge.int _ -> %s.1, %o.0\n  %s store.int _, _\n"
                      "  %o output.int _, part 0\n");
    for (int general = 0; general < 2; general++) {
        struct machine_settings settings;
        machine_settings_default(&settings);
        test_set_all(&settings, "pe.count=4 network.latency=1000");
        test_set(&settings, "queue.capacity", general ? "1000000" : "0");
        struct test_outcome o = test_run(graph, NULL, &settings, 0);
        ck_assert_int_eq(o.trap, ISA_TRAP_COLLISION);
        ck_assert_uint_eq(o.stats.tokens, 8);
        ck_assert_uint_eq(o.stats.element_requests, 1);
        uint64_t tokens = 0;
        for (int pe = 0; pe < 4; pe++)
            tokens += o.stats.pe[pe].tokens;
        ck_assert_uint_eq(tokens, 8);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

/* --- bounds ----------------------------------------------------------------------------- */

/* Iteration i of the loop waits for what iteration i + 1 writes. */
static const char backwards[] =
    "result = loop i = 0, s = 0 while i < 5 do i + 1, s + back[i] return s\n"
    "back = [if k == 5 then 1 else back[k + 1] + 1 | k <- 0 .. 5]\n";

START_TEST(a_bound_never_deadlocks)
{
    struct isa_graph *graph = test_compile(backwards, ISA_STAGE_IMAGE);
    const struct test_outcome expected = test_interp(graph, NULL, false);
    ck_assert_str_eq(expected.result, "20");
    compare_machines(graph, &expected);
    isa_graph_free(graph);
}
END_TEST

/* A loop whose iteration n needs what iteration n + 1 stores: beyond its bound it goes on when
 * nothing else can. */
static const char needs_later[] = "hiaton assembly 1\nstage image\n"
                                  "function 0 result () -> ([int])\n"
                                  "loop 1 result.loop (int, [int]) -> () bound 1\n"
                                  "site 0 result -> result.loop\n"
                                  "in result\n"
                                  "  %a alloc.int 4 -> %e1.0, %o.0\n"
                                  "  %e0 enter.int 0, site 0, param 0 -> %m0.0\n"
                                  "  %e1 enter.[int] _, site 0, param 1 -> %m1.0\n"
                                  "  %o output.[int] _, part 0\n"
                                  "in result.loop\n"
                                  "  %m0 merge.int _ -> %c.0, %s0.0\n"
                                  "  %m1 merge.[int] _ -> %s1.0\n"
                                  "  %c lt.int _, 3 -> %s0.1, %s1.1\n"
                                  "  %s0 switch.int _, _ -> %i.1, %p.0, %j.0 | %x.1\n"
                                  "  %s1 switch.[int] _, _ -> %i.0, %q.0, %n1.0 | %x.0\n"
                                  "  %j add.int _, 1 -> %n0.0\n"
                                  "  %p add.int _, 1 -> %q.1\n"
                                  "  %q index.int _, _ -> %f.0\n"
                                  "  %f fetch.int _ -> %g.0\n"
                                  "  %g add.int _, 1 -> %st.1\n"
                                  "  %i index.int _, _ -> %st.0\n"
                                  "  %st store.int _, _\n"
                                  "  %x index.int _, _ -> %xs.0\n"
                                  "  %xs store.int _, 10\n"
                                  "  %n0 next.int _, site 0, param 0 -> %m0.0\n"
                                  "  %n1 next.[int] _, site 0, param 1 -> %m1.0\n";

START_TEST(a_bound_is_exceeded_when_nothing_else_can_go_on)
{
    struct isa_graph *graph = test_read(needs_later);
    const struct test_outcome expected = test_interp(graph, NULL, false);
    ck_assert_str_eq(expected.result, "[13, 12, 11, 10]");
    compare_machines(graph, &expected);
    struct machine_settings settings;
    machine_settings_default(&settings);
    struct test_outcome o = test_run(graph, NULL, &settings, 0);
    ck_assert_uint_eq(o.stats.bound_excess, 3);
    ck_assert_uint_ge(o.stats.bound_stalls, 3);
    ck_assert_uint_eq(o.stats.loop_iterations, 3);
    traces_stats_free(&o.stats);
    for (int i = 0; i < 4; i++) {
        test_set(&settings, "executor.workers", i % 2 ? "3" : "1");
        test_set(&settings, "executor.inline", i / 2 ? "tag" : "none");
        o = test_run(graph, NULL, &settings, 0);
        ck_assert_str_eq(o.result, "[13, 12, 11, 10]");
        ck_assert_uint_gt(o.stats.bound_excess, 0);
        traces_stats_free(&o.stats);
    }
    isa_graph_free(graph);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("structures");
    tcase_add_test(tcase, structures_are_freed_with_their_last_reference);
    tcase_add_test(tcase, numbers_are_used_again_and_elements_are_clear);
    tcase_add_test(tcase, the_limit_on_structures_is_exact);
    tcase_add_loop_test(tcase, programs_have_their_results, 0,
                        sizeof programs / sizeof *programs);
    tcase_add_test(tcase, arrays_of_arrays_are_freed);
    tcase_add_test(tcase, arrays_go_through_calls_and_branches);
    tcase_add_test(tcase, storage_is_given_back);
    tcase_add_loop_test(tcase, failures_are_named, 0, sizeof failures / sizeof *failures);
    tcase_add_loop_test(tcase, failures_of_data_are_named, 0,
                        sizeof data_failures / sizeof *data_failures);
    tcase_add_test(tcase, deep_data_is_freed);
    tcase_add_test(tcase, brackets_have_one_length);
    tcase_add_test(tcase, a_third_operand_of_a_store_collides);
    tcase_add_test(tcase, what_collides_with_a_request_is_delivered);
    tcase_add_test(tcase, a_bound_never_deadlocks);
    tcase_add_test(tcase, a_bound_is_exceeded_when_nothing_else_can_go_on);
    return test_main("structures", tcase);
}
