/* Finds out why a run stopped: tokens that cannot proceed, and resources that they lack. */
#ifndef ANALYSIS_CAUSES_STOPPED_H
#define ANALYSIS_CAUSES_STOPPED_H

#include "analysis/causes/causes.h"
#include "lib/text.h"

/* Place of a token, or a resource that it waits for. */
enum analysis_stopped_where {
    ANALYSIS_STOPPED_QUEUE,            /* input queue of a PE */
    ANALYSIS_STOPPED_OUTPUT,           /* output port of a PE */
    ANALYSIS_STOPPED_INPUT,            /* input port of a PE */
    ANALYSIS_STOPPED_INJECTION,        /* queue before a PE's link into the network */
    ANALYSIS_STOPPED_EJECTION,         /* queue before the network's link to a PE */
    ANALYSIS_STOPPED_BEHIND_INJECTION, /* buffer after a PE's link into the network */
    ANALYSIS_STOPPED_BEHIND_LINK,      /* buffer after a link between routers */
    ANALYSIS_STOPPED_HELD,             /* token is held back at a PE */
    ANALYSIS_STOPPED_TURN,             /* token was processed by a PE */
    ANALYSIS_STOPPED_IDENTIFIER, /* tag identifier; `number` is a function or TRACES_NONE */
    ANALYSIS_STOPPED_COPY,       /* room for the copy of a function */
    ANALYSIS_STOPPED_STORE,      /* room in the matching store of a PE */
    ANALYSIS_STOPPED_MEMORY,     /* room in a memory, or a tensor moved out of it */
    ANALYSIS_STOPPED_CALL,       /* end of the call or iteration that contains it */
};

/* A token of node `instr` under `tag` that waits for the next step of the list: it is at `where`
 * and needs `lacks`. */
struct analysis_stopped_step {
    enum analysis_stopped_where where, lacks;
    uint32_t number,
        lacks_number; /* number of the PE, link or function, or TRACES_NONE */
    uint32_t channel, lacks_channel; /* channel of the buffer, or TRACES_NONE */
    uint32_t instr; /* TRACES_NONE: the step is an activation of `function` */
    uint32_t port, function;
    char *tag; /* the tag as text; owned */
};

struct analysis_stopped {
    LIB_VEC(struct analysis_stopped_step) steps;
    size_t cycle;     /* step for which the last one waits; SIZE_MAX: none */
    uint64_t blocked; /* number of tokens held back or without room */
};

const char *analysis_stopped_text(enum analysis_stopped_where where);

/* The kind of resource that was exhausted. */
enum analysis_stopped_by {
    ANALYSIS_STOPPED_BY_QUEUES,
    ANALYSIS_STOPPED_BY_COPIES,
    ANALYSIS_STOPPED_BY_STORES,
    ANALYSIS_STOPPED_BY_MEMORIES,
    ANALYSIS_STOPPED_BY_IDENTIFIERS,
};

/* Finds the steps, after analysis_causes_run with ANALYSIS_CAUSES_FROM_STATE. */
void analysis_stopped_find(const struct analysis_causes *causes,
                           enum analysis_stopped_by by, struct analysis_stopped *stopped);
void analysis_stopped_free(struct analysis_stopped *stopped);

#endif
