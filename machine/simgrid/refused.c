/* Finds elements of platform files that SimGrid could read but a machine cannot use, and options in
 * <config>, before SimGrid reads the text and decides whether it is XML. */
#include "machine/simgrid/platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct refused {
    const char *word;
    bool is_attribute;
    const char *why;
} refused[] = {
    {"include", false, "a platform must be one file, so that it is kept with a run"},
    {"trace", false, "links and hosts must not change with time"},
    {"trace_connect", false, "links and hosts must not change with time"},
    {"bandwidth_file", true, "links and hosts must not change with time"},
    {"latency_file", true, "links and hosts must not change with time"},
    {"availability_file", true, "links and hosts must not change with time"},
    {"speed_file", true, "links and hosts must not change with time"},
    {"state_file", true, "links and hosts must not change with time"},
    {"actor", false, "the machine alone runs on the hosts"},
    {"process", false, "the machine alone runs on the hosts"},
};

/* Options of SimGrid that a platform may set: those that say how long a message takes. `native`:
 * value with which the native model computes, or NULL if it uses any value. */
static const struct option {
    const char *name, *native;
} options[] = {
    {"network/model", NULL}, /* CM02 and LV08; see machine_platform_warn_of_options */
    {"network/latency-factor", NULL}, {"network/bandwidth-factor", NULL},
    {"network/optim", NULL},          {"network/maxmin-selective-update", NULL},
    {"network/TCP-gamma", "0"},       {"network/crosstraffic", "0"},
    {"network/weight-S", ""},         {"network/loopback-lat", NULL},
    {"network/loopback-bw", NULL},    {"maxmin/precision", NULL},
    {"maxmin/concurrency-limit", ""}, {"surf/precision", NULL},
};

enum { MAX_HOSTS = 262144, MAX_ATTRIBUTES = 64 };

/* --- tags ------------------------------------------------------------------------------------- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == ':' || c == '.';
}

struct word {
    const char *text;
    size_t length;
    struct lib_pos pos;
};

/* A tag: its name and the attributes, those beyond MAX_ATTRIBUTES without. */
struct tag {
    struct word name;
    bool is_end;   /* </NAME> */
    bool is_empty; /* <NAME/> */
    uint32_t count;
    struct {
        struct word name, value;
    } attributes[MAX_ATTRIBUTES];
};

struct reader {
    const struct lib_source *source;
    const char *at, *line_begins;
    uint32_t line;
};

static void step(struct reader *r, size_t count)
{
    for (; count > 0 && *r->at; count--, r->at++)
        if (*r->at == '\n') {
            r->line++;
            r->line_begins = r->at + 1;
        }
}

/* Moves behind the next `end`, or to the end of the text. */
static void step_behind(struct reader *r, const char *end)
{
    const char *found = strstr(r->at, end);
    step(r, found ? (size_t)(found - r->at) + strlen(end) : strlen(r->at));
}

static struct word word_at(const struct reader *r, size_t length)
{
    const struct lib_pos pos = {r->line, (uint32_t)(r->at - r->line_begins) + 1,
                                (uint32_t)length};
    return (struct word){r->at, length, pos};
}

static struct word read_name(struct reader *r)
{
    size_t length = 0;
    while (is_name(r->at[length]))
        length++;
    const struct word word = word_at(r, length);
    step(r, length);
    return word;
}

static void read_value(struct reader *r, struct word *value)
{
    const char quote[] = {*r->at, '\0'};
    step(r, 1);
    *value = word_at(r, strcspn(r->at, quote));
    step_behind(r, quote);
}

static void read_attributes(struct reader *r, struct tag *tag)
{
    while (*r->at && *r->at != '>') {
        if (is_name(*r->at)) {
            const struct word name = read_name(r);
            if (tag->count == MAX_ATTRIBUTES)
                continue;
            tag->attributes[tag->count].name = name;
            tag->attributes[tag->count++].value = (struct word){.text = ""};
        } else if (*r->at == '"' || *r->at == '\'') {
            struct word value;
            read_value(r, &value);
            if (tag->count > 0)
                tag->attributes[tag->count - 1].value = value;
        } else {
            step(r, 1);
        }
    }
}

/* Reads the next tag. Returns false at the end of the text. */
static bool next_tag(struct reader *r, struct tag *tag)
{
    while (*r->at) {
        if (strncmp(r->at, "<!--", 4) == 0) {
            step_behind(r, "-->");
        } else if (*r->at == '<' && (is_name(r->at[1]) || r->at[1] == '/')) {
            tag->is_end = r->at[1] == '/';
            tag->count = 0;
            step(r, tag->is_end ? 2 : 1);
            tag->name = read_name(r);
            read_attributes(r, tag);
            tag->is_empty = r->at[-1] == '/';
            return true;
        } else {
            step(r, 1);
        }
    }
    return false;
}

static struct reader reader_of(const struct lib_source *source)
{
    return (struct reader){source, source->bytes, source->bytes, 1};
}

static bool is_word(const struct word *word, const char *text)
{
    return strlen(text) == word->length && memcmp(text, word->text, word->length) == 0;
}

static const struct word *find(const struct tag *tag, const char *name)
{
    for (uint32_t i = 0; i < tag->count; i++)
        if (is_word(&tag->attributes[i].name, name))
            return &tag->attributes[i].value;
    return NULL;
}

/* --- options ---------------------------------------------------------------------------------- */

/* Reads the next <prop> of a <config>. */
static bool next_option(struct reader *r, bool *is_config, struct tag *tag)
{
    while (next_tag(r, tag)) {
        if (is_word(&tag->name, "config"))
            *is_config = !tag->is_end && !tag->is_empty;
        else if (*is_config && !tag->is_end && is_word(&tag->name, "prop"))
            return true;
    }
    return false;
}

bool machine_platform_option(const struct lib_source *source, const char *name,
                             struct machine_platform_option *option)
{
    struct reader r = reader_of(source);
    struct tag tag;
    bool is_config = false, is_found = false;
    while (next_option(&r, &is_config, &tag)) {
        const struct word *id = find(&tag, "id"), *value = find(&tag, "value");
        if (!id || !value || !is_word(id, name))
            continue;
        *option = (struct machine_platform_option){value->text, value->length, id->pos};
        is_found = true;
    }
    return is_found;
}

static bool is_used(const struct option *known, const struct word *value)
{
    if (strcmp(known->name, "network/model") == 0)
        return is_word(value, "CM02") || is_word(value, "LV08");
    return !known->native || is_word(value, known->native) ||
           (strcmp(known->native, "0") == 0 &&
            (is_word(value, "no") || is_word(value, "false") || is_word(value, "off") ||
             is_word(value, "0.0")));
}

void machine_platform_warn_of_options(const struct lib_source *source,
                                      struct lib_diags *diags)
{
    struct reader r = reader_of(source);
    struct tag tag;
    bool is_config = false;
    while (next_option(&r, &is_config, &tag)) {
        const struct word *id = find(&tag, "id"), *value = find(&tag, "value");
        for (size_t i = 0; id && value && i < sizeof options / sizeof *options; i++)
            if (is_word(id, options[i].name) && !is_used(&options[i], value))
                lib_diag_warning(
                    diags, LIB_DIAG_MEANING, source, id->pos,
                    "network.model=native does not use `%s` of <config>, with which "
                    "SimGrid gives other times",
                    options[i].name);
    }
}

void machine_platform_warn_of_speeds(const struct lib_source *source,
                                     struct lib_diags *diags)
{
    static const char *const usual[] = {"1Gf", "1.0Gf", "286.087Mf"};
    struct reader r = reader_of(source);
    struct tag tag;
    struct word first = {0};
    while (next_tag(&r, &tag)) {
        const struct word *speed = tag.is_end ? NULL : find(&tag, "speed");
        if (!speed)
            continue;
        bool is_usual = false;
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
            is_usual |= is_word(speed, usual[i]);
        const bool is_other = first.text &&
                              (first.length != speed->length ||
                               memcmp(first.text, speed->text, first.length) != 0);
        first = first.text ? first : *speed;
        if (is_usual && !is_other)
            continue;
        lib_diag_warning(diags, LIB_DIAG_MEANING, source, speed->pos,
                         "`speed` of hosts has no effect: all nodes have cluster.clock "
                         "cycles per second, and the latencies of the settings");
        return;
    }
}

static bool is_option(const struct tag *tag, const struct lib_source *source,
                      struct lib_diags *diags)
{
    const struct word *id = find(tag, "id");
    for (size_t i = 0; id && i < sizeof options / sizeof *options; i++)
        if (is_word(id, options[i].name))
            return true;
    LIB_TEXT_OWN known = {0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        lib_text_printf(&known, "%s%s", i ? ", " : "", options[i].name);
    lib_diag_error(diags, LIB_DIAG_NAME, source, id ? id->pos : tag->name.pos,
                   "`%.*s` is not taken of <config>: expected one of %s",
                   id ? (int)id->length : 0, id ? id->text : "", lib_text_get(&known));
    return false;
}

/* --- elements --------------------------------------------------------------------------------- */

static bool is_taken(const struct word *word, bool is_attribute,
                     const struct lib_source *source, struct lib_diags *diags)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].is_attribute == is_attribute && is_word(word, refused[i].word)) {
            lib_diag_error(diags, LIB_DIAG_MEANING, source, word->pos,
                           "`%s` is not taken: %s", refused[i].word, refused[i].why);
            return false;
        }
    return true;
}

/* Whether a link_ctn names the link `name`: by its `id`, with _UP or _DOWN for a direction. */
static bool is_link_of(const struct tag *tag, const char *name)
{
    const struct word *id = find(tag, "id");
    if (!id || strncmp(name, id->text, id->length) != 0)
        return false;
    const char *rest = name + id->length;
    const struct word *direction = find(tag, "direction");
    return *rest == '\0' || (direction && *rest == '_' && is_word(direction, rest + 1));
}

bool machine_platform_find_repeated(const struct lib_source *source, const char *name,
                                    struct lib_pos *pos)
{
    struct reader r = reader_of(source);
    struct tag tag;
    uint32_t count = 0; /* in the route that is read */
    while (next_tag(&r, &tag)) {
        if (!is_word(&tag.name, "link_ctn")) {
            count = 0;
            continue;
        }
        if (tag.is_end || !is_link_of(&tag, name) || ++count < 2)
            continue;
        *pos = find(&tag, "id")->pos;
        return true;
    }
    return false;
}

/* Returns how many hosts a list such as 0-3,7 names; less if it is invalid. */
static uint64_t count_radical(const struct word *list)
{
    const char *at = list->text, *end = at + list->length;
    uint64_t count = 0;
    while (at < end && count <= MAX_HOSTS) {
        char *behind;
        const uint64_t first = strtoull(at, &behind, 10);
        uint64_t last = first;
        if (behind < end && *behind == '-')
            last = strtoull(behind + 1, &behind, 10);
        count += last >= first && last - first < MAX_HOSTS ? last - first + 1
                 : last >= first                           ? MAX_HOSTS + 1u
                                                           : 0;
        const char *comma = behind < end ? memchr(behind, ',', (size_t)(end - behind))
                                         : NULL;
        at = comma ? comma + 1 : end;
    }
    return count;
}

static bool has_few_hosts(const struct tag *tag, uint64_t *hosts,
                          const struct lib_source *source, struct lib_diags *diags)
{
    const struct word *radical = find(tag, "radical");
    if (!radical || *hosts > MAX_HOSTS)
        return true;
    *hosts += count_radical(radical);
    if (*hosts <= MAX_HOSTS)
        return true;
    lib_diag_error(diags, LIB_DIAG_LIMIT, source, radical->pos,
                   "the platform has too many hosts: expected at most %d", MAX_HOSTS);
    return false;
}

bool machine_platform_is_fixed(const struct lib_source *source, struct lib_diags *diags)
{
    struct reader r = reader_of(source);
    struct tag tag;
    uint64_t hosts = 0;
    bool taken = true, is_config = false;
    while (next_tag(&r, &tag)) {
        if (is_word(&tag.name, "config"))
            is_config = !tag.is_end && !tag.is_empty;
        if (tag.is_end)
            continue;
        taken &= is_taken(&tag.name, false, source, diags);
        for (uint32_t i = 0; i < tag.count; i++)
            taken &= is_taken(&tag.attributes[i].name, true, source, diags);
        if (is_config && is_word(&tag.name, "prop"))
            taken &= is_option(&tag, source, diags);
        taken &= has_few_hosts(&tag, &hosts, source, diags);
    }
    return taken;
}
