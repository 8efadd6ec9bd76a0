/* Loops that are differentiated as loops (paper 2, section 5.1 and figure 8).
 *
 * For gradients a loop is a routine that calls itself (programs/gradient/calls.h). Its gradient G,
 * a routine too, first does what the loop does, then computes adjoints from those that its call of
 * itself returns:
 *
 *     G(v) = if C(v) then B(v, G(N(v))) else E(v)
 *
 * So the same adjoints come from two loops. The forward loop is the loop itself; it counts its
 * iterations, and pushes what B needs of each onto a stack. The back loop begins with E, counts
 * down, and pops:
 *
 *     n = 0, s = Nil; while C(v) do (s = Cell(needed of v, s), n = n + 1, v = N(v))
 *     a = E(v); while n > 0 do (a = B(needed of s, a), s = rest of s, n = n - 1)
 *
 * A stack is data: a push is a CONSTRUCT, and a cell is freed when its fields were taken. What a
 * conditional needs is data of its own, with a constructor for each side. Of what does not change
 * in the loop nothing is pushed, and only the shape of a tensor whose shape alone is needed. A loop
 * within the loop leaves its count and its stack, which are pushed like other values. */
#ifndef PROGRAMS_GRADIENT_LOOPS_H
#define PROGRAMS_GRADIENT_LOOPS_H

#include "programs/form/form.h"

/* The two loops, as routines. */
struct form_two_loops {
    bool exist; /* false: the gradient can only be a recursion */
    /* Takes what the loop takes. Returns what it returns; the last values of the variables `last`;
     * the number of iterations; and the stack, if it has one. */
    uint32_t forward;
    /* Takes these last values; the values `constants`, as parameters of the loop, that the loop has
     * from outside; the adjoints of the results; the number and the stack. Returns what the
     * gradient returns. */
    uint32_t back;
    struct form_ids last, constants;
    bool has_stack;
};

/* Returns the two loops that `gradient` can be, the gradient of a loop. */
const struct form_two_loops *form_two_loops(struct form_program *program,
                                            uint32_t gradient);

/* Adds the call of the back loop, for a call of the loop that has become one of the forward loop
 * here. `adjoints`: of the results of the loop that hold reals. */
const struct form_entry *form_reverse_loop(struct form_place p,
                                           const struct form_two_loops *loops,
                                           struct form_entry *call,
                                           const struct form_ids *adjoints);

/* Returns the form of which the graph of a routine is made: of a routine that was a loop, the loop,
 * if loops are differentiated as loops; else the form of the routine. */
struct form *form_as_loop(struct form_program *program, uint32_t routine);

#endif
