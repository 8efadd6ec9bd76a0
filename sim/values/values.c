#include "sim/values/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/values/range.h"

static void add_value(struct sim_values *values, const char *text, struct lib_pos pos)
{
    *LIB_VEC_PUSH(&values->list) = (struct sim_value){.text = text, .pos = pos};
}

enum { MAX_NUMBERS = 3 };

/* Numbers in the brackets of `range: [1, 5]`. */
struct numbers {
    size_t count;
    const char *texts[MAX_NUMBERS];
    int64_t whole[MAX_NUMBERS];
    bool are_whole;
};

static bool read_numbers(struct lib_fields *r, size_t i, struct numbers *n, size_t least,
                         size_t most, const char *what)
{
    *n = (struct numbers){.are_whole = true};
    if (lib_fields_entry(r, i)->kind != LIB_YAML_SEQUENCE) {
        lib_fields_expected(r, i, what);
        return false;
    }
    for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX; n->count++) {
        const struct lib_yaml_entry *e = lib_fields_entry(r, c);
        if (n->count == most)
            break;
        double real;
        if (e->kind != LIB_YAML_SCALAR || !lib_text_to_real(e->value, &real) ||
            !isfinite(real)) {
            lib_fields_expected(r, c, "a number");
            return false;
        }
        n->texts[n->count] = e->value;
        n->are_whole &= lib_text_to_int(e->value, &n->whole[n->count]);
    }
    size_t items = 0;
    for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
        items++;
    if (items >= least && items <= most)
        return true;
    lib_fields_wrong(r, i, "%s: expected %s, found a list of %zu",
                     lib_fields_entry(r, i)->key, what, items);
    return false;
}

static bool add_range(struct lib_fields *r, size_t i, struct sim_values *values)
{
    struct numbers n;
    if (!read_numbers(r, i, &n, 2, 3, "[first, last] or [first, last, step]"))
        return false;
    const struct sim_range range = {n.texts[0], n.texts[1],
                                    n.count > 2 ? n.texts[2] : NULL};
    LIB_TEXT_OWN why = {0};
    bool good = sim_range_add(&range, r->arena, lib_fields_entry(r, i)->value_pos, values,
                              &why);
    if (!good)
        lib_fields_wrong(r, i, "%s", why.bytes);
    return good;
}

static bool add_powers(struct lib_fields *r, size_t i, struct sim_values *values)
{
    struct numbers n;
    if (!read_numbers(r, i, &n, 2, 2, "[first, last]"))
        return false;
    if (!n.are_whole || n.whole[0] < 1) {
        lib_fields_wrong(r, i, "log2: expected whole numbers from 1 on, found [%s, %s]",
                         n.texts[0], n.texts[1]);
    } else if (n.whole[0] > n.whole[1]) {
        lib_fields_wrong(r, i, "log2: nothing from %s up to %s", n.texts[0], n.texts[1]);
    } else {
        struct lib_pos pos = lib_fields_entry(r, i)->value_pos;
        for (int64_t v = n.whole[0]; v <= n.whole[1];) {
            add_value(values, lib_arena_printf(r->arena, "%" PRId64, v), pos);
            if (__builtin_mul_overflow(v, 2, &v))
                break;
        }
        return true;
    }
    return false;
}

static bool add_generated(struct lib_fields *r, size_t i, struct sim_values *values)
{
    static const char *const names[] = {"range", "log2"};
    const char *prefix = lib_fields_entry(r, i)->key;
    size_t c = lib_fields_inside(r, i, i);
    if (c == SIZE_MAX || lib_fields_inside(r, i, c) != SIZE_MAX) {
        lib_fields_expected(r, i, "a value, {range: [...]} or {log2: [...]}");
        return false;
    }
    const char *name = lib_fields_entry(r, c)->key + strlen(prefix) + 1;
    if (strcmp(name, "range") == 0)
        return add_range(r, c, values);
    if (strcmp(name, "log2") == 0)
        return add_powers(r, c, values);
    lib_fields_wrong_key(r, c, "%s: expected range or log2, found `%s`%s", prefix, name,
                         lib_fields_nearest(r, name, names, 2));
    return false;
}

static void expected(struct lib_fields *r, size_t i, const char *words)
{
    lib_fields_expected(r, i,
                        words ? lib_arena_printf(r->arena, "%s, or a list of such", words)
                              : "a value or a list of values");
}

/* Reports a range or list in the form of the command line: 1..8:2, or 1,2,5. */
static bool is_command_line(struct lib_fields *r, size_t i, const char *text)
{
    struct sim_range range;
    double number;
    if (sim_range_read(&range, r->arena, text)) {
        if (!lib_text_to_real(range.first, &number) ||
            !lib_text_to_real(range.last, &number))
            return false;
        lib_fields_wrong(r, i,
                         "%s: expected a value, found `%s`; in an experiment a range is "
                         "written {range: [%s, %s%s%s]}",
                         lib_fields_entry(r, i)->key, text, range.first, range.last,
                         range.step ? ", " : "", range.step ? range.step : "");
        return true;
    }
    if (!strchr(text, ',') || strspn(text, "0123456789,.e+-") != strlen(text))
        return false;
    lib_fields_wrong(
        r, i, "%s: expected a value, found `%s`; in an experiment a list is written [%s]",
        lib_fields_entry(r, i)->key, text, text);
    return true;
}

static bool add_item(struct lib_fields *r, size_t i, const char *words,
                     struct sim_values *values)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind == LIB_YAML_MAPPING && !words)
        return add_generated(r, i, values);
    if (e->kind != LIB_YAML_SCALAR || !*e->value) {
        expected(r, i, words);
        return false;
    }
    if (!words && is_command_line(r, i, e->value))
        return false;
    add_value(values, e->value, e->value_pos);
    return true;
}

static int by_text(const void *a, const void *b)
{
    const struct sim_value *x = *(const struct sim_value *const *)a;
    const struct sim_value *y = *(const struct sim_value *const *)b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x > y) - (x < y);
}

static bool check_distinct(struct lib_fields *r, const char *key,
                           const struct sim_values *values)
{
    size_t count = values->list.count;
    const struct sim_value **sorted = lib_mem_new(count * sizeof *sorted);
    bool good = true;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &values->list.items[i];
    qsort(sorted, count, sizeof *sorted, by_text);
    for (size_t i = 1; i < count && good; i++) {
        good = strcmp(sorted[i - 1]->text, sorted[i]->text) != 0;
        if (!good)
            lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, sorted[i]->pos,
                           "%s: duplicate value `%s`", key, sorted[i]->text);
    }
    lib_mem_free(sorted);
    return good;
}

bool sim_values_read(struct lib_fields *r, size_t i, const char *words,
                     enum sim_values_repeats repeats, struct sim_values *values)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind != LIB_YAML_SEQUENCE)
        return add_item(r, i, words, values);
    bool good = true;
    for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
        good &= add_item(r, c, words, values);
    if (good && values->list.count == 0) {
        expected(r, i, words);
        return false;
    }
    return good &&
           (repeats == SIM_VALUES_MAY_REPEAT || check_distinct(r, e->key, values));
}
