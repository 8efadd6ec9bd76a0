/* The order in which the PEs of two runs fire, and the first difference. The first difference of a
 * PE is the least k with different k-th firings; of all PEs, the one with the least cycle in the
 * first run counts. Firings of instructions that only one image has are left out. */
#ifndef ANALYSIS_DIFF_ORDER_H
#define ANALYSIS_DIFF_ORDER_H

#include "analysis/diff/shifts.h"

struct analysis_orders {
    struct analysis_order found;
    LIB_VEC(struct analysis_order_pe) pes;
};

void analysis_orders_free(struct analysis_orders *orders);

/* Takes a firing of a run. The firings of one run must come in order. */
void analysis_orders_take(struct analysis_orders *orders, uint32_t side,
                          const struct analysis_fired *fired);

/* Finds the first difference, after both runs. */
void analysis_orders_end(struct analysis_orders *orders);

#endif
