/* Instructions that wait for the host of a run (doc/model.md, "Ports"). */
#ifndef ANALYSIS_STREAM_HOST_H
#define ANALYSIS_STREAM_HOST_H

#include "isa/op.h"

/* Returns true for INDEX, MORE and LENGTH. With an open array they can wait until a host feeds or
 * closes the port. */
static inline bool analysis_waits_for_host(enum isa_op op)
{
    return op == ISA_OP_INDEX || op == ISA_OP_MORE || op == ISA_OP_LENGTH;
}

#endif
