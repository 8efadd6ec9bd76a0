/* The order in which the PEs of two runs fire, and the first place where it is another. That of a
 * PE is where the k-th firing of one run is not the k-th of the other; the first one is that with
 * the least cycle in the first run. Firings of what only one image has are left out. */
#ifndef ANALYSIS_DIFF_ORDER_H
#define ANALYSIS_DIFF_ORDER_H

#include "analysis/diff/shifts.h"

struct analysis_orders {
    struct analysis_order found;
    LIB_VEC(struct analysis_order_pe) pes;
};

void analysis_orders_free(struct analysis_orders *orders);

/* Takes a firing of a run; those of a run in order, those of both in any. */
void analysis_orders_take(struct analysis_orders *orders, uint32_t side,
                          const struct analysis_fired *fired);

/* Both runs are over. */
void analysis_orders_end(struct analysis_orders *orders);

#endif
