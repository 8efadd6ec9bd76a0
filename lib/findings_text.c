#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/findings.h"

enum {
    ROWS_SHOWN = 40,
    BAR_LENGTH = 30,
    SHORT_BAR = 10,
    HEAD_LINES = 4,
    INDENT = 2,
    GAP = 2,
    ALIGNED = 28,
    WIDTH = 100
};

/* --- values ---------------------------------------------------------------------------- */

static void write_real(double real, enum lib_style style, struct lib_text *out)
{
    if (isnan(real))
        lib_text_puts(out, "-");
    else if (style == LIB_STYLE_PERCENT)
        lib_text_printf(out, "%.1f %%", 100 * real);
    else if (style == LIB_STYLE_SIGNED)
        lib_text_printf(out, "%+.1f", real);
    else if (style == LIB_STYLE_SHORT)
        lib_text_printf(out, "%.4g", real);
    else
        lib_text_printf(out, "%.*f", real < 10 ? 3 : 2, real);
}

/* Writes a list as "a, b", a record as "key a, key (key b)". */
static void write_on_line(const struct lib_record *record, enum lib_style style,
                          struct lib_text *out)
{
    if (record->items.count == 0)
        lib_text_puts(out, "-");
    for (size_t i = 0; i < record->items.count; i++) {
        const struct lib_item *item = &record->items.items[i];
        const bool is_inner = item->value.kind == LIB_VALUE_RECORD;
        lib_text_printf(out, "%s%s%s", i ? ", " : "", item->key ? item->key : "",
                        item->key ? " " : "");
        lib_text_puts(out, is_inner ? "(" : "");
        lib_value_write(&item->value, item->key ? item->style : style, out);
        lib_text_puts(out, is_inner ? ")" : "");
    }
}

void lib_value_write(const struct lib_value *value, enum lib_style style,
                     struct lib_text *out)
{
    switch (value->kind) {
    case LIB_VALUE_COUNT:
        lib_text_printf(out, "%" PRIu64, value->count);
        break;
    case LIB_VALUE_INT:
        lib_text_printf(out, style == LIB_STYLE_SIGNED ? "%+" PRId64 : "%" PRId64,
                        value->integer);
        break;
    case LIB_VALUE_REAL:
        write_real(value->real, style, out);
        break;
    case LIB_VALUE_WORD:
        lib_text_puts(out, value->word);
        break;
    case LIB_VALUE_FLAG:
        lib_text_puts(out, value->flag ? "yes" : "no");
        break;
    case LIB_VALUE_HEX:
        lib_text_printf(out, "%016" PRIx64, value->count);
        break;
    case LIB_VALUE_LIST:
    case LIB_VALUE_RECORD:
        write_on_line(value->record, style, out);
        break;
    default:
        lib_text_puts(out, "-");
        break;
    }
}

/* Returns the width on a terminal: bytes that begin a UTF-8 character. */
static size_t width_of_part(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length; i++)
        width += (text[i] & 0xc0) != 0x80;
    return width;
}

static size_t width_of(const char *text)
{
    return width_of_part(text, strlen(text));
}

/* Adds a text in lines of at most WIDTH columns, broken between words. `first` blanks precede the
 * first line, `indent` the others. */
static void put_wrapped(struct lib_text *out, const char *text, size_t first,
                        size_t indent)
{
    size_t at = first;
    lib_text_printf(out, "%*s", (int)first, "");
    while (*text) {
        const size_t length = strcspn(text, " ");
        const size_t blanks = strspn(text + length, " ");
        lib_text_add(out, text, length);
        at += width_of_part(text, length);
        text += length + blanks;
        const size_t next = width_of_part(text, strcspn(text, " "));
        if (*text && at + blanks + next > WIDTH) {
            lib_text_printf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (*text) {
            lib_text_printf(out, "%*s", (int)blanks, "");
            at += blanks;
        }
    }
    lib_text_puts(out, "\n");
}

/* --- tables ---------------------------------------------------------------------------- */

/* Table that is being written: the rows shown, then the rows of sums. */
struct work {
    const struct lib_table *table;
    size_t rows, sums, indent;
    size_t *widths;    /* of each column; 0: hidden */
    bool breaks_heads; /* titles are broken into several lines to narrow the table */
    double greatest;   /* value of the longest bar */
    size_t longest;    /* width of the longest bar */
    struct lib_text line, text;
    struct lib_text *out;
};

static const struct lib_value *cell_at(const struct work *w, size_t row, size_t column)
{
    const size_t hidden = row < w->rows ? 0 : lib_table_rows(w->table) - w->rows;
    return lib_table_cell(w->table, row + hidden, column);
}

static const char *text_of(struct work *w, const struct lib_value *cell, size_t column)
{
    lib_text_clear(&w->text);
    lib_value_write(cell, w->table->columns.items[column].style, &w->text);
    return lib_text_get(&w->text);
}

/* Returns the length of a title up to the next place where it may be broken. */
static size_t length_of_piece(const char *head)
{
    const size_t length = strcspn(head, "_ ");
    return length + (head[length] == '_');
}

/* Sets w->text to line `number` of a title broken to `width`. Returns the number of lines. */
static size_t part_of_head(struct work *w, const struct lib_column *column, size_t width,
                           size_t number)
{
    const char *p = column->label ? column->label : column->key;
    size_t parts = 0;
    lib_text_clear(&w->text);
    for (; *p; parts++) {
        size_t length = w->breaks_heads ? length_of_piece(p) : strlen(p), next = length;
        for (; next <= width && w->breaks_heads; length = next) {
            next += p[next] == ' ';
            next += length_of_piece(p + next);
            if (next == length || next > width)
                break;
        }
        if (parts == number)
            lib_text_add(&w->text, p, length);
        p += length + (p[length] == ' ');
    }
    return parts;
}

static bool is_left(const struct lib_column *column, const struct lib_value *cell)
{
    return column->side == LIB_SIDE_AUTO ? cell && cell->kind == LIB_VALUE_WORD
                                         : column->side == LIB_SIDE_LEFT;
}

static void add_aligned(struct lib_text *line, const char *text, size_t width, bool left)
{
    const size_t have = width_of(text), blanks = width > have ? width - have : 0;
    lib_text_printf(line, "%*s%s%*s", left ? 0 : (int)blanks, "", text,
                    left ? (int)blanks : 0, "");
}

/* Adds the line without trailing blanks. */
static void end_line(struct work *w)
{
    size_t length = w->line.length;
    while (length && w->line.bytes[length - 1] == ' ')
        length--;
    lib_text_add(w->out, lib_text_get(&w->line), length);
    lib_text_puts(w->out, "\n");
    lib_text_clear(&w->line);
}

static size_t measure_column(struct work *w, size_t c)
{
    const struct lib_column *column = &w->table->columns.items[c];
    size_t widest = 0;
    bool is_zero = true;
    for (size_t i = 0; i < part_of_head(w, column, 0, i); i++) {
        const size_t width = width_of(lib_text_get(&w->text));
        widest = width > widest ? width : widest;
    }
    while (part_of_head(w, column, widest, SIZE_MAX) > HEAD_LINES)
        widest++;
    for (size_t r = 0; r < w->rows + w->sums; r++) {
        const struct lib_value *cell = cell_at(w, r, c);
        const size_t width = width_of(text_of(w, cell, c));
        widest = width > widest ? width : widest;
        is_zero &= lib_value_number(cell) == 0;
    }
    const bool is_hidden = column->hidden & LIB_NOT_IN_TEXT || column->is_group ||
                           (column->hides_zeros && is_zero);
    return is_hidden ? 0 : widest;
}

static size_t width_of_columns(const struct work *w, size_t first, size_t count)
{
    size_t width = 0;
    for (size_t c = first; c < first + count; c++)
        width += w->widths[c] ? (width ? GAP : 0) + w->widths[c] : 0;
    return width;
}

/* Widens the last shown column under a title to what the title needs. A title at the right end may
 * extend to the left instead, over columns without title. */
static void measure_levels(struct work *w)
{
    const size_t width = w->table->columns.count;
    for (size_t level = 0; level < w->table->level_count; level++)
        for (size_t c = 0, end; c < width; c = end) {
            const char *head = lib_table_over(w->table, level, c);
            size_t last = end = c + lib_table_covers(w->table, level, c);
            const size_t have = width_of_columns(w, c, end - c),
                         need = head ? width_of(head) : 0;
            const bool extends = end == width && c > 0 &&
                                 !lib_table_over(w->table, level, c - 1);
            if (have == 0 || need <= have || extends)
                continue;
            while (w->widths[--last] == 0)
                ;
            w->widths[last] += need - have;
        }
}

/* Writes the lines of titles over columns: centred over several columns, right-aligned over one. */
static void write_levels(struct work *w)
{
    const size_t width = w->table->columns.count;
    for (size_t level = 0; level < w->table->level_count; level++) {
        size_t end = w->indent;
        for (size_t c = 0, count; c < width; c += count) {
            const char *head = lib_table_over(w->table, level, c);
            count = lib_table_covers(w->table, level, c);
            const size_t have = width_of_columns(w, c, count),
                         need = head ? width_of(head) : 0;
            end += (end > w->indent && have ? GAP : 0) + have;
            const size_t after = count > 1 && need < have ? (have - need + 1) / 2 : 0,
                         place = end > need + after ? end - need - after : 0,
                         written = width_of(lib_text_get(&w->line));
            if (head && have)
                lib_text_printf(&w->line, "%*s%s",
                                place > written ? (int)(place - written) : 0, "", head);
        }
        end_line(w);
    }
}

static void add_row(struct work *w, size_t row)
{
    lib_text_printf(&w->line, "%*s", (int)w->indent, "");
    for (size_t c = 0, shown = 0; c < w->table->columns.count; c++) {
        const struct lib_value *cell = cell_at(w, row, c);
        if (w->widths[c] == 0)
            continue;
        add_aligned(&w->line, "", shown++ ? GAP : 0, true);
        add_aligned(&w->line, text_of(w, cell, c), w->widths[c],
                    is_left(&w->table->columns.items[c], cell));
    }
}

/* Writes the column titles, aligned at their last lines. */
static void write_heads(struct work *w)
{
    const struct lib_column *columns = w->table->columns.items;
    size_t lines = 1;
    for (size_t c = 0; c < w->table->columns.count; c++) {
        const size_t parts = w->widths[c] ? part_of_head(w, &columns[c], w->widths[c], 0)
                                          : 0;
        lines = parts > lines ? parts : lines;
    }
    for (size_t line = 0; line < lines; line++) {
        lib_text_printf(&w->line, "%*s", (int)w->indent, "");
        for (size_t c = 0, shown = 0; c < w->table->columns.count; c++) {
            if (w->widths[c] == 0)
                continue;
            const bool left = is_left(&columns[c], w->rows ? cell_at(w, 0, c) : NULL);
            const size_t parts = part_of_head(w, &columns[c], w->widths[c], SIZE_MAX);
            part_of_head(w, &columns[c], w->widths[c], line + parts - lines);
            add_aligned(&w->line, "", shown++ ? GAP : 0, true);
            add_aligned(&w->line, lib_text_get(&w->text), w->widths[c], left);
        }
        end_line(w);
    }
}

/* Returns the width of the table. */
static size_t measure(struct work *w)
{
    size_t width = 0;
    for (size_t c = 0; c < w->table->columns.count; c++) {
        w->widths[c] = measure_column(w, c);
        width += w->widths[c] ? (width ? GAP : 0) + w->widths[c] : 0;
    }
    return w->indent + width;
}

/* Breaks the titles if that narrows the table clearly. Returns its width. */
static size_t break_heads(struct work *w, size_t width)
{
    w->breaks_heads = true;
    const size_t narrow = measure(w);
    w->breaks_heads = narrow <= WIDTH || narrow + WIDTH / 10 <= width;
    return w->breaks_heads ? narrow : measure(w);
}

/* Adds a bar, at least one mark long if the value is not 0. */
static void add_bar(struct work *w, size_t row)
{
    static const char marks[] = "##############################";
    static_assert(sizeof marks == BAR_LENGTH + 1, "the longest bar");
    const double value = lib_value_number(cell_at(w, row, w->table->bar));
    if (value > 0)
        lib_text_printf(&w->line, "  %.*s",
                        (int)fmax(1, round(value / w->greatest * (double)w->longest)),
                        marks);
}

static void write_entries(const struct lib_table *t, struct lib_text *out)
{
    enum { ENTRY = 4 };
    LIB_TEXT_OWN line = {0};
    for (size_t r = 0; r < lib_table_rows(t); r++) {
        if (r > 0 && lib_table_group(t, r))
            lib_text_puts(out, "\n");
        for (size_t c = 0; c < t->columns.count; c++) {
            const struct lib_column *column = &t->columns.items[c];
            const bool is_last = c + 1 == t->columns.count;
            if (column->hidden & LIB_NOT_IN_TEXT || column->is_group)
                continue;
            if (is_last) {
                put_wrapped(out, lib_text_get(&line), 0, ENTRY);
                lib_text_clear(&line);
            } else if (line.length)
                lib_text_puts(&line, column->label ? column->label : " ");
            lib_value_write(lib_table_cell(t, r, c), column->style, &line);
        }
        put_wrapped(out, lib_text_get(&line), ENTRY, ENTRY);
        lib_text_clear(&line);
    }
}

void lib_table_write_text(const struct lib_table *t, size_t indent, struct lib_text *out)
{
    if (t->is_entries) {
        write_entries(t, out);
        return;
    }
    const size_t rows = lib_table_rows(t);
    const size_t shown = t->shows_all || rows < ROWS_SHOWN ? rows : ROWS_SHOWN;
    struct work w = {.table = t,
                     .rows = shown,
                     .sums = t->sum_rows,
                     .indent = indent,
                     .widths = lib_mem_new((t->columns.count + 1) * sizeof *w.widths),
                     .out = out};
    size_t width = measure(&w);
    if (width + (t->bar ? GAP + SHORT_BAR : 0) > WIDTH)
        width = break_heads(&w, width);
    w.longest = width + GAP + BAR_LENGTH <= WIDTH  ? BAR_LENGTH
                : width + GAP + SHORT_BAR <= WIDTH ? WIDTH - width - GAP
                                                   : SHORT_BAR;
    for (size_t r = 0; t->bar && r < shown; r++)
        w.greatest = fmax(w.greatest, lib_value_number(cell_at(&w, r, t->bar)));
    measure_levels(&w);
    write_levels(&w);
    if (!t->no_heads)
        write_heads(&w);
    for (size_t r = 0; r < shown + w.sums; r++) {
        if (r == shown && rows > shown)
            lib_text_printf(out, "%*sand %zu more rows, which --csv and --json have\n",
                            (int)indent, "", rows - shown);
        if (r == shown || (r > 0 && r < shown && lib_table_group(t, r)))
            lib_text_puts(out, "\n");
        add_row(&w, r);
        if (t->bar)
            add_bar(&w, r);
        end_line(&w);
    }
    if (w.sums == 0 && rows > shown)
        lib_text_printf(out, "%*sand %zu more rows, which --csv and --json have\n",
                        (int)indent, "", rows - shown);
    if (t->note) {
        lib_text_puts(out, "\n");
        put_wrapped(out, t->note, indent, indent);
    }
    LIB_TEXT_FREE(&w.line, &w.text);
    lib_mem_free(w.widths);
}

/* --- records --------------------------------------------------------------------------- */

/* Whether an item is one line of its record, or a record of such items. */
static bool is_lines(const struct lib_item *item)
{
    if (!item->key || item->value.kind == LIB_VALUE_TABLE)
        return false;
    if (!lib_value_is_compound(&item->value) || item->style == LIB_STYLE_ON_LINE)
        return true;
    if (item->value.kind == LIB_VALUE_LIST)
        return lib_list_is_plain(item->value.record);
    for (size_t i = 0; i < item->value.record->items.count; i++)
        if (!is_lines(&item->value.record->items.items[i]))
            return false;
    return true;
}

static bool is_shown(const struct lib_item *item)
{
    return !(item->hidden & LIB_NOT_IN_TEXT) && item->value.kind != LIB_VALUE_ABSENT;
}

/* State of writing or (`out` NULL) measuring lines of a record. Helps follow right-aligned values,
 * unless those are long. */
struct lines {
    size_t indent, keys, values; /* widths */
    bool has_help;
    struct lib_text key, value;
    struct lib_text *out;
};

static void put_line(struct lines *l, const struct lib_item *item)
{
    lib_text_clear(&l->value);
    lib_value_write(&item->value, item->style, &l->value);
    const size_t keys = width_of(lib_text_get(&l->key)),
                 values = width_of(lib_text_get(&l->value));
    if (l->out) {
        lib_text_printf(l->out, "%*s", (int)l->indent, "");
        add_aligned(l->out, lib_text_get(&l->key), l->keys + GAP, true);
        add_aligned(l->out, lib_text_get(&l->value), l->has_help ? l->values : 0, false);
        lib_text_printf(l->out, "%s%s\n", *item->help ? "  " : "", item->help);
    } else {
        l->keys = keys > l->keys ? keys : l->keys;
        l->values = values > l->values && values <= ALIGNED ? values : l->values;
        l->has_help |= *item->help;
    }
}

/* Puts the line of an item. Items of a record get both keys: "only.pe". */
static void put_lines(struct lines *l, const struct lib_item *item)
{
    const size_t before = l->key.length;
    if (!is_shown(item))
        return;
    lib_text_printf(&l->key, "%s%s", before ? "." : "", item->key);
    if (item->value.kind == LIB_VALUE_RECORD && item->style != LIB_STYLE_ON_LINE)
        for (size_t i = 0; i < item->value.record->items.count; i++)
            put_lines(l, &item->value.record->items.items[i]);
    else
        put_line(l, item);
    l->key.length = before;
    l->key.bytes[before] = '\0';
}

/* Returns the index of the first item not written. */
static size_t write_lines(const struct lib_record *record, size_t first, size_t indent,
                          struct lib_text *out)
{
    struct lines l = {.indent = indent};
    size_t last = first;
    for (; last < record->items.count && is_lines(&record->items.items[last]); last++)
        put_lines(&l, &record->items.items[last]);
    l.out = out;
    for (size_t i = first; i < last; i++)
        put_lines(&l, &record->items.items[i]);
    LIB_TEXT_FREE(&l.key, &l.value);
    return last;
}

static void write_title(const char *name, const struct lib_item *item,
                        struct lib_text *out)
{
    lib_text_puts(out, out->length ? "\n" : "");
    if (name)
        lib_text_printf(out, "%s.%s: %s\n", name, item->key, item->help);
    else if (*item->help || item->value.kind != LIB_VALUE_TABLE)
        lib_text_printf(out, "%s:\n", *item->help ? item->help : item->key);
}

static void write_items(const struct lib_record *record, const char *name,
                        const char *only, size_t indent, struct lib_text *out);

static void write_compound(const struct lib_item *item, const char *name, size_t indent,
                           struct lib_text *out)
{
    if (item->value.kind == LIB_VALUE_TABLE) {
        write_title(name, item, out);
        const bool is_below = name || (*item->help && !item->value.table->no_heads);
        lib_table_write_text(item->value.table, is_below ? INDENT : 0, out);
    } else if (item->key) {
        write_title(name, item, out);
        write_items(item->value.record, NULL, NULL, INDENT, out);
    } else if (item->value.kind == LIB_VALUE_WORD) {
        lib_text_printf(out, "%s\n", item->value.word);
    } else {
        write_items(item->value.record, NULL, NULL, indent, out);
    }
}

static void write_items(const struct lib_record *record, const char *name,
                        const char *only, size_t indent, struct lib_text *out)
{
    bool had_tables = false;
    for (size_t i = 0; i < record->items.count;) {
        const struct lib_item *item = &record->items.items[i];
        if (!is_shown(item) || !lib_findings_wants(only, item)) {
            i++;
        } else if (is_lines(item)) {
            if (out->length && (name || had_tables))
                lib_text_puts(out, "\n");
            if (name)
                lib_text_printf(out, "%s\n", name);
            i = write_lines(record, i, indent, out);
        } else {
            write_compound(item, name, indent, out);
            had_tables = item->key;
            i++;
        }
    }
}

void lib_findings_write_text(const struct lib_findings *f, const char *only,
                             struct lib_text *out)
{
    write_items(&f->root, f->name, only, f->name ? INDENT : 0, out);
}
