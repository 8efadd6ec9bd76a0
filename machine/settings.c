#include "machine/settings.h"

#include "lib/cursor.h"
#include "machine/placement/policy.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* The names of options are joined as "|first|second". */
const struct machine_setting machine_setting_table[] = {
#define ROW(key_, kind_, field, help_, ...)                                              \
    {.key = key_,                                                                        \
     .kind = MACHINE_SETTING_##kind_,                                                    \
     .offset = offsetof(struct machine_settings, field),                                 \
     .help = help_,                                                                      \
     __VA_ARGS__},
#define NUMBER(key, field, unit_, standard_, least_, greatest_, help)                    \
    ROW(key, NUMBER, field, help, .unit = unit_, .standard = standard_, .least = least_, \
        .greatest = greatest_)
#define UNIT_LATENCY(key, UNIT, standard, help)                                          \
    NUMBER(key, latency[ISA_UNIT_##UNIT], "cycles", standard, 1, 1000, help)
#define OPTION(ENUMERATOR, name) "|" name
#define CHOICE(key, field, options, standard_, help)                                     \
    ROW(key, CHOICE, field, help, .choices = &(options)[1], .standard = standard_)
#define LIST(key, field, unit_, empty, least_, greatest_, most_, help)                   \
    ROW(key, LIST, field, help, .unit = unit_, .word = empty, .least = least_,           \
        .greatest = greatest_, .most = most_)
#define TEXT(key, field, standard_, most_, help)                                         \
    ROW(key, TEXT, field, help, .word = standard_, .most = most_)
#define PATH(key, field, empty, help) ROW(key, FILE, field, help, .word = empty)
#define OWNER(path)
#include "machine/settings.def"
#undef OWNER
#undef PATH
#undef TEXT
#undef LIST
#undef CHOICE
#undef OPTION
#undef UNIT_LATENCY
#undef NUMBER
#undef ROW
};

/* Checks that a list fits in struct machine_list. */
#define NUMBER(...)
#define UNIT_LATENCY(...)
#define CHOICE(...)
#define TEXT(...)
#define PATH(...)
#define LIST(key, field, unit, empty, least, greatest, most, help)                       \
    _Static_assert((most) <= MACHINE_LIST_MAX && (greatest) <= UINT32_MAX, key);
#define OWNER(path)
#include "machine/settings.def"
#undef OWNER
#undef LIST
#undef PATH
#undef TEXT
#undef CHOICE
#undef UNIT_LATENCY
#undef NUMBER

const size_t machine_setting_count = sizeof machine_setting_table /
                                     sizeof machine_setting_table[0];

const struct machine_setting *machine_setting_find(const char *key)
{
    for (size_t i = 0; i < machine_setting_count; i++)
        if (strcmp(machine_setting_table[i].key, key) == 0)
            return &machine_setting_table[i];
    return NULL;
}

static const char *key_of(size_t i, const void *context)
{
    (void)context;
    return machine_setting_table[i].key;
}

const char *machine_setting_nearest(const char *key)
{
    return lib_text_nearest(key, machine_setting_count, key_of, NULL);
}

/* --- values ------------------------------------------------------------------------- */

static void *field(struct machine_settings *settings,
                   const struct machine_setting *setting)
{
    return (char *)settings + setting->offset;
}

const void *machine_setting_field(const struct machine_settings *settings,
                                  const struct machine_setting *setting)
{
    return (const char *)settings + setting->offset;
}

size_t machine_setting_size(const struct machine_setting *setting)
{
    switch (setting->kind) {
    case MACHINE_SETTING_LIST:
        return sizeof(struct machine_list);
    case MACHINE_SETTING_TEXT:
        return sizeof(const char *);
    case MACHINE_SETTING_FILE:
        return sizeof(const struct machine_file *);
    default:
        return sizeof(uint64_t);
    }
}

void machine_setting_put_field(struct machine_settings *settings,
                               const struct machine_setting *setting, const void *value)
{
    memcpy(field(settings, setting), value, machine_setting_size(setting));
}

bool machine_setting_has_number(const struct machine_setting *setting)
{
    return setting->kind == MACHINE_SETTING_NUMBER ||
           setting->kind == MACHINE_SETTING_CHOICE;
}

uint64_t machine_setting_get(const struct machine_settings *settings,
                             const struct machine_setting *setting)
{
    assert(machine_setting_has_number(setting));
    return *(const uint64_t *)machine_setting_field(settings, setting);
}

static bool is_of(const struct machine_setting *setting, size_t offset)
{
    return setting->offset == offset;
}

/* (Too many PEs are rejected later, by machine_settings_fit.) */
static void follow_cluster(struct machine_settings *s,
                           const struct machine_setting *setting)
{
    const uint64_t pes = s->cluster_nodes * s->cluster_pes;
    if (is_of(setting, offsetof(struct machine_settings, pe_count)))
        s->has_pe_count = true;
    else if ((is_of(setting, offsetof(struct machine_settings, cluster_nodes)) ||
              is_of(setting, offsetof(struct machine_settings, cluster_pes))) &&
             !s->has_pe_count && pes > 0 && pes <= MACHINE_MAX_PES)
        s->pe_count = pes;
}

void machine_setting_put(struct machine_settings *settings,
                         const struct machine_setting *setting, uint64_t value)
{
    assert(machine_setting_has_number(setting));
    machine_setting_put_field(settings, setting, &value);
    follow_cluster(settings, setting);
}

static const struct machine_list *list_of(const struct machine_settings *settings,
                                          const struct machine_setting *setting)
{
    return machine_setting_field(settings, setting);
}

static const char *text_of(const struct machine_settings *settings,
                           const struct machine_setting *setting)
{
    return *(const char *const *)machine_setting_field(settings, setting);
}

const struct machine_file *machine_setting_file(const struct machine_settings *settings,
                                                const struct machine_setting *setting)
{
    if (setting->kind != MACHINE_SETTING_FILE)
        return NULL;
    return *(const struct machine_file *const *)machine_setting_field(settings, setting);
}

static void put_standard(struct machine_settings *settings,
                         const struct machine_setting *setting)
{
    static const struct machine_list no_list;
    static const struct machine_file *const no_file;
    switch (setting->kind) {
    case MACHINE_SETTING_LIST:
        machine_setting_put_field(settings, setting, &no_list);
        break;
    case MACHINE_SETTING_TEXT:
        machine_setting_put_field(settings, setting, &setting->word);
        break;
    case MACHINE_SETTING_FILE:
        machine_setting_put_field(settings, setting, &no_file);
        break;
    default:
        machine_setting_put(settings, setting, setting->standard);
        break;
    }
}

void machine_settings_default(struct machine_settings *settings)
{
    memset(settings, 0,
           sizeof *settings); /* also padding, so that equal settings are equal bytes */
    for (size_t i = 0; i < machine_setting_count; i++)
        put_standard(settings, &machine_setting_table[i]);
    settings->has_pe_count = false; /* pe.count was not set yet */
}

static bool is_same_file(const struct machine_file *a, const struct machine_file *b)
{
    return a == b || (a && b && strcmp(a->digest, b->digest) == 0);
}

bool machine_setting_is_equal(const struct machine_settings *a,
                              const struct machine_settings *b,
                              const struct machine_setting *setting)
{
    switch (setting->kind) {
    case MACHINE_SETTING_TEXT:
        return strcmp(text_of(a, setting), text_of(b, setting)) == 0;
    case MACHINE_SETTING_FILE:
        return is_same_file(machine_setting_file(a, setting),
                            machine_setting_file(b, setting));
    default:
        return memcmp(machine_setting_field(a, setting),
                      machine_setting_field(b, setting),
                      machine_setting_size(setting)) == 0;
    }
}

bool machine_setting_is_standard(const struct machine_settings *settings,
                                 const struct machine_setting *setting)
{
    switch (setting->kind) {
    case MACHINE_SETTING_LIST:
        return list_of(settings, setting)->count == 0;
    case MACHINE_SETTING_TEXT:
        return strcmp(text_of(settings, setting), setting->word) == 0;
    case MACHINE_SETTING_FILE:
        return !machine_setting_file(settings, setting);
    default:
        return machine_setting_get(settings, setting) == setting->standard;
    }
}

/* Placement (machine/placement/policy.c) and faults without a seed of their own
 * (machine/nodes/faults.c) are random. */
bool machine_settings_are_random(const struct machine_settings *s)
{
    const bool has_faults = s->fault_loss || s->fault_duplicate || s->fault_delay ||
                            s->fault_reorder;
    return machine_policies_know_seed(s) || (has_faults && s->fault_seed == 0);
}

/* An executor places nothing, and with one PE there is no choice. */
bool machine_settings_draw(const struct machine_settings *settings)
{
    return machine_settings_are_random(settings) && settings->pe_count > 1 &&
           settings->executor_workers == 0;
}

/* Returns the index of `name` in "a|b|c", or -1. */
static int find_choice(const char *choices, const char *name)
{
    size_t length = strlen(name);
    int place = 0;
    for (const char *p = choices;; p++, place++) {
        size_t here = strcspn(p, "|");
        if (here == length && strncmp(p, name, length) == 0)
            return place;
        p += here;
        if (!*p)
            return -1;
    }
}

/* --- texts of values ---------------------------------------------------------------- */

void machine_setting_expect(const struct machine_setting *setting, struct lib_text *out)
{
    switch (setting->kind) {
    case MACHINE_SETTING_LIST:
        lib_text_printf(out,
                        "1 to %" PRIu64 " numbers of %s from %" PRIu64 " to %" PRIu64
                        " with `x` between them, or `%s`",
                        setting->most, setting->unit, setting->least, setting->greatest,
                        setting->word);
        break;
    case MACHINE_SETTING_TEXT:
        lib_text_printf(out, "1 to %" PRIu64 " bytes of UTF-8 in one line",
                        setting->most);
        break;
    default:
        assert(setting->kind == MACHINE_SETTING_FILE);
        lib_text_printf(out, "the path of a file, or `%s`", setting->word);
        break;
    }
}

static bool fail(const struct machine_setting *setting, const char *text,
                 struct lib_text *why)
{
    lib_text_printf(why, "%s: expected ", setting->key);
    machine_setting_expect(setting, why);
    lib_text_printf(why, ", found `%s`", text);
    return false;
}

static bool set_choice(struct machine_settings *settings,
                       const struct machine_setting *setting, const char *text,
                       struct lib_text *why)
{
    int place = find_choice(setting->choices, text);
    if (place < 0) {
        lib_text_printf(why, "%s: expected one of %s, found `%s`", setting->key,
                        setting->choices, text);
        lib_text_hint_choice(why, text, setting->choices);
        return false;
    }
    machine_setting_put(settings, setting, (uint64_t)place);
    return true;
}

static bool set_number(struct machine_settings *settings,
                       const struct machine_setting *setting, const char *text,
                       struct lib_text *why)
{
    uint64_t value;
    const bool is_read = lib_text_to_whole(text, &value) ||
                         (strcmp(setting->unit, "Hz") == 0 && strstr(text, "Hz") &&
                          lib_text_whole_meant(text, &value));
    if (!is_read || value < setting->least || value > setting->greatest) {
        lib_text_printf(
            why,
            "%s: expected a number of %s from %" PRIu64 " to %" PRIu64 ", found `%s`",
            setting->key, setting->unit, setting->least, setting->greatest, text);
        lib_text_hint_whole(why, text, setting->least, setting->greatest);
        return false;
    }
    machine_setting_put(settings, setting, value);
    return true;
}

static bool set_list(struct machine_settings *settings,
                     const struct machine_setting *setting, const char *text,
                     struct lib_text *why)
{
    struct machine_list list = {0};
    struct lib_cursor c;
    uint64_t item;
    lib_cursor_on(&c, text, NULL, NULL);
    if (!lib_cursor_accept(&c, setting->word) || !lib_cursor_at_end(&c)) {
        c.at = text;
        do {
            if (list.count == setting->most ||
                !lib_cursor_number(&c, "", setting->least, setting->greatest, &item))
                return fail(setting, text, why);
            list.items[list.count++] = (uint32_t)item;
        } while (lib_cursor_accept(&c, "x"));
        if (!lib_cursor_at_end(&c))
            return fail(setting, text, why);
    }
    machine_setting_put_field(settings, setting, &list);
    return true;
}

static bool set_text(struct machine_settings *settings,
                     const struct machine_setting *setting, const char *text,
                     struct lib_text *why)
{
    if (!*text || strlen(text) > setting->most || !lib_text_is_line(text))
        return fail(setting, text, why);
    machine_setting_put_field(settings, setting, &text);
    return true;
}

static bool set_no_file(struct machine_settings *settings,
                        const struct machine_setting *setting, const char *text,
                        struct lib_text *why)
{
    if (strcmp(text, setting->word) != 0) {
        lib_text_printf(why, "%s: no file can be named here: expected `%s`, found `%s`",
                        setting->key, setting->word, text);
        return false;
    }
    put_standard(settings, setting);
    return true;
}

bool machine_setting_set(struct machine_settings *settings,
                         const struct machine_setting *setting, const char *text,
                         struct lib_text *why)
{
    switch (setting->kind) {
    case MACHINE_SETTING_NUMBER:
        return set_number(settings, setting, text, why);
    case MACHINE_SETTING_CHOICE:
        return set_choice(settings, setting, text, why);
    case MACHINE_SETTING_LIST:
        return set_list(settings, setting, text, why);
    case MACHINE_SETTING_TEXT:
        return set_text(settings, setting, text, why);
    case MACHINE_SETTING_FILE:
        return set_no_file(settings, setting, text, why);
    }
    assert(false);
    return false;
}

static void write_choice(const struct machine_setting *setting, uint64_t place,
                         struct lib_text *out)
{
    const char *p = setting->choices;
    while (place-- > 0)
        p += strcspn(p, "|") + 1;
    lib_text_add(out, p, strcspn(p, "|"));
}

static void write_list(const struct machine_list *list, struct lib_text *out)
{
    for (uint64_t i = 0; i < list->count; i++)
        lib_text_printf(out, "%s%" PRIu32, i ? "x" : "", list->items[i]);
}

void machine_setting_write(const struct machine_settings *settings,
                           const struct machine_setting *setting, struct lib_text *out)
{
    if (setting->word && machine_setting_is_standard(settings, setting)) {
        lib_text_puts(out, setting->word);
        return;
    }
    switch (setting->kind) {
    case MACHINE_SETTING_NUMBER:
        lib_text_printf(out, "%" PRIu64, machine_setting_get(settings, setting));
        break;
    case MACHINE_SETTING_CHOICE:
        write_choice(setting, machine_setting_get(settings, setting), out);
        break;
    case MACHINE_SETTING_LIST:
        write_list(list_of(settings, setting), out);
        break;
    case MACHINE_SETTING_TEXT:
        lib_text_puts(out, text_of(settings, setting));
        break;
    case MACHINE_SETTING_FILE:
        lib_text_printf(out, "%s@%s", machine_setting_file(settings, setting)->name,
                        machine_setting_file(settings, setting)->digest);
        break;
    }
}

void machine_setting_identify(const struct machine_settings *settings,
                              const struct machine_setting *setting, struct lib_text *out)
{
    if (setting->kind == MACHINE_SETTING_FILE && machine_setting_file(settings, setting))
        lib_text_puts(out, machine_setting_file(settings, setting)->digest);
    else
        machine_setting_write(settings, setting, out);
}
