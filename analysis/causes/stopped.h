/* Finds why a run stopped: tokens that cannot proceed, and the resources that they need. */
#ifndef ANALYSIS_CAUSES_STOPPED_H
#define ANALYSIS_CAUSES_STOPPED_H

#include "analysis/causes/causes.h"
#include "lib/text.h"

/* Where a token is, or which resource it waits for. */
enum analysis_stopped_where {
    ANALYSIS_STOPPED_QUEUE,     /* input queue of a PE */
    ANALYSIS_STOPPED_OUTPUT,    /* output port of a PE */
    ANALYSIS_STOPPED_INPUT,     /* input port of a PE */
    ANALYSIS_STOPPED_INJECTION, /* queue before the link from a PE into the network */
    ANALYSIS_STOPPED_EJECTION,  /* queue before the link from the network to a PE */
    ANALYSIS_STOPPED_BEHIND_INJECTION, /* buffer after the link from a PE into the network */
    ANALYSIS_STOPPED_BEHIND_LINK,      /* buffer after a link between routers */
    ANALYSIS_STOPPED_HELD,             /* a PE holds the token back */
    /* the PE has taken the token; no other was taken after it */
    ANALYSIS_STOPPED_TURN,
    ANALYSIS_STOPPED_IDENTIFIER, /* tag identifier */
    ANALYSIS_STOPPED_COPY,       /* room to copy a function */
    ANALYSIS_STOPPED_STORE,      /* room in the matching store of a PE */
    /* room for a tensor in a memory, or a tensor that was moved out of a memory */
    ANALYSIS_STOPPED_MEMORY,
    /* end of the call or iteration to which the token belongs */
    ANALYSIS_STOPPED_CALL,
};

/* A token or an activation that cannot proceed. It is at `where` and waits for the resource
 * `lacks`, which the next step of the list occupies. */
struct analysis_stopped_step {
    enum analysis_stopped_where where, lacks;
    /* index of the PE, link or function of `where`, and of `lacks`; TRACES_NONE: none */
    uint32_t number, lacks_number;
    /* network channel, if `where` or `lacks` is a buffer; else TRACES_NONE */
    uint32_t channel, lacks_channel;
    uint32_t instr; /* instruction to which the token goes; TRACES_NONE: an activation */
    uint32_t port, function;
    char *tag; /* the tag as text; owned */
};

struct analysis_stopped {
    LIB_VEC(struct analysis_stopped_step) steps;
    /* index of the step for which the last step waits; SIZE_MAX: no cycle */
    size_t cycle;
    uint64_t blocked; /* number of tokens that are held back or queued */
};

const char *analysis_stopped_text(enum analysis_stopped_where where);

/* Kind of the exhausted resource. */
enum analysis_stopped_by {
    ANALYSIS_STOPPED_BY_QUEUES,
    ANALYSIS_STOPPED_BY_COPIES,
    ANALYSIS_STOPPED_BY_STORES,
    ANALYSIS_STOPPED_BY_MEMORIES,
    ANALYSIS_STOPPED_BY_IDENTIFIERS,
};

/* Lists the tokens that cannot proceed and the resources for which they wait. Call this after
 * analysis_causes_run with ANALYSIS_CAUSES_FROM_STATE. */
void analysis_stopped_find(const struct analysis_causes *causes,
                           enum analysis_stopped_by by, struct analysis_stopped *stopped);
void analysis_stopped_free(struct analysis_stopped *stopped);

#endif
