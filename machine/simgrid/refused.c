/* Finds elements of platform files that SimGrid could read but a machine cannot use, before
 * SimGrid reads the text and decides whether it is XML. */
#include "machine/simgrid/platform.h"

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
    {"state_file", true, "links and hosts must not change with time"},
    {"actor", false, "the machine alone runs on the hosts"},
    {"process", false, "the machine alone runs on the hosts"},
};

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == ':' || c == '.';
}

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

static bool is_refused(const struct reader *r, size_t length, bool is_attribute,
                       struct lib_diags *diags)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct refused *no = &refused[i];
        if (no->is_attribute != is_attribute || strlen(no->word) != length ||
            memcmp(no->word, r->at, length) != 0)
            continue;
        const struct lib_pos pos = {r->line, (uint32_t)(r->at - r->line_begins) + 1,
                                    (uint32_t)length};
        lib_diag_error(diags, LIB_DIAG_MEANING, r->source, pos, "`%s` is not taken: %s",
                       no->word, no->why);
        return true;
    }
    return false;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (is_name(at[length]))
        length++;
    return length;
}

static bool read_tag(struct reader *r, struct lib_diags *diags)
{
    bool is_attribute = false, taken = true;
    while (*r->at && *r->at != '>') {
        const size_t length = name_length(r->at);
        if (length > 0) {
            taken &= !is_refused(r, length, is_attribute, diags);
            is_attribute = true;
            step(r, length);
        } else if (*r->at == '"' || *r->at == '\'') {
            const char quote[] = {*r->at, '\0'};
            step(r, 1);
            step_behind(r, quote);
        } else {
            step(r, 1);
        }
    }
    return taken;
}

bool machine_platform_is_fixed(const struct lib_source *source, struct lib_diags *diags)
{
    struct reader r = {source, source->bytes, source->bytes, 1};
    bool taken = true;
    while (*r.at) {
        if (strncmp(r.at, "<!--", 4) == 0) {
            step_behind(&r, "-->");
        } else if (*r.at == '<' && is_name(r.at[1])) {
            step(&r, 1);
            taken &= read_tag(&r, diags);
        } else {
            step(&r, 1);
        }
    }
    return taken;
}
