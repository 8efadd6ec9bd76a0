/* Shared by the generator's files: drawing, scopes, layout (generate.c), expressions
 * (generate_expr.c), loops and arrays (generate_loop.c), types of data (generate_data.c), `case`
 * and functions of data (generate_case.c). */
#ifndef TESTS_RANDOM_GENERATE_INTERNAL_H
#define TESTS_RANDOM_GENERATE_INTERNAL_H

#include "lib/arena.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "tests/random/generate.h"

#include <string.h>

enum kind { INT, REAL, BOOL, TUPLE, ARRAY, DATA, VARIABLE };

enum { PARTS_MAX = 3, FIELDS_MAX = 4, CONSTRUCTORS_MAX = 4, DATATYPES_MAX = 6 };

struct datatype;

struct type {
    enum kind kind;
    /* Types of the parts of a tuple, or of the elements of an array, or arguments of data. */
    const struct type *parts[PARTS_MAX];
    unsigned count;
    unsigned least;              /* min length of an array */
    const struct datatype *data; /* of DATA */
    /* Of DATA of a type that contains itself: so many constructors at most are above one that
     * does not. Below 0: there is no such value. */
    int height;
    unsigned index; /* of a VARIABLE, which is a parameter of a type of data */
};

struct field {
    const char *name; /* NULL: none */
    const struct type *type;
};

struct constructor {
    const char *name;
    struct field fields[FIELDS_MAX];
    unsigned count;
    bool is_recursive; /* a field is of its own type, or of one that contains it */
    bool determines;   /* its fields say what the parameters of the type are */
};

struct datatype {
    const char *name;
    unsigned params;
    struct constructor constructors[CONSTRUCTORS_MAX];
    unsigned count;
    unsigned group;   /* types of one group may contain each other */
    int height;       /* of values */
    unsigned nodes;   /* at most, of a value of that height */
    bool is_listed;   /* the program writes it */
    bool is_record;   /* one constructor, and the type does not contain itself */
    bool is_compared; /* with arguments that can be, it can be compared */
};

/* Binding levels of operators, loosest first. Outside parentheses, an expression of a level has no
 * looser operator. */
enum level { OR, AND, NOT, COMPARISON, SUM, PRODUCT, NEG, POWER, OPERAND };

/* An expression to be written. `followed`: an operator comes after it. An int is at most `limit`
 * from 0, unless the program is wild. */
struct want {
    const struct type *type;
    int64_t limit;
    enum level level;
    bool followed;
    bool barred;     /* a `|` comes after it, which a `case` would take */
    bool determined; /* what is around it says what its type is */
};

#define ANY_INT INT64_MAX          /* no limit: includes INT64_MIN */
#define NAMED_INT INT64_C(1000000) /* max absolute value of named ints and of results */

struct name {
    const char *text;
    const struct type *type;
};

enum { PARAMS_MAX = 4 };

struct function {
    const char *name;
    const struct type *params[PARAMS_MAX], *result;
    unsigned param_count;
    int fuel; /* index of the fuel parameter; -1: not recursive */
    const char *fuel_name;
    unsigned fuel_most; /* max fuel (recursion counter) that a caller may pass */
    double cost;        /* max calls, itself included, that a call with max fuel makes */
    double own;         /* max calls of earlier functions in its body */
    unsigned again;     /* number of recursive calls in its body */
};

struct generator {
    uint64_t state;
    struct lib_arena *arena;
    struct lib_text *out;
    LIB_VEC(struct name) scope; /* names in scope, innermost last */
    LIB_VEC(struct function) functions;
    /* Index of the first of the functions written together. */
    size_t group;
    const struct function *in; /* function being written */
    unsigned again;            /* recursive calls that may still be written */
    double budget;             /* calls that the current body may still make */
    unsigned wild;             /* one int operation in `wild` may overflow; 0: none */
    unsigned layout;           /* one blank in `layout` is other white space; 0: none */
    unsigned features;         /* GENERATE_ flags */
    /* How often one call of the function executes the code being written. */
    unsigned times;
    unsigned fresh; /* new names made so far */
    struct datatype *datatypes[DATATYPES_MAX];
    unsigned datatype_count;
    unsigned brackets; /* one expression in `brackets` has needless parentheses */
};

/* Returns a random number below `below`, which must not be 0. */
unsigned draw(struct generator *g, unsigned below);

/* Returns a random index below `count`, with these weights. */
unsigned draw_weighted(struct generator *g, const unsigned char *weights, unsigned count);

void put(struct generator *g, const char *text);
void blank(struct generator *g); /* writes white space or a comment */

const struct type *scalar_type(enum kind kind);
const struct type *draw_type(struct generator *g, unsigned depth);

/* Whether a value of type `have` may stand where one of `want` is asked for: they are the same, or
 * its data is not as deep. */
bool same_type(const struct type *have, const struct type *want);

/* Whether a function can be called here, as no other name hides it. */
bool is_visible(const struct generator *g, const char *function);

void enter_scope(struct generator *g, const char *name, const struct type *type);

/* Returns a name that was not entered into scope from index `from` on. */
const char *draw_name(struct generator *g, size_t from);

void expression(struct generator *g, struct want want, unsigned size);
void literal(struct generator *g, struct want want);

/* Writes a call of a function whose result is wanted. Returns false, having written nothing, if
 * there is none. */
bool call(struct generator *g, struct want want, unsigned size);

/* Writes `(` if an operator of `level`, or an expression that extends as far right as possible
 * (`reaches`), needs one, or now and then; then sets *want for the inside. Returns whether it
 * did. */
bool begin(struct generator *g, struct want *want, enum level level, bool reaches);
void finish(struct generator *g, bool begun);

/* Divides `size` between two operands; sometimes one gets it all, so that trees grow deep. */
unsigned split(struct generator *g, unsigned size);

bool is_wild(struct generator *g);

/* Writes `% N`, which reduces an int of up to NAMED_INT to `limit`. */
void put_modulo(struct generator *g, int64_t limit);

/* --- loops and arrays ----------------------------------------------------------------- */

const struct type *array_type(struct generator *g, const struct type *element);

/* Writes a loop, or an expression that makes a value from an array. Returns false if nothing was
 * written. */
bool loop_or_array(struct generator *g, struct want want, unsigned size);
void array_expression(struct generator *g, struct want want, unsigned size);

/* Writes a comprehension. `own`, unless NULL: the array whose earlier elements it reads. */
void comprehension(struct generator *g, const struct type *type, const char *own,
                   unsigned size);

/* Write a function, or an array, and add to `array` a comprehension: each needs the other. */
void put_recursive_array(struct generator *g, const struct type *type, const char *name,
                         const char *function, struct lib_text *array);
void put_mutual_arrays(struct generator *g, const struct type *type, const char *name,
                       const char *other, struct lib_text *array);

/* --- data ------------------------------------------------------------------------------- */

struct items;

/* Draws the types of data of a program, and writes those that it does not find predefined. */
void draw_datatypes(struct generator *g, struct items *items);

const struct type *draw_data_type(struct generator *g, unsigned depth);

/* Returns a type with data as deep as it may be. */
const struct type *deepest(struct generator *g, const struct type *type);

/* Returns the type of a field in data of type `data`. */
const struct type *field_type(struct generator *g, const struct type *data,
                              const struct field *field);

bool is_comparable(const struct type *type);
bool has_recursive_data(const struct type *type);

/* Whether the only value of an array's type is [], as there is no value of its elements. */
bool is_barren(const struct type *type);

void data_literal(struct generator *g, struct want want);
void data_expression(struct generator *g, struct want want, unsigned size);

/* Writes a `case`, a field of data, or a comparison of data. Returns false if nothing was
 * written. */
bool data_use(struct generator *g, struct want want, unsigned size);

/* Writes a pattern that fits every value of a type, and enters its names into scope, each of which
 * was not entered from index `from` on. */
void put_pattern(struct generator *g, const struct type *type, size_t from);
bool has_pattern(const struct type *type);

/* Writes an equation PATTERN = E, whose value does not see the names of the pattern, and enters
 * these into scope. */
void put_equation(struct generator *g, const struct type *type, size_t from,
                  unsigned size);

/* Writes functions that make data, follow it or rebuild it, and data that contains itself. */
void add_data_function(struct generator *g, struct items *items);
void add_ring(struct generator *g, struct items *items);

char *taken(struct generator *g);
void add_item(struct items *items, char *text);

/* Writes a constant that calls function `f`. */
char *sample(struct generator *g, const struct function *f);

/* Returns a request for an expression that is at the right end of another one, which has begun. */
static inline struct want rest_of(struct want want)
{
    return (struct want){want.type, want.limit, OR, false, want.barred, want.determined};
}

/* Returns a request for an expression between brackets, commas or keywords. */
static inline struct want whole(const struct type *type, int64_t limit)
{
    return (struct want){.type = type, .limit = limit};
}

#endif
