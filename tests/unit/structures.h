/* Programs in assembly on arrays and data, run by everything that runs code; all must agree. */
#ifndef TESTS_UNIT_STRUCTURES_H
#define TESTS_UNIT_STRUCTURES_H

#include "machine/engine/engine.h"
#include "tests/random/shuffle.h"
#include "tests/unit/isa_texts.h"
#include "tests/unit/support.h"

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

static inline void same(const struct test_outcome *o, const struct test_outcome *expected,
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
static inline void compare_machines(const struct isa_graph *graph,
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

static inline void run_lean(const struct isa_graph *graph,
                            const struct test_outcome *expected)
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

static inline void run_shuffled(const struct isa_graph *graph,
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

static inline struct test_outcome run_everywhere(const char *text)
{
    struct isa_graph *graph = test_read(text);
    const struct test_outcome expected = test_interp(graph, NULL, false);
    run_lean(graph, &expected);
    run_shuffled(graph, &expected);
    compare_machines(graph, &expected);
    isa_graph_free(graph);
    return expected;
}

#endif
