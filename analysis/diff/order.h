/* Compares the order in which PEs fire instructions in two runs. At a PE, the first difference is
 * the least k for which the k-th firings differ. If several PEs have a difference, the one with the
 * earliest cycle in the first run is found. Ignores firings of instructions that only one graph
 * has. */
#ifndef ANALYSIS_DIFF_ORDER_H
#define ANALYSIS_DIFF_ORDER_H

#include "analysis/diff/shifts.h"

struct analysis_orders {
    struct analysis_order found;
    LIB_VEC(struct analysis_order_pe) pes;
};

void analysis_orders_free(struct analysis_orders *orders);

/* Adds the next firing of run `side` (0 or 1). */
void analysis_orders_take(struct analysis_orders *orders, uint32_t side,
                          const struct analysis_fired *fired);

/* Sets orders->found, after the last firing of both runs. A firing without a counterpart in the
 * other run is a difference, too. */
void analysis_orders_end(struct analysis_orders *orders);

#endif
