#include "tests/random/generate_tensors.h"

#include "tests/random/generate_tensors_internal.h"

/* --- values ----------------------------------------------------------------------------- */

int trial_below(struct trial *t, int n)
{
    return (int)draw_below(&t->draw, (uint64_t)n);
}

struct array trial_new_array(struct trial *t, enum kind kind, int rank, const int *extent)
{
    struct array a = {.kind = kind, .rank = rank, .count = 1};
    for (int i = 0; i < rank; i++) {
        a.extent[i] = extent[i];
        a.count *= extent[i];
    }
    a.at = LIB_ARENA_ARRAY(t->arena, double, (size_t)a.count + 1);
    return a;
}

/* The place of an element by its indices, 0 where an extent is 1: broadcasting. */
double trial_broadcast_at(const struct array *a, int rank, const int *index)
{
    int place = 0;
    for (int i = 0; i < a->rank; i++) {
        const int own = a->extent[i] == 1 ? 0 : index[rank - a->rank + i];
        place = place * a->extent[i] + own;
    }
    return a->at[place];
}

/* The indices of the next element; false: there is none. */
bool trial_step(int rank, const int *extent, int *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < extent[i])
            return true;
        index[i] = 0;
    }
    return false;
}

double trial_clamp(double x)
{
    return (x > 9 ? 9 : x < -9 ? -9 : x) + 0.0; /* there is no -0.0 */
}

/* --- the text of a value ------------------------------------------------------------------ */

/* `one`, unless NULL, stands for 1.0. */
static void write_axis(const struct array *a, int axis, int *place, const char *one,
                       struct lib_text *out)
{
    if (axis == a->rank) {
        const double element = a->at[(*place)++];
        if (a->kind == BOOLS)
            lib_text_puts(out, element != 0 ? "true" : "false");
        else if (one && element == 1)
            lib_text_puts(out, one);
        else if (a->kind == INTS)
            lib_text_printf(out, "%d", (int)element);
        else
            lib_text_real(out, element);
        return;
    }
    lib_text_puts(out, "[");
    for (int i = 0; i < a->extent[axis]; i++) {
        lib_text_puts(out, i ? ", " : "");
        write_axis(a, axis + 1, place, one, out);
    }
    lib_text_puts(out, "]");
}

void trial_write_array(const struct array *a, const char *one, struct lib_text *out)
{
    int place = 0;
    write_axis(a, 0, &place, one, out);
}

/* --- programs ------------------------------------------------------------------------------- */

static bool equation(struct trial *t, struct array *made)
{
    const int x = trial_below(t, t->count), y = trial_below(t, t->count);
    switch (trial_below(t, 16)) {
    case 0:
        trial_literal(t, made);
        return true;
    case 1:
    case 2:
        return trial_binary(t, x, y, made);
    case 3:
        return trial_multiply(t, x, y, made);
    case 4:
        return trial_unary(t, x, made);
    case 5:
        return trial_reduce(t, x, made);
    case 6:
        return trial_gather(t, x, made);
    case 7:
        return trial_transpose(t, x, made);
    case 8:
        return trial_convert(t, x, made);
    case 9:
        return trial_choose(t, x, y, made);
    case 10:
    case 11:
    case 12:
        return trial_along(t, x, made);
    case 13:
        return trial_change_rows(t, x, y, made);
    case 14:
        return trial_random(t, x, made);
    default:
        return trial_around(t, x, made);
    }
}

/* A function has one type: there is a small and a both for each rank. */
static const char *const turn =
    "turn(v, k) = loop i = 0, u = v while i < k do i + 1, -u\n"
    "  return if k % 2 == 0 then u else -u\n";

/* Replaces `trial_small(`, `little(` and `both(` by the names of their rank. */
static void name_rank(struct lib_text *out, const char *text, int rank)
{
    for (const char *p = text; *p;) {
        if (strncmp(p, "small(", 6) == 0 || strncmp(p, "both(", 5) == 0 ||
            strncmp(p, "little(", 7) == 0) {
            const size_t length = *p == 's' ? 5 : *p == 'l' ? 6 : 4;
            lib_text_add(out, p, length);
            lib_text_printf(out, "%d", rank);
            p += length;
        } else {
            lib_text_add(out, p++, 1);
        }
    }
}

/* For each rank with which it is called. */
static void define(struct lib_text *program, const char *name, const char *body)
{
    for (int rank = 0; rank <= 4; rank++) {
        char call[16];
        snprintf(call, sizeof call, "%s%d(", name, rank);
        if (strstr(lib_text_get(program), call))
            lib_text_printf(program, "%st) = %s\n", call, body);
    }
}

/* Writes t0 as a constant or as an input. */
static void put_first(struct trial *t, const struct array *first,
                      struct lib_text *program)
{
    static const char *const kinds[] = {
        [REALS] = "real", [INTS] = "int", [BOOLS] = "bool"};
    if (first->rank == 0 || trial_below(t, 2)) {
        lib_text_printf(program, "t0 = %s\n", lib_text_get(&t->text));
        return;
    }
    lib_text_printf(program, "input t0 : tensor(%s, %d) = tensor(", kinds[first->kind],
                    first->rank);
    trial_write_array(first, NULL, program);
    lib_text_puts(program, ")\n");
}

static void make_program(struct trial *t, struct lib_text *program,
                         struct lib_text *result)
{
    lib_text_puts(program, "input n = 1\n");
    while (t->count <= EQUATIONS) {
        struct array made;
        lib_text_clear(&t->text);
        const bool good = t->count == 0 ? (trial_literal(t, &made), true)
                                        : equation(t, &made);
        if (!good)
            continue;
        if (t->count == 0) {
            put_first(t, &made, program);
        } else {
            lib_text_printf(program, "t%d = ", t->count);
            name_rank(program, lib_text_get(&t->text), made.rank);
            lib_text_puts(program, "\n");
        }
        t->made[t->count++] = made;
    }
    /* In one program of two, calls share a tensor: a batch of them reads it once. */
    const bool shares = trial_below(t, 2);
    define(program, "small",
           shares ? "min(max(t, -9.0), 9.0) + zero" : "min(max(t, -9.0), 9.0) + 0.0");
    if (strstr(lib_text_get(program), "+ zero"))
        lib_text_puts(program, "zero = tensor(0.0)\n");
    define(program, "little", "min(max(t, -9), 9)");
    define(program, "both", "if reduce_sum(t) > 0.0 then t + 1.0 else 1.0 + t");
    if (strstr(lib_text_get(program), "turn("))
        lib_text_puts(program, turn);
    lib_text_puts(program, "result = (");
    lib_text_puts(result, "(");
    for (int i = 0; i < t->count; i++) {
        lib_text_printf(program, "%st%d", i ? ", " : "", i);
        lib_text_puts(result, i ? ", " : "");
        trial_write_array(&t->made[i], NULL, result);
    }
    lib_text_puts(program, ")\n");
    lib_text_puts(result, ")");
}

void generate_tensors(uint64_t seed, struct lib_text *program, struct lib_text *result)
{
    struct trial t = {.draw = {.seed = seed}, .arena = lib_arena_new()};
    make_program(&t, program, result);
    lib_text_free(&t.text);
    lib_arena_free(t.arena);
}
