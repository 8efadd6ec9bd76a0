#include "lib/setting.h"

#include "lib/cursor.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------- */

const void *lib_setting_field(const void *values, const struct lib_setting *setting)
{
    if (setting->find) /* which changes nothing if it does not add */
        return setting->find((void *)(uintptr_t)values, setting, false);
    return (const char *)values + setting->offset;
}

bool lib_setting_is_set(const void *values, const struct lib_setting *setting)
{
    return lib_setting_field(values, setting) != NULL;
}

size_t lib_setting_size(const struct lib_setting *setting)
{
    switch (setting->kind) {
    case LIB_SETTING_LIST:
        return sizeof(struct lib_setting_list);
    case LIB_SETTING_RANGES:
        return sizeof(struct lib_setting_ranges);
    case LIB_SETTING_TEXT:
        return sizeof(const char *);
    case LIB_SETTING_FILE:
        return sizeof(const struct lib_setting_file *);
    default:
        return sizeof(uint64_t);
    }
}

/* Returns the address of a value that is to be set. */
static inline void *place_of(void *values, const struct lib_setting *setting)
{
    return setting->find ? setting->find(values, setting, true)
                         : (char *)values + setting->offset;
}

void lib_setting_put_field(void *values, const struct lib_setting *setting,
                           const void *value)
{
    memcpy(place_of(values, setting), value, lib_setting_size(setting));
}

bool lib_setting_has_number(const struct lib_setting *setting)
{
    return setting->kind == LIB_SETTING_NUMBER || setting->kind == LIB_SETTING_CHOICE;
}

uint64_t lib_setting_get(const void *values, const struct lib_setting *setting)
{
    assert(lib_setting_has_number(setting));
    return *(const uint64_t *)lib_setting_field(values, setting);
}

static inline void put_number(void *values, const struct lib_setting *setting,
                              uint64_t value)
{
    assert(lib_setting_has_number(setting));
    *(uint64_t *)place_of(values, setting) = value;
    if (setting->follow)
        setting->follow(values, setting);
}

void lib_setting_put(void *values, const struct lib_setting *setting, uint64_t value)
{
    put_number(values, setting, value);
}

static const struct lib_setting_list *list_of(const void *values,
                                              const struct lib_setting *setting)
{
    return lib_setting_field(values, setting);
}

static const char *text_of(const void *values, const struct lib_setting *setting)
{
    return *(const char *const *)lib_setting_field(values, setting);
}

static uint64_t words_of(const void *values, const struct lib_setting *setting)
{
    return *(const uint64_t *)lib_setting_field(values, setting);
}

const struct lib_setting_file *lib_setting_file(const void *values,
                                                const struct lib_setting *setting)
{
    if (setting->kind != LIB_SETTING_FILE)
        return NULL;
    return *(const struct lib_setting_file *const *)lib_setting_field(values, setting);
}

static void put_standard(void *values, const struct lib_setting *setting)
{
    static const struct lib_setting_list no_list;
    static const struct lib_setting_ranges no_ranges;
    static const struct lib_setting_file *const no_file;
    switch (setting->kind) {
    case LIB_SETTING_LIST:
        lib_setting_put_field(values, setting, &no_list);
        break;
    case LIB_SETTING_RANGES:
        lib_setting_put_field(values, setting, &no_ranges);
        break;
    case LIB_SETTING_TEXT:
        lib_setting_put_field(values, setting, &setting->word);
        break;
    case LIB_SETTING_FILE:
        lib_setting_put_field(values, setting, &no_file);
        break;
    case LIB_SETTING_WORDS:
        lib_setting_put_field(values, setting, &setting->standard);
        break;
    default:
        put_number(values, setting, setting->standard);
        break;
    }
}

const struct lib_setting *lib_setting_find(const struct lib_setting *table, size_t count,
                                           const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].key, key) == 0)
            return &table[i];
    return NULL;
}

void lib_settings_default(void *values, const struct lib_setting *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_standard(values, &table[i]);
}

static bool is_same_file(const struct lib_setting_file *a,
                         const struct lib_setting_file *b)
{
    return a == b || (a && b && strcmp(a->digest, b->digest) == 0);
}

bool lib_setting_is_equal(const void *a, const void *b, const struct lib_setting *setting)
{
    if (!lib_setting_is_set(a, setting) || !lib_setting_is_set(b, setting))
        return lib_setting_is_set(a, setting) == lib_setting_is_set(b, setting);
    switch (setting->kind) {
    case LIB_SETTING_TEXT:
        return strcmp(text_of(a, setting), text_of(b, setting)) == 0;
    case LIB_SETTING_FILE:
        return is_same_file(lib_setting_file(a, setting), lib_setting_file(b, setting));
    default:
        return memcmp(lib_setting_field(a, setting), lib_setting_field(b, setting),
                      lib_setting_size(setting)) == 0;
    }
}

bool lib_setting_is_standard(const void *values, const struct lib_setting *setting)
{
    if (setting->find)
        return !lib_setting_is_set(values, setting);
    switch (setting->kind) {
    case LIB_SETTING_LIST:
        return list_of(values, setting)->count == 0;
    case LIB_SETTING_RANGES:
        return ((const struct lib_setting_ranges *)lib_setting_field(values, setting))
                   ->count == 0;
    case LIB_SETTING_TEXT:
        return strcmp(text_of(values, setting), setting->word) == 0;
    case LIB_SETTING_FILE:
        return !lib_setting_file(values, setting);
    case LIB_SETTING_WORDS:
        return words_of(values, setting) == setting->standard;
    default:
        return lib_setting_get(values, setting) == setting->standard;
    }
}

/* Returns the index of `name`, of `length` bytes, in "a|b|c", or -1. */
static int find_choice(const char *choices, const char *name, size_t length)
{
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

/* The word for all options of a set that has one for none. Words of such a set are written with `+`
 * between, and may be given with commas, where these do not separate values. */
#define ALL_WORDS "all"

/* --- texts of values ---------------------------------------------------------------- */

void lib_setting_expect(const struct lib_setting *setting, struct lib_text *out)
{
    switch (setting->kind) {
    case LIB_SETTING_WORDS:
        lib_text_printf(out, "words of %s with %s between", setting->choices,
                        setting->word ? "`+`" : "blanks");
        if (setting->word)
            lib_text_printf(out, ", or `%s`, or `" ALL_WORDS "`", setting->word);
        break;
    case LIB_SETTING_LIST:
        lib_text_printf(out,
                        "1 to %" PRIu64 " numbers of %s from %" PRIu64 " to %" PRIu64
                        " with `x` between them, or `%s`",
                        setting->most, setting->unit, setting->least, setting->greatest,
                        setting->word);
        break;
    case LIB_SETTING_RANGES:
        lib_text_printf(
            out,
            "1 to %d %s or ranges of them from %" PRIu64 " to %" PRIu64 ", as in `0-1,4`",
            LIB_SETTING_RANGES_MAX, setting->unit, setting->least, setting->greatest);
        break;
    case LIB_SETTING_TEXT:
        lib_text_printf(out, "1 to %" PRIu64 " bytes of UTF-8 in one line",
                        setting->most);
        break;
    default:
        assert(setting->kind == LIB_SETTING_FILE);
        lib_text_printf(out, "the path of a file, or `%s`", setting->word);
        break;
    }
}

static bool fail(const struct lib_setting *setting, const char *text,
                 struct lib_text *why)
{
    lib_text_printf(why, "%s: expected ", setting->key);
    lib_setting_expect(setting, why);
    lib_text_printf(why, ", found `%s`", text);
    return false;
}

static bool set_choice(void *values, const struct lib_setting *setting, const char *text,
                       struct lib_text *why)
{
    int place = find_choice(setting->choices, text, strlen(text));
    if (place < 0) {
        lib_text_printf(why, "%s: expected one of %s, found `%s`", setting->key,
                        setting->choices, text);
        lib_text_hint_choice(why, text, setting->choices);
        return false;
    }
    lib_setting_put(values, setting, (uint64_t)place);
    return true;
}

/* Returns the set of all options, "a|b|c". */
static uint64_t all_words(const char *choices)
{
    uint64_t set = 1;
    for (; *choices; choices++)
        set = *choices == '|' ? set << 1 | 1 : set;
    return set;
}

/* Reads words, at least one; or the word for none of them, or that for all. */
static bool set_words(void *values, const struct lib_setting *setting, const char *text,
                      struct lib_text *why)
{
    uint64_t set = 0;
    const char *between = setting->word ? "+, " : " ";
    const bool is_none = setting->word && strcmp(text, setting->word) == 0;
    const bool is_all = setting->word && strcmp(text, ALL_WORDS) == 0;
    if (is_all)
        set = all_words(setting->choices);
    for (const char *c = is_all || is_none ? "" : text + strspn(text, " "); *c;
         c += strspn(c, between)) {
        const size_t length = strcspn(c, between);
        const int place = find_choice(setting->choices, c, length);
        if (place < 0) {
            LIB_TEXT_OWN word = {0};
            lib_text_add(&word, c, length);
            fail(setting, text, why);
            lib_text_hint_choice(why, lib_text_get(&word), setting->choices);
            return false;
        }
        set |= UINT64_C(1) << place;
        c += length;
    }
    if (set == 0 && !is_none)
        return fail(setting, text, why);
    lib_setting_put_field(values, setting, &set);
    return true;
}

static bool set_number(void *values, const struct lib_setting *setting, const char *text,
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
    lib_setting_put(values, setting, value);
    return true;
}

static bool set_list(void *values, const struct lib_setting *setting, const char *text,
                     struct lib_text *why)
{
    struct lib_setting_list list = {0};
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
    lib_setting_put_field(values, setting, &list);
    return true;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct lib_setting_range *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Merges sorted ranges that touch. */
static void merge_ranges(struct lib_setting_ranges *ranges)
{
    const struct lib_setting_ranges all = *ranges;
    *ranges = (struct lib_setting_ranges){0};
    for (uint64_t i = 0; i < all.count; i++) {
        const struct lib_setting_range *r = &all.items[i];
        struct lib_setting_range *before = ranges->count
                                               ? &ranges->items[ranges->count - 1]
                                               : NULL;
        if (!before || r->first > before->last + 1)
            ranges->items[ranges->count++] = *r;
        else if (r->last > before->last)
            before->last = r->last;
    }
}

static bool read_ranges(const struct lib_setting *setting, const char *text,
                        struct lib_setting_ranges *ranges)
{
    struct lib_cursor c;
    lib_cursor_on(&c, text, NULL, NULL);
    do {
        uint64_t first, last;
        if (ranges->count == LIB_SETTING_RANGES_MAX ||
            !lib_cursor_number(&c, "", setting->least, setting->greatest, &first))
            return false;
        last = first;
        if (lib_cursor_accept(&c, "-") &&
            !lib_cursor_number(&c, "", first, setting->greatest, &last))
            return false;
        ranges->items[ranges->count++] = (struct lib_setting_range){(uint32_t)first,
                                                                    (uint32_t)last};
    } while (lib_cursor_accept(&c, ","));
    qsort(ranges->items, ranges->count, sizeof *ranges->items, compare_ranges);
    return lib_cursor_at_end(&c);
}

static bool set_ranges(void *values, const struct lib_setting *setting, const char *text,
                       struct lib_text *why)
{
    struct lib_setting_ranges ranges = {0};
    if (!read_ranges(setting, text, &ranges))
        return fail(setting, text, why);
    for (uint64_t i = 1; i < ranges.count; i++)
        if (ranges.items[i].first <= ranges.items[i - 1].last) {
            lib_text_printf(why, "%s: %" PRIu32 " is in the list twice, found `%s`",
                            setting->key, ranges.items[i].first, text);
            return false;
        }
    merge_ranges(&ranges);
    lib_setting_put_field(values, setting, &ranges);
    return true;
}

static bool set_text(void *values, const struct lib_setting *setting, const char *text,
                     struct lib_text *why)
{
    if (!*text || strlen(text) > setting->most || !lib_text_is_line(text))
        return fail(setting, text, why);
    lib_setting_put_field(values, setting, &text);
    return true;
}

static bool set_no_file(void *values, const struct lib_setting *setting, const char *text,
                        struct lib_text *why)
{
    if (strcmp(text, setting->word) != 0) {
        lib_text_printf(why, "%s: no file can be named here: expected `%s`, found `%s`",
                        setting->key, setting->word, text);
        return false;
    }
    put_standard(values, setting);
    return true;
}

bool lib_setting_set(void *values, const struct lib_setting *setting, const char *text,
                     struct lib_text *why)
{
    switch (setting->kind) {
    case LIB_SETTING_NUMBER:
        return set_number(values, setting, text, why);
    case LIB_SETTING_CHOICE:
        return set_choice(values, setting, text, why);
    case LIB_SETTING_WORDS:
        return set_words(values, setting, text, why);
    case LIB_SETTING_LIST:
        return set_list(values, setting, text, why);
    case LIB_SETTING_RANGES:
        return set_ranges(values, setting, text, why);
    case LIB_SETTING_TEXT:
        return set_text(values, setting, text, why);
    case LIB_SETTING_FILE:
        return set_no_file(values, setting, text, why);
    }
    assert(false);
    return false;
}

static void write_choice(const struct lib_setting *setting, uint64_t place,
                         struct lib_text *out)
{
    const char *p = setting->choices;
    while (place-- > 0)
        p += strcspn(p, "|") + 1;
    lib_text_add(out, p, strcspn(p, "|"));
}

static void write_words(const struct lib_setting *setting, uint64_t set,
                        struct lib_text *out)
{
    const char *blank = "";
    for (uint64_t place = 0; set >> place; place++) {
        if (!(set >> place & 1))
            continue;
        lib_text_puts(out, blank);
        write_choice(setting, place, out);
        blank = setting->word ? "+" : " ";
    }
}

static void write_list(const struct lib_setting_list *list, struct lib_text *out)
{
    for (uint64_t i = 0; i < list->count; i++)
        lib_text_printf(out, "%s%" PRIu32, i ? "x" : "", list->items[i]);
}

static void write_ranges(const struct lib_setting_ranges *ranges, struct lib_text *out)
{
    for (uint64_t i = 0; i < ranges->count; i++) {
        const struct lib_setting_range *r = &ranges->items[i];
        lib_text_printf(out, "%s%" PRIu32, i ? "," : "", r->first);
        if (r->last != r->first)
            lib_text_printf(out, "-%" PRIu32, r->last);
    }
}

void lib_setting_write(const void *values, const struct lib_setting *setting,
                       struct lib_text *out)
{
    if (!lib_setting_is_set(values, setting))
        return;
    if (setting->word && lib_setting_is_standard(values, setting)) {
        lib_text_puts(out, setting->word);
        return;
    }
    switch (setting->kind) {
    case LIB_SETTING_NUMBER:
        lib_text_printf(out, "%" PRIu64, lib_setting_get(values, setting));
        break;
    case LIB_SETTING_CHOICE:
        write_choice(setting, lib_setting_get(values, setting), out);
        break;
    case LIB_SETTING_WORDS:
        write_words(setting, words_of(values, setting), out);
        break;
    case LIB_SETTING_LIST:
        write_list(list_of(values, setting), out);
        break;
    case LIB_SETTING_RANGES:
        write_ranges(lib_setting_field(values, setting), out);
        break;
    case LIB_SETTING_TEXT:
        lib_text_puts(out, text_of(values, setting));
        break;
    case LIB_SETTING_FILE:
        lib_text_printf(out, "%s@%s", lib_setting_file(values, setting)->name,
                        lib_setting_file(values, setting)->digest);
        break;
    }
}

void lib_setting_identify(const void *values, const struct lib_setting *setting,
                          struct lib_text *out)
{
    if (setting->kind == LIB_SETTING_FILE && lib_setting_file(values, setting))
        lib_text_puts(out, lib_setting_file(values, setting)->digest);
    else
        lib_setting_write(values, setting, out);
}
