/* Recount of what a machine contains, to be compared with its counters. */
#ifndef MACHINE_VERIFY_VERIFY_COUNTS_H
#define MACHINE_VERIFY_VERIFY_COUNTS_H

#include "machine/verify.h"

struct machine_audit_rooms {
    uint64_t held,
        leaving; /* tokens in transit to the input queue, and to the output port */
    /* Operands in the matching store, and in its overflow store. */
    uint64_t matched, away;
    uint64_t slots;   /* slots of frames in use at the PE */
    uint64_t copied;  /* instructions in the copies of graphs at the PE */
    uint64_t shipped; /* instructions in copies on their way to the PE */
};

/* Use of a slot of a frame. `of` is the index of an instruction, call site or argument. */
struct machine_audit_use {
    enum machine_slot_use {
        MACHINE_SLOT_UNUSED,
        /* The first operand of an instruction, which waits for the second. */
        MACHINE_SLOT_PAIR,
        MACHINE_SLOT_CHOICE,    /* state of a MERGEIF under the setting `propagate` */
        MACHINE_SLOT_CONSTANT,  /* constant of a loop, from a HOLD */
        MACHINE_SLOT_FLIGHT,    /* number of active iterations of a loop */
        MACHINE_SLOT_ITERATION, /* state of an iteration of a loop */
        MACHINE_SLOT_CALL,      /* number of arguments that a call has collected */
        MACHINE_SLOT_ARG,       /* a waiting argument of a call */
        /* Number of arguments of an APPLY that were hiatons (dead tokens). */
        MACHINE_SLOT_ABSENT,
    } use;
    uint32_t of;
};

enum { MACHINE_FRAME_NONE, MACHINE_FRAME_ALIVE, MACHINE_FRAME_FREE };

struct machine_audit {
    const struct machine *m;
    const char *broken; /* first broken invariant as text, or NULL */
    uint8_t *frames;    /* for each activation: one of MACHINE_FRAME_... */
    uint32_t *held;     /* for each activation: tokens, children, etc. keeping it alive */
    /* For each activation: whether the frame of its parent, or of its previous iteration, has its
     * tag. */
    uint8_t *named;
    /* For each running loop: active iterations. The index is the offset of the loop's slot in the
     * memory of frames, in units of ISA_FRAME_UNIT. */
    uint32_t *in_flight;
    /* For each running loop: NEXTs that are held back. Same index as in_flight. */
    uint32_t *nexts;
    uint64_t *references; /* for each structure (array or tensor): number of references */
    /* For each deferred read, and each token that waits for a loop constant: whether it was
     * found. */
    uint8_t *deferred_seen, *parked_seen;
    struct machine_audit_use **uses; /* for each function: use of each slot */
    /* For each call site: RETURN or JOIN whose operands meet in each slot of the called function's
     * frame, or UINT32_MAX. */
    uint32_t **of_site;
    uint32_t *in_set; /* for each set of each PE's matching store: operands found */
    uint64_t moving, waiting, deferred, parked, alive, freed, starts;
    /* Release messages in transit; `moving` includes them. */
    uint64_t releases;
    struct machine_audit_rooms *rooms;
    uint64_t *of_function; /* for each function: number of live activations */
    /* Calls that wait for an identifier: `callers` counts the calls in queues that a frame has to
     * name, `calls_named` the calls that frames do name. */
    uint64_t callers, calls_named;
};

/* --- machine/verify/frames.c ------------------------------------------------------------------ */

/* Finds all frames, and checks that the parent of each exists. Called before the other checks. */
void machine_audit_frames(struct machine_audit *f);

/* Checks the contents of frames. Called when all tokens and deferred reads were found. */
void machine_audit_slots(struct machine_audit *f);

/* Checks the counters `live` of activations and the lists of free frames. Called when all that
 * keeps activations alive was found. */
void machine_audit_lives(struct machine_audit *f);

/* Returns the live activation of a tag; or records a broken invariant and returns NULL. */
struct isa_activation *machine_audit_activation(struct machine_audit *f, isa_tag tag);

/* Whether an instruction can fire under the tag of an activation. */
bool machine_audit_fires(const struct machine_audit *f, uint32_t instr,
                         const struct isa_activation *a);

/* --- machine/verify/memory.c ------------------------------------------------------------------ */

/* Checks arrays and tensors, and where their elements are in memory. Called before references are
 * counted. */
void machine_audit_structures(struct machine_audit *f);

/* Checks cells, array elements, the result of the run, and the reads that wait for them. */
void machine_audit_memory(struct machine_audit *f);

/* Checks the reference count of each structure. Called when all references were found. */
void machine_audit_references(struct machine_audit *f);

/* Checks an operand of an instruction, and counts it if it is a reference. */
bool machine_audit_operand(struct machine_audit *f, uint32_t instr, bool port,
                           isa_value value);

/* Checks a value of a type, and counts it if it is a reference. */
bool machine_audit_value(struct machine_audit *f, enum isa_type type, isa_value value);

#endif
