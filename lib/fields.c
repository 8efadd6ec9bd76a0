#include "lib/fields.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const struct lib_yaml_entry *lib_fields_entry(const struct lib_fields *r, size_t i)
{
    return &r->yaml->items[i];
}

size_t lib_fields_inside(const struct lib_fields *r, size_t i, size_t last)
{
    size_t next = last == i ? i + 1 : lib_yaml_behind(r->yaml, last);
    bool inside = next < r->yaml->count &&
                  r->yaml->items[next].depth == r->yaml->items[i].depth + 1;
    return inside ? next : SIZE_MAX;
}

/* --- errors ------------------------------------------------------------------------- */

void lib_fields_wrong_key(struct lib_fields *r, size_t i, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_NAME, r->source, r->yaml->items[i].key_pos, format,
                    ap);
    va_end(ap);
}

void lib_fields_wrong(struct lib_fields *r, size_t i, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_TYPE, r->source, r->yaml->items[i].value_pos,
                    format, ap);
    va_end(ap);
}

void lib_fields_expected(struct lib_fields *r, size_t i, const char *what)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind == LIB_YAML_SCALAR && *e->value)
        lib_fields_wrong(r, i, "%s: expected %s, found `%s`", e->key, what, e->value);
    else if (e->kind == LIB_YAML_SEQUENCE && lib_fields_inside(r, i, i) == SIZE_MAX)
        lib_fields_wrong(r, i, "%s: expected %s, found an empty list", e->key, what);
    else
        lib_fields_wrong(r, i, "%s: expected %s, found %s", e->key, what,
                         lib_yaml_text(e));
}

const char *lib_fields_hint(struct lib_fields *r, const char *nearest)
{
    return nearest ? lib_arena_printf(r->arena, "; did you mean `%s`?", nearest) : "";
}

static const char *name_of(size_t i, const void *context)
{
    return ((const char *const *)context)[i];
}

const char *lib_fields_nearest(struct lib_fields *r, const char *wrong,
                               const char *const *names, size_t count)
{
    return lib_fields_hint(r, lib_text_nearest(wrong, count, name_of, names));
}

/* --- unknown keys -------------------------------------------------------------------- */

/* A list of names without duplicates. */
struct keys {
    size_t count;
    const char **names;
};

static void add_key(struct keys *keys, const char *name)
{
    for (size_t i = 0; i < keys->count; i++)
        if (strcmp(keys->names[i], name) == 0)
            return;
    keys->names[keys->count++] = name;
}

/* The groups that a key is in: "a" and "a.b" of "a.b.c". */
static void add_groups(struct keys *keys, struct lib_arena *arena, const char *key)
{
    for (const char *p = key; (p = strchr(p, '.')); p++)
        add_key(keys, lib_arena_copy(arena, key, (size_t)(p - key)));
}

static size_t count_levels(size_t count, const char *(*name)(size_t, const void *),
                           const void *context)
{
    size_t levels = count;
    for (size_t i = 0; i < count; i++)
        for (const char *p = name(i, context); (p = strchr(p, '.')); p++)
            levels++;
    return levels;
}

/* Returns the length of the name of a group in a wrong key, with its dot: "pe." in "pe.cuont". */
static size_t group_length(const char *wrong, size_t count,
                           const char *(*name)(size_t, const void *), const void *context)
{
    for (size_t length = strlen(wrong); length > 0; length--)
        for (size_t i = 0; wrong[length - 1] == '.' && i < count; i++)
            if (strncmp(name(i, context), wrong, length) == 0)
                return length;
    return 0;
}

/* "; expected one of a|b|c" */
static const char *list_keys(struct lib_arena *arena, const struct keys *keys)
{
    struct lib_text text = {0};
    for (size_t i = 0; i < keys->count; i++)
        lib_text_printf(&text, "%s%s", i ? "|" : "; expected one of ", keys->names[i]);
    const char *list = lib_arena_copy(arena, lib_text_get(&text), text.length);
    lib_text_free(&text);
    return list;
}

/* Inside a group only what follows its name is compared: of two keys in a long group most
 * letters are the same. */
const char *lib_fields_keys_hint(struct lib_arena *arena, const char *wrong,
                                 enum lib_fields_wanted wanted, size_t count,
                                 const char *(*name)(size_t i, const void *context),
                                 const void *context)
{
    size_t most = count_levels(count, name, context);
    struct keys near = {0, LIB_ARENA_ARRAY(arena, const char *, most + 1)};
    struct keys here = {0, LIB_ARENA_ARRAY(arena, const char *, most + 1)};
    size_t group = group_length(wrong, count, name, context);
    for (size_t i = 0; i < count; i++) {
        const char *key = name(i, context);
        if (!*key || strncmp(key, wrong, group) != 0)
            continue;
        add_key(&here, lib_arena_copy(arena, key, group + strcspn(key + group, ".")));
        if (wanted == LIB_FIELDS_GROUP)
            add_groups(&near, arena, key + group);
        else
            add_key(&near, key + group);
    }
    const char *nearest = lib_text_nearest(wrong + group, near.count, name_of,
                                           near.names);
    return nearest ? lib_arena_printf(arena, "; did you mean `%.*s%s`?", (int)group,
                                      wrong, nearest)
                   : list_keys(arena, &here);
}

/* --- mappings ----------------------------------------------------------------------- */

/* A mapping that is being read; `seen` holds the place of each of its fields so far. */
struct mapping {
    const char *what;
    const struct lib_field *fields;
    size_t count;
    void *into;
    size_t prefix; /* length of what keys start with */
    struct lib_pos seen[LIB_MAX_FIELDS];
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

static void read_key(struct lib_fields *r, struct mapping *m, size_t i)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    const char *name = e->key + m->prefix;
    size_t f = find_field(m, name);
    if (f == SIZE_MAX && is_group(m, name)) {
        if (e->kind != LIB_YAML_MAPPING)
            lib_fields_expected(r, i, "a mapping");
        else
            for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
                read_key(r, m, c);
    } else if (f == SIZE_MAX) {
        lib_fields_wrong_key(r, i, "unknown key `%s` in %s%s", name, m->what,
                             lib_fields_keys_hint(r->arena, name, LIB_FIELDS_KEY,
                                                  m->count, field_name, m));
    } else if (m->seen[f].line && !m->fields[f].is_open) {
        lib_fields_wrong_key(r, i, "`%s` is given twice; first in line %u", name,
                             m->seen[f].line);
    } else {
        m->seen[f] = e->key_pos;
        m->fields[f].read(r, i, m->into);
    }
}

void lib_fields_mapping(struct lib_fields *r, size_t i, const char *what,
                        const struct lib_field *fields, size_t count, void *into)
{
    assert(count <= LIB_MAX_FIELDS);
    struct mapping m = {.what = what, .fields = fields, .count = count, .into = into};
    if (i == LIB_WHOLE) {
        for (size_t c = 0; c < r->yaml->count; c = lib_yaml_behind(r->yaml, c))
            read_key(r, &m, c);
        return;
    }
    if (lib_fields_entry(r, i)->kind != LIB_YAML_MAPPING) {
        lib_fields_expected(r, i, what);
        return;
    }
    m.prefix = strlen(lib_fields_entry(r, i)->key) + 1;
    for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;)
        read_key(r, &m, c);
}

/* --- values ------------------------------------------------------------------------- */

bool lib_fields_text(struct lib_fields *r, size_t i, const char **text)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind != LIB_YAML_SCALAR || !*e->value) {
        lib_fields_expected(r, i, "a text");
        return false;
    }
    *text = e->value;
    return true;
}

bool lib_fields_whole(struct lib_fields *r, size_t i, uint64_t least, uint64_t most,
                      uint64_t *number)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    uint64_t value;
    bool good = e->kind == LIB_YAML_SCALAR && lib_text_to_whole(e->value, &value);
    if (good && value >= least && value <= most) {
        *number = value;
        return true;
    }
    const char *what = lib_arena_printf(r->arena, "a number from %" PRIu64 " to %" PRIu64,
                                        least, most);
    struct lib_text hint = {0};
    if (e->kind == LIB_YAML_SCALAR)
        lib_text_hint_whole(&hint, e->value, least, most);
    if (hint.length)
        lib_fields_wrong(r, i, "%s: expected %s, found `%s`%s", e->key, what, e->value,
                         hint.bytes);
    else
        lib_fields_expected(r, i, what);
    lib_text_free(&hint);
    return false;
}

bool lib_fields_bool(struct lib_fields *r, size_t i, bool *value)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    const char *text = e->kind == LIB_YAML_SCALAR ? e->value : "";
    *value = strcmp(text, "true") == 0;
    if (*value || strcmp(text, "false") == 0)
        return true;
    lib_fields_expected(r, i, "true or false");
    return false;
}

bool lib_fields_choice(struct lib_fields *r, size_t i, const char *const *names,
                       size_t count, unsigned *place)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    const char *word = e->kind == LIB_YAML_SCALAR ? e->value : "";
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
    const char *hint = lib_fields_nearest(r, word, names, count);
    if (*word)
        lib_fields_wrong(r, i, "%s: expected %s, found `%s`%s", e->key, text.bytes, word,
                         hint);
    else
        lib_fields_expected(r, i, text.bytes);
    lib_text_free(&text);
    return false;
}

void lib_fields_each(struct lib_fields *r, size_t i, const char *what,
                     void (*found)(struct lib_fields *r, size_t i, void *into),
                     void *into)
{
    const struct lib_yaml_entry *e = lib_fields_entry(r, i);
    if (e->kind == LIB_YAML_SCALAR && *e->value) {
        found(r, i, into);
    } else if (e->kind != LIB_YAML_SEQUENCE || lib_fields_inside(r, i, i) == SIZE_MAX) {
        lib_fields_expected(r, i, what);
    } else {
        for (size_t c = i; (c = lib_fields_inside(r, i, c)) != SIZE_MAX;) {
            const struct lib_yaml_entry *item = lib_fields_entry(r, c);
            if (item->kind == LIB_YAML_SCALAR && *item->value)
                found(r, c, into);
            else
                lib_fields_expected(r, c, what);
        }
    }
}
