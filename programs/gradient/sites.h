/* Sites: where the elements of an array are read by index of the element that reads them.
 *
 * What reads an element elsewhere contributes an array that is zero but there. For n elements,
 * each of which reads others, that would be n arrays of n. But where element i of a TABULATE
 * reads an array at i - c, with a c that is the same for all, the element that an adjoint belongs
 * to is known beforehand. Such a FETCH is a site: its adjoint leaves the gradient of the element
 * as a result of its own, a number for each element, and element k of the array gets that of the
 * element that reads it, in the order of the sites in the text, the last one first. Elements of
 * elements are read so by nested TABULATEs: a[i - c][j - d].
 *
 * An array that elements read at sites alone has a way: a number that its parameter has in all
 * the routines through which it comes. So a mark of another time, in a copy of a form, means
 * nothing. */
#ifndef PROGRAMS_GRADIENT_SITES_H
#define PROGRAMS_GRADIENT_SITES_H

#include "programs/gradient/differentiate.h"

/* What is added to an index, beside a number: what is the same for all elements. */
struct form_term {
    enum { FORM_TERM_PARAM, FORM_TERM_INPUT, FORM_TERM_CELL } kind;
    bool is_minus;
    uint32_t index;
};

enum { FORM_TERMS_MAX = 4 };

/* How an index differs from the number of the element at a level of TABULATEs, the outermost
 * being 1. */
struct form_offset {
    uint32_t level; /* 0: it is no number of an element */
    int64_t literal;
    struct form_term terms[FORM_TERMS_MAX]; /* parameters are those of the outermost */
    uint32_t term_count;
};

struct form_site {
    uint32_t id;
    struct form_offset *at; /* per dimension of the array */
};

struct form_sites {
    struct form_site *items;
    uint32_t count, capacity;
};

/* Whether the elements that `routine` makes read its parameter at sites alone. If `way` is not 0,
 * it is made the way of the parameter, and the sites are marked; *sites gets them, in the order
 * of the text. */
bool form_find_sites(struct form_program *program, uint32_t routine, uint32_t param,
                     uint32_t way, struct form_sites *sites);

/* The adjoint of an element by what was read at sites. */
struct form_gather {
    const struct form_sites *sites;
    enum isa_type type;     /* of the array */
    const uint32_t *arrays; /* per site: the adjoints that left there */
    const uint32_t *given;  /* per parameter of the elements' routine: what it is here */
    bool is_own;            /* the elements are those of the array itself */
};

/* Adds to element `index` of `row`, which is that of an adjoint; `is_added` false: of the array
 * itself, whose elements only say what zeros are. */
uint32_t form_gather(struct form_place p, const struct form_gather *gather, bool is_added,
                     uint32_t row, uint32_t index);

/* All elements of `array`, without what else contributes to it. */
uint32_t form_gather_all(struct form_place p, const struct form_gather *gather,
                         uint32_t array);

/* A routine like another one, with a form of its own. */
uint32_t form_own_copy(struct form_program *program, uint32_t routine);

/* A zero that leaves at a site. */
uint32_t form_site_zero(struct form_place p, enum isa_type type);

#endif
