#include "lib/fields.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
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

/* Adds the mappings that contain a key: "a" and "a.b" for "a.b.c". */
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

/* Returns the length of the known prefix of a wrong key, with its dot: "pe." in "pe.cuont". */
static size_t group_length(const char *wrong, size_t count,
                           const char *(*name)(size_t, const void *), const void *context)
{
    for (size_t length = strlen(wrong); length > 0; length--)
        for (size_t i = 0; wrong[length - 1] == '.' && i < count; i++)
            if (strncmp(name(i, context), wrong, length) == 0)
                return length;
    return 0;
}

/* Returns "; expected one of a|b|c". */
static const char *list_keys(struct lib_arena *arena, const struct keys *keys)
{
    struct lib_text text = {0};
    for (size_t i = 0; i < keys->count; i++)
        lib_text_printf(&text, "%s%s", i ? "|" : "; expected one of ", keys->names[i]);
    return lib_arena_keep(arena, &text);
}

/* A known prefix is not compared: keys that share a long prefix would always be similar. */
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

/* --- values by their description ------------------------------------------------------ */

/* Returns the index of a word in "a|b|c", or the number of words if it is none of them. */
static unsigned find_choice(const char *choices, const char *word)
{
    const size_t length = strlen(word);
    unsigned place = 0;
    for (const char *p = choices;; p++, place++) {
        const size_t next = strcspn(p, "|");
        if (next == length && strncmp(p, word, length) == 0)
            return place;
        p += next;
        if (!*p)
            return place + 1;
    }
}

static unsigned count_choices(const char *choices)
{
    return find_choice(choices, "|");
}

static bool set_number(const struct lib_field *f, void *place, const char *text,
                       struct lib_text *why)
{
    uint64_t number;
    if (!lib_text_to_whole(text, &number) || number < f->least || number > f->most) {
        lib_text_printf(why,
                        "expected a number from %" PRIu64 " to %" PRIu64 ", found `%s`",
                        f->least, f->most, text);
        lib_text_hint_whole(why, text, f->least, f->most);
        return false;
    }
    if (f->kind == LIB_FIELD_U64)
        *(uint64_t *)place = number;
    else
        *(unsigned *)place = (unsigned)number;
    return true;
}

static bool read_real(const struct lib_field *f, const char *text, double *real)
{
    int64_t whole;
    double value;
    if (!lib_text_to_real(text, &value))
        value = lib_text_to_int(text, &whole) ? (double)whole : NAN;
    const bool good = value >= f->low && value < f->end;
    if (good)
        *real = value;
    return good;
}

static bool set_choice(const struct lib_field *f, void *place, const char *text,
                       struct lib_text *why)
{
    const unsigned choice = find_choice(f->value, text);
    if (choice < count_choices(f->value)) {
        *(unsigned *)place = (unsigned)f->least + choice;
        return true;
    }
    lib_text_puts(why, "expected ");
    for (const char *p = f->value; *p; p++) {
        if (*p == '|')
            lib_text_puts(why, strchr(p + 1, '|') ? ", " : " or ");
        else
            lib_text_add(why, p, 1);
    }
    lib_text_printf(why, ", found `%s`", text);
    lib_text_hint_choice(why, text, f->value);
    return false;
}

static bool set_text(const struct lib_field *f, void *place, const char *text,
                     struct lib_text *why)
{
    const bool is_name = f->kind == LIB_FIELD_PATH || f->kind == LIB_FIELD_FILE;
    if (is_name && (!*text || (f->kind == LIB_FIELD_FILE && strcmp(text, "-") == 0))) {
        lib_text_printf(why, "expected the name of a file, found `%s`", text);
        return false;
    }
    if (f->kind == LIB_FIELD_TEXTS)
        *LIB_VEC_PUSH((struct lib_texts *)place) = text;
    else
        *(const char **)place = text;
    return true;
}

static bool set_value(const struct lib_field *f, void *place, const char *text,
                      struct lib_text *why)
{
    switch (f->kind) {
    case LIB_FIELD_READ:
        return f->take(place, text, why);
    case LIB_FIELD_FLAG:
        *(bool *)place = true;
        return true;
    case LIB_FIELD_U64:
    case LIB_FIELD_UNSIGNED:
        return set_number(f, place, text, why);
    case LIB_FIELD_REAL:
        if (!read_real(f, text, place))
            lib_text_printf(why, "expected %s, found `%s`", f->expected, text);
        return !why->length;
    case LIB_FIELD_CHOICE:
        return set_choice(f, place, text, why);
    default:
        return set_text(f, place, text, why);
    }
}

static void mark_given(const struct lib_field *f, void *into)
{
    if (f->given)
        *(bool *)((char *)into + f->given - LIB_GIVEN(0)) = true;
}

bool lib_field_set(const struct lib_field *f, void *into, const char *text,
                   struct lib_text *why)
{
    if (!set_value(f, (char *)into + f->at, text, why))
        return false;
    mark_given(f, into);
    return true;
}

static void push_text(struct lib_fields *r, size_t i, void *into)
{
    *LIB_VEC_PUSH((struct lib_texts *)into) = lib_fields_entry(r, i)->value;
}

static bool read_choice(struct lib_fields *r, size_t i, const struct lib_field *f,
                        unsigned *choice)
{
    const unsigned count = count_choices(f->value);
    const char **names = LIB_ARENA_ARRAY(r->arena, const char *, count);
    const char *p = f->value;
    for (unsigned n = 0; n < count; n++, p += strcspn(p, "|") + 1)
        names[n] = lib_arena_copy(r->arena, p, strcspn(p, "|"));
    if (!lib_fields_choice(r, i, names, count, choice))
        return false;
    *choice += (unsigned)f->least;
    return true;
}

static void read_value(struct lib_fields *r, size_t i, const struct lib_field *f,
                       void *into)
{
    const struct lib_fields outer = *r;
    char *structure = f->via ? *(char **)((char *)into + f->via) : into;
    void *place = structure + f->at;
    uint64_t number;
    bool good = true;
    switch (f->kind) {
    case LIB_FIELD_READ:
        r->field = f;
        r->place = place;
        f->read(r, i, into);
        *r = outer;
        break;
    case LIB_FIELD_ENTRY:
        *(size_t *)place = i;
        break;
    case LIB_FIELD_FLAG:
        good = lib_fields_bool(r, i, place);
        break;
    case LIB_FIELD_TEXTS:
        lib_fields_each(r, i, "a text, or a list of them", push_text, place);
        break;
    case LIB_FIELD_U64:
        good = lib_fields_whole(r, i, f->least, f->most, place);
        break;
    case LIB_FIELD_UNSIGNED:
        good = lib_fields_whole(r, i, f->least, f->most, &number);
        if (good)
            *(unsigned *)place = (unsigned)number;
        break;
    case LIB_FIELD_REAL:
        good = lib_fields_entry(r, i)->kind == LIB_YAML_SCALAR &&
               read_real(f, lib_fields_entry(r, i)->value, place);
        if (!good)
            lib_fields_expected(r, i, f->expected);
        break;
    case LIB_FIELD_CHOICE:
        good = read_choice(r, i, f, place);
        break;
    default:
        good = lib_fields_text(r, i, place);
    }
    if (good)
        mark_given(f, into);
}

/* --- mappings ----------------------------------------------------------------------- */

/* Mapping that is being read. `seen` has the position of each field read so far. */
struct mapping {
    const char *what;
    const struct lib_field *fields;
    size_t count;
    void *into;
    size_t prefix; /* length of the prefix of all keys */
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
        read_value(r, i, &m->fields[f], m->into);
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
    LIB_TEXT_OWN hint = {0};
    if (e->kind == LIB_YAML_SCALAR)
        lib_text_hint_whole(&hint, e->value, least, most);
    if (hint.length)
        lib_fields_wrong(r, i, "%s: expected %s, found `%s`%s", e->key, what, e->value,
                         hint.bytes);
    else
        lib_fields_expected(r, i, what);
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
    LIB_TEXT_OWN text = {0};
    lib_text_puts(&text, "one of ");
    for (size_t n = 0; n < count; n++)
        lib_text_printf(&text, "%s%s", n ? "|" : "", names[n]);
    const char *hint = lib_fields_nearest(r, word, names, count);
    if (*word)
        lib_fields_wrong(r, i, "%s: expected %s, found `%s`%s", e->key, text.bytes, word,
                         hint);
    else
        lib_fields_expected(r, i, text.bytes);
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
