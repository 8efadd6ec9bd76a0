#include "analysis/report/chain.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 120, FEW = 20, SPANS = 80, WORDS = 64, LIKELY = 3 };

/* Cycles by word: of causes, or of functions and lines. */
struct tally {
    struct {
        const char *word;
        uint64_t line, cycles;
    } items[WORDS];
    size_t count;
};

struct stretch {
    uint64_t from, to;
    struct tally causes, places;
};

struct chain {
    const struct lib_table *table;
    size_t from, to, cause, function, line;
    size_t rows;
    bool links_lines;
};

/* Beyond WORDS different words, the last entry takes the rest. */
static void tally_add(struct tally *t, const char *word, uint64_t line, uint64_t cycles)
{
    size_t i = 0;
    while (i < t->count &&
           (strcmp(t->items[i].word, word) != 0 || t->items[i].line != line))
        i++;
    if (i == t->count && i < WORDS) {
        t->items[t->count].word = word;
        t->items[t->count].line = line;
        t->items[t->count++].cycles = 0;
    }
    t->items[i < WORDS ? i : WORDS - 1].cycles += cycles;
}

/* Removes the entry with most cycles. Returns its index; SIZE_MAX if none is left. */
static size_t take_most(struct tally *t)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < t->count; i++)
        if (t->items[i].cycles &&
            (best == SIZE_MAX || t->items[i].cycles > t->items[best].cycles))
            best = i;
    return best;
}

struct piece {
    uint64_t from, to, line; /* `line` 0: none */
    const char *cause, *function;
};

static struct piece piece_of(const struct chain *c, size_t row)
{
    const struct lib_table *t = c->table;
    const struct lib_value *line = lib_table_cell(t, row, c->line);
    return (struct piece){
        .from = lib_table_cell(t, row, c->from)->count,
        .to = lib_table_cell(t, row, c->to)->count,
        .line = line->kind == LIB_VALUE_COUNT ? line->count : 0,
        .cause = lib_table_cell(t, row, c->cause)->word,
        .function = lib_table_cell(t, row, c->function)->word,
    };
}

static void put_causes(struct lib_text *out, struct stretch *s)
{
    const double cycles = (double)(s->to - s->from);
    for (int i = 0; i < LIKELY; i++) {
        const size_t best = take_most(&s->causes);
        if (best == SIZE_MAX)
            break;
        lib_text_puts(out, i ? ", " : "");
        lib_html_text(out, s->causes.items[best].word);
        lib_text_printf(out, " %.0f&#160;%%",
                        100 * (double)s->causes.items[best].cycles / cycles);
        s->causes.items[best].cycles = 0;
    }
}

static void put_row(struct lib_text *out, const struct chain *c, struct stretch *s)
{
    const size_t place = take_most(&s->places);
    lib_text_printf(out,
                    "<tr><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64
                    "</td><td class=\"n\">%" PRIu64 "</td><td>",
                    s->from, s->to, s->to - s->from);
    if (place != SIZE_MAX) {
        const uint64_t line = s->places.items[place].line;
        lib_html_text(out, s->places.items[place].word);
        if (line && !c->links_lines)
            lib_text_printf(out, ", line %" PRIu64, line);
        else if (line)
            lib_text_printf(out, ", <a href=\"#L%" PRIu64 "\">line %" PRIu64 "</a>", line,
                            line);
        if (s->places.count > 1)
            lib_text_printf(out, " (%.0f&#160;%%)",
                            100 * (double)s->places.items[place].cycles /
                                (double)(s->to - s->from));
    }
    lib_text_puts(out, "</td><td>");
    put_causes(out, s);
    lib_text_puts(out, "</td></tr>\n");
}

static size_t count_stretches(const struct chain *c)
{
    struct piece last = {.function = NULL};
    size_t count = 0;
    for (size_t row = 0; row < c->rows && count <= MOST; row++) {
        const struct piece p = piece_of(c, row);
        count += row == 0 || p.line != last.line ||
                 strcmp(p.function, last.function) != 0;
        last = p;
    }
    return count;
}

/* The path by pieces, by stretches of one line, or by spans of time. */
enum chain_form { EACH, LINES, TIMES };

static enum chain_form form_of(const struct chain *c)
{
    if (c->rows <= MOST)
        return EACH;
    const size_t stretches = count_stretches(c);
    return stretches >= FEW && stretches <= MOST ? LINES : TIMES;
}

static void put_stretches(struct lib_text *out, const struct chain *c,
                          enum chain_form form, uint64_t span)
{
    struct stretch s = {0};
    struct piece last = {.function = NULL};
    for (size_t row = 0; row < c->rows; row++) {
        const struct piece p = piece_of(c, row);
        const bool is_same = row > 0 && p.line == last.line &&
                             strcmp(p.function, last.function) == 0;
        const bool goes_on = form == LINES   ? is_same
                             : form == TIMES ? row > 0 && p.to - s.from <= span
                                             : false;
        if (row > 0 && !goes_on)
            put_row(out, c, &s);
        if (!goes_on)
            s = (struct stretch){.from = p.from};
        s.to = p.to;
        tally_add(&s.causes, p.cause, 0, p.to - p.from);
        tally_add(&s.places, p.function, p.line, p.to - p.from);
        last = p;
    }
    if (c->rows)
        put_row(out, c, &s);
}

void analysis_chain_draw(struct lib_text *out, const struct lib_table *t,
                         bool links_lines)
{
    const struct chain c = {t,
                            lib_table_find(t, "from"),
                            lib_table_find(t, "to"),
                            lib_table_find(t, "cause"),
                            lib_table_find(t, "function"),
                            lib_table_find(t, "line"),
                            lib_table_rows(t),
                            links_lines};
    static const char *const told[] = {"each of them",
                                       "those that follow each other in one line are one",
                                       "in spans of about equal time"};
    const enum chain_form form = form_of(&c);
    const uint64_t cycles = c.rows ? piece_of(&c, c.rows - 1).to - piece_of(&c, 0).from
                                   : 0;
    lib_html_wide(out, NULL, "The critical path");
    lib_text_printf(out,
                    "<table id=\"chain\">\n"
                    "<caption>The critical path from the start to the end, %zu pieces: %s"
                    "</caption>\n<thead><tr><th scope=\"col\" class=\"n\">from</th>"
                    "<th scope=\"col\" class=\"n\">to</th>"
                    "<th scope=\"col\" class=\"n\">cycles</th><th scope=\"col\">%s</th>"
                    "<th scope=\"col\">causes</th></tr></thead>\n<tbody>\n",
                    c.rows, told[form], form == TIMES ? "mostly in" : "in");
    put_stretches(out, &c, form, cycles / SPANS + 1);
    lib_text_puts(out, "</tbody>\n</table></div>\n");
}
