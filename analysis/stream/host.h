/* Instructions that can wait for the host of a run, the program that feeds its ports (doc/model.md,
 * "Ports"). */
#ifndef ANALYSIS_STREAM_HOST_H
#define ANALYSIS_STREAM_HOST_H

#include "isa/op.h"

/* Returns true for INDEX, MORE and LENGTH. At the array of an input port they wait until the host
 * feeds or closes the port. */
static inline bool analysis_waits_for_host(enum isa_op op)
{
    return op == ISA_OP_INDEX || op == ISA_OP_MORE || op == ISA_OP_LENGTH;
}

#endif
