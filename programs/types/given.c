#include "programs/types/given.h"

#include "isa/tensor/files/npy.h"
#include "isa/tensor/files/parts.h"

#include <string.h>

struct reader {
    struct programs_ast *ast;
    struct lib_diags *diags;
    struct isa_parts parts;
    uint64_t count; /* elements of each part so far */
    int64_t extents[ISA_RANK_MAX];
    bool known[ISA_RANK_MAX];
};

static bool __attribute__((format(printf, 3, 4)))
fail(const struct reader *r, struct lib_pos pos, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_TYPE, r->ast->source, pos, format, ap);
    va_end(ap);
    return false;
}

/* --- types ---------------------------------------------------------------------------------- */

/* Finds the element kind of int, real or bool. */
static bool find_element(const struct programs_annotation *a,
                         enum isa_element_kind *element)
{
    *element = a->kind == PROGRAMS_ANNOTATION_INT    ? ISA_ELEMENT_INT
               : a->kind == PROGRAMS_ANNOTATION_REAL ? ISA_ELEMENT_REAL
                                                     : ISA_ELEMENT_BOOL;
    return a->kind == PROGRAMS_ANNOTATION_INT || a->kind == PROGRAMS_ANNOTATION_REAL ||
           a->kind == PROGRAMS_ANNOTATION_BOOL;
}

static bool check_count(const struct reader *r, struct lib_pos pos)
{
    return r->parts.count <= ISA_PARTS_MAX ||
           fail(r, pos, "a given tuple has at most %d parts, found %u", ISA_PARTS_MAX,
                r->parts.count);
}

/* Sets the parts that an annotation says. */
static bool find_parts(struct reader *r, const struct programs_annotation *type)
{
    const struct programs_annotation *a = type;
    struct isa_parts *parts = &r->parts;
    bool good = true;
    if (a->kind == PROGRAMS_ANNOTATION_TENSOR) {
        *parts = (struct isa_parts){
            .count = 1, .rank = a->rank, .is_tensor = true, .elements = {a->element}};
        return true;
    }
    for (; a->kind == PROGRAMS_ANNOTATION_ARRAY; a = a->parts[0])
        parts->rank++;
    const bool is_tuple = a->kind == PROGRAMS_ANNOTATION_TUPLE;
    parts->count = is_tuple ? (uint32_t)a->part_count : 1;
    if (!check_count(r, a->pos))
        return false;
    for (uint32_t i = 0; i < parts->count; i++)
        good = find_element(is_tuple ? a->parts[i] : a, &parts->elements[i]) && good;
    if (parts->rank > ISA_RANK_MAX)
        return fail(r, type->pos, "a given array has a rank of at most %d, found %u",
                    ISA_RANK_MAX, parts->rank);
    if (parts->rank == 0 && good && !is_tuple)
        return fail(
            r, type->pos,
            "expected an array or a tensor, found a scalar, whose type its literal "
            "says: `input n = 3`");
    return (good && parts->rank > 0) || fail(r, type->pos,
                                             "expected an array of int, real or bool, or "
                                             "of tuples of these, or a tensor");
}

/* Returns the annotation that the source could have for a leaf. */
static struct programs_annotation *
annotation_of(struct reader *r, enum isa_element_kind element, struct lib_pos pos)
{
    struct programs_annotation *a = LIB_ARENA_NEW(r->ast->arena,
                                                  struct programs_annotation);
    a->kind = element == ISA_ELEMENT_INT    ? PROGRAMS_ANNOTATION_INT
              : element == ISA_ELEMENT_REAL ? PROGRAMS_ANNOTATION_REAL
                                            : PROGRAMS_ANNOTATION_BOOL;
    a->pos = pos;
    return a;
}

static struct programs_annotation *tensor_type(struct reader *r, struct lib_pos pos)
{
    struct programs_annotation *a = LIB_ARENA_NEW(r->ast->arena,
                                                  struct programs_annotation);
    a->kind = PROGRAMS_ANNOTATION_TENSOR;
    a->element = r->parts.elements[0];
    a->rank = r->parts.rank;
    a->pos = pos;
    return a;
}

static struct programs_annotation *array_type(struct reader *r, struct lib_pos pos)
{
    const struct isa_parts *parts = &r->parts;
    struct programs_annotation *a = annotation_of(r, parts->elements[0], pos);
    if (parts->count > 1) {
        a->kind = PROGRAMS_ANNOTATION_TUPLE;
        a->part_count = parts->count;
        a->parts = LIB_ARENA_ARRAY(r->ast->arena, struct programs_annotation *,
                                   parts->count);
        for (uint32_t i = 0; i < parts->count; i++)
            a->parts[i] = annotation_of(r, parts->elements[i], pos);
    }
    for (unsigned i = 0; i < parts->rank; i++) {
        struct programs_annotation *array = LIB_ARENA_NEW(r->ast->arena,
                                                          struct programs_annotation);
        array->kind = PROGRAMS_ANNOTATION_ARRAY;
        array->parts = LIB_ARENA_NEW(r->ast->arena, struct programs_annotation *);
        array->parts[0] = a;
        array->part_count = 1;
        array->pos = pos;
        a = array;
    }
    return a;
}

static enum isa_element_kind element_of(const struct programs_expr *literal)
{
    return literal->kind == PROGRAMS_EXPR_INT    ? ISA_ELEMENT_INT
           : literal->kind == PROGRAMS_EXPR_REAL ? ISA_ELEMENT_REAL
                                                 : ISA_ELEMENT_BOOL;
}

/* Widens the parts to hold an element: ints become reals if one element is real. */
static void widen(struct isa_parts *parts, const struct programs_expr *e, bool is_first)
{
    const bool is_tuple = e->kind == PROGRAMS_EXPR_TUPLE;
    const uint32_t count = is_tuple ? (uint32_t)e->operand_count : 1;
    for (uint32_t i = 0; i < count && i < ISA_PARTS_MAX; i++) {
        const enum isa_element_kind element = element_of(is_tuple ? e->operands[i] : e);
        if (is_first ||
            (element == ISA_ELEMENT_REAL && parts->elements[i] == ISA_ELEMENT_INT))
            parts->elements[i] = element;
    }
    if (is_first)
        parts->count = count;
}

/* Finds rank and kinds from a written value: those of the first elements, ints and reals mixed
 * being reals. Elements of another form are reported when they are read. */
static void find_written(struct isa_parts *parts, const struct programs_expr *e,
                         unsigned depth, bool *found)
{
    if (e->kind != PROGRAMS_EXPR_ARRAY) {
        if (!*found)
            parts->rank = depth;
        widen(parts, e, !*found);
        *found = true;
        return;
    }
    for (size_t i = 0; i < e->operand_count; i++)
        find_written(parts, e->operands[i], depth + 1, found);
}

/* Finds the type of a written value, which the program does not say. */
static bool settle_written(struct reader *r, struct programs_given *given)
{
    bool found = false;
    find_written(&r->parts, given->literal, 0, &found);
    if (!found)
        return fail(
            r, given->literal->pos,
            "an empty array does not say its type: write `input %s : [int] = []`, or "
            "another type",
            given->equation->names[0]->name);
    if (!check_count(r, given->literal->pos))
        return false;
    r->parts.is_tensor = given->makes_tensor;
    if (given->makes_tensor && r->parts.elements[0] == ISA_ELEMENT_INT)
        r->parts.elements[0] = ISA_ELEMENT_REAL; /* as in expressions */
    given->type = given->makes_tensor ? tensor_type(r, given->literal->pos)
                                      : array_type(r, given->literal->pos);
    if (given->makes_tensor && r->parts.count > 1)
        return fail(r, given->literal->pos, "a tensor has no tuples");
    return find_parts(r, (r->parts = (struct isa_parts){0}, given->type));
}

/* --- values that are written ---------------------------------------------------------------- */

static const char *kind_of(const struct programs_expr *e)
{
    return e->kind == PROGRAMS_EXPR_ARRAY   ? "an array"
           : e->kind == PROGRAMS_EXPR_TUPLE ? "a tuple"
           : e->kind == PROGRAMS_EXPR_INT   ? "an int"
           : e->kind == PROGRAMS_EXPR_REAL  ? "a real"
                                            : "a bool";
}

static bool read_scalar(struct reader *r, const struct programs_expr *e, uint32_t part)
{
    static const char *const expected[] = {
        [ISA_ELEMENT_REAL] = "a real",
        [ISA_ELEMENT_REAL32] = "a real",
        [ISA_ELEMENT_INT] = "an int",
        [ISA_ELEMENT_BOOL] = "true or false",
    };
    const enum isa_element_kind element = r->parts.elements[part];
    struct isa_tensor *tensor = r->parts.tensors[part];
    const bool fits = isa_element_is_real(element)
                          ? e->kind == PROGRAMS_EXPR_INT || e->kind == PROGRAMS_EXPR_REAL
                      : element == ISA_ELEMENT_INT ? e->kind == PROGRAMS_EXPR_INT
                                                   : e->kind == PROGRAMS_EXPR_BOOL;
    if (!fits)
        return fail(r, e->pos, "expected %s, found %s", expected[element], kind_of(e));
    if (!tensor)
        return true;
    if (element == ISA_ELEMENT_INT)
        tensor->ints[r->count] = e->integer;
    else
        isa_tensor_set(tensor, r->count,
                       e->kind == PROGRAMS_EXPR_INT    ? (double)e->integer
                       : e->kind == PROGRAMS_EXPR_REAL ? e->real
                                                       : (double)e->boolean);
    return true;
}

static bool read_element(struct reader *r, const struct programs_expr *e)
{
    const uint32_t count = r->parts.count;
    if (count > 1 && (e->kind != PROGRAMS_EXPR_TUPLE || e->operand_count != count))
        return fail(r, e->pos, "expected a tuple of %u, found %s", count,
                    e->kind == PROGRAMS_EXPR_TUPLE ? "one of another length"
                                                   : kind_of(e));
    for (uint32_t i = 0; i < count; i++)
        if (!read_scalar(r, count > 1 ? e->operands[i] : e, i))
            return false;
    r->count++;
    return true;
}

static bool read_axis(struct reader *r, const struct programs_expr *e, unsigned axis)
{
    if (axis == r->parts.rank)
        return read_element(r, e);
    const int64_t extent = (int64_t)e->operand_count;
    if (e->kind != PROGRAMS_EXPR_ARRAY)
        return fail(r, e->pos, "expected an array, found %s", kind_of(e));
    if (r->known[axis] && r->extents[axis] != extent)
        return fail(r, e->pos, "a row of %lld element%s; the rows before have %lld",
                    (long long)extent, extent == 1 ? "" : "s",
                    (long long)r->extents[axis]);
    r->known[axis] = true;
    r->extents[axis] = extent;
    for (size_t i = 0; i < e->operand_count; i++)
        if (!read_axis(r, e->operands[i], axis + 1))
            return false;
    return true;
}

static bool read_written(struct reader *r, const struct programs_expr *literal)
{
    struct isa_shape shape = {.rank = (uint8_t)r->parts.rank};
    if (!read_axis(r, literal, 0))
        return false;
    memcpy(shape.extents, r->extents, r->parts.rank * sizeof *r->extents);
    if (!isa_parts_allocate(&r->parts, &r->ast->tensors, r->ast->source, &shape,
                            r->diags))
        return false;
    r->count = 0;
    read_axis(r, literal, 0);
    for (uint32_t i = 0; i < r->parts.count; i++)
        isa_tensor_seal(r->parts.tensors[i], true);
    return true;
}

/* --- files ---------------------------------------------------------------------------------- */

/* Reads a tensor whose type the program does not say: a .npy, or a matrix of numbers. */
static bool read_tensor(struct reader *r, struct programs_given *given,
                        const struct lib_source *source)
{
    static const char npy[] = "\x93NUMPY";
    struct isa_parts *parts = &r->parts;
    *parts = (struct isa_parts){
        .count = 1, .rank = 2, .is_tensor = true, .elements = {ISA_ELEMENT_REAL}};
    if (source->length < sizeof npy - 1 ||
        memcmp(source->bytes, npy, sizeof npy - 1) != 0) {
        if (!isa_parts_read(parts, &r->ast->tensors, source, r->diags))
            return false;
    } else {
        parts->tensors[0] = isa_npy_read(&r->ast->tensors, source, NULL, true, r->diags);
        if (!parts->tensors[0])
            return false;
        parts->rank = parts->tensors[0]->shape.rank;
        parts->elements[0] = parts->tensors[0]->shape.element;
    }
    given->type = tensor_type(r, given->data->pos);
    return true;
}

bool programs_given_read(struct programs_ast *ast, struct programs_data *data,
                         const struct lib_source *source, struct lib_diags *diags)
{
    struct programs_given *given = data->given;
    struct reader r = {.ast = ast, .diags = diags};
    bool good;
    if (given->type)
        good = find_parts(&r, given->type) &&
               (source ? isa_parts_read(&r.parts, &ast->tensors, source, diags)
                       : read_written(&r, given->literal));
    else if (source)
        good = read_tensor(&r, given, source);
    else
        good = settle_written(&r, given) && read_written(&r, given->literal);
    data->part_count = r.parts.count;
    memcpy(data->tensors, r.parts.tensors, sizeof data->tensors);
    return good;
}

bool programs_given_settle(struct programs_ast *ast, struct programs_given *given,
                           struct lib_diags *diags)
{
    struct reader r = {.ast = ast, .diags = diags};
    if (given->type)
        return find_parts(&r, given->type);
    if (given->literal)
        return settle_written(&r, given);
    lib_diag_error(diags, LIB_DIAG_FILE, ast->source, given->data->pos,
                   "no files are read here");
    return false;
}
