#include "sim/cli/dispatch.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "sim/cli/complete.h"
#include "sim/messages/messages.h"

static const char help_help[] = "explain a command";

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static bool asks_for_help(const char *word)
{
    return is_one_of(word, (const char *const[]){"--help", "-h", "-?", NULL});
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Prints a row for command i and the next ones with the same help. Returns their number. */
static size_t print_row(const struct sim_dispatch *d, size_t i)
{
    const struct sim_command *c = d->commands;
    LIB_TEXT_OWN names = {0};
    size_t end = i;
    for (; end < d->count && is_same(c[end].help, c[i].help); end++)
        lib_text_printf(&names, "%s%s", end > i ? ", " : "", c[end].name);
    if (c[i].group)
        printf("%-7s", i > 0 && is_same(c[i].group, c[i - 1].group) ? "" : c[i].group);
    else
        printf("  ");
    printf("%-11s  %s\n", names.bytes, c[i].help);
    return end - i;
}

static void print_help(const struct sim_dispatch *d, const char *name)
{
    printf("Usage: %s %s\n%s\n\n", name, d->usage, d->purpose);
    for (size_t i = 0; i < d->count;)
        i += print_row(d, i);
    printf("\n`%s help COMMAND' or `%s' explains a command.\n", name, d->manual);
}

static const char *const option_names[] = {"--help", "--version"};

static const char *option_name(size_t i, const void *context)
{
    (void)context;
    return option_names[i];
}

static const char *command_name(size_t i, const void *context)
{
    const struct sim_dispatch *d = context;
    return i < d->count ? d->commands[i].name : "help";
}

static int bad_usage(const struct sim_dispatch *d, const char *name, const char *wrong)
{
    const struct sim_printer printer = {.command = name};
    bool option = *wrong == '-';
    char *meant = option || !d->meant ? NULL : d->meant(wrong);
    const char *nearest = option ? lib_text_nearest(wrong, 2, option_name, NULL)
                                 : lib_text_nearest(wrong, d->count + 1, command_name, d);
    LIB_TEXT_OWN text = {0};
    lib_text_printf(&text, "there is no %s `%s`%s", option ? "option" : "command", wrong,
                    option ? " before a command" : "");
    if (meant)
        lib_text_puts(&text, meant);
    else if (nearest)
        lib_text_printf(&text, "; did you mean `%s`?", nearest);
    sim_say(&printer, "%s", text.bytes);
    lib_mem_free(meant);
    sim_point_to_help(&printer);
    return SIM_USAGE;
}

static int missing(const struct sim_dispatch *d, const char *name)
{
    const struct sim_printer printer = {.command = name};
    LIB_TEXT_OWN text = {0};
    for (size_t i = 0; i < d->count; i++)
        lib_text_printf(&text, "%s%s", i + 1 < d->count ? (i ? ", " : "") : " or ",
                        d->commands[i].name);
    sim_say(&printer, "a command is missing: %s", text.bytes);
    sim_point_to_help(&printer);
    return SIM_USAGE;
}

static const struct sim_command *find(const struct sim_dispatch *d, const char *word)
{
    for (const struct sim_spelling *s = d->spellings; s && s->word; s++)
        if (strcmp(word, s->word) == 0)
            word = s->command;
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(word, d->commands[i].name) == 0)
            return &d->commands[i];
    return NULL;
}

/* Runs a command under its full name, which begins its messages. */
static int run(const struct sim_command *command, const char *name, int argc, char **argv)
{
    struct lib_text whole = {0};
    lib_text_printf(&whole, "%s %s", name, command->name);
    argv[0] = whole.bytes;
    int status = command->run(argc, argv);
    lib_text_free(&whole);
    return status;
}

static int help(const struct sim_dispatch *d, const char *name, int argc, char **argv)
{
    const struct sim_command *command = argc > 0 ? find(d, argv[0]) : NULL;
    if (command) {
        char option[] = "--help";
        char *words[] = {argv[0], argc > 1 ? argv[1] : option, option, NULL};
        return run(command, name, argc > 1 ? 3 : 2, words);
    }
    if (argc > 0 && !asks_for_help(argv[0]))
        return bad_usage(d, name, argv[0]);
    print_help(d, name);
    return SIM_DONE;
}

static void offer(const char *typed, const char *word, const char *meaning)
{
    if (strncmp(word, typed, strlen(typed)) == 0)
        sim_complete_word(word, meaning);
}

static int complete(const struct sim_dispatch *d, const char *name, int argc, char **argv)
{
    const bool is_help = argc > 1 && strcmp(argv[0], "help") == 0;
    const struct sim_command *command = argc > 1 ? find(d, argv[0]) : NULL;
    if (is_help)
        return complete(d, name, argc - 1, argv + 1);
    if (command) {
        char option[] = SIM_COMPLETE;
        char **words = lib_mem_new(((size_t)argc + 1) * sizeof *words);
        memcpy(words + 1, argv, (size_t)argc * sizeof *argv);
        words[1] = option;
        int status = run(command, name, argc + 1, words);
        lib_mem_free(words);
        return status;
    }
    sim_complete_begin(SIM_COMPLETE_NOTHING, NULL);
    if (argc != 1)
        return SIM_DONE;
    for (size_t i = 0; i < d->count; i++)
        offer(argv[0], d->commands[i].name, d->commands[i].help);
    offer(argv[0], "help", help_help);
    for (size_t i = 0; i < 2 && argv[0][0] == '-'; i++)
        offer(argv[0], option_names[i], "");
    return SIM_DONE;
}

int sim_dispatch(const struct sim_dispatch *dispatch, int argc, char **argv)
{
    const char *name = argv[0], *word = argc > 1 ? argv[1] : NULL;
    if (!word)
        return missing(dispatch, name);
    const struct sim_command *command = find(dispatch, word);
    if (command)
        return run(command, name, argc - 1, argv + 1);
    if (strcmp(word, SIM_COMPLETE) == 0)
        return complete(dispatch, name, argc - 2, argv + 2);
    if (strcmp(word, "help") == 0)
        return help(dispatch, name, argc - 2, argv + 2);
    if (asks_for_help(word))
        return help(dispatch, name, 0, NULL);
    if (strcmp(word, "--version") != 0 && strcmp(word, "-V") != 0)
        return bad_usage(dispatch, name, word);
    puts(argp_program_version);
    return SIM_DONE;
}
