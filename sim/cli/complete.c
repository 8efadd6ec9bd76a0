#include "sim/cli/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lib/memory.h"

void sim_complete_begin(enum sim_complete_kind kind, const char *detail)
{
    static const char *const words[] = {":nothing", ":files", ":files=", ":folders",
                                        ":unknown"};
    printf("%s%s%s\n", words[kind], detail ? " " : "", detail ? detail : "");
}

void sim_complete_word(const char *word, const char *meaning)
{
    /* A shell puts the word into the command line as it is. */
    if (word[strcspn(word, "`$;|&<>()\"'\\!\n\r")] == '\0' && lib_text_is_line(word))
        printf("%s\t%s\n", word, meaning);
}

/* Words of a command line, as far as they are typed. */
struct line {
    const struct sim_usage *usage;
    const struct argp_option *options;
    const char **arguments; /* those before the last word */
    size_t argument_count;
    const struct argp_option *open; /* option whose value is the last word, or NULL */
    bool options_ended;             /* by `--` */
};

/* Returns the next option in a table that is not hidden, or NULL. */
static const struct argp_option *next_of(const struct argp_option *last)
{
    while (last->name || last->key) {
        if (!(last->flags & OPTION_HIDDEN))
            return last;
        last++;
    }
    return NULL;
}

static bool is_letter(const struct argp_option *o)
{
    return o->key > 0 && o->key < 128 && isprint(o->key);
}

static const struct argp_option *find_long(const struct line *l, const char *name,
                                           size_t length)
{
    const struct argp_option *found = NULL;
    for (const struct argp_option *o = l->options; o->name || o->key; o++)
        if (o->name && strncmp(o->name, name, length) == 0 &&
            (!found || !o->name[length]))
            found = o;
    return found;
}

static const struct argp_option *find_letter(const struct line *l, char letter)
{
    for (const struct argp_option *o = l->options; o->name || o->key; o++)
        if (o->key == letter)
            return o;
    return NULL;
}

static void offer_options(const struct line *l, const char *typed)
{
    char text[3] = "-";
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    for (const struct argp_option *o = next_of(l->options); o; o = next_of(o + 1)) {
        LIB_TEXT_OWN word = {0};
        lib_text_printf(&word, "--%s", o->name ? o->name : "");
        if (o->name && strncmp(word.bytes, typed, strlen(typed)) == 0)
            sim_complete_word(word.bytes, o->doc ? o->doc : "");
        text[1] = (char)o->key;
        if (is_letter(o) && strcmp(typed, "-") == 0)
            sim_complete_word(text, o->doc ? o->doc : "");
    }
}

static void take(struct line *l, const char *word)
{
    const struct argp_option *o = NULL;
    bool has_value = true;
    if (l->open) {
        l->open = NULL;
    } else if (l->options_ended || word[0] != '-' || !word[1]) {
        l->arguments[l->argument_count++] = word;
    } else if (strcmp(word, "--") == 0) {
        l->options_ended = true;
    } else if (word[1] == '-') {
        size_t length = strcspn(word, "=");
        o = find_long(l, word + 2, length - 2);
        has_value = word[length] == '=';
    } else {
        const char *p = word + 1;
        while (*p && (!(o = find_letter(l, *p)) || !o->arg))
            p++;
        has_value = *p && p[1];
    }
    if (o && o->arg && !has_value)
        l->open = o;
}

static void complete_value_of(const struct line *l, const struct argp_option *o,
                              const char *prefix, const char *typed)
{
    const struct sim_complete_value value = {
        o->arg, prefix, typed, l->arguments, l->argument_count, false, l->usage};
    sim_complete_value(&value);
}

/* Words of one form of the arguments, "show|csv FILE.db [NAME]", without options. */
struct form {
    LIB_VEC(char *) names; /* owned */
    bool repeats;          /* the last one may be repeated */
};

static void read_form(struct form *form, const char *text, size_t length)
{
    bool is_value = false; /* value of an option: "-o IMAGE" */
    for (const char *p = text, *end = text + length; p < end;) {
        size_t word = strcspn(p, " \n"), strip = strspn(p, "[");
        struct lib_text name = {0};
        lib_text_add(&name, p + strip, strcspn(p + strip, " \n]."));
        const char *behind = p + strip + name.length;
        if (*behind == '.' && strncmp(behind, "...", 3) != 0) /* FILE.db */
            lib_text_add(&name, behind, strcspn(behind + 1, " \n].") + 1);
        form->repeats |= word >= 3 && strncmp(p + word - 3, "...", 3) == 0;
        bool is_option = name.length && name.bytes[0] == '-';
        if (name.length && !is_option && !is_value)
            *LIB_VEC_PUSH(&form->names) = name.bytes;
        else
            lib_text_free(&name);
        is_value = is_option && !memchr(p, '=', word);
        p += word + (p + word < end);
    }
}

/* Whether "show|csv|latex|plot" has a word. */
static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words; p; p = strchr(p, '|'), p += p != NULL)
        if (strncmp(p, word, length) == 0 && (p[length] == '|' || !p[length]))
            return true;
    return false;
}

/* Returns the name of the last argument in a form, or NULL if the arguments before do not fit
 * it. */
static const char *name_in(const struct form *form, const struct line *l)
{
    size_t place = l->argument_count;
    for (size_t i = 0; i < place && i < form->names.count; i++)
        if (islower((unsigned char)*form->names.items[i]) &&
            !has_word(form->names.items[i], l->arguments[i]))
            return NULL;
    if (place >= form->names.count)
        return form->repeats && form->names.count
                   ? form->names.items[form->names.count - 1]
                   : NULL;
    return form->names.items[place];
}

static void complete_argument(const struct line *l, const char *typed)
{
    struct lib_text names = {0}; /* all choices of all forms */
    const char *text = l->usage->arguments ? l->usage->arguments : "";
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        struct form form = {0};
        read_form(&form, p, strcspn(p, "\n"));
        const char *name = name_in(&form, l);
        if (name && !has_word(lib_text_get(&names), name))
            lib_text_printf(&names, "%s%s", names.length ? "|" : "", name);
        for (size_t i = 0; i < form.names.count; i++)
            lib_mem_free(form.names.items[i]);
        LIB_VEC_FREE(&form.names);
    }
    const struct sim_complete_value value = {
        lib_text_get(&names), "", typed, l->arguments, l->argument_count, true, l->usage};
    if (names.length)
        sim_complete_value(&value);
    else
        sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    lib_text_free(&names);
}

void sim_complete(const struct sim_usage *usage, const struct argp_option *options,
                  int argc, char **argv)
{
    struct line line = {usage, options, NULL, 0, NULL, false};
    const char *last = argc > 0 ? argv[argc - 1] : "";
    line.arguments = lib_mem_new(((size_t)argc + 1) * sizeof *line.arguments);
    for (int i = 0; i + 1 < argc; i++)
        take(&line, argv[i]);
    const size_t equals = strcspn(last, "=");
    const bool is_option = last[0] == '-' && !line.options_ended && !line.open;
    if (line.open) {
        complete_value_of(&line, line.open, "", last);
    } else if (is_option && last[1] == '-' && last[equals]) {
        const struct argp_option *o = find_long(&line, last + 2, equals - 2);
        LIB_TEXT_OWN prefix = {0};
        lib_text_add(&prefix, last, equals + 1);
        if (o && o->arg)
            complete_value_of(&line, o, prefix.bytes, last + equals + 1);
        else
            sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    } else if (is_option) {
        offer_options(&line, last);
    } else {
        complete_argument(&line, last);
    }
    lib_mem_free(line.arguments);
}
