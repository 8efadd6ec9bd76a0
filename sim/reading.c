#include "sim/reading.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const struct sim_yaml_entry *sim_reading_entry(const struct sim_reading *r, size_t i)
{
    return &r->yaml->items[i];
}

size_t sim_reading_inside(const struct sim_reading *r, size_t i, size_t last)
{
    size_t next = last == i ? i + 1 : sim_yaml_behind(r->yaml, last);
    bool inside = next < r->yaml->count &&
                  r->yaml->items[next].depth == r->yaml->items[i].depth + 1;
    return inside ? next : SIZE_MAX;
}

/* --- errors ------------------------------------------------------------------------- */

void sim_reading_wrong_key(struct sim_reading *r, size_t i, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_NAME, r->source, r->yaml->items[i].key_pos, format,
                    ap);
    va_end(ap);
}

void sim_reading_wrong(struct sim_reading *r, size_t i, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_TYPE, r->source, r->yaml->items[i].value_pos,
                    format, ap);
    va_end(ap);
}

void sim_reading_expected(struct sim_reading *r, size_t i, const char *what)
{
    const struct sim_yaml_entry *e = sim_reading_entry(r, i);
    if (e->kind == SIM_YAML_SCALAR && *e->value)
        sim_reading_wrong(r, i, "%s: expected %s, found `%s`", e->key, what, e->value);
    else if (e->kind == SIM_YAML_SEQUENCE && sim_reading_inside(r, i, i) == SIZE_MAX)
        sim_reading_wrong(r, i, "%s: expected %s, found an empty list", e->key, what);
    else
        sim_reading_wrong(r, i, "%s: expected %s, found %s", e->key, what,
                          sim_yaml_text(e));
}

const char *sim_reading_hint(struct sim_reading *r, const char *nearest)
{
    return nearest ? lib_arena_printf(r->arena, "; did you mean `%s`?", nearest) : "";
}

static const char *name_of(size_t i, const void *context)
{
    return ((const char *const *)context)[i];
}

const char *sim_reading_nearest(struct sim_reading *r, const char *wrong,
                                const char *const *names, size_t count)
{
    return sim_reading_hint(r, lib_text_nearest(wrong, count, name_of, names));
}

/* --- mappings ----------------------------------------------------------------------- */

/* A mapping that is being read; `seen` holds the place of each of its fields so far. */
struct mapping {
    const char *what;
    const struct sim_field *fields;
    size_t count;
    void *into;
    size_t prefix; /* length of what keys start with */
    struct lib_pos seen[SIM_MAX_FIELDS];
};

static bool continues(const char *name, const char *beginning)
{
    size_t length = strlen(beginning);
    return strncmp(name, beginning, length) == 0 && name[length] == '.';
}

static size_t find_field(const struct mapping *m, const char *name)
{
    for (size_t f = 0; f < m->count; f++)
        if (strcmp(m->fields[f].name, name) == 0 ||
            (m->fields[f].is_open && continues(name, m->fields[f].name)))
            return f;
    return SIZE_MAX;
}

static bool is_group(const struct mapping *m, const char *name)
{
    for (size_t f = 0; f < m->count; f++)
        if (continues(m->fields[f].name, name))
            return true;
    return false;
}

static const char *field_name(size_t i, const void *context)
{
    return ((const struct mapping *)context)->fields[i].name;
}

static void read_key(struct sim_reading *r, struct mapping *m, size_t i)
{
    const struct sim_yaml_entry *e = sim_reading_entry(r, i);
    const char *name = e->key + m->prefix;
    size_t f = find_field(m, name);
    if (f == SIZE_MAX && is_group(m, name)) {
        if (e->kind != SIM_YAML_MAPPING)
            sim_reading_expected(r, i, "a mapping");
        else
            for (size_t c = i; (c = sim_reading_inside(r, i, c)) != SIZE_MAX;)
                read_key(r, m, c);
    } else if (f == SIZE_MAX) {
        const char *nearest = lib_text_nearest(name, m->count, field_name, m);
        sim_reading_wrong_key(r, i, "there is no `%s` in %s%s", name, m->what,
                              sim_reading_hint(r, nearest));
    } else if (m->seen[f].line && !m->fields[f].is_open) {
        sim_reading_wrong_key(r, i, "`%s` is given twice; first in line %u", name,
                              m->seen[f].line);
    } else {
        m->seen[f] = e->key_pos;
        m->fields[f].read(r, i, m->into);
    }
}

void sim_reading_mapping(struct sim_reading *r, size_t i, const char *what,
                         const struct sim_field *fields, size_t count, void *into)
{
    assert(count <= SIM_MAX_FIELDS);
    struct mapping m = {.what = what, .fields = fields, .count = count, .into = into};
    if (i == SIM_WHOLE) {
        for (size_t c = 0; c < r->yaml->count; c = sim_yaml_behind(r->yaml, c))
            read_key(r, &m, c);
        return;
    }
    if (sim_reading_entry(r, i)->kind != SIM_YAML_MAPPING) {
        sim_reading_expected(r, i, what);
        return;
    }
    m.prefix = strlen(sim_reading_entry(r, i)->key) + 1;
    for (size_t c = i; (c = sim_reading_inside(r, i, c)) != SIZE_MAX;)
        read_key(r, &m, c);
}

/* --- values ------------------------------------------------------------------------- */

bool sim_reading_text(struct sim_reading *r, size_t i, const char **text)
{
    const struct sim_yaml_entry *e = sim_reading_entry(r, i);
    if (e->kind != SIM_YAML_SCALAR || !*e->value) {
        sim_reading_expected(r, i, "a text");
        return false;
    }
    *text = e->value;
    return true;
}

bool sim_reading_whole(struct sim_reading *r, size_t i, uint64_t least, uint64_t most,
                       uint64_t *number)
{
    const struct sim_yaml_entry *e = sim_reading_entry(r, i);
    uint64_t value = 0;
    bool good = e->kind == SIM_YAML_SCALAR && *e->value;
    for (const char *p = e->value; good && *p; p++)
        good = *p >= '0' && *p <= '9' && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(*p - '0'), &value);
    if (good && value >= least && value <= most) {
        *number = value;
        return true;
    }
    sim_reading_expected(
        r, i,
        lib_arena_printf(r->arena, "a number from %" PRIu64 " to %" PRIu64, least, most));
    return false;
}

bool sim_reading_bool(struct sim_reading *r, size_t i, bool *value)
{
    const struct sim_yaml_entry *e = sim_reading_entry(r, i);
    const char *text = e->kind == SIM_YAML_SCALAR ? e->value : "";
    *value = strcmp(text, "true") == 0;
    if (*value || strcmp(text, "false") == 0)
        return true;
    sim_reading_expected(r, i, "true or false");
    return false;
}

bool sim_reading_choice(struct sim_reading *r, size_t i, const char *const *names,
                        size_t count, unsigned *place)
{
    const struct sim_yaml_entry *e = sim_reading_entry(r, i);
    const char *word = e->kind == SIM_YAML_SCALAR ? e->value : "";
    for (size_t n = 0; n < count; n++) {
        if (strcmp(names[n], word) == 0) {
            *place = (unsigned)n;
            return true;
        }
    }
    struct lib_text text = {0};
    lib_text_puts(&text, "one of ");
    for (size_t n = 0; n < count; n++)
        lib_text_printf(&text, "%s%s", n ? "|" : "", names[n]);
    const char *hint = sim_reading_nearest(r, word, names, count);
    if (*word)
        sim_reading_wrong(r, i, "%s: expected %s, found `%s`%s", e->key, text.bytes, word,
                          hint);
    else
        sim_reading_expected(r, i, text.bytes);
    lib_text_free(&text);
    return false;
}

void sim_reading_each(struct sim_reading *r, size_t i, const char *what,
                      void (*found)(struct sim_reading *r, size_t i, void *into),
                      void *into)
{
    const struct sim_yaml_entry *e = sim_reading_entry(r, i);
    if (e->kind == SIM_YAML_SCALAR && *e->value) {
        found(r, i, into);
    } else if (e->kind != SIM_YAML_SEQUENCE || sim_reading_inside(r, i, i) == SIZE_MAX) {
        sim_reading_expected(r, i, what);
    } else {
        for (size_t c = i; (c = sim_reading_inside(r, i, c)) != SIZE_MAX;) {
            const struct sim_yaml_entry *item = sim_reading_entry(r, c);
            if (item->kind == SIM_YAML_SCALAR && *item->value)
                found(r, c, into);
            else
                sim_reading_expected(r, c, what);
        }
    }
}
