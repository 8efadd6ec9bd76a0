/* A program that tests run repeatedly on the machine `ideal` with some settings changed. */
#ifndef TESTS_UNIT_RIG_H
#define TESTS_UNIT_RIG_H

#include "tests/unit/isa_texts.h"
#include "tests/unit/support.h"

struct test_rig {
    struct isa_graph *graph;
    struct isa_code *code;
    struct machine_settings settings;
};

static inline struct test_rig test_rig_of(struct isa_graph *graph)
{
    struct test_rig rig = {.graph = graph};
    rig.code = isa_code_make(graph, NULL, false);
    test_settings_ideal(&rig.settings);
    return rig;
}

static inline struct test_rig test_rig_program(const char *text)
{
    return test_rig_of(test_compile(text, ISA_STAGE_IMAGE));
}

static inline void test_rig_free(struct test_rig *rig)
{
    isa_code_free(rig->code);
    isa_graph_free(rig->graph);
}

struct test_ended {
    enum isa_end end;
    char limit[32];
    struct traces_stats stats; /* statistics of the machine, not of each PE */
    uint64_t live;
};

static inline struct test_ended test_rig_run(const struct test_rig *rig,
                                             const char *assignments)
{
    struct test_ended e = {0};
    struct machine_settings settings = rig->settings;
    test_set_all(&settings, assignments);
    struct machine *m = machine_new(rig->code, &settings, 0);
    while (machine_advance(m, 1000))
        ;
    e.end = machine_end(m);
    e.live = machine_exec(m)->counts.live;
    snprintf(e.limit, sizeof e.limit, "%s", machine_limit(m) ? machine_limit(m) : "");
    machine_measure(m, &e.stats);
    traces_stats_free(&e.stats);
    machine_free(m);
    return e;
}

static inline uint64_t test_rig_cycles(const struct test_rig *rig,
                                       const char *assignments)
{
    struct test_ended e = test_rig_run(rig, assignments);
    ck_assert_msg(e.end == ISA_END_COMPLETED, "%s: ended by %s", assignments, e.limit);
    return e.stats.cycles;
}

static inline void test_rig_ends(const struct test_rig *rig, const char *assignments,
                                 enum isa_end end, const char *limit)
{
    struct test_ended e = test_rig_run(rig, assignments);
    ck_assert_msg(e.end == end, "%s: end %d (%s)", assignments, (int)e.end, e.limit);
    ck_assert_str_eq(e.limit, limit);
}

#endif
