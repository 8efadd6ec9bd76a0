#include <string.h>

#include "analysis/table/sheet.h"

/* Columns of a terminal: bytes that begin a character of UTF-8. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (const char *p = text; *p; p++)
        width += (*p & 0xc0) != 0x80;
    return width;
}

static const char *cell_of(const struct analysis_sheet *sheet, size_t r, size_t c)
{
    const char *cell = sheet->cells[r * sheet->width + c];
    return cell ? cell : "-";
}

enum side { LEFT, RIGHT };

/* Adds a text at one side of a field of `width` columns. */
static void put_aligned(struct lib_text *line, const char *text, size_t width,
                        enum side side)
{
    size_t blanks = width > width_of(text) ? width - width_of(text) : 0;
    lib_text_printf(line, "%*s%s%*s", side == LEFT ? 0 : (int)blanks, "", text,
                    side == LEFT ? (int)blanks : 0, "");
}

/* Adds a line without the blanks at its end. */
static void end_line(struct lib_text *line, struct lib_text *out)
{
    size_t length = line->length;
    while (length && line->bytes[length - 1] == ' ')
        length--;
    lib_text_add(out, lib_text_get(line), length);
    lib_text_puts(out, "\n");
    lib_text_clear(line);
}

enum { GAP = 2 };

static size_t group_width(const struct analysis_sheet *sheet, const size_t *widths,
                          size_t group)
{
    size_t width = 0, first = sheet->key_count + group * sheet->group_width;
    for (size_t c = first; c < first + sheet->group_width; c++)
        width += widths[c] + (c > first ? GAP : 0);
    return width;
}

static void measure(const struct analysis_sheet *sheet, size_t *widths)
{
    for (size_t c = 0; c < sheet->width; c++) {
        widths[c] = width_of(sheet->heads[c]);
        for (size_t r = 0; r < sheet->height; r++) {
            size_t width = width_of(cell_of(sheet, r, c));
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
    /* The last column of a group has what its names need. */
    for (size_t i = 0; i < sheet->level_count * sheet->group_count; i++) {
        const size_t g = i % sheet->group_count;
        size_t have = group_width(sheet, widths, g), need = width_of(sheet->levels[i]);
        widths[sheet->key_count + (g + 1) * sheet->group_width - 1] += need > have
                                                                           ? need - have
                                                                           : 0;
    }
}

/* Writes the title in the middle over all groups, or further to the left if it is long. */
static void write_title(const struct analysis_sheet *sheet, const size_t *widths,
                        struct lib_text *out)
{
    struct lib_text line = {0};
    size_t keys = 0, all = 0;
    for (size_t c = 0; c < sheet->key_count; c++)
        keys += widths[c] + GAP;
    for (size_t c = sheet->key_count; c < sheet->width; c++)
        all += widths[c] + (c > sheet->key_count ? GAP : 0);
    const size_t width = width_of(sheet->title);
    const size_t left = width <= all          ? keys + (all - width) / 2
                        : width <= keys + all ? keys + all - width
                                              : 0;
    lib_text_printf(&line, "%*s%s", (int)left, "", sheet->title);
    end_line(&line, out);
    lib_text_free(&line);
}

static void write_groups(const struct analysis_sheet *sheet, const size_t *widths,
                         size_t level, struct lib_text *out)
{
    struct lib_text line = {0};
    for (size_t c = 0; c < sheet->key_count; c++)
        put_aligned(&line, "", widths[c] + GAP, LEFT);
    for (size_t g = 0; g < sheet->group_count; g++) {
        put_aligned(&line, sheet->levels[level * sheet->group_count + g],
                    group_width(sheet, widths, g), RIGHT);
        put_aligned(&line, "", GAP, LEFT);
    }
    end_line(&line, out);
    lib_text_free(&line);
}

void analysis_sheet_write_text(const struct analysis_sheet *sheet, const char *caption,
                               struct lib_text *out)
{
    size_t *widths = LIB_ARENA_ARRAY(sheet->arena, size_t, sheet->width + 1);
    struct lib_text line = {0};
    measure(sheet, widths);
    if (*caption)
        lib_text_printf(out, "%s\n\n", caption);
    if (sheet->title)
        write_title(sheet, widths, out);
    for (size_t level = 0; level < sheet->level_count; level++)
        write_groups(sheet, widths, level, out);
    for (size_t r = 0; r <= sheet->height; r++) {
        if (sheet->below && r == sheet->height - sheet->below + 1)
            lib_text_puts(out, "\n");
        for (size_t c = 0; c < sheet->width; c++) {
            put_aligned(&line, "", c > 0 ? GAP : 0, LEFT);
            put_aligned(&line, r == 0 ? sheet->heads[c] : cell_of(sheet, r - 1, c),
                        widths[c], sheet->is_text[c] ? LEFT : RIGHT);
        }
        end_line(&line, out);
    }
    if (*sheet->note)
        lib_text_printf(out, "\n%s\n", sheet->note);
    lib_text_free(&line);
}
