#include <string.h>

#include "analysis/table/sheet.h"

static const struct {
    const char *text, *latex;
} escapes[] = {
    {"±", "$\\pm$"},
    {"\\", "\\textbackslash{}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"\"", "\\textquotedbl{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"\n", " "},
};

enum { ESCAPE_COUNT = sizeof escapes / sizeof escapes[0] };

void analysis_latex_text(struct lib_text *out, const char *text)
{
    for (const char *p = text; *p;) {
        size_t i = 0;
        while (i < ESCAPE_COUNT &&
               strncmp(p, escapes[i].text, strlen(escapes[i].text)) != 0)
            i++;
        if (i < ESCAPE_COUNT) {
            lib_text_puts(out, escapes[i].latex);
            p += strlen(escapes[i].text);
        } else {
            lib_text_add(out, p++, 1);
        }
    }
}

/* Numbers: signs and powers of ten as mathematics. */
static void write_number(struct lib_text *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        bool power = *p == 'e' && (p[1] == '+' || p[1] == '-');
        if (power) {
            const char *digits = p + 2 + strspn(p + 2, "0");
            size_t length = strspn(digits, "0123456789");
            lib_text_printf(out, "$\\times 10^{%s%.*s}$", p[1] == '-' ? "-" : "",
                            (int)length, digits);
            p = digits + length - 1;
        } else if (*p == '-') {
            lib_text_puts(out, "$-$");
        } else if (strncmp(p, "±", strlen("±")) == 0) {
            lib_text_puts(out, "$\\pm$");
            p += strlen("±") - 1;
        } else {
            lib_text_add(out, p, 1);
        }
    }
}

static void write_cell(const struct analysis_sheet *sheet, size_t r, size_t c,
                       struct lib_text *out)
{
    const char *cell = sheet->cells[r * sheet->width + c];
    if (!cell)
        lib_text_puts(out, "--");
    else if (sheet->is_text[c])
        analysis_latex_text(out, cell);
    else
        write_number(out, cell);
}

/* The names of the groups over their columns, and a rule under each. */
static void write_groups(const struct analysis_sheet *sheet, struct lib_text *out)
{
    lib_text_puts(out, "    ");
    for (size_t c = 1; c < sheet->key_count; c++)
        lib_text_puts(out, "& ");
    for (size_t g = 0; g < sheet->group_count; g++) {
        lib_text_printf(out, "& \\multicolumn{%zu}{%c}{", sheet->group_width,
                        sheet->group_width > 1 ? 'c' : 'r');
        analysis_latex_text(out, sheet->groups[g]);
        lib_text_puts(out, "} ");
    }
    lib_text_puts(out, "\\\\\n");
    if (sheet->group_width == 1)
        return;
    lib_text_puts(out, "   ");
    for (size_t g = 0; g < sheet->group_count; g++) {
        size_t first = sheet->key_count + g * sheet->group_width + 1;
        lib_text_printf(out, " \\cmidrule(lr){%zu-%zu}", first,
                        first + sheet->group_width - 1);
    }
    lib_text_puts(out, "\n");
}

static void write_heads(const struct analysis_sheet *sheet, struct lib_text *out)
{
    for (size_t c = 0; c < sheet->width; c++) {
        lib_text_puts(out, c ? " & " : "    ");
        analysis_latex_text(out, sheet->heads[c]);
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
        analysis_latex_text(out, caption);
        lib_text_printf(out, "}\n  \\label{tab:%s}\n", name);
    }
    write_tabular(sheet, out);
    if (*caption && *sheet->note) {
        lib_text_puts(out, "  \\par\\smallskip\\footnotesize ");
        analysis_latex_text(out, sheet->note);
        lib_text_puts(out, "\n");
    }
    if (*caption)
        lib_text_puts(out, "\\end{table}\n");
}
