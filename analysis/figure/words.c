#include "analysis/figure/words.h"

#include <string.h>

#include "lib/quote.h"

/* Widths of the letters of Helvetica from the blank on, in thousandths of its size (Adobe, Core 14
 * AFM). */
static const unsigned short widths[] = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
};
enum { OTHER = 600, FIRST = ' ', COUNT = sizeof widths / sizeof widths[0] };

/* SPARE leaves room for wider fonts, such as DejaVu Sans. */
static const double SIZE = 8 / 72.0 * 2.54, SPARE = 1.15;

double analysis_words_width(const char *text)
{
    unsigned long sum = 0;
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= FIRST && c < FIRST + COUNT)
            sum += widths[c - FIRST];
        else if (c >= 0xc0) /* the first byte of a UTF-8 character */
            sum += OTHER;
    }
    return (double)sum / 1000 * SIZE * SPARE;
}

enum where { AT_BLANKS, ANYWHERE };

/* Returns the start of the line after `text`, near byte `at`: after a blank, or between any two
 * characters. Returns NULL if the text cannot be divided. */
static char *find_next_line(char *text, size_t at, enum where where)
{
    size_t nearest = strlen(text);
    char *best = NULL;
    for (char *p = text; *p; p++) {
        const size_t here = (size_t)(p - text);
        const size_t far = here > at ? here - at : at - here;
        const bool may_end = where == AT_BLANKS
                                 ? *p == ' '
                                 : p > text && ((unsigned char)*p & 0xc0) != 0x80 &&
                                       p[-1] != *ANALYSIS_POWER;
        if (may_end && far < nearest) {
            nearest = far;
            best = where == AT_BLANKS ? p + 1 : p;
        }
    }
    return best;
}

static struct analysis_lines divide(struct lib_arena *arena, const char *text,
                                    size_t count, enum where where)
{
    struct analysis_lines lines = {0};
    char *rest = lib_arena_copy(arena, text, strlen(text));
    for (size_t left = count; left > 1; left--) {
        char *next = find_next_line(rest, strlen(rest) / left, where);
        if (!next)
            break;
        const size_t length = (size_t)(next - rest) - (where == AT_BLANKS);
        lines.lines[lines.count++] = lib_arena_copy(arena, rest, length);
        rest = next;
    }
    lines.lines[lines.count++] = rest;
    return lines;
}

struct analysis_lines analysis_words_wrap(struct lib_arena *arena, const char *text,
                                          double width)
{
    struct analysis_lines lines = {0};
    for (enum where where = AT_BLANKS; where <= ANYWHERE; where++)
        for (size_t count = 1; count <= ANALYSIS_WORDS_LINES; count++) {
            lines = divide(arena, text, count, where);
            bool fit = true;
            for (size_t i = 0; i < lines.count; i++)
                fit &= analysis_words_width(lines.lines[i]) <= width;
            if (fit)
                return lines;
        }
    return lines;
}

static const char *const plurals[][2] = {
    {"issue_slot", "issue slots"},           {"structure_read", "structure reads"},
    {"element_request", "element requests"}, {"copy_worker", "copy workers"},
    {"held_constant", "held constants"},
};

const char *analysis_words_of_key(struct lib_arena *arena, const char *key)
{
    for (size_t i = 0; i < sizeof plurals / sizeof *plurals; i++)
        if (strcmp(key, plurals[i][0]) == 0)
            return plurals[i][1];
    return analysis_words_plain(arena, key);
}

const char *analysis_words_plain(struct lib_arena *arena, const char *key)
{
    char *words = lib_arena_copy(arena, key, strlen(key));
    for (char *p = words; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return words;
}

bool analysis_words_say(const char *name, const char *unit)
{
    const size_t length = strlen(name), tail = strlen(unit);
    return length >= tail && strcmp(name + length - tail, unit) == 0 &&
           (length == tail || strchr("_ ", name[length - tail - 1]));
}

/* Puts a backslash before markup characters of enhanced text. In names of ticks, doubles percent
 * signs, which begin formats. Some terminals draw a doubled backslash as two if nothing else in the
 * text is markup: an empty group is. */
void analysis_words_write(struct lib_text *out, const char *text,
                          enum analysis_words_use use)
{
    LIB_TEXT_OWN marked = {0};
    for (const char *p = text; *p; p++) {
        if (*p == *ANALYSIS_POWER && p[1] >= '0' && p[1] <= '9') {
            lib_text_printf(&marked, "10^{%c}", *++p);
            continue;
        }
        if (strchr("_^@&~{}\\", *p))
            lib_text_puts(&marked, "\\");
        else if (*p == '%' && use == ANALYSIS_WORDS_TICK)
            lib_text_puts(&marked, "%");
        lib_text_add(&marked, p, 1);
    }
    if (strchr(text, '\\'))
        lib_text_puts(&marked, "{}");
    lib_quote_gnuplot(out, lib_text_get(&marked));
}
