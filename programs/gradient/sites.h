/* Sites: array reads whose position relative to the reading element is known in advance.
 *
 * In general, reading an element contributes an array that is zero except at that element; n
 * elements that read others would contribute n arrays of n. But if element i of a TABULATE reads an
 * array at i - c, with the same c for all i, it is known in advance to which element an adjoint
 * belongs. Such a FETCH is a site: its adjoint leaves the gradient of the element as a result of
 * its own, one value per element, and element k of the array gets the adjoint of the element that
 * reads it. Sites are added in source order, the last one first. Nested TABULATEs read elements of
 * elements so: a[i - c][j - d].
 *
 * An array that elements read only at sites has a way: an id that its parameter gets in all
 * routines through which it passes. Ids are never used again, so those that an earlier search has
 * left in a copy of a form have no effect. */
#ifndef PROGRAMS_GRADIENT_SITES_H
#define PROGRAMS_GRADIENT_SITES_H

#include "programs/gradient/differentiate.h"

/* A term of an index that is the same for all elements: a parameter, an input or a constant. */
struct form_term {
    enum { FORM_TERM_PARAM, FORM_TERM_INPUT, FORM_TERM_CELL } kind;
    bool is_minus;
    uint32_t index;
};

enum { FORM_TERMS_MAX = 4 };

/* One index of an array read: the index of the reading element, at one level of nested arrays
 * (1: the outermost), plus `literal` and `terms`, which are the same for all elements. */
struct form_offset {
    uint32_t level; /* level of the element whose index is a part of this one; 0: none */
    int64_t literal;
    /* Terms to add; parameters are the parameters of the outermost routine. */
    struct form_term terms[FORM_TERMS_MAX];
    uint32_t term_count;
};

struct form_site {
    uint32_t id;
    struct form_offset *at; /* for each dimension of the array: the offset */
};

struct form_sites {
    struct form_site *items;
    uint32_t count, capacity;
};

/* Whether the elements that `routine` makes read the array in parameter `param` only at sites
 * (fixed offsets). If `way` is not 0, makes it the parameter's way, gives the array reads their
 * ids as sites, and adds the sites to *sites in source order. */
bool form_find_sites(struct form_program *program, uint32_t routine, uint32_t param,
                     uint32_t way, struct form_sites *sites);

/* Adjoints of array elements that were read at sites, to be summed for each element. */
struct form_gather {
    const struct form_sites *sites;
    enum isa_type type; /* type of the array that was read */
    /* For each site: array of the adjoints of the reading elements. */
    const uint32_t *arrays;
    /* Values of the parameters of the routine that makes the elements. */
    const uint32_t *given;
    /* The array is read by its own elements: the adjoints from outside are added. */
    bool is_own;
};

/* Returns the adjoint of element `index` of an array: the sum of its adjoints at all sites (array
 * reads). `row` is an array of adjoints from outside, whose element `index` is added to the sum, if
 * gather->is_own; else it is the array that was read, from which zeros have their type and
 * shape. */
uint32_t form_gather(struct form_place p, const struct form_gather *gather, uint32_t row,
                     uint32_t index);

/* Returns an array of the adjoints of all elements of `array` at all sites. */
uint32_t form_gather_all(struct form_place p, const struct form_gather *gather,
                         uint32_t array);

/* Makes a copy of a routine and of its form. */
uint32_t form_own_copy(struct form_program *program, uint32_t routine);

/* Adds the zero that is the adjoint, of type `type`, of an element that is not read at a site: 0.0,
 * a tensor of rank 0, or an empty array. */
uint32_t form_site_zero(struct form_place p, enum isa_type type);

#endif
