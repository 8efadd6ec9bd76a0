/* The contents found in a machine, to be compared with its counts, for machine/verify/. */
#ifndef MACHINE_VERIFY_VERIFY_COUNTS_H
#define MACHINE_VERIFY_VERIFY_COUNTS_H

#include "machine/verify/verify.h"

/* The contents of a PE. */
struct machine_audit_rooms {
    uint64_t held, leaving; /* tokens for its input queue, its output port; with starts */
    uint64_t matched, away; /* operands in its store; in the slower store */
    uint64_t slots;         /* slots of frames */
    uint64_t copied;        /* nodes of copies of graphs */
    uint64_t shipped;       /* nodes of copies that the coordinator has sent there */
};

/* The use of a slot of a frame; `of` is an instruction, site or argument. */
struct machine_audit_use {
    enum machine_slot_use {
        MACHINE_SLOT_UNUSED,
        MACHINE_SLOT_PAIR,      /* two operands meet; for a call, machine_audit_instr */
        MACHINE_SLOT_CHOICE,    /* MERGEIF under `propagate` */
        MACHINE_SLOT_CONSTANT,  /* constant of a loop, from a HOLD */
        MACHINE_SLOT_FLIGHT,    /* iterations of a loop in flight, of a site */
        MACHINE_SLOT_ITERATION, /* own slot of an iteration */
        MACHINE_SLOT_CALL,      /* call that gathers arguments */
        MACHINE_SLOT_ARG,       /* argument that waits */
        MACHINE_SLOT_ABSENT,    /* arguments of an APPLY that came as hiatons */
    } use;
    uint32_t of;
};

/* The state of an index of activations. */
enum { MACHINE_FRAME_NONE, MACHINE_FRAME_ALIVE, MACHINE_FRAME_FREE };

struct machine_audit {
    const struct machine *m;
    const char *broken;   /* first invariant that does not hold, or NULL */
    uint8_t *frames;      /* MACHINE_FRAME_... per index of activations */
    uint32_t *held;       /* number of things that keep the activation alive, per index */
    uint8_t *named;       /* a frame names the activation, per index */
    uint32_t *in_flight;  /* iterations, per unit of memory with the slot of a loop */
    uint32_t *nexts;      /* NEXTs held back, likewise */
    uint64_t *references; /* references per structure */
    uint8_t *deferred_seen, *parked_seen; /* per place */
    struct machine_audit_use **uses;      /* per function and slot */
    uint32_t **of_site;                   /* instructions of a call by slot, per site */
    uint32_t *in_set; /* operands per PE and set: see struct machine_match */
    uint64_t moving, waiting, deferred, parked, alive, freed, starts;
    uint64_t releases;                 /* messages on their way, included in `moving` */
    struct machine_audit_rooms *rooms; /* per PE */
    uint64_t *of_function;             /* activations alive, per function */
    uint64_t callers,
        calls_named; /* calls that their callers should name; that they do */
};

/* --- machine/verify/frames.c ------------------------------------------------------------------ */

/* Finds the frames, and checks that each has its parent. Must come first. */
void machine_audit_frames(struct machine_audit *f);

/* Checks the contents of frames, after all tokens and deferred reads were found. */
void machine_audit_slots(struct machine_audit *f);

/* Checks `live` and the lists of free frames, after everything was found. */
void machine_audit_lives(struct machine_audit *f);

/* Returns the activation of a tag. Returns NULL, and notes a broken invariant, if none is alive. */
struct isa_activation *machine_audit_activation(struct machine_audit *f, isa_tag tag);

/* Returns true if an instruction fires under a tag. */
bool machine_audit_fires(const struct machine_audit *f, uint32_t instr,
                         const struct isa_activation *a);

/* --- machine/verify/memory.c ------------------------------------------------------------------ */

/* Checks structures and the places of elements, before references are counted. */
void machine_audit_structures(struct machine_audit *f);

/* Checks cells, elements and the result, and the reads that wait for them. */
void machine_audit_memory(struct machine_audit *f);

/* Checks the counts of references, after all were found. */
void machine_audit_references(struct machine_audit *f);

/* Checks a value that is an operand of an instruction, and counts it if it is a reference. */
bool machine_audit_operand(struct machine_audit *f, uint32_t instr, bool port,
                           isa_value value);

/* Checks and counts a value of a type. */
bool machine_audit_value(struct machine_audit *f, enum isa_type type, isa_value value);

#endif
