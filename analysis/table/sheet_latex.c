#include "analysis/table/sheet.h"
#include "lib/findings.h"

const char *analysis_latex_raw(struct lib_arena *arena, const char *text)
{
    return text && *text
               ? lib_arena_printf(arena, LIB_LATEX_RAW_BEGIN "%s" LIB_LATEX_RAW_END, text)
               : text;
}

static void write_cell(const struct analysis_sheet *sheet, size_t r, size_t c,
                       struct lib_text *out)
{
    const char *cell = sheet->cells[r * sheet->width + c];
    if (!cell)
        lib_text_puts(out, "--");
    else if (sheet->is_text[c])
        lib_latex_text(out, cell);
    else
        lib_latex_number(out, cell);
}

static void write_key_columns(const struct analysis_sheet *sheet, struct lib_text *out)
{
    lib_text_puts(out, "    ");
    for (size_t c = 1; c < sheet->key_count; c++)
        lib_text_puts(out, "& ");
}

/* Writes names over columns, and a rule under each. A name holds for the blank ones after it. */
static void write_spans(const struct analysis_sheet *sheet, const char *const *names,
                        size_t count, size_t width, struct lib_text *out)
{
    struct lib_text rules = {0};
    write_key_columns(sheet, out);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && !*names[next];)
            next++;
        const size_t first = sheet->key_count + i * width + 1,
                     columns = (next - i) * width;
        lib_text_printf(out, "& \\multicolumn{%zu}{%c}{", columns,
                        columns > 1 ? 'c' : 'r');
        lib_latex_text(out, names[i]);
        lib_text_puts(out, "} ");
        if (columns > 1)
            lib_text_printf(&rules, " \\cmidrule(lr){%zu-%zu}", first,
                            first + columns - 1);
    }
    lib_text_puts(out, "\\\\\n");
    if (rules.length)
        lib_text_printf(out, "   %s\n", lib_text_get(&rules));
    lib_text_free(&rules);
}

/* The title over all groups, and the lines of groups. */
static void write_groups(const struct analysis_sheet *sheet, struct lib_text *out)
{
    const size_t columns = sheet->group_count * sheet->group_width;
    if (sheet->title)
        write_spans(sheet, &sheet->title, 1, columns, out);
    for (size_t i = 0; i < sheet->level_count; i++)
        write_spans(sheet, &sheet->levels[i * sheet->group_count], sheet->group_count,
                    sheet->group_width, out);
}

static void write_heads(const struct analysis_sheet *sheet, struct lib_text *out)
{
    for (size_t c = 0; c < sheet->width; c++) {
        lib_text_puts(out, c ? " & " : "    ");
        lib_latex_text(out, sheet->heads[c]);
    }
    lib_text_puts(out, " \\\\\n");
}

static void write_tabular(const struct analysis_sheet *sheet, struct lib_text *out)
{
    lib_text_puts(out, "  \\begin{tabular}{");
    for (size_t c = 0; c < sheet->width; c++)
        lib_text_puts(out, sheet->is_text[c] ? "l" : "r");
    lib_text_puts(out, "}\n    \\toprule\n");
    if (sheet->group_count)
        write_groups(sheet, out);
    write_heads(sheet, out);
    lib_text_puts(out, "    \\midrule\n");
    for (size_t r = 0; r < sheet->height; r++) {
        if (sheet->below && r == sheet->height - sheet->below)
            lib_text_puts(out, "    \\midrule\n");
        for (size_t c = 0; c < sheet->width; c++) {
            lib_text_puts(out, c ? " & " : "    ");
            write_cell(sheet, r, c, out);
        }
        lib_text_puts(out, " \\\\\n");
    }
    lib_text_puts(out, "    \\bottomrule\n  \\end{tabular}\n");
}

void analysis_sheet_write_latex(const struct analysis_sheet *sheet, const char *name,
                                const char *caption, struct lib_text *out)
{
    lib_text_puts(out, "% \\usepackage{booktabs}\n");
    if (*sheet->note)
        lib_text_printf(out, "%% %s\n", sheet->note);
    if (*caption) {
        lib_text_puts(out, "\\begin{table}\n  \\centering\n  \\caption{");
        lib_latex_text(out, caption);
        lib_text_printf(out, "}\n  \\label{tab:%s}\n", name);
    }
    write_tabular(sheet, out);
    if (*caption && *sheet->note) {
        lib_text_puts(out, "  \\par\\smallskip\\footnotesize ");
        lib_latex_text(out, sheet->note);
        lib_text_puts(out, "\n");
    }
    if (*caption)
        lib_text_puts(out, "\\end{table}\n");
}
