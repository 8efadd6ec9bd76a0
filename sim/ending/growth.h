/* What a run was about when it was stopped: the recursion whose calls are alive, or the loop
 * that goes round. It is found from what lives at that time, so that a run pays nothing for it. */
#ifndef SIM_ENDING_GROWTH_H
#define SIM_ENDING_GROWTH_H

#include "isa/exec/exec.h"
#include "lib/text.h"
#include "machine/machine.h"

enum sim_growth_kind {
    SIM_GROWTH_NONE, /* neither is to be blamed */
    SIM_GROWTH_RECURSION,
    SIM_GROWTH_LOOP,
};

enum { SIM_GROWTH_ENOUGH = 100 };

/* Give back with sim_growth_free. */
struct sim_growth {
    enum sim_growth_kind kind;
    struct lib_pos pos; /* the call that most of the recursion was made by, or the loop */
    struct lib_text names; /* of the functions, in backquotes */
    uint64_t depth;        /* labels of the longest tag alive; */
    bool grows;            /* no tag was ever longer */
    uint64_t alive;        /* calls of these functions, or iterations of the loop; */
    uint64_t ended;        /* calls of these functions that ended */
    bool none_ended;       /* none of them ended: ever, or since cycle `since` */
    bool has_since;
    uint64_t since;
    uint64_t iteration; /* of the loop: the number of the newest one */
    bool is_bounded;    /* the program bounds the loop, or forbids bounds */
};

/* Looks for it. `machine` is NULL where none runs the execution. A recursion counts that has
 * `least` calls alive: mostly SIM_GROWTH_ENOUGH. */
void sim_growth_find(struct sim_growth *growth, const struct isa_exec *exec,
                     const struct machine *machine, uint64_t least);
void sim_growth_free(struct sim_growth *growth);

/* Whether most of what is alive are these calls or iterations. */
bool sim_growth_is_most(const struct sim_growth *growth, const struct isa_exec *exec);

/* Adds "recursion of `f`", or "the loop"; " at 2:12"; and what is known of it: ", depth 20 and
 * growing, 20 calls alive, and none has ended". */
void sim_growth_write_name(const struct sim_growth *growth, struct lib_text *out);
void sim_growth_write_place(const struct sim_growth *growth, struct lib_text *out);
void sim_growth_write_facts(const struct sim_growth *growth, struct lib_text *out);

#endif
