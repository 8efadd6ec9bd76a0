#include "analysis/report/html.h"

#include <string.h>

static bool starts(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

/* Returns the end of "</name>" of an element that contains none of its name; or NULL. */
static const char *behind(const char *at, const char *close)
{
    const char *end = strstr(at, close);
    return end ? end + strlen(close) : NULL;
}

/* Copies a tag with the prefix before names in it. Returns the text after the tag. */
static const char *copy_tag(struct lib_text *out, const char *at, const char *prefix)
{
    static const char *const names[] = {" id=\"",
                                        " id='",
                                        "href=\"#",
                                        "href='#",
                                        "url(#",
                                        " aria-labelledby=\"",
                                        " aria-labelledby='"};
    char quote = 0;
    do {
        size_t length = 1;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (starts(at, names[i]))
                length = strlen(names[i]);
        for (size_t i = 0; i < length; i++) /* a `>` in quotes does not end the tag */
            quote = quote == at[i]                                  ? 0
                    : quote == 0 && (at[i] == '"' || at[i] == '\'') ? at[i]
                                                                    : quote;
        lib_text_add(out, at, length);
        if (length > 1)
            lib_text_puts(out, prefix);
        at += length;
    } while (*at && (quote || at[-1] != '>'));
    return at;
}

bool analysis_html_svg(struct lib_text *out, const struct lib_text *svg,
                       const char *prefix, const char *title, const char *about)
{
    const char *at = strstr(lib_text_get(svg), "<svg"), *end;
    if (!at || !strstr(at, "</svg>"))
        return false;
    lib_text_printf(out, "<svg role=\"img\" aria-labelledby=\"%stitle %sabout\"", prefix,
                    prefix);
    at = copy_tag(out, at + strlen("<svg"), prefix);
    lib_text_printf(out, "<title id=\"%stitle\">", prefix);
    lib_html_text(out, title);
    lib_text_printf(out, "</title><desc id=\"%sabout\">", prefix);
    lib_html_text(out, about);
    lib_text_puts(out, "</desc>");
    while (*at) {
        if (starts(at, "<!--"))
            end = behind(at, "-->");
        else if (starts(at, "<title>Gnuplot"))
            end = behind(at, "</title>");
        else if (starts(at, "<desc>Produced by GNUPLOT"))
            end = behind(at, "</desc>");
        else if (*at == '<')
            end = copy_tag(out, at, prefix);
        else
            end = at + 1;
        if (!end)
            break;
        if (*at != '<')
            lib_text_add(out, at, 1);
        at = end;
    }
    lib_text_puts(out, "\n");
    return true;
}
