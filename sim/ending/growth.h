/* Growth in a run that was stopped: a recursion of live calls, or a loop that continues. Found in
 * the final state, so that running costs nothing. */
#ifndef SIM_ENDING_GROWTH_H
#define SIM_ENDING_GROWTH_H

#include "isa/exec/exec.h"
#include "lib/text.h"
#include "machine/machine.h"

enum sim_growth_kind {
    SIM_GROWTH_NONE, /* no growth explains how the run ended */
    SIM_GROWTH_RECURSION,
    SIM_GROWTH_LOOP,
};

enum { SIM_GROWTH_ENOUGH = 100 };

/* The recursion or loop that was found. Free it with sim_growth_free. */
struct sim_growth {
    enum sim_growth_kind kind;
    struct lib_pos pos;    /* position of the loop, or of the call that recurs most */
    struct lib_text names; /* names of the recursive functions, in backquotes */
    uint64_t depth;        /* number of labels in the longest live tag */
    /* whether the longest live tag is the longest of the whole run */
    bool grows;
    uint64_t alive; /* number of live calls, or live iterations of the loop */
    uint64_t ended; /* number of ended calls, or ended iterations of the loop */
    /* whether no call ended: never, or not since cycle `since` if `has_since` */
    bool none_ended;
    bool has_since;
    uint64_t since;
    uint64_t iteration; /* number of the newest live iteration of the loop */
    bool is_bounded;    /* whether the program sets or forbids a bound of the loop */
};

/* Looks for growth in a stopped run. `machine` is NULL for the interpreter. A recursion counts only
 * if it has at least `least` live calls; usually SIM_GROWTH_ENOUGH. */
void sim_growth_find(struct sim_growth *growth, const struct isa_exec *exec,
                     const struct machine *machine, uint64_t least);
void sim_growth_free(struct sim_growth *growth);

/* Whether the recursion or loop has at least SIM_GROWTH_ENOUGH live activations, and at least half
 * of all that are alive. */
bool sim_growth_is_most(const struct sim_growth *growth, const struct isa_exec *exec);

/* Each of the three functions adds a part of one sentence: the name, "recursion of `f`" or "the
 * loop"; the place, " at 2:12"; the facts, ", depth 20 and growing, 20 calls alive, and none has
 * ended". */
void sim_growth_write_name(const struct sim_growth *growth, struct lib_text *out);
void sim_growth_write_place(const struct sim_growth *growth, struct lib_text *out);
void sim_growth_write_facts(const struct sim_growth *growth, struct lib_text *out);

#endif
