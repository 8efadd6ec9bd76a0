/* The inside of the generator, for the modules that make it up: drawing, scopes, layout
 * (generate.c), expressions (generate_expr.c), loops and arrays (generate_loop.c). */
#ifndef TESTS_RANDOM_GENERATE_INTERNAL_H
#define TESTS_RANDOM_GENERATE_INTERNAL_H

#include "lib/arena.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "tests/random/generate.h"

#include <string.h>

enum kind { INT, REAL, BOOL, TUPLE, ARRAY };

enum { PARTS_MAX = 3 };

struct type {
    enum kind kind;
    const struct type *parts[PARTS_MAX]; /* TUPLE; ARRAY: one, of its elements */
    unsigned count;
    unsigned least; /* ARRAY: each of the type has so many elements */
};

/* How tightly operators bind, loosest first; what stands at a level has no operator that
 * binds less, except in parentheses. */
enum level { OR, AND, NOT, COMPARISON, SUM, PRODUCT, NEG, OPERAND };

/* What is asked for: an expression of a type, at a level. `followed`: an operator stands
 * behind it. An int is at most `limit` from 0, unless the program is wild. */
struct want {
    const struct type *type;
    int64_t limit;
    enum level level;
    bool followed;
};

#define ANY_INT INT64_MAX          /* also the least int */
#define NAMED_INT INT64_C(1000000) /* limit of what names stand for, and of results */

/* A name that stands for a value. */
struct name {
    const char *text;
    const struct type *type;
};

enum { PARAMS_MAX = 4 };

struct function {
    const char *name;
    const struct type *params[PARAMS_MAX], *result;
    unsigned param_count;
    int fuel; /* which parameter; -1: none, the function is not recursive */
    const char *fuel_name;
    unsigned fuel_most; /* that a caller may give */
    double cost;        /* calls that one call with so much makes, itself counted */
    double own;         /* ... bound of a body's calls of functions of earlier groups */
    unsigned again;     /* ... and its calls of functions of its own group */
};

struct generator {
    uint64_t state;
    struct lib_arena *arena;
    struct lib_text *out;
    LIB_VEC(struct name) scope; /* the innermost last */
    LIB_VEC(struct function) functions;
    size_t group;              /* the functions from here on are being written */
    const struct function *in; /* the function that is being written */
    unsigned again;            /* calls of its group that may still be written here */
    double budget;             /* calls that the present body may still make */
    unsigned wild;             /* one int operation in so many does not care; 0: none */
    unsigned layout;           /* one blank in so many is something else; 0: none */
    unsigned features;         /* GENERATE_... */
    unsigned times;            /* that what is being written is done, for each call */
    unsigned fresh;            /* names made so far that are in no pool */
    unsigned brackets;         /* one expression in so many has needless parentheses */
};

/* A number below `below`, which is not 0. */
unsigned draw(struct generator *g, unsigned below);

/* One of the numbers below `count`, each as often as its weight says. */
unsigned draw_weighted(struct generator *g, const unsigned char *weights, unsigned count);

void put(struct generator *g, const char *text);
void blank(struct generator *g); /* or what else may stand between words */

const struct type *scalar_type(enum kind kind);
const struct type *draw_type(struct generator *g, unsigned depth);
bool same_type(const struct type *a, const struct type *b);

/* Whether a built-in or a function can be called here: no name hides it. */
bool is_visible(const struct generator *g, const char *function);

void enter_scope(struct generator *g, const char *name, const struct type *type);

/* A name that is not among those that were entered from `from` on. */
const char *draw_name(struct generator *g, size_t from);

/* Writes an expression with about `size` operations. */
void expression(struct generator *g, struct want want, unsigned size);
void literal(struct generator *g, struct want want);

/* Writes a call of a function with this result. false: there is none, nothing is written. */
bool call(struct generator *g, struct want want, unsigned size);

/* Opens a parenthesis where operators of `level`, or one that reaches as far to the right
 * as it can, need one here; `want` is then that of the inside. Says whether it did. */
bool begin(struct generator *g, struct want *want, enum level level, bool reaches);
void finish(struct generator *g, bool begun);

/* Divides `size` among two; now and then one gets it all, so that trees grow deep. */
unsigned split(struct generator *g, unsigned size);

bool is_wild(struct generator *g);

/* What follows a value of up to NAMED_INT where less is wanted. */
void put_modulo(struct generator *g, int64_t limit);

/* --- loops and arrays ----------------------------------------------------------------- */

/* Arrays of such elements. */
const struct type *array_type(struct generator *g, const struct type *element);

/* Writes a loop, or what makes a value from an array. false: nothing is written. */
bool loop_or_array(struct generator *g, struct want want, unsigned size);
void array_expression(struct generator *g, struct want want, unsigned size);

/* A comprehension; if it is the value of `own`, its elements read earlier ones. */
void comprehension(struct generator *g, const struct type *type, const char *own,
                   unsigned size);

/* Writes a function of elements, or an array, and adds to `array` a comprehension that needs
 * it: they need each other. */
void put_recursive_array(struct generator *g, const struct type *type, const char *name,
                         const char *function, struct lib_text *array);
void put_mutual_arrays(struct generator *g, const struct type *type, const char *name,
                       const char *other, struct lib_text *array);

/* A want without conditions: what stands between brackets, commas and keywords. */
static inline struct want whole(const struct type *type, int64_t limit)
{
    return (struct want){type, limit, OR, false};
}

#endif
