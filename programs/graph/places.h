/* Places of elements that the qualifiers of comprehensions choose. Both functions run once over
 * an array, element by element, and compute where the next element goes. They need nothing else, so
 * that they run while what goes there is computed. */
#ifndef PROGRAMS_GRAPH_PLACES_H
#define PROGRAMS_GRAPH_PLACES_H

#include "programs/graph/region.h"

/* Adds a loop that lists the places of what is true in an array of bools. results[0]: an array as
 * long, of which the first results[1] elements are written, in ascending order. */
void places_sift(struct region_place p, struct region_value bools,
                 struct region_value results[2]);

/* Adds a loop that makes room for parts, by the array of their lengths. For each element of all
 * parts, one after the other, results[0] has the number of its part, results[1] its index there. A
 * negative length is none. */
void places_expand(struct region_place p, struct region_value lengths,
                   struct region_value results[2]);

#endif
