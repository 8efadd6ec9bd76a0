/* Places of elements that the qualifiers of comprehensions choose. Loops go over an array, element
 * by element, and compute where the next element goes. They need nothing else, so that they run
 * while what goes there is computed. */
#ifndef PROGRAMS_GRAPH_PLACES_H
#define PROGRAMS_GRAPH_PLACES_H

#include "programs/graph/region.h"

/* Adds what lists the places of what is true in an array of bools: a loop; or, if `strand` is not 0
 * and there are more bools than that, a tree of calls with a loop for each strand. results[0]: an
 * array as long as the bools, of which the first results[1] elements are written, in ascending
 * order. */
void places_sift(struct region_place p, int64_t strand, struct region_value bools,
                 struct region_value results[2]);

/* Adds a loop that makes room for parts, by the array of their lengths. For each element of all
 * parts, one after the other, results[0] has the number of its part, results[1] its index there. */
void places_expand(struct region_place p, struct region_value lengths,
                   struct region_value results[2]);

#endif
