/* What is found in a machine, to be compared with what it counts: for machine/verify/. */
#ifndef MACHINE_VERIFY_VERIFY_COUNTS_H
#define MACHINE_VERIFY_VERIFY_COUNTS_H

#include "machine/verify/verify.h"

/* Tokens on their way to the input queue of a PE, or to its output port, those of starts among
 * them; and what is in its store: operands, those that found their set full, slots of frames. */
struct machine_audit_rooms {
    uint64_t held, leaving;
    uint64_t matched, away, slots;
    uint64_t copied;  /* nodes of copies of graphs, */
    uint64_t shipped; /* and of those that the coordinator has sent there */
};

/* What a slot of a frame is for, and of which instruction, site or argument. */
struct machine_audit_use {
    enum machine_slot_use {
        MACHINE_SLOT_UNUSED,
        MACHINE_SLOT_PAIR,      /* two operands meet; of a call: machine_audit_instr */
        MACHINE_SLOT_CHOICE,    /* MERGEIF under `propagate` */
        MACHINE_SLOT_CONSTANT,  /* of a loop: the HOLD that brings it */
        MACHINE_SLOT_FLIGHT,    /* of a loop: its site */
        MACHINE_SLOT_ITERATION, /* the own one of an iteration, */
        MACHINE_SLOT_CALL,      /* and of a call that gathers arguments, */
        MACHINE_SLOT_ARG,       /* which wait here */
        MACHINE_SLOT_ABSENT,    /* of an APPLY: arguments that came as hiatons */
    } use;
    uint32_t of;
};

/* At an index of an activation. */
enum { MACHINE_FRAME_NONE, MACHINE_FRAME_ALIVE, MACHINE_FRAME_FREE };

struct machine_audit {
    const struct machine *m;
    const char *broken;   /* the first thing that does not hold */
    uint8_t *frames;      /* per index of an activation: whether one stands there, */
    uint32_t *held;       /* what keeps it alive, */
    uint8_t *named;       /* and whether a frame names it */
    uint32_t *in_flight;  /* per unit of memory, of the slot of a loop: iterations, */
    uint32_t *nexts;      /* and NEXTs that are held back */
    uint64_t *references; /* per number of a structure */
    uint8_t *deferred_seen, *parked_seen; /* per place */
    struct machine_audit_use **uses;      /* per function and slot */
    uint32_t **of_site;                   /* per site: instructions of a call, by slot */
    uint32_t *in_set;                     /* per PE and set: as in struct machine_match */
    uint64_t moving, waiting, deferred, parked, alive, freed, starts;
    uint64_t releases;                 /* messages on their way, of `moving` */
    struct machine_audit_rooms *rooms; /* per PE */
    uint64_t *of_function;             /* activations alive */
    uint64_t callers, calls_named;     /* calls that their callers should name, and do */
};

/* --- machine/verify/frames.c -------------------------------------------------------------------- */

/* Where frames stand, and whether each has its parent: before all else. */
void machine_audit_frames(struct machine_audit *f);

/* What is in them: when all tokens and deferred reads were found. */
void machine_audit_slots(struct machine_audit *f);

/* Whether `live` and the lists of free frames are right: when all was found. */
void machine_audit_lives(struct machine_audit *f);

/* The activation of a tag; NULL: there is none alive, which is broken. */
struct isa_activation *machine_audit_activation(struct machine_audit *f, isa_tag tag);

/* Whether an instruction fires under a tag. */
bool machine_audit_fires(const struct machine_audit *f, uint32_t instr,
                         const struct isa_activation *a);

/* --- machine/verify/memory.c -------------------------------------------------------------------- */

/* Whether structures are what they say, and where elements are: before references are counted. */
void machine_audit_structures(struct machine_audit *f);

/* What cells, elements and the result have, and the reads that wait for them. */
void machine_audit_memory(struct machine_audit *f);

/* Whether references are counted: when all were found. */
void machine_audit_references(struct machine_audit *f);

/* A value that is an operand of an instruction: counts it where it is a reference. */
bool machine_audit_operand(struct machine_audit *f, uint32_t instr, bool port,
                           isa_value value);

/* The same of a value of a type. */
bool machine_audit_value(struct machine_audit *f, enum isa_type type, isa_value value);

#endif
