/* Order of numbers, for functions that qsort calls. */
#ifndef LIB_ORDER_H
#define LIB_ORDER_H

/* Less than, equal to or greater than 0, as `a` is to `b`. `LIB_ORDER(a, b) ?: LIB_ORDER(c, d)`
 * orders by the first pair, and where that is equal by the second. */
#define LIB_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

#endif
