#include "sim/cli/scan.h"

#include <assert.h>
#include <string.h>

#include "sim/loading/setting.h"

enum { OPTIONS_MAX = 72, SHOWN_MAX = 8 };

struct scan {
    const struct argp_option *options;
    size_t count;
    int argc;
    char **argv;
    bool is_unknown; /* the first bad option resembles no option */
    struct lib_text *why;
};

/* Adds an option as typed: "--json", or "-x" without long name. */
static void add_name(struct lib_text *out, const struct argp_option *option)
{
    if (option->name)
        lib_text_printf(out, "--%s", option->name);
    else
        lib_text_printf(out, "-%c", option->key);
}

static const char *long_name(size_t i, const void *context)
{
    const struct scan *scan = context;
    return scan->options[i].name ? scan->options[i].name : "";
}

/* Names that other programs have for settings. */
static const struct {
    const char *word, *key;
} other_words[] = {
    {"pes", "pe.count"},
    {"cores", "pe.count"},
    {"processors", "pe.count"},
    {"network", "network.topology"},
    {"topology", "network.topology"},
    {"memory", "limits.memory"},
};

/* Returns the key of a setting that an option may mean, or NULL. */
static const char *find_setting(const char *name)
{
    if (sim_setting_find(name))
        return sim_setting_find(name)->key;
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (strcmp(other_words[i].word, name) == 0)
            return other_words[i].key;
    return strchr(name, '.') ? sim_setting_nearest(name) : NULL;
}

/* Options that another command has, under the name `now`. `from`: command that had them before, for
 * which the command to type is suggested; NULL: any. */
static const struct elsewhere {
    const char *from, *option, *to, *now;
} elsewhere[] = {
    {"hiaton compile", "dump", "hiaton graph", "stage"},
    {"hiaton run", "analyse", "hiaton analyse", "only"},
    {"hiaton run", "figure", "hiaton analyse", "figure"},
    {"hiaton run", "show", "hiaton analyse", "show"},
    {"hiaton run", "thin", "hiaton analyse", "thin"},
    {NULL, "what-if", "hiaton analyse", NULL},
    {NULL, "what-if-all", "hiaton analyse", NULL},
    {NULL, "why", "hiaton analyse", NULL},
    {NULL, "why-stopped", "hiaton analyse", NULL},
    {NULL, "causes", "hiaton analyse", NULL},
    {NULL, "bounds", "hiaton analyse", NULL},
};

/* Options that mean the same to both commands. */
static const char *const of_both[] = {"machine", "set",   "strategy", "seed",  "port",
                                      "json",    "quiet", "verbose",  "output"};

static const struct elsewhere *find_elsewhere(const struct scan *scan, const char *name)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (strcmp(elsewhere[i].option, name) == 0 &&
            (!elsewhere[i].from || strcmp(elsewhere[i].from, scan->argv[0]) == 0))
            return &elsewhere[i];
    return NULL;
}

/* Adds a word quoted for a shell. */
static void add_word(struct lib_text *out, const char *word)
{
    lib_text_puts(out, " ");
    if (*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789_./=:,+@%-") == strlen(word)) {
        lib_text_puts(out, word);
        return;
    }
    lib_text_puts(out, "'");
    for (const char *p = word; *p; p++)
        lib_text_printf(out, *p == '\'' ? "'\\''" : "%c", *p);
    lib_text_puts(out, "'");
}

static bool is_of_both(const struct argp_option *option)
{
    for (size_t i = 0; i < sizeof of_both / sizeof *of_both; i++)
        if (option && option->name && strcmp(option->name, of_both[i]) == 0)
            return true;
    return false;
}

/* Adds an option that moved, or a recording of --from, which is an argument elsewhere. */
static bool add_moved(const struct scan *scan, const char *name, const char *value,
                      struct lib_text *out)
{
    const struct elsewhere *row = find_elsewhere(scan, name);
    const char *at = value ? strrchr(value, '@') : NULL;
    LIB_TEXT_OWN word = {0};
    if (row && row->now)
        lib_text_printf(&word, "--%s=%s", row->now, value ? value : "");
    else if (at && strcmp(name, "from") == 0)
        lib_text_add(&word, value, (size_t)(at - value));
    if (word.length)
        add_word(out, word.bytes);
    return row != NULL;
}

/* Adds the command to type: those words that the other command takes. */
static void add_command(const struct scan *scan, const char *to, struct lib_text *out)
{
    lib_text_puts(out, to);
    for (int i = 1; i < scan->argc; i++) {
        const char *word = scan->argv[i], *equals = strchr(word, '=');
        const struct argp_option *option = NULL;
        if (word[0] != '-' || !word[1] || strcmp(word, "--") == 0) {
            add_word(out, word);
            continue;
        }
        LIB_TEXT_OWN name = {0};
        const bool is_long = word[1] == '-';
        if (is_long)
            lib_text_add(&name, word + 2, strcspn(word + 2, "="));
        for (size_t k = 0; k < scan->count; k++)
            if (is_long ? strcmp(long_name(k, scan), lib_text_get(&name)) == 0
                        : scan->options[k].key == word[1])
                option = &scan->options[k];
        const char *value = is_long && equals ? equals + 1 : NULL;
        const char *next = i + 1 < scan->argc ? scan->argv[i + 1] : NULL;
        const bool moved = add_moved(scan, lib_text_get(&name), value ? value : next,
                                     out);
        const bool has_next = next && !value &&
                              (moved || (option && option->arg && (is_long || !word[2])));
        if (is_of_both(option))
            add_word(out, word);
        if (is_of_both(option) && has_next)
            add_word(out, next);
        i += has_next;
    }
}

static bool takes_settings(const struct scan *scan)
{
    for (size_t i = 0; i < scan->count; i++)
        if (scan->options[i].name && strcmp(scan->options[i].name, "set") == 0)
            return true;
    return false;
}

/* Returns the flag in the value of an unknown option, as `json` in `--format json`; or NULL. `next`
 * is the word after the option, or NULL. */
static const char *find_flag(const struct scan *scan, const char *written, size_t length,
                             const char *next)
{
    const char *value = written[length] == '=' ? written + length + 1 : next;
    for (size_t i = 0; value && i < scan->count; i++)
        if (!scan->options[i].arg && strcmp(long_name(i, scan), value) == 0)
            return long_name(i, scan);
    return NULL;
}

/* Reports an unknown option. `name` may be a misspelt long one, `next` the word after it, or
 * NULL. */
static bool unknown(struct scan *scan, const char *written, size_t length,
                    const char *name, size_t name_length, const char *next)
{
    LIB_TEXT_OWN text = {0};
    lib_text_add(&text, name, name_length);
    const char *flag = find_flag(scan, written, length, next);
    const char *nearest = flag ? flag
                               : lib_text_nearest(text.bytes, scan->count, long_name,
                                                  scan);
    const char *setting = takes_settings(scan) ? find_setting(lib_text_get(&text)) : NULL;
    const struct elsewhere *other = find_elsewhere(scan, lib_text_get(&text));
    lib_text_printf(scan->why, "there is no option `%.*s`", (int)length, written);
    if (setting)
        lib_text_printf(scan->why, "; a setting is written `-s %s=%s`", setting,
                        written[length] == '=' ? written + length + 1 : "VALUE");
    else if (other)
        lib_text_printf(scan->why, "; `%s` has it", other->to);
    else if (nearest)
        lib_text_printf(scan->why, "; did you mean `--%s`?", nearest);
    if (other && other->from) {
        lib_text_puts(scan->why, ": ");
        add_command(scan, other->to, scan->why);
    }
    scan->is_unknown = !nearest && !setting && !other;
    return false;
}

/* Finds the options that a long name or its beginning may mean. */
static size_t match(const struct scan *scan, const char *name, size_t length,
                    const struct argp_option **found)
{
    size_t count = 0;
    for (size_t i = 0; i < scan->count; i++) {
        const char *candidate = long_name(i, scan);
        if (strncmp(candidate, name, length) != 0)
            continue;
        if (candidate[length] == '\0') {
            found[0] = &scan->options[i];
            return 1;
        }
        found[count++] = &scan->options[i];
    }
    return count;
}

static bool ambiguous(struct scan *scan, const char *word, size_t length,
                      const struct argp_option *const *found, size_t count)
{
    lib_text_printf(scan->why, "`%.*s` may be ", (int)length, word);
    for (size_t i = 0; i < count && i < SHOWN_MAX; i++) {
        lib_text_puts(scan->why, i == 0 ? "" : i + 1 < count ? ", " : " or ");
        add_name(scan->why, found[i]);
    }
    return false;
}

static bool valueless(struct scan *scan, const char *written, size_t length,
                      const struct argp_option *option)
{
    lib_text_printf(scan->why, "the value of `%.*s` is missing: %.*s %s", (int)length,
                    written, (int)length, written, option->arg);
    return false;
}

/* Checks "--name" or "--name=value". `next` is the next word; set to NULL if it is the value. */
static bool scan_long(struct scan *scan, const char *word, const char **next)
{
    const struct argp_option *found[OPTIONS_MAX];
    size_t length = strcspn(word, "=");
    size_t count = match(scan, word + 2, length - 2, found);
    if (count == 0)
        return unknown(scan, word, length, word + 2, length - 2, *next);
    if (count > 1)
        return ambiguous(scan, word, length, found, count);
    bool has_value = word[length] == '=';
    if (!found[0]->arg && has_value) {
        add_name(scan->why, found[0]);
        lib_text_printf(scan->why, " takes no value, found `%s`", word + length + 1);
        return false;
    }
    if (!found[0]->arg || has_value)
        return true;
    if (!*next)
        return valueless(scan, word, length, found[0]);
    *next = NULL;
    return true;
}

/* Checks "-x", "-xyz" or "-xVALUE". */
static bool scan_short(struct scan *scan, const char *word, const char **next)
{
    for (const char *p = word + 1; *p; p++) {
        const struct argp_option *option = NULL;
        for (size_t i = 0; i < scan->count && !option; i++)
            if (scan->options[i].key == *p)
                option = &scan->options[i];
        if (!option) { /* "-json" is meant as one option */
            size_t whole = strcspn(word, "=");
            const char letter[] = {'-', *p, '\0'};
            return p == word + 1 && whole > 2
                       ? unknown(scan, word, whole, word + 1, whole - 1, *next)
                       : unknown(scan, letter, 2, "", 0, NULL);
        }
        if (!option->arg)
            continue;
        const char written[] = {'-', *p, '\0'};
        if (!p[1] && !*next)
            return valueless(scan, written, 2, option);
        if (!p[1])
            *next = NULL;
        break;
    }
    return true;
}

static void hint_input(const char *word, const char *next, struct lib_text *why)
{
    const char *name = word + strspn(word, "-"), *equals = strchr(name, '=');
    const char *value = equals ? equals + 1 : next ? next : "";
    double number;
    if (lib_text_to_real(value, &number))
        lib_text_printf(why, "; an input is written `%.*s=%s`, without dashes",
                        (int)strcspn(name, "="), name, value);
}

bool sim_scan(const struct argp_option *options, bool has_inputs, int argc, char **argv,
              struct lib_text *why)
{
    struct scan scan = {.options = options, .argc = argc, .argv = argv, .why = why};
    while (options[scan.count].name || options[scan.count].key)
        scan.count++;
    assert(scan.count < OPTIONS_MAX);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool more = next != NULL, good = true;
        if (strncmp(argv[i], "--", 2) == 0)
            good = scan_long(&scan, argv[i], &next);
        else if (argv[i][0] == '-' && argv[i][1])
            good = scan_short(&scan, argv[i], &next);
        if (!good && scan.is_unknown && has_inputs)
            hint_input(argv[i], next, why);
        if (!good)
            return false;
        i += more && !next; /* skip the value */
    }
    return true;
}
