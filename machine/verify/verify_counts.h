/* Recount of what a machine contains, to be compared with its counters, for machine/verify/. */
#ifndef MACHINE_VERIFY_VERIFY_COUNTS_H
#define MACHINE_VERIFY_VERIFY_COUNTS_H

#include "machine/verify/verify.h"

/* Contents of a PE. */
struct machine_audit_rooms {
    uint64_t held, leaving; /* tokens for its input queue, and for its output port */
    uint64_t matched, away; /* operands in its matching store; in the slower store */
    uint64_t slots;         /* slots of frames in use */
    uint64_t copied;        /* graph nodes of copies */
    uint64_t shipped;       /* graph nodes that the coordinator has sent there */
};

/* Use of a slot of a frame. `of` is the number of an instruction, site or argument. */
struct machine_audit_use {
    enum machine_slot_use {
        MACHINE_SLOT_UNUSED,
        MACHINE_SLOT_PAIR,      /* the first operand of an instruction waits */
        MACHINE_SLOT_CHOICE,    /* a MERGEIF under the setting `propagate` */
        MACHINE_SLOT_CONSTANT,  /* a constant of a loop, from a HOLD */
        MACHINE_SLOT_FLIGHT,    /* number of active iterations of a loop */
        MACHINE_SLOT_ITERATION, /* state of an iteration */
        MACHINE_SLOT_CALL,      /* a call that collects its arguments */
        MACHINE_SLOT_ARG,       /* an argument that waits */
        MACHINE_SLOT_ABSENT,    /* set of the arguments of an APPLY that are hiatons */
    } use;
    uint32_t of;
};

/* State of a possible activation. */
enum { MACHINE_FRAME_NONE, MACHINE_FRAME_ALIVE, MACHINE_FRAME_FREE };

struct machine_audit {
    const struct machine *m;
    const char *broken;   /* text of the first invariant that is broken, or NULL */
    uint8_t *frames;      /* MACHINE_FRAME_... of each activation */
    uint32_t *held;       /* for each activation: number of things that keep it alive */
    uint8_t *named;       /* for each activation: its parent's frame names it */
    uint32_t *in_flight;  /* active iterations of each loop, by its place in memory */
    uint32_t *nexts;      /* NEXTs held back of each loop, likewise */
    uint64_t *references; /* number of references to each structure */
    /* Whether each deferred read and parked token was found. */
    uint8_t *deferred_seen, *parked_seen;
    struct machine_audit_use **uses; /* for each function: use of each slot */
    uint32_t **of_site;              /* for each site: instruction of each slot */
    uint32_t *in_set; /* operands in each set of each PE (struct machine_match) */
    uint64_t moving, waiting, deferred, parked, alive, freed, starts;
    uint64_t releases; /* number of release messages in transit, included in `moving` */
    struct machine_audit_rooms *rooms; /* recount for each PE */
    uint64_t *of_function;             /* live activations of each function */
    uint64_t callers,
        /* Calls that their callers should name, and those that they do name. */
        calls_named;
};

/* --- machine/verify/frames.c ------------------------------------------------------------------ */

/* Finds all frames, and checks that each has its parent. Called first. */
void machine_audit_frames(struct machine_audit *f);

/* Checks the contents of frames, once all tokens and deferred reads were found. */
void machine_audit_slots(struct machine_audit *f);

/* Checks the counters `live` of activations and the lists of free frames, once everything was
 * found. */
void machine_audit_lives(struct machine_audit *f);

/* Returns the live activation of a tag. If there is none, records a broken invariant and returns
 * NULL. */
struct isa_activation *machine_audit_activation(struct machine_audit *f, isa_tag tag);

/* Returns true if an instruction can fire under the tag of an activation. */
bool machine_audit_fires(const struct machine_audit *f, uint32_t instr,
                         const struct isa_activation *a);

/* --- machine/verify/memory.c ------------------------------------------------------------------ */

/* Checks arrays and tensors and where elements are, before references are counted. */
void machine_audit_structures(struct machine_audit *f);

/* Checks cells, elements, the result, and the reads that wait for them. */
void machine_audit_memory(struct machine_audit *f);

/* Checks the counts of references, once all were found. */
void machine_audit_references(struct machine_audit *f);

/* Checks a value that is an operand of an instruction, and counts it if it is a reference. */
bool machine_audit_operand(struct machine_audit *f, uint32_t instr, bool port,
                           isa_value value);

/* Checks a value of a type, and counts it if it is a reference. */
bool machine_audit_value(struct machine_audit *f, enum isa_type type, isa_value value);

#endif
