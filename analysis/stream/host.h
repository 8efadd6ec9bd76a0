/* Instructions that can wait for the host, the program that feeds the ports of a run (doc/model.md,
 * "Ports"). */
#ifndef ANALYSIS_STREAM_HOST_H
#define ANALYSIS_STREAM_HOST_H

#include "isa/op.h"

/* Whether an instruction waits for the array of an input port until the host feeds or closes the
 * port: INDEX, MORE and LENGTH. */
static inline bool analysis_waits_for_host(enum isa_op op)
{
    return op == ISA_OP_INDEX || op == ISA_OP_MORE || op == ISA_OP_LENGTH;
}

#endif
