/* Why a run stopped: what waits for what when nothing can go on any more. */
#ifndef ANALYSIS_CAUSES_STOPPED_H
#define ANALYSIS_CAUSES_STOPPED_H

#include "analysis/causes/causes.h"
#include "lib/text.h"

/* Where a token is that cannot go on, or what it lacks. */
enum analysis_stopped_where {
    ANALYSIS_STOPPED_QUEUE,     /* the input queue of a PE */
    ANALYSIS_STOPPED_OUTPUT,    /* the output port of a PE */
    ANALYSIS_STOPPED_INPUT,     /* its input port */
    ANALYSIS_STOPPED_INJECTION, /* before its injection into a network of routers, */
    ANALYSIS_STOPPED_EJECTION,  /* or before its ejection */
    ANALYSIS_STOPPED_BEHIND_INJECTION, /* in the buffer of a channel behind it, */
    ANALYSIS_STOPPED_BEHIND_LINK,      /* or behind a link between routers: that number */
    ANALYSIS_STOPPED_HELD,             /* held back at a PE */
    ANALYSIS_STOPPED_TURN,             /* it had its turn there */
    ANALYSIS_STOPPED_IDENTIFIER, /* the identifier of a tag: `number` is a function, or none */
    ANALYSIS_STOPPED_COPY,       /* room for the copy of a function */
    ANALYSIS_STOPPED_STORE,      /* room in the matching store of a PE */
    ANALYSIS_STOPPED_MEMORY, /* room in the memory of a PE, or a tensor that is out of it */
    ANALYSIS_STOPPED_CALL,   /* the call, or the iteration, that it is in */
};

/* One waits for the next: `instr` under `tag` (as text) is at `where`, and lacks `lacks`. */
struct analysis_stopped_step {
    enum analysis_stopped_where where, lacks;
    uint32_t number, lacks_number;   /* PEs; or a link, a function; TRACES_NONE */
    uint32_t channel, lacks_channel; /* of a buffer; else TRACES_NONE */
    uint32_t instr; /* TRACES_NONE: of an activation, that of `function` */
    uint32_t port, function;
    char *tag; /* owned */
};

struct analysis_stopped {
    LIB_VEC(struct analysis_stopped_step) steps;
    size_t cycle;     /* the last step waits for this one; SIZE_MAX: it is a chain */
    uint64_t blocked; /* tokens that are held back, or lack room */
};

const char *analysis_stopped_text(enum analysis_stopped_where where);

/* What had no room, or was exhausted. */
enum analysis_stopped_by {
    ANALYSIS_STOPPED_BY_QUEUES,
    ANALYSIS_STOPPED_BY_COPIES,
    ANALYSIS_STOPPED_BY_STORES,
    ANALYSIS_STOPPED_BY_MEMORIES,
    ANALYSIS_STOPPED_BY_IDENTIFIERS,
};

/* After a run from ANALYSIS_CAUSES_FROM_STATE. */
void analysis_stopped_find(const struct analysis_causes *causes,
                           enum analysis_stopped_by by, struct analysis_stopped *stopped);
void analysis_stopped_free(struct analysis_stopped *stopped);

#endif
