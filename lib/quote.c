#include "lib/quote.h"

#include <string.h>

void lib_quote_gnuplot(struct lib_text *out, const char *text)
{
    lib_text_puts(out, "'");
    for (const char *p = text; *p;) {
        const size_t length = lib_text_shown(p, strlen(p));
        if (*p == '\n')
            lib_text_puts(out, "'.\"\\n\".'");
        else if (*p == '\'')
            lib_text_puts(out, "''");
        else if (length && *p != '\t')
            lib_text_add(out, p, length);
        else if ((unsigned char)*p >= 0x80)
            lib_text_puts(out, "\xef\xbf\xbd");
        p += length ? length : 1;
    }
    lib_text_puts(out, "'");
}

bool lib_quote_is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./,:+@%-";
    return *word && word[strspn(word, plain)] == '\0';
}

void lib_quote_shell(struct lib_text *out, const char *word)
{
    if (lib_quote_is_plain(word)) {
        lib_text_puts(out, word);
        return;
    }
    lib_text_puts(out, "'");
    for (const char *p = word; *p; p++)
        lib_text_printf(out, *p == '\'' ? "'\\''" : "%c", *p);
    lib_text_puts(out, "'");
}

/* make halves the backslashes before a #, and joins lines at one before their end. */
void lib_quote_make(struct lib_text *out, const char *text)
{
    size_t backslashes = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '#')
            for (size_t i = 0; i <= backslashes; i++)
                lib_text_puts(out, "\\");
        lib_text_printf(out, *p == '$' ? "$$" : "%c", *p);
        backslashes = *p == '\\' ? backslashes + 1 : 0;
    }
    /* an empty variable, which ends nothing */
    lib_text_puts(out, backslashes ? "$()" : "");
}

static const char *find_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return text;
    return NULL;
}

const char *lib_quote_find_bad_make(const char *name)
{
    const char *control = find_control(name);
    if (control || *name == '-')
        return control ? control : name;
    return strpbrk(name, " #$%:;=\\*?[]{}~'\"&|<>()`!");
}

void lib_quote_slurm(struct lib_text *out, const char *text)
{
    const bool is_plain = lib_quote_is_plain(text);
    lib_text_puts(out, is_plain ? "" : "\"");
    lib_text_puts(out, text);
    lib_text_puts(out, is_plain ? "" : "\"");
}

const char *lib_quote_find_bad_slurm(const char *text)
{
    const char *control = find_control(text);
    return control ? control : strpbrk(text, "\"\\");
}
