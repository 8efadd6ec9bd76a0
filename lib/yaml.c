#include "lib/yaml.h"

#include <errno.h>
#include <libfyaml.h>
#include <string.h>

#include "lib/memory.h"

enum {
    MAX_DEPTH = 16,  /* nested mappings and sequences */
    MAX_KEYS = 4096, /* the search for duplicates is linear */
    MAX_ENTRIES = 65536,
    ENOUGH_TO_BEGIN = 65536, /* bytes */
};

struct reader {
    struct fy_parser *parser;
    struct fy_event *event; /* latest event; NULL: at the end or after an error */
    struct lib_yaml *yaml;
    struct lib_arena *arena;
    const struct lib_source *source;
    struct lib_diags *diags;
    size_t keys;

    /* Part of the source that was searched for newlines. Positions are requested in order. */
    size_t looked, line_start;
    uint32_t lines;
};

/* Converts a position. libfyaml counts characters and ends lines also at carriage returns;
 * diagnostics count bytes and end lines only at newlines. */
static struct lib_pos place(struct reader *r, size_t at)
{
    const char *bytes = r->source->bytes, *newline;
    if (at < r->looked) {
        r->looked = r->line_start = 0;
        r->lines = 0;
    }
    while ((newline = memchr(bytes + r->looked, '\n', at - r->looked))) {
        r->looked = r->line_start = (size_t)(newline - bytes) + 1;
        r->lines++;
    }
    r->looked = at;
    return (struct lib_pos){r->lines + 1, (uint32_t)(at - r->line_start) + 1, 1};
}

static struct lib_pos event_position(struct reader *r)
{
    const struct fy_mark *from = fy_event_start_mark(r->event);
    const struct fy_mark *to = fy_event_end_mark(r->event);
    if (!from || from->input_pos > r->source->length)
        return (struct lib_pos){0};
    struct lib_pos pos = place(r, from->input_pos);
    if (to && to->line == from->line && to->input_pos > from->input_pos)
        pos.span = (uint32_t)(to->input_pos - from->input_pos);
    return pos;
}

/* Converts the position of an error, in characters from 1. `line` may be one after the last. */
static struct lib_pos error_position(struct reader *r, int line, int column)
{
    const char *bytes = r->source->bytes, *p = bytes, *end = p + r->source->length;
    for (int n = 1; n < line && p < end; n++) {
        while (p < end && *p != '\n' && *p != '\r')
            p++;
        p += p + 1 < end && p[0] == '\r' && p[1] == '\n';
        p += p < end;
    }
    for (int n = 1; n < column && p < end && *p != '\n'; n++)
        for (p++; p < end && ((unsigned char)*p & 0xc0) == 0x80;)
            p++;
    return line > 0 ? place(r, (size_t)(p - bytes)) : (struct lib_pos){0};
}

static bool next_event(struct reader *r)
{
    fy_parser_event_free(r->parser, r->event);
    r->event = fy_parser_parse(r->parser);
    return r->event != NULL;
}

static bool opens(const struct reader *r)
{
    return r->event->type == FYET_MAPPING_START || r->event->type == FYET_SEQUENCE_START;
}

static bool closes(const struct reader *r)
{
    return r->event->type == FYET_MAPPING_END || r->event->type == FYET_SEQUENCE_END;
}

/* Skips the node that begins at the current event. */
static bool skip_event(struct reader *r)
{
    size_t depth = 0;
    for (;;) {
        depth += opens(r);
        depth -= closes(r);
        if (depth == 0)
            return true;
        if (!next_event(r))
            return false;
    }
}

static const char *scalar_text(struct reader *r)
{
    size_t length = 0;
    struct fy_token *token = r->event->scalar.value;
    const char *text = token ? fy_token_get_text(token, &length) : NULL;
    if (!text)
        return "";
    char *copy = lib_arena_copy(r->arena, text, length);
    for (size_t i = 0; i < length; i++)
        if (copy[i] == '\0') /* NUL in a quoted string is never valid */
            copy[i] = '?';
    return copy;
}

static bool is_repeated(const struct reader *r, size_t first, const char *key,
                        unsigned depth, struct lib_pos pos)
{
    for (size_t i = first; i < r->yaml->count; i++) {
        const struct lib_yaml_entry *e = &r->yaml->items[i];
        if (e->is_item || e->depth != depth || strcmp(e->key, key) != 0)
            continue;
        lib_diag_error(r->diags, LIB_DIAG_NAME, r->source, pos,
                       "duplicate key `%s`; first in line %u", key, e->key_pos.line);
        return true;
    }
    return false;
}

/* Reads the key at the current event. Returns NULL and adds a diagnostic if it is invalid. */
static const char *read_key(struct reader *r, const char *prefix, unsigned depth,
                            size_t first)
{
    struct lib_pos pos = event_position(r);
    if (r->event->type != FYET_SCALAR) {
        lib_diag_error(r->diags, LIB_DIAG_SYNTAX, r->source, pos, "expected a name");
        return NULL;
    }
    const char *key = scalar_text(r);
    if (*prefix)
        key = lib_arena_printf(r->arena, "%s.%s", prefix, key);
    return is_repeated(r, first, key, depth, pos) ? NULL : key;
}

/* Whether the limit `most` is reached, which is an error. */
static bool is_full(const struct reader *r, struct lib_pos pos, size_t count, size_t most)
{
    if (count >= most)
        lib_diag_error(r->diags, LIB_DIAG_LIMIT, r->source, pos,
                       "more than %zu entries in one file", most);
    return count >= most;
}

static bool read_mapping(struct reader *r, const char *prefix, unsigned depth);
static bool read_sequence(struct reader *r, const char *key, unsigned depth);

static bool read_value(struct reader *r, struct lib_yaml_entry entry)
{
    enum fy_event_type type = r->event->type;
    entry.value_pos = event_position(r);
    if (type == FYET_SCALAR) {
        entry.value = scalar_text(r);
        if (!*entry.value)
            entry.value_pos = entry.key_pos;
    } else {
        entry.kind = type == FYET_MAPPING_START    ? LIB_YAML_MAPPING
                     : type == FYET_SEQUENCE_START ? LIB_YAML_SEQUENCE
                                                   : LIB_YAML_ALIAS;
    }
    *LIB_VEC_PUSH(r->yaml) = entry;
    bool deeper = entry.depth + 1 < MAX_DEPTH;
    if (type == FYET_MAPPING_START && deeper)
        return read_mapping(r, entry.key, entry.depth + 1);
    if (type == FYET_SEQUENCE_START && deeper)
        return read_sequence(r, entry.key, entry.depth + 1);
    return skip_event(r);
}

/* Reads to the end of the mapping that the current event begins. Returns false if the text ends
 * first. */
static bool read_mapping(struct reader *r, const char *prefix, unsigned depth)
{
    size_t first = r->yaml->count;
    while (next_event(r) && r->event->type != FYET_MAPPING_END) {
        struct lib_yaml_entry entry = {.depth = depth, .key_pos = event_position(r)};
        entry.key = read_key(r, prefix, depth, first);
        if (is_full(r, entry.key_pos, r->keys++, MAX_KEYS))
            return false;
        bool going = skip_event(r) && next_event(r);
        if (!going || !(entry.key ? read_value(r, entry) : skip_event(r)))
            return false;
    }
    return r->event != NULL;
}

/* Reads like read_mapping. */
static bool read_sequence(struct reader *r, const char *key, unsigned depth)
{
    while (next_event(r) && r->event->type != FYET_SEQUENCE_END) {
        struct lib_pos pos = event_position(r);
        struct lib_yaml_entry item = {
            .key = key, .depth = depth, .is_item = true, .key_pos = pos};
        if (is_full(r, pos, r->yaml->count, MAX_ENTRIES) || !read_value(r, item))
            return false;
    }
    return r->event != NULL;
}

/* Reads the first document. Another one is an error. */
static void read_stream(struct reader *r)
{
    unsigned documents = 0;
    while (next_event(r)) {
        if (r->event->type == FYET_DOCUMENT_START && documents++ > 0) {
            lib_diag_error(r->diags, LIB_DIAG_SYNTAX, r->source, event_position(r),
                           "expected one document, found another");
            return;
        }
        if (r->event->type == FYET_MAPPING_START) {
            if (!read_mapping(r, "", 0))
                return;
            continue;
        }
        bool empty = r->event->type == FYET_SCALAR && !*scalar_text(r);
        if ((r->event->type == FYET_SCALAR && !empty) || opens(r)) {
            lib_diag_error(r->diags, LIB_DIAG_TYPE, r->source, event_position(r),
                           "expected a mapping, found a %s; each line is `key: value`, "
                           "with a blank behind the colon",
                           opens(r) ? "sequence" : "value");
            return;
        }
    }
}

const char *lib_yaml_text(const struct lib_yaml_entry *entry)
{
    switch (entry->kind) {
    case LIB_YAML_MAPPING:
        return "a mapping";
    case LIB_YAML_SEQUENCE:
        return "a sequence";
    case LIB_YAML_ALIAS:
        return "an alias";
    default:
        return *entry->value ? "a value" : "nothing";
    }
}

/* Returns the length of the UTF-8 character at p, or 0 if it is invalid or a control character. */
static size_t character(const unsigned char *p)
{
    if (*p < 0x80)
        return (*p >= 0x20 && *p != 0x7f) || *p == '\n' || *p == '\r' || *p == '\t';
    size_t length = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
    if (*p < 0xc2 || *p > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80) /* ends at the NUL after the text */
            return 0;
    return length;
}

static struct lib_pos place_of(const struct lib_source *source, const char *p)
{
    struct lib_pos pos = {1, 1, 1};
    for (const char *q = source->bytes; q < p; q++) {
        pos.column = *q == '\n' ? 1 : pos.column + 1;
        pos.line += *q == '\n';
    }
    return pos;
}

/* Whether libfyaml (0.7.12) can read a text. It takes bytes that are not UTF-8 for another encoding
 * or, in a directive, reads forever. Directives are rejected, too. */
static bool is_plain(const struct lib_source *source, struct lib_diags *diags)
{
    const char *p = source->bytes, *end = p + source->length, *what = NULL;
    while (p < end && !what) {
        size_t length = character((const unsigned char *)p);
        if (length == 0)
            what = "expected text in UTF-8, found another byte";
        else if (*p == '%' && (p == source->bytes || p[-1] == '\n'))
            what = "directives are not read here";
        else
            p += length;
    }
    if (what)
        lib_diag_error(diags, LIB_DIAG_SYNTAX, source, place_of(source, p), "%s", what);
    return !what;
}

static void discard_message(struct fy_diag *diag, void *user, const char *text,
                            size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static const char *find_advice(const char *message)
{
    static const char *const table[][2] = {
        {"tab character", "; indent with blanks"},
        {"invalid multiline plain key",
         "; each line is `key: value`, and the keys of one mapping are aligned"},
        {"could not find expected ':'", "; each line is `key: value`"},
        {"invalid value after mapping", "; each line is `key: value`"},
        {"missing comma in flow mapping", "; a `{` before it is closed by `}`"},
        {"missing comma in flow sequence", "; a `[` before it is closed by `]`"},
        {"did not find expected key", "; the keys of one mapping are aligned"},
        {"mismatched flow mapping", "; a `[` is closed by `]`"},
        {"mismatched flow sequence", "; a `{` is closed by `}`"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strncmp(message, table[i][0], strlen(table[i][0])) == 0)
            return table[i][1];
    return "";
}

static void add_errors(struct reader *r, struct fy_diag *diag)
{
    struct fy_diag_error *error;
    bool any = false;
    for (void *i = NULL; (error = fy_diag_errors_iterate(diag, &i)); any = true)
        lib_diag_error(r->diags, LIB_DIAG_SYNTAX, r->source,
                       error_position(r, error->line, error->column), "%s%s", error->msg,
                       find_advice(error->msg));
    if (!any && fy_parser_get_stream_error(r->parser))
        lib_diag_error(r->diags, LIB_DIAG_SYNTAX, r->source, (struct lib_pos){0},
                       "not YAML");
}

bool lib_yaml_read(struct lib_yaml *yaml, struct lib_arena *arena,
                   const struct lib_source *source, struct lib_diags *diags)
{
    *yaml = (struct lib_yaml){0};
    size_t errors = diags->errors;
    if (!is_plain(source, diags))
        return false;
    /* libfyaml crashes if it cannot allocate its first buffers. */
    lib_mem_free(lib_mem_resize(NULL, ENOUGH_TO_BEGIN));
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL; /* do not print errors */
    diag_cfg.output_fn = discard_message;
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    struct fy_parse_cfg cfg = {.diag = diag};
    struct fy_parser *parser = diag ? fy_parser_create(&cfg) : NULL;
    if (!parser)
        lib_mem_exhausted(0);
    fy_diag_set_collect_errors(diag, true);
    struct reader r = {
        .parser = parser, .yaml = yaml, .arena = arena, .source = source, .diags = diags};
    errno = 0;
    if (fy_parser_set_string(parser, source->bytes, source->length) == 0)
        read_stream(&r);
    add_errors(&r, diag);
    /* Without memory, libfyaml ends early or returns empty text, often without reporting an
     * error. */
    if (errno == ENOMEM)
        lib_mem_exhausted(0);
    fy_parser_event_free(r.parser, r.event);
    fy_parser_destroy(r.parser);
    fy_diag_destroy(diag);
    return diags->errors == errors;
}

void lib_yaml_free(struct lib_yaml *yaml)
{
    LIB_VEC_FREE(yaml);
}

size_t lib_yaml_behind(const struct lib_yaml *yaml, size_t i)
{
    unsigned depth = yaml->items[i].depth;
    for (i++; i < yaml->count && yaml->items[i].depth > depth;)
        i++;
    return i;
}
