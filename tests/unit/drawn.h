/* Random machines and executors, for an example program. */
#ifndef TESTS_UNIT_DRAWN_H
#define TESTS_UNIT_DRAWN_H

#include "tests/random/draw.h"
#include "tests/unit/examples.h"

/* Calls `check` with the program on random machines: one in four is an executor, one in four has
 * unlimited stores and queues, and one in four is a network of routers with finite buffers. Each
 * uses the next `seed`. */
static inline void test_each_drawn(const struct test_row *row, struct test_program *p,
                                   uint64_t *seed,
                                   void (*check)(const struct isa_code *code,
                                                 const struct machine_settings *s,
                                                 uint64_t seed, const char *program))
{
    struct isa_code *code[2];
    for (int propagate = 0; propagate < 2; propagate++)
        code[propagate] = isa_code_make(p->graph, p->inputs, propagate);
    const uint64_t machines = test_is_quick() ? 4 : 24;
    for (uint64_t i = 0; i < machines; i++) {
        struct draw draw = {.seed = (*seed)++};
        struct machine_settings s;
        if (i % 4 == 3)
            draw_executor(&draw, &s);
        else
            draw_settings(&draw, &s);
        if (i % 4 == 1) {
            draw_buffers(&draw, &s);
            draw_network_file(&draw, &s);
        }
        draw_limits(&draw, &s);
        if (i % 4 == 2)
            draw_unlimited(&s);
        check(code[s.deadness == MACHINE_PROPAGATE], &s, draw.seed, row->program);
    }
    isa_code_free(code[0]);
    isa_code_free(code[1]);
}

#endif
