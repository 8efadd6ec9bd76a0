/* Growth in a run until it was stopped: a recursion whose calls are alive, or a loop that
 * continues. It is found in the state at that time, so a run pays nothing for it. */
#ifndef SIM_ENDING_GROWTH_H
#define SIM_ENDING_GROWTH_H

#include "isa/exec/exec.h"
#include "lib/text.h"
#include "machine/machine.h"

enum sim_growth_kind {
    SIM_GROWTH_NONE, /* neither explains the end */
    SIM_GROWTH_RECURSION,
    SIM_GROWTH_LOOP,
};

enum { SIM_GROWTH_ENOUGH = 100 };

/* Free with sim_growth_free. */
struct sim_growth {
    enum sim_growth_kind kind;
    struct lib_pos pos;    /* the loop, or the call that made most of the recursion */
    struct lib_text names; /* names of the functions, in backquotes */
    uint64_t depth;        /* labels of the longest live tag */
    bool grows;            /* no earlier tag was longer */
    uint64_t alive;  /* live calls of these functions, or live iterations of the loop */
    uint64_t ended;  /* calls of these functions that ended */
    bool none_ended; /* none of them ended: ever, or since cycle `since` */
    bool has_since;
    uint64_t since;
    uint64_t iteration; /* number of the newest iteration of the loop */
    bool is_bounded;    /* the program bounds the loop, or forbids bounds */
};

/* Looks for growth. `machine` is NULL if the interpreter runs the execution. A recursion needs at
 * least `least` live calls to be found, usually SIM_GROWTH_ENOUGH. */
void sim_growth_find(struct sim_growth *growth, const struct isa_exec *exec,
                     const struct machine *machine, uint64_t least);
void sim_growth_free(struct sim_growth *growth);

/* Whether this growth is at least half of all live activations, and SIM_GROWTH_ENOUGH. */
bool sim_growth_is_most(const struct sim_growth *growth, const struct isa_exec *exec);

/* Add "recursion of `f`" or "the loop"; " at 2:12"; and the facts: ", depth 20 and growing, 20
 * calls alive, and none has ended". */
void sim_growth_write_name(const struct sim_growth *growth, struct lib_text *out);
void sim_growth_write_place(const struct sim_growth *growth, struct lib_text *out);
void sim_growth_write_facts(const struct sim_growth *growth, struct lib_text *out);

#endif
