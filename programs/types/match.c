/* A `case` becomes a tree of decisions by a matrix of patterns (L. Maranget, Compiling pattern
 * matching to good decision trees, ML 2008): a row for each arm, a column for each value that is
 * looked at. The first row says which column is tested: that of its first constructor or literal.
 * The body of an arm is in the tree once for each way to it, as the same expression. */
#include "programs/types/match.h"

#include "lib/memory.h"
#include "programs/types/datatype.h"

#include <inttypes.h>

/* Max number of leaves of the tree of one `case`. */
enum { LEAVES_MAX = 4096 };

/* A value that is looked at: the value of the `case`, or a part of one. */
struct value {
    struct programs_equation *equation; /* of the `let` that names it */
    struct programs_type *type;
    struct value
        *whole; /* of which it is a field or part; NULL: the value of the `case` */
    /* What is known of it where the tree is being made, for examples. */
    const struct programs_constructor *constructor;
    bool is_tuple;
    const struct programs_expr *literal;
    struct value *parts;
    size_t part_count;
};

struct name {
    struct programs_binding *binding;
    struct value *value;
    const struct name *next;
};

struct row {
    struct programs_pattern **patterns; /* for each column; NULL: any value */
    const struct name *names;           /* names bound so far */
    struct programs_arm *arm;
};

struct matrix {
    struct value **values; /* for each column */
    size_t columns;
    struct row *rows;
    size_t row_count;
};

struct matcher {
    struct programs_ast *ast;
    struct lib_diags *diags;
    struct lib_arena *arena; /* of the expressions */
    struct lib_arena *scratch;
    struct programs_type *of_int, *of_bool;
    const struct programs_expr *at; /* the `case` */
    struct value *value;            /* its value */
    unsigned leaves;
    bool is_reported; /* for this `case` */
};

/* --- expressions ---------------------------------------------------------------------------- */

static struct programs_expr *new_expr(struct matcher *m, enum programs_expr_kind kind,
                                      struct programs_type *type, size_t operands)
{
    struct programs_expr *e = programs_ast_new_expr(m->arena, kind, m->at->pos);
    e->start = m->at->start;
    e->type = type;
    programs_ast_make_operands(m->arena, e, operands);
    return e;
}

static struct programs_expr *name_binding(struct matcher *m,
                                          struct programs_binding *binding)
{
    struct programs_expr *e = new_expr(m, PROGRAMS_EXPR_NAME, binding->type, 0);
    e->name.text = binding->name;
    e->name.binding = binding;
    return e;
}

/* Returns an equation of a `let` with one hidden name, which is not used yet. */
static struct programs_equation *new_equation(struct matcher *m,
                                              struct programs_type *type)
{
    struct programs_equation *q = LIB_ARENA_NEW(m->arena, struct programs_equation);
    struct programs_binding *b = LIB_ARENA_NEW(m->arena, struct programs_binding);
    b->kind = PROGRAMS_BIND_LET;
    b->name = "case";
    b->pos = m->at->pos;
    b->type = type;
    b->equation = q;
    q->names = LIB_ARENA_NEW(m->arena, struct programs_binding *);
    q->names[0] = b;
    q->name_count = 1;
    return q;
}

static void use_value(struct value *value)
{
    for (; value && !value->equation->used; value = value->whole)
        value->equation->used = value->equation->names[0]->used = true;
}

static struct programs_expr *name_value(struct matcher *m, struct value *value)
{
    return name_binding(m, value->equation->names[0]);
}

static struct programs_expr *new_let(struct matcher *m,
                                     struct programs_equation *const *equations,
                                     size_t count, struct programs_expr *body)
{
    if (count == 0)
        return body;
    struct programs_expr *let = new_expr(m, PROGRAMS_EXPR_LET, body->type, 0);
    let->let->equations = LIB_ARENA_ARRAY(m->arena, struct programs_equation *, count);
    for (size_t i = 0; i < count; i++)
        let->let->equations[i] = equations[i];
    let->let->count = count;
    let->let->body = body;
    return let;
}

static struct programs_expr *new_if(struct matcher *m, struct programs_expr *condition,
                                    struct programs_expr *yes, struct programs_expr *no)
{
    struct programs_expr *e = new_expr(m, PROGRAMS_EXPR_IF, yes->type, 3);
    e->operands[0] = condition;
    e->operands[1] = yes;
    e->operands[2] = no;
    return e;
}

static struct programs_expr *compare(struct matcher *m, enum programs_operator op,
                                     struct programs_expr *a, struct programs_expr *b)
{
    struct programs_expr *e = new_expr(m, PROGRAMS_EXPR_BINARY, m->of_bool, 2);
    e->op = op;
    e->operands[0] = a;
    e->operands[1] = b;
    return e;
}

static struct programs_expr *new_int(struct matcher *m, int64_t i)
{
    struct programs_expr *e = new_expr(m, PROGRAMS_EXPR_INT, m->of_int, 0);
    e->integer = i;
    return e;
}

/* --- examples of values that have no arm ---------------------------------------------------- */

static void write_example(const struct value *value, struct lib_text *out)
{
    if (value->literal && value->literal->kind == PROGRAMS_EXPR_BOOL)
        lib_text_puts(out, value->literal->boolean ? "true" : "false");
    else if (value->literal)
        lib_text_printf(out, "%" PRId64, value->literal->integer);
    else if (value->constructor)
        lib_text_puts(out, value->constructor->name);
    else if (!value->is_tuple)
        lib_text_puts(out, "_");
    const size_t count = value->constructor ? value->constructor->field_count
                                            : value->part_count;
    for (size_t i = 0; i < count; i++) {
        lib_text_puts(out, i ? ", " : "(");
        if (value->parts)
            write_example(&value->parts[i], out);
        else
            lib_text_puts(out, "_");
    }
    lib_text_puts(out, count ? ")" : "");
}

static bool has_guards(const struct programs_expr *at)
{
    for (size_t i = 0; i < at->match->arm_count; i++)
        if (at->match->arms[i].guard)
            return true;
    return false;
}

static void report_missing(struct matcher *m)
{
    LIB_TEXT_OWN example = {0};
    if (m->is_reported)
        return;
    m->is_reported = true;
    write_example(m->value, &example);
    lib_diag_error(m->diags, LIB_DIAG_TYPE, m->ast->source, m->at->pos,
                   "this `case` has no arm for `%s`%s", lib_text_get(&example),
                   has_guards(m->at)
                       ? "; an arm with a guard does not count, as no guard "
                         "may hold"
                       : "");
}

/* --- the matrix ----------------------------------------------------------------------------- */

static struct programs_expr *decide(struct matcher *m, const struct matrix *matrix);

/* Returns any expression of the right type, after an error. */
static struct programs_expr *no_expr(struct matcher *m)
{
    return m->at->match->arms[0].body;
}

static struct programs_expr *make_leaf(struct matcher *m, const struct matrix *matrix)
{
    const struct row *row = &matrix->rows[0];
    LIB_VEC(struct programs_equation *) equations = {0};
    row->arm->is_reached = true;
    if (++m->leaves > LEAVES_MAX) {
        if (!m->is_reported)
            lib_diag_error(m->diags, LIB_DIAG_LIMIT, m->ast->source, m->at->pos,
                           "the arms of this `case` overlap in more than %d ways",
                           LEAVES_MAX);
        m->is_reported = true;
        return no_expr(m);
    }
    for (const struct name *name = row->names; name; name = name->next) {
        struct programs_equation *q = LIB_ARENA_NEW(m->arena, struct programs_equation);
        name->binding->kind = PROGRAMS_BIND_LET;
        name->binding->equation = q;
        name->binding->index = 0;
        q->names = LIB_ARENA_NEW(m->arena, struct programs_binding *);
        q->names[0] = name->binding;
        q->name_count = 1;
        q->value = name_value(m, name->value);
        q->used = name->binding->used;
        if (q->used)
            use_value(name->value);
        *LIB_VEC_PUSH(&equations) = q;
    }
    struct programs_expr *body = row->arm->body;
    if (row->arm->guard) {
        struct matrix rest = *matrix;
        rest.rows++;
        rest.row_count--;
        body = new_if(m, row->arm->guard, body, decide(m, &rest));
    }
    body = new_let(m, equations.items, equations.count, body);
    LIB_VEC_FREE(&equations);
    return body;
}

/* Returns the type of part `i` of a tuple, or of field `i` of data of constructor `c`. */
static struct programs_type *type_of_part(struct programs_type *whole,
                                          const struct programs_constructor *c, size_t i)
{
    return programs_type_find(c ? programs_type_of_field(whole, &c->fields[i])
                                : programs_type_find(whole)->parts[i]);
}

/* Makes the parts of a value: equations of a `let` each, or one that takes a tuple or data that is
 * not boxed apart. Adds them to a list. */
static struct value *take_apart(struct matcher *m, struct value *whole,
                                const struct programs_constructor *c, size_t count,
                                struct programs_equation **equations)
{
    struct value *parts = LIB_ARENA_ARRAY(m->scratch, struct value, count);
    for (size_t i = 0; i < count; i++) {
        parts[i].type = type_of_part(whole->type, c, i);
        parts[i].whole = whole;
        parts[i].equation = equations[i] = new_equation(m, parts[i].type);
        struct programs_expr *field = new_expr(m, PROGRAMS_EXPR_FIELD, parts[i].type, 1);
        field->selection = LIB_ARENA_NEW(m->arena, struct programs_selection);
        field->selection->field = c ? &c->fields[i] : NULL;
        field->selection->part = (uint32_t)i;
        field->operands[0] = name_value(m, whole);
        equations[i]->value = field;
    }
    return parts;
}

/* Returns the matrix for values whose column `at` has these parts: of the rows whose pattern there
 * is of constructor `c` (NULL: any), or of all values. */
static struct matrix expand(struct matcher *m, const struct matrix *matrix, size_t at,
                            const struct programs_constructor *c, struct value *parts,
                            size_t count)
{
    struct matrix made = {.columns = matrix->columns - 1 + count};
    made.values = LIB_ARENA_ARRAY(m->scratch, struct value *, made.columns);
    made.rows = LIB_ARENA_ARRAY(m->scratch, struct row, matrix->row_count);
    for (size_t i = 0; i < count; i++)
        made.values[i] = &parts[i];
    for (size_t i = 0, to = count; i < matrix->columns; i++)
        if (i != at)
            made.values[to++] = matrix->values[i];
    for (size_t r = 0; r < matrix->row_count; r++) {
        const struct row *row = &matrix->rows[r];
        struct programs_pattern *pattern = row->patterns[at];
        if (pattern && pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR &&
            pattern->constructor != c)
            continue;
        struct row *to = &made.rows[made.row_count++];
        *to = *row;
        to->patterns = LIB_ARENA_ARRAY(m->scratch, struct programs_pattern *,
                                       made.columns);
        for (size_t i = 0; i < count && pattern; i++)
            to->patterns[i] = pattern->parts[i];
        for (size_t i = 0, k = count; i < matrix->columns; i++)
            if (i != at)
                to->patterns[k++] = row->patterns[i];
    }
    return made;
}

/* Returns the rows whose pattern in column `at` allows any value. */
static struct matrix rest_of(struct matcher *m, const struct matrix *matrix, size_t at)
{
    struct matrix made = *matrix;
    made.rows = LIB_ARENA_ARRAY(m->scratch, struct row, matrix->row_count);
    made.row_count = 0;
    for (size_t r = 0; r < matrix->row_count; r++)
        if (!matrix->rows[r].patterns[at])
            made.rows[made.row_count++] = matrix->rows[r];
    return made;
}

/* --- constructors --------------------------------------------------------------------------- */

/* Alternatives of a test: of each constructor of a type, and of those that no row names. */
struct alternatives {
    const struct programs_datatype *datatype;
    struct programs_equation *number;
    bool *is_named;                /* for each constructor */
    struct programs_expr **chosen; /* for each constructor that is named */
    struct programs_expr *others;  /* NULL: all are named */
};

static struct programs_expr *choice_of(const struct alternatives *a, uint32_t number)
{
    return a->is_named[number] ? a->chosen[number] : a->others;
}

/* Chooses by halves among constructors `first` to `end` - 1. */
static struct programs_expr *choose_by_halves(struct matcher *m,
                                              const struct alternatives *a,
                                              uint32_t first, uint32_t end)
{
    uint32_t same = first + 1;
    while (same < end && choice_of(a, same) == choice_of(a, first))
        same++;
    if (same == end)
        return choice_of(a, first);
    uint32_t middle = first + (end - first) / 2;
    /* does not part constructors that have one choice */
    while (middle > first + 1 && choice_of(a, middle - 1) == choice_of(a, middle))
        middle--;
    if (choice_of(a, middle - 1) == choice_of(a, middle))
        middle = same;
    struct programs_expr *number = name_binding(m, a->number->names[0]);
    return new_if(m,
                  middle == first + 1 && first == 0
                      ? compare(m, PROGRAMS_EQ, number, new_int(m, 0))
                      : compare(m, PROGRAMS_LT, number, new_int(m, middle)),
                  choose_by_halves(m, a, first, middle),
                  choose_by_halves(m, a, middle, end));
}

/* Chooses in a chain, so that what belongs to no constructor is in the tree once. */
static struct programs_expr *choose_in_chain(struct matcher *m,
                                             const struct alternatives *a)
{
    struct programs_expr *chain = a->others;
    for (uint32_t i = a->datatype->constructor_count; i-- > 0;)
        if (a->is_named[i])
            chain = new_if(m,
                           compare(m, PROGRAMS_EQ, name_binding(m, a->number->names[0]),
                                   new_int(m, i)),
                           a->chosen[i], chain);
    return chain;
}

/* Returns how many ranges of constructors no row names. */
static unsigned count_gaps(const struct alternatives *a)
{
    unsigned gaps = 0;
    for (uint32_t i = 0; i < a->datatype->constructor_count; i++)
        gaps += !a->is_named[i] && (i == 0 || a->is_named[i - 1]);
    return gaps;
}

static struct programs_expr *decide_constructor(struct matcher *m, struct value *value,
                                                const struct matrix *matrix, size_t at,
                                                const struct programs_constructor *c)
{
    const uint32_t count = c->field_count;
    struct programs_equation **equations = LIB_ARENA_ARRAY(
        m->scratch, struct programs_equation *, count);
    value->constructor = c;
    value->parts = take_apart(m, value, c, count, equations);
    const struct matrix part = expand(m, matrix, at, c, value->parts, count);
    struct programs_expr *e = decide(m, &part);
    value->constructor = NULL;
    value->parts = NULL;
    return new_let(m, equations, count, e);
}

static struct programs_expr *test_constructor(struct matcher *m,
                                              const struct matrix *matrix, size_t at)
{
    struct value *value = matrix->values[at];
    const struct programs_datatype *d = programs_type_find(value->type)->datatype;
    struct alternatives a = {.datatype = d};
    const struct programs_constructor *absent = NULL;
    if (!d->is_boxed || d->constructor_count == 1) {
        use_value(value);
        return decide_constructor(m, value, matrix, at, &d->constructors[0]);
    }
    a.is_named = LIB_ARENA_ARRAY(m->scratch, bool, d->constructor_count);
    a.chosen = LIB_ARENA_ARRAY(m->scratch, struct programs_expr *, d->constructor_count);
    a.number = new_equation(m, m->of_int);
    a.number->used = a.number->names[0]->used = true;
    a.number->value = new_expr(m, PROGRAMS_EXPR_NUMBER, m->of_int, 1);
    a.number->value->operands[0] = name_value(m, value);
    use_value(value);
    for (size_t r = 0; r < matrix->row_count; r++)
        if (matrix->rows[r].patterns[at])
            a.is_named[matrix->rows[r].patterns[at]->constructor->number] = true;
    for (uint32_t i = 0; i < d->constructor_count; i++)
        if (a.is_named[i])
            a.chosen[i] = decide_constructor(m, value, matrix, at, &d->constructors[i]);
        else
            absent = absent ? absent : &d->constructors[i];
    if (absent) {
        const struct matrix rest = rest_of(m, matrix, at);
        value->constructor = absent;
        a.others = decide(m, &rest);
        value->constructor = NULL;
    }
    return new_let(m, &a.number, 1,
                   count_gaps(&a) > 1 ? choose_in_chain(m, &a)
                                      : choose_by_halves(m, &a, 0, d->constructor_count));
}

/* --- literals ------------------------------------------------------------------------------- */

static bool is_same(const struct programs_expr *a, const struct programs_expr *b)
{
    const double x = a->kind == PROGRAMS_EXPR_REAL ? a->real : (double)a->integer;
    const double y = b->kind == PROGRAMS_EXPR_REAL ? b->real : (double)b->integer;
    if (a->kind == PROGRAMS_EXPR_BOOL)
        return a->boolean == b->boolean;
    if (a->kind == PROGRAMS_EXPR_INT && b->kind == PROGRAMS_EXPR_INT)
        return a->integer == b->integer;
    return x == y;
}

/* Returns the rows that allow (or not) a literal in column `at`. If they do, the column has no
 * test any more. */
static struct matrix rows_with(struct matcher *m, const struct matrix *matrix, size_t at,
                               const struct programs_expr *literal, bool with)
{
    struct matrix made = *matrix;
    made.rows = LIB_ARENA_ARRAY(m->scratch, struct row, matrix->row_count);
    made.row_count = 0;
    for (size_t r = 0; r < matrix->row_count; r++) {
        const struct programs_pattern *pattern = matrix->rows[r].patterns[at];
        if (pattern && is_same(pattern->literal, literal) != with)
            continue;
        struct row *to = &made.rows[made.row_count++];
        *to = matrix->rows[r];
        if (!with)
            continue;
        to->patterns = LIB_ARENA_ARRAY(m->scratch, struct programs_pattern *,
                                       matrix->columns);
        for (size_t i = 0; i < matrix->columns; i++)
            to->patterns[i] = i == at ? NULL : matrix->rows[r].patterns[i];
    }
    return made;
}

/* Returns an int that no row has in column `at`, for an example. */
static const struct programs_expr *other_int(struct matcher *m,
                                             const struct matrix *matrix, size_t at)
{
    struct programs_expr *other = new_int(m, 0);
    for (size_t r = 0; r < matrix->row_count;) {
        const struct programs_pattern *pattern = matrix->rows[r++].patterns[at];
        if (!pattern || !is_same(pattern->literal, other))
            continue;
        other->integer++;
        r = 0;
    }
    return other;
}

static struct programs_expr *test_literal(struct matcher *m, const struct matrix *matrix,
                                          size_t at)
{
    struct value *value = matrix->values[at];
    struct programs_expr *literal = matrix->rows[0].patterns[at]->literal;
    const bool is_bool = literal->kind == PROGRAMS_EXPR_BOOL;
    const struct programs_expr *outer = value->literal;
    struct programs_expr *condition = name_value(m, value), *arms[2];
    use_value(value);
    if (!is_bool)
        condition = compare(m, PROGRAMS_EQ, condition, literal);
    const struct programs_expr *other = outer;
    struct programs_expr *opposite = new_expr(m, PROGRAMS_EXPR_BOOL, m->of_bool, 0);
    opposite->boolean = is_bool && !literal->boolean;
    if (is_bool)
        other = opposite;
    else if (!outer && programs_type_find(value->type)->kind == PROGRAMS_TYPE_INT)
        other = other_int(m, matrix, at);
    struct matrix part = rows_with(m, matrix, at, literal, true);
    value->literal = literal->kind == PROGRAMS_EXPR_REAL ? NULL : literal;
    arms[0] = decide(m, &part);
    part = rows_with(m, matrix, at, literal, false);
    if (is_bool) /* the other value is known */
        part = rows_with(m, &part, at, opposite, true);
    value->literal = other;
    arms[1] = decide(m, &part);
    value->literal = outer;
    const bool turned = is_bool && !literal->boolean;
    return new_if(m, condition, arms[turned], arms[!turned]);
}

/* --- the tree ------------------------------------------------------------------------------- */

/* Binds names of the first patterns of rows, so that they allow any value. */
static void take_names(struct matcher *m, const struct matrix *matrix)
{
    for (size_t r = 0; r < matrix->row_count; r++)
        for (size_t i = 0; i < matrix->columns; i++) {
            struct row *row = &matrix->rows[r];
            const struct programs_pattern *pattern = row->patterns[i];
            if (!pattern || pattern->kind != PROGRAMS_PATTERN_NAME)
                continue;
            struct name *name = LIB_ARENA_NEW(m->scratch, struct name);
            *name = (struct name){pattern->binding, matrix->values[i], row->names};
            row->names = name;
            row->patterns[i] = NULL;
        }
}

static struct programs_expr *take_tuple(struct matcher *m, const struct matrix *matrix,
                                        size_t at)
{
    struct value *value = matrix->values[at];
    const size_t count = programs_type_find(value->type)->part_count;
    struct programs_equation **equations = LIB_ARENA_ARRAY(
        m->scratch, struct programs_equation *, count);
    value->is_tuple = true;
    value->part_count = count;
    value->parts = take_apart(m, value, NULL, count, equations);
    const struct matrix part = expand(m, matrix, at, NULL, value->parts, count);
    struct programs_expr *e = decide(m, &part);
    value->is_tuple = false;
    value->part_count = 0;
    value->parts = NULL;
    return new_let(m, equations, count, e);
}

static struct programs_expr *decide(struct matcher *m, const struct matrix *matrix)
{
    if (m->is_reported)
        return no_expr(m);
    if (matrix->row_count == 0) {
        report_missing(m);
        return no_expr(m);
    }
    take_names(m, matrix);
    for (size_t i = 0; i < matrix->columns; i++) {
        const struct programs_pattern *pattern = matrix->rows[0].patterns[i];
        if (!pattern)
            continue;
        if (pattern->kind == PROGRAMS_PATTERN_TUPLE)
            return take_tuple(m, matrix, i);
        return pattern->kind == PROGRAMS_PATTERN_CONSTRUCTOR
                   ? test_constructor(m, matrix, i)
                   : test_literal(m, matrix, i);
    }
    return make_leaf(m, matrix);
}

static void warn_of_unreached(struct matcher *m)
{
    for (size_t i = 0; i < m->at->match->arm_count && !m->is_reported; i++) {
        if (m->at->match->arms[i].is_reached)
            continue;
        m->ast->has_unreached = true;
        lib_diag_warning(m->diags, LIB_DIAG_TYPE, m->ast->source,
                         m->at->match->arms[i].pattern->pos,
                         "no value reaches this arm: the arms before it take all that "
                         "it would");
    }
}

/* Replaces a `case`, whose parts have none. */
static void replace_case(struct matcher *m, struct programs_expr *e)
{
    struct lib_arena *scratch = m->scratch = lib_arena_new();
    struct programs_expr own = *e;
    struct value value = {.type = programs_type_find(e->operands[0]->type)};
    struct value *column = &value;
    struct matrix matrix = {.values = &column, .columns = 1};
    m->at = &own;
    m->value = &value;
    m->leaves = 0;
    m->is_reported = false;
    value.equation = new_equation(m, value.type);
    value.equation->value = e->operands[0];
    matrix.row_count = e->match->arm_count;
    matrix.rows = LIB_ARENA_ARRAY(scratch, struct row, matrix.row_count);
    for (size_t i = 0; i < matrix.row_count; i++) {
        matrix.rows[i].arm = &e->match->arms[i];
        matrix.rows[i].patterns = LIB_ARENA_NEW(scratch, struct programs_pattern *);
        matrix.rows[i].patterns[0] = e->match->arms[i].pattern;
    }
    struct programs_expr *tree = decide(m, &matrix);
    value.equation->used = value.equation->names[0]->used =
        true; /* its value is computed */
    warn_of_unreached(m);
    struct programs_expr *let = new_let(m, &value.equation, 1, tree);
    struct programs_expr *above = e->above;
    let->type = e->type;
    *e = *let;
    e->above = above;
    lib_arena_free(scratch);
}

/* --- all of a program ------------------------------------------------------------------------ */

static void match_expr(struct matcher *m, struct programs_expr *e);

static void match_parts(struct matcher *m, struct programs_expr *e)
{
    for (size_t i = 0; i < e->operand_count; i++)
        match_expr(m, e->operands[i]);
    for (size_t i = 0; e->kind == PROGRAMS_EXPR_LET && i < e->let->count; i++)
        match_expr(m, e->let->equations[i]->value);
    if (e->kind == PROGRAMS_EXPR_LET)
        match_expr(m, e->let->body);
    if (e->kind != PROGRAMS_EXPR_CASE)
        return;
    for (size_t i = 0; i < e->match->arm_count; i++) {
        if (e->match->arms[i].guard)
            match_expr(m, e->match->arms[i].guard);
        match_expr(m, e->match->arms[i].body);
    }
    replace_case(m, e);
}

static void match_expr(struct matcher *m, struct programs_expr *e)
{
    struct programs_expr *at = e;
    for (; programs_chain_goes_on(at); at = programs_chain_down(at))
        for (size_t i = 0; at->kind == PROGRAMS_EXPR_IF && i < 2; i++)
            match_expr(m, at->operands[i]);
    match_parts(m, at);
    while (at != e) {
        at = at->above;
        if (at->kind != PROGRAMS_EXPR_IF)
            match_expr(m, at->operands[1]);
    }
}

bool programs_match(struct programs_ast *ast, struct lib_diags *diags)
{
    const size_t errors = diags->errors, from = diags->count;
    struct matcher m = {
        .ast = ast,
        .diags = diags,
        .arena = ast->arena,
        .of_int = programs_type_new(ast->arena, PROGRAMS_TYPE_INT),
        .of_bool = programs_type_new(ast->arena, PROGRAMS_TYPE_BOOL),
    };
    for (size_t i = 0; i < ast->function_count; i++)
        match_expr(&m, ast->functions[i]->body);
    for (size_t i = 0; i < ast->constant_count; i++)
        match_expr(&m, ast->constants[i]->value);
    programs_sort_diags(diags, from);
    return diags->errors == errors;
}
