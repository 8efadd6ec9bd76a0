/* Instructions that wait for the host of a run (doc/model.md, "Ports"). */
#ifndef ANALYSIS_STREAM_HOST_H
#define ANALYSIS_STREAM_HOST_H

#include "isa/op.h"

/* Whether it may wait for a host to feed or close a port: INDEX, MORE and LENGTH of an open
 * array. */
static inline bool analysis_waits_for_host(enum isa_op op)
{
    return op == ISA_OP_INDEX || op == ISA_OP_MORE || op == ISA_OP_LENGTH;
}

#endif
