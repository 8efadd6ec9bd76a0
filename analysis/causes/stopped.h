/* Why a run stopped: the tokens that cannot proceed, and what they lack. */
#ifndef ANALYSIS_CAUSES_STOPPED_H
#define ANALYSIS_CAUSES_STOPPED_H

#include "analysis/causes/causes.h"
#include "lib/text.h"

/* The place of a token that cannot proceed, or the resource that it lacks. */
enum analysis_stopped_where {
    ANALYSIS_STOPPED_QUEUE,            /* input queue of a PE */
    ANALYSIS_STOPPED_OUTPUT,           /* output port of a PE */
    ANALYSIS_STOPPED_INPUT,            /* input port of a PE */
    ANALYSIS_STOPPED_INJECTION,        /* queue before the injection of a PE */
    ANALYSIS_STOPPED_EJECTION,         /* queue before the ejection of a PE */
    ANALYSIS_STOPPED_BEHIND_INJECTION, /* buffer of a channel behind the injection of a PE */
    ANALYSIS_STOPPED_BEHIND_LINK, /* buffer behind a link between routers, with its number */
    ANALYSIS_STOPPED_HELD,        /* held back at a PE */
    ANALYSIS_STOPPED_TURN,        /* had its turn at a PE */
    ANALYSIS_STOPPED_IDENTIFIER, /* identifier of a tag; `number` is a function, or none */
    ANALYSIS_STOPPED_COPY,       /* room for the copy of a function */
    ANALYSIS_STOPPED_STORE,      /* room in the matching store of a PE */
    ANALYSIS_STOPPED_MEMORY,     /* room in the memory of a PE, or a tensor outside it */
    ANALYSIS_STOPPED_CALL,       /* the call or iteration around it */
};

/* A token that waits for the next step: `instr` under `tag` is at `where`, and lacks `lacks`. */
struct analysis_stopped_step {
    enum analysis_stopped_where where, lacks;
    uint32_t number, lacks_number;   /* PE, link or function; TRACES_NONE for none */
    uint32_t channel, lacks_channel; /* channel of a buffer, or TRACES_NONE */
    uint32_t instr;                  /* TRACES_NONE for an activation of `function` */
    uint32_t port, function;
    char *tag; /* text; owned */
};

struct analysis_stopped {
    LIB_VEC(struct analysis_stopped_step) steps;
    size_t cycle;     /* step for which the last one waits; SIZE_MAX for a chain */
    uint64_t blocked; /* tokens held back or without room */
};

const char *analysis_stopped_text(enum analysis_stopped_where where);

/* The resource that had no room or was exhausted. */
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
