/* Findings: results for the user as nested records, lists and tables of values. Writers turn them
 * into text, JSON, CSV, HTML, LaTeX and entries of manual pages.
 *
 * A findings object owns everything added to it except strings, which are constants or live in its
 * arena. A value is added to the innermost open record or list. */
#ifndef LIB_FINDINGS_H
#define LIB_FINDINGS_H

#include "lib/arena.h"
#include "lib/json.h"
#include "lib/memory.h"

/* Output formats of findings: FORM(NAME, name). lib/findings_NAME.c writes the format. */
#define LIB_FORMS(FORM)                                                                  \
    FORM(TEXT, text)                                                                     \
    FORM(JSON, json)                                                                     \
    FORM(CSV, csv)                                                                       \
    FORM(HTML, html)                                                                     \
    FORM(LATEX, latex)                                                                   \
    FORM(SCDOC, scdoc)

enum lib_form {
#define FORM(NAME, name) LIB_FORM_##NAME,
    LIB_FORMS(FORM)
#undef FORM
        LIB_FORM_COUNT,
};

/* Bits of the output formats that omit a column or value. */
enum {
#define FORM(NAME, name) LIB_NOT_IN_##NAME = 1 << LIB_FORM_##NAME,
    LIB_FORMS(FORM)
#undef FORM
        LIB_ONLY_TEXT = (1 << LIB_FORM_COUNT) - 1 - LIB_NOT_IN_TEXT,
    LIB_ONLY_JSON = (1 << LIB_FORM_COUNT) - 1 - LIB_NOT_IN_JSON,
};

struct lib_record;
struct lib_table;

struct lib_value {
    enum {
        LIB_VALUE_COUNT,
        LIB_VALUE_INT,
        LIB_VALUE_REAL,
        LIB_VALUE_WORD,
        LIB_VALUE_FLAG,
        LIB_VALUE_HEX,    /* `count` is shown as 16 hexadecimal digits */
        LIB_VALUE_NONE,   /* missing value: null in JSON, empty in CSV */
        LIB_VALUE_ABSENT, /* cell whose key is omitted from its row in JSON */
        LIB_VALUE_RECORD, /* values with keys */
        LIB_VALUE_LIST,   /* values without keys */
        LIB_VALUE_TABLE,
    } kind;
    union {
        uint64_t count;
        int64_t integer;
        double real; /* NaN: undefined; null in JSON, empty in CSV */
        bool flag;
        const char *word;
        struct lib_record *record; /* value of a LIB_VALUE_RECORD or LIB_VALUE_LIST */
        struct lib_table *table;
    };
};

/* Form of a number or record in the text format. */
enum lib_style {
    LIB_STYLE_PLAIN,
    LIB_STYLE_PERCENT, /* a share as "12.5 %" */
    LIB_STYLE_SIGNED,  /* with a sign, even if positive: "+3" */
    LIB_STYLE_SHORT,   /* a real rounded to four digits */
    LIB_STYLE_ON_LINE, /* a record on one line instead of one line per value */
};

struct lib_item {
    /* `key` is NULL for items of a list and for notes at the top level (lib_findings_note). */
    const char *key, *help;
    struct lib_value value;
    unsigned hidden; /* formats that omit the value: bits LIB_NOT_IN_..., or 0 */
    enum lib_style style;
};

struct lib_record {
    LIB_VEC(struct lib_item) items;
    /* next in the list of records to free with the findings */
    struct lib_record *made_before;
};

/* Alignment of a table's column. AUTO: words left, numbers right. */
enum lib_side { LIB_SIDE_AUTO, LIB_SIDE_LEFT, LIB_SIDE_RIGHT };

struct lib_column {
    const char *key;
    /* Title in text; label of the value in a manual page. NULL: `key`. */
    const char *label;
    unsigned hidden; /* formats that omit the column: bits LIB_NOT_IN_..., or 0 */
    enum lib_style style;
    enum lib_side side;
    bool hides_zeros; /* text omits the column if all its numbers are 0 */
    /* The column is not shown. A change of its value from row to row begins a new group of rows. */
    bool is_group;
};

/* Table of values. `cells` has row 0, one value per column, then row 1, and so on. */
struct lib_table {
    const char *key, *help;
    LIB_VEC(struct lib_column) columns;
    LIB_VEC(struct lib_value) cells;
    size_t bar; /* index of the column that text also draws as bars; 0: none */
    /* number of rows with sums at the end of the table; JSON and CSV omit them */
    size_t sum_rows;
    bool shows_all;   /* text shows all rows */
    bool no_heads;    /* text omits the line of column titles */
    bool is_entries;  /* text puts the last cell of each row on a line of its own */
    bool has_latex;   /* strings may have parts between LIB_LATEX_RAW_BEGIN and _END */
    bool spells_rows; /* JSON puts each cell, instead of each row, on its own line */

    /* Titles that span columns, in text and LaTeX: level_count lines, each with an element per
     * column. NULL: no title over this column; "": the title to the left extends over it. */
    const char *const *levels;
    size_t level_count;
    const char *note; /* line below the table in text and LaTeX, or NULL */

    /* Rows that are computed on demand instead of stored in `cells`; or NULL. */
    struct lib_made_rows *made;
    /* next in the list of tables to free with the findings */
    struct lib_table *made_before;
};

/* Rows of a table, each computed from its index when it is written. */
struct lib_made_rows {
    size_t count;
    void (*make)(void *context, size_t row, struct lib_value *cells);
    void *context;
    size_t row; /* index of the row that is in `cells`; SIZE_MAX: none */
    struct lib_value *cells;
};

enum { LIB_MAX_NESTING = 8 };

struct lib_findings {
    const char *name;        /* prefix of titles of tables and values; NULL: none */
    struct lib_arena *arena; /* owned */
    struct lib_record root;
    LIB_VEC(struct lib_table *) tables; /* tables at the top level */
    /* max rows of a table that divides a run's cycles or depths into ranges */
    size_t most;
    /* output is read by people: tables that only programs read are omitted */
    bool for_people;
    bool untitled; /* CSV omits the line "# NAME.KEY" before each table */

    /* Called when JSON or CSV in `out` exceeds 64 KiB. It may output and empty `out`, to save
     * memory. NULL: all output is kept in memory. */
    void (*drain)(void *context, struct lib_text *out);
    void *drain_context;

    struct lib_record *open[LIB_MAX_NESTING], *last_record;
    size_t depth;
    struct lib_table *last_table;
};

static inline struct lib_value lib_count(uint64_t value)
{
    return (struct lib_value){.kind = LIB_VALUE_COUNT, .count = value};
}

static inline struct lib_value lib_int(int64_t value)
{
    return (struct lib_value){.kind = LIB_VALUE_INT, .integer = value};
}

static inline struct lib_value lib_real(double value)
{
    return (struct lib_value){.kind = LIB_VALUE_REAL, .real = value};
}

static inline struct lib_value lib_flag(bool value)
{
    return (struct lib_value){.kind = LIB_VALUE_FLAG, .flag = value};
}

static inline struct lib_value lib_word(const char *value)
{
    return (struct lib_value){.kind = value ? LIB_VALUE_WORD : LIB_VALUE_NONE,
                              .word = value};
}

static inline struct lib_value lib_none(void)
{
    return (struct lib_value){.kind = LIB_VALUE_NONE};
}

/* Returns a table cell whose key is omitted from its row in JSON. */
static inline struct lib_value lib_absent(void)
{
    return (struct lib_value){.kind = LIB_VALUE_ABSENT};
}

void lib_findings_start(struct lib_findings *findings, const char *name, bool for_people);
void lib_findings_free(struct lib_findings *findings);

/* Add a value with its key and help. Return its item, a pointer valid until the next is added. */
struct lib_item *lib_findings_add(struct lib_findings *findings, const char *key,
                                  struct lib_value value, const char *help);
struct lib_item *lib_findings_count(struct lib_findings *findings, const char *key,
                                    uint64_t value, const char *help);
struct lib_item *lib_findings_real(struct lib_findings *findings, const char *key,
                                   double value, const char *help);
struct lib_item *lib_findings_flag(struct lib_findings *findings, const char *key,
                                   bool value, const char *help);

/* Adds a word; NULL becomes null in JSON. */
struct lib_item *lib_findings_word(struct lib_findings *findings, const char *key,
                                   const char *value, const char *help);

/* Adds a string as a word, and frees `text`. */
struct lib_item *lib_findings_text(struct lib_findings *findings, const char *key,
                                   struct lib_text *text, const char *help);

/* Adds a line that only the text format shows. */
void lib_findings_note(struct lib_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Open a record or list inside the innermost open one. Values are added to it until
 * lib_findings_close. lib_findings_open_value does not add the record or list, but returns it. */
struct lib_item *lib_findings_open(struct lib_findings *findings, const char *key,
                                   const char *help);
struct lib_item *lib_findings_open_list(struct lib_findings *findings, const char *key,
                                        const char *help);
struct lib_value lib_findings_open_value(struct lib_findings *findings, int kind);
void lib_findings_close(struct lib_findings *findings);

/* Returns a new list of the words in "a|b|c". */
struct lib_value lib_findings_choices(struct lib_findings *findings, const char *choices);

struct lib_table *lib_findings_table(struct lib_findings *findings, const char *key,
                                     const char *help);

/* Add columns and cells to a table: first all columns, then the cells row by row. */
struct lib_column *lib_table_column(struct lib_table *table, const char *key);
void lib_table_columns(struct lib_table *table, const char *const *keys, size_t count);
#define LIB_TABLE_COLUMNS(table, ...)                                                    \
    lib_table_columns(table, (const char *const[]){__VA_ARGS__},                         \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void lib_table_add(struct lib_table *table, struct lib_value value);
void lib_table_count(struct lib_table *table, uint64_t value);
void lib_table_real(struct lib_table *table, double value);
void lib_table_word(struct lib_table *table, const char *value); /* NULL: missing value */

/* Adds the next cell of a row, in column `key`. The first row also adds the columns to the table;
 * each other row must have the same keys in the same order. Returns the column, a pointer valid
 * until the next column is added. */
struct lib_column *lib_row(struct lib_table *table, const char *key,
                           struct lib_value value);

/* Gives a table, which has columns but no cells, `rows` rows. make(context, row, cells) computes a
 * row when it is written. `context` must outlive the findings. */
void lib_table_make(struct lib_findings *findings, struct lib_table *table, size_t rows,
                    void (*make)(void *context, size_t row, struct lib_value *cells),
                    void *context);

/* --- reading ------------------------------------------------------------------------- */

/* Returns the number in a value; NaN if the value is not a number. */
static inline double lib_value_number(const struct lib_value *value)
{
    return value->kind == LIB_VALUE_COUNT  ? (double)value->count
           : value->kind == LIB_VALUE_INT  ? (double)value->integer
           : value->kind == LIB_VALUE_REAL ? value->real
                                           : __builtin_nan("");
}

static inline bool lib_value_is_compound(const struct lib_value *value)
{
    return value->kind >= LIB_VALUE_RECORD;
}

/* Whether a list contains no records, lists or tables. */
bool lib_list_is_plain(const struct lib_record *list);

/* Returns the number of rows of a table, without sums at its end. */
static inline size_t lib_table_rows(const struct lib_table *table)
{
    return table->made ? table->made->count
           : table->columns.count
               ? table->cells.count / table->columns.count - table->sum_rows
               : 0;
}

/* Returns a cell of a table. The pointer is valid until a cell of another row is requested. */
const struct lib_value *lib_table_cell(const struct lib_table *table, size_t row,
                                       size_t column);

/* Returns the top-level table with a key, or NULL. `findings` may be NULL. */
const struct lib_table *lib_findings_find(const struct lib_findings *findings,
                                          const char *key);

/* Return the number of top-level values that are not tables, and one of them by its index. */
static inline size_t lib_findings_numbers(const struct lib_findings *findings)
{
    return findings->root.items.count - findings->tables.count;
}
const struct lib_item *lib_findings_number(const struct lib_findings *findings,
                                           size_t number);

/* Returns the top-level value with a key, or NULL. */
const struct lib_value *lib_findings_value(const struct lib_findings *findings,
                                           const char *key);

/* Returns the index of the column with a key. The table must have such a column. */
size_t lib_table_find(const struct lib_table *table, const char *key);

static inline double lib_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : __builtin_nan("");
}

/* --- writing ------------------------------------------------------------------------- */

/* Writes findings in an output format. `only` is the key of the one table to write, "" for all
 * values outside tables, or NULL for everything. */
void lib_findings_write(const struct lib_findings *findings, enum lib_form form,
                        const char *only, struct lib_text *out);

/* Makes findings called `name` (or NULL), calls `add` once to fill them, and writes them. */
void lib_findings_write_from(enum lib_form form, const char *name,
                             void (*add)(const void *context,
                                         struct lib_findings *findings),
                             const void *context, struct lib_text *out);

/* Adds findings to the innermost open JSON object. `only`: see lib_findings_write. */
void lib_findings_put_json(const struct lib_findings *findings, const char *only,
                           struct lib_json *json);

/* Adds a value to JSON. The value must not be or contain a table. */
void lib_value_put_json(const struct lib_value *value, const char *key,
                        struct lib_json *json);

/* Adds a table and its note as text in aligned columns, indented by `indent` blanks. */
void lib_table_write_text(const struct lib_table *table, size_t indent,
                          struct lib_text *out);

/* Adds a LaTeX tabular in the style of booktabs, with the note as a comment. If the table has help,
 * adds it in a table environment instead, with the help as caption, the note below the table, and
 * the label tab:KEY. */
void lib_table_write_latex(const struct lib_table *table, struct lib_text *out);

/* Bytes around a part of a string of a table with `has_latex` that is LaTeX code already. */
#define LIB_LATEX_RAW_BEGIN "\x02"
#define LIB_LATEX_RAW_END "\x03"

/* Adds a string escaped for LaTeX. Only tables with `has_latex` have parts that are not escaped. */
void lib_latex_text(struct lib_text *out, const char *text);
/* Adds a number, given as decimal digits, with signs and powers of ten in LaTeX's math mode. Other
 * characters are escaped as by lib_latex_text. */
void lib_latex_number(struct lib_text *out, const char *text);

/* Adds a string escaped so that scdoc, the formatter of manual pages, prints it literally. */
void lib_scdoc_text(struct lib_text *out, const char *text);

/* Add a field of CSV. lib_csv_word adds quotes only where CSV needs them, lib_csv_quoted always
 * except around an empty field. */
void lib_csv_word(struct lib_text *out, const char *word);
void lib_csv_quoted(struct lib_text *out, const char *word);

/* Adds a value as people read it: a missing value as "-", a list on one line. */
void lib_value_write(const struct lib_value *value, enum lib_style style,
                     struct lib_text *out);

/* --- used by the writers ------------------------------------------------------------- */

#define FORM(NAME, name)                                                                 \
    void lib_findings_write_##name(const struct lib_findings *findings,                  \
                                   const char *only, struct lib_text *out);
LIB_FORMS(FORM)
#undef FORM

/* Whether lib_findings_write with this `only` writes a top-level item. */
bool lib_findings_wants(const char *only, const struct lib_item *item);

/* Return the title over a column in title line `level` (lib_table.levels), and the number of
 * columns that it spans. */
static inline const char *lib_table_over(const struct lib_table *table, size_t level,
                                         size_t column)
{
    return table->levels[level * table->columns.count + column];
}
size_t lib_table_covers(const struct lib_table *table, size_t level, size_t column);

/* Returns the title of the group of rows that begins at `row`, or NULL if none begins there. */
const char *lib_table_group(const struct lib_table *table, size_t row);

/* Calls findings->drain if `out` is longer than 64 KiB. */
void lib_findings_drain(const struct lib_findings *findings, struct lib_text *out);

#endif
