#include "sim/loading/file_kind.h"

#include <string.h>

#include "isa/format/asm.h"
#include "isa/format/image.h"
#include "sim/loading/setting.h"

/* Name of each kind, and which command accepts it. */
static const struct {
    const char *name, *advice;
} kinds[] = {
    [SIM_FILE_SOURCE] = {"the source of a program", "; `hiaton run` runs it"},
    [SIM_FILE_ASSEMBLY] = {"an assembly text", "; `hiaton run` runs it"},
    [SIM_FILE_IMAGE] = {"an image of a program", "; `hiaton run` runs it"},
    [SIM_FILE_EXPERIMENT] = {"an experiment", "; `hiaton sweep run` runs it"},
    [SIM_FILE_MACHINE] = {"a file of settings", "; `-m` takes it"},
    [SIM_FILE_DATABASE] = {"a database", "; `hiaton results` takes those of a sweep"},
    [SIM_FILE_RECORDING] = {"a recording", "; `hiaton replay` runs it again"},
    [SIM_FILE_EVENTS] = {"a file of events", "; `hiaton trace text` prints it"},
    [SIM_FILE_VALUES] = {"a text of comma-separated values", ""},
    [SIM_FILE_JSON] = {"a JSON text", ""},
    [SIM_FILE_PICTURE] = {"a picture", ""},
    [SIM_FILE_BINARY] = {"a binary file", ""},
};

static bool begins_with(const struct lib_source *file, const char *text)
{
    return strncmp(file->bytes, text, strlen(text)) == 0;
}

/* Unindented line: its first word, and the next character that is not a blank. */
struct line {
    const char *word;
    size_t length;
    char sign;
};

static struct line read_line(const char *at)
{
    struct line line = {at, strcspn(at, " \t\r\n:=(\"'#"), '\0'};
    const char *behind = at + line.length;
    line.sign = behind[strspn(behind, " \t")];
    return line;
}

static bool is_word(const struct line *line, const char *word)
{
    return strlen(word) == line->length && memcmp(line->word, word, line->length) == 0;
}

static bool is_setting(const struct line *line)
{
    bool found = is_word(line, "base");
    for (size_t i = 0; i < sim_setting_count && !found; i++) {
        const char *key = sim_setting_at(i)->key;
        const bool continues = strncmp(key, line->word, line->length) == 0;
        found = line->length && continues && strchr(".", key[line->length]);
    }
    return found;
}

/* Finds the kind by the first line that decides it. */
static enum sim_file_kind kind_of_text(const struct lib_source *file)
{
    for (const char *p = file->bytes; p && *p; p = strchr(p, '\n')) {
        p += *p == '\n';
        const struct line line = read_line(p);
        if (line.sign == ':' && is_word(&line, "program"))
            return SIM_FILE_EXPERIMENT;
        if (line.sign == ':' && is_setting(&line))
            return SIM_FILE_MACHINE;
        if (line.sign == '=' && is_word(&line, "result"))
            return SIM_FILE_SOURCE;
        if (is_word(&line, "input") && line.sign && line.sign != ':' && line.sign != '=')
            return SIM_FILE_SOURCE;
    }
    return SIM_FILE_OTHER;
}

/* Whether a file consists of chunks (traces/files/chunks.h) of this kind. */
static bool is_of_chunks(const struct lib_source *file, const char *letters)
{
    return begins_with(file, "\x89HIC") && file->length > 12 &&
           memcmp(file->bytes + 8, letters, 4) == 0;
}

enum sim_file_kind sim_file_kind(const struct lib_source *file)
{
    static const char *const pictures[] = {"%PDF-", "\x89PNG", "<?xml", "<svg",
                                           "digraph "};
    if (isa_image_is(file))
        return SIM_FILE_IMAGE;
    if (isa_asm_is(file))
        return SIM_FILE_ASSEMBLY;
    if (begins_with(file, "SQLite format 3"))
        return SIM_FILE_DATABASE;
    if (is_of_chunks(file, "HREC"))
        return SIM_FILE_RECORDING;
    if (is_of_chunks(file, "HEVT"))
        return SIM_FILE_EVENTS;
    if (begins_with(file, "number,"))
        return SIM_FILE_VALUES;
    if (begins_with(file, "{\n  \"") || begins_with(file, "{\""))
        return SIM_FILE_JSON;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        if (begins_with(file, pictures[i]))
            return SIM_FILE_PICTURE;
    return memchr(file->bytes, '\0', file->length) ? SIM_FILE_BINARY : kind_of_text(file);
}

const char *sim_file_kind_name(enum sim_file_kind kind)
{
    return kinds[kind].name;
}

bool sim_file_check(const struct lib_source *file, const char *wanted,
                    enum sim_file_kind kind, struct lib_diags *diags)
{
    const enum sim_file_kind found = sim_file_kind(file);
    const bool is_yaml = kind == SIM_FILE_EXPERIMENT || kind == SIM_FILE_MACHINE;
    if (found == kind || found == SIM_FILE_OTHER || (is_yaml && found == SIM_FILE_JSON))
        return true;
    lib_diag_error(diags, LIB_DIAG_FILE, file, (struct lib_pos){0},
                   "this is %s, not %s%s", kinds[found].name, wanted,
                   kinds[found].advice);
    return false;
}
