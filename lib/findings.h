/* Findings: results for the user as records of named values, lists and tables, in any nesting.
 * Analyses, comparisons, studies and descriptions make findings; the writers of this module turn
 * them into text, JSON, CSV, HTML, LaTeX and entries of manual pages.
 *
 * A findings object owns everything added to it except strings: keys, helps and words are constants
 * or live in its arena. Values are added to the innermost open record or list. */
#ifndef LIB_FINDINGS_H
#define LIB_FINDINGS_H

#include "lib/arena.h"
#include "lib/json.h"
#include "lib/memory.h"

/* Output formats of findings: FORM(NAME, name). The writer of each is in lib/findings_NAME.c. */
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

/* Set of the output formats that omit a column or item, as bits. */
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
        LIB_VALUE_HEX,    /* `count` as 16 hexadecimal digits */
        LIB_VALUE_NONE,   /* null in JSON, empty in CSV */
        LIB_VALUE_ABSENT, /* cell of a table: the row in JSON does not have the key */
        LIB_VALUE_RECORD, /* values with keys */
        LIB_VALUE_LIST,   /* values without keys */
        LIB_VALUE_TABLE,
    } kind;
    union {
        uint64_t count;
        int64_t integer;
        double real; /* NaN if undefined: null in JSON, empty in CSV */
        bool flag;
        const char *word;
        struct lib_record *record; /* LIB_VALUE_RECORD and LIB_VALUE_LIST */
        struct lib_table *table;
    };
};

/* Presentation of a number or record in the text format. */
enum lib_style {
    LIB_STYLE_PLAIN,
    LIB_STYLE_PERCENT, /* a share as "12.5 %" */
    LIB_STYLE_SIGNED,  /* with a sign, even if positive: "+3" */
    LIB_STYLE_SHORT,   /* a real rounded to four digits */
    LIB_STYLE_ON_LINE, /* a record on one line instead of one line per value */
};

struct lib_item {
    /* `key` is NULL in a list. A word without key at the top is a note, shown only as text. */
    const char *key, *help;
    struct lib_value value;
    unsigned hidden; /* formats that omit this: bits LIB_NOT_IN_..., or 0 */
    enum lib_style style;
};

/* A record or a list. */
struct lib_record {
    LIB_VEC(struct lib_item) items;
    struct lib_record *made_before; /* next in the list of all records of the findings */
};

/* Alignment of a column. AUTO: words left, numbers right. */
enum lib_side { LIB_SIDE_AUTO, LIB_SIDE_LEFT, LIB_SIDE_RIGHT };

struct lib_column {
    const char *key;
    /* Head in text, or what precedes a value of an entry; NULL: `key`. */
    const char *label;
    unsigned hidden; /* formats that omit this: bits LIB_NOT_IN_..., or 0 */
    enum lib_style style;
    enum lib_side side;
    bool hides_zeros; /* text omits the column if all its numbers are 0 */
    /* The column is hidden; where its value changes, a new group of rows begins. */
    bool is_group;
};

/* A table. `cells` has the values of row 0, one per column, then those of row 1, and so on. */
struct lib_table {
    const char *key, *help;
    LIB_VEC(struct lib_column) columns;
    LIB_VEC(struct lib_value) cells;
    size_t bar;       /* index of a column that text also shows as bars; 0: none */
    size_t sum_rows;  /* number of last rows that are sums; JSON and CSV omit them */
    bool shows_all;   /* text shows all rows, however many */
    bool no_heads;    /* text omits the heads of columns */
    bool is_entries;  /* text puts the last column of a row on a line of its own */
    bool spells_rows; /* JSON puts each value on its own line, not each row */

    /* Heads above the heads of columns in text and LaTeX, [level_count * columns]. NULL: none above
     * this column; "": the head to the left continues. */
    const char *const *levels;
    size_t level_count;
    const char *note; /* line below the table in text and LaTeX, or NULL */

    /* Rows that are computed on demand, for a table too long to keep; or NULL. */
    struct lib_made_rows *made;
    struct lib_table *made_before; /* next in the list of all tables of the findings */
};

/* Rows of a table that are computed from their number when they are written. */
struct lib_made_rows {
    size_t count;
    void (*make)(void *context, size_t row, struct lib_value *cells);
    void *context;
    size_t row; /* number of the row that `cells` has, or SIZE_MAX */
    struct lib_value *cells;
};

enum { LIB_MAX_NESTING = 8 };

struct lib_findings {
    const char *name;        /* prefix in titles of tables and numbers; NULL: none */
    struct lib_arena *arena; /* owned */
    struct lib_record root;
    LIB_VEC(struct lib_table *) tables; /* tables at the top level */
    size_t most;                        /* max ranges in a table over time or depth */
    bool for_people; /* written for people: omits tables that only programs read */
    bool untitled;   /* CSV omits the line "# NAME.KEY" before each table */

    /* NULL, or called while JSON or CSV is written; may output and empty `out`. */
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

/* Returns a cell that the row in JSON does not have. */
static inline struct lib_value lib_absent(void)
{
    return (struct lib_value){.kind = LIB_VALUE_ABSENT};
}

void lib_findings_start(struct lib_findings *findings, const char *name, bool for_people);
void lib_findings_free(struct lib_findings *findings);

/* Add a value with its key and help. Return the item, which is valid until the next one is
 * added. */
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

/* Adds a text as a word, and frees it. */
struct lib_item *lib_findings_text(struct lib_findings *findings, const char *key,
                                   struct lib_text *text, const char *help);

/* Adds a line that only the text format shows. */
void lib_findings_note(struct lib_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Open a record or list inside the innermost open one, until lib_findings_close.
 * lib_findings_open_value instead returns the new record or list, which the caller adds as a
 * value. */
struct lib_item *lib_findings_open(struct lib_findings *findings, const char *key,
                                   const char *help);
struct lib_item *lib_findings_open_list(struct lib_findings *findings, const char *key,
                                        const char *help);
struct lib_value lib_findings_open_value(struct lib_findings *findings, int kind);
void lib_findings_close(struct lib_findings *findings);

/* Returns a list of the words in "a|b|c". */
struct lib_value lib_findings_choices(struct lib_findings *findings, const char *choices);

/* Adds an empty table. */
struct lib_table *lib_findings_table(struct lib_findings *findings, const char *key,
                                     const char *help);

/* Add columns and cells to a table: first all columns, then the cells, row by row. */
struct lib_column *lib_table_column(struct lib_table *table, const char *key);
void lib_table_columns(struct lib_table *table, const char *const *keys, size_t count);
#define LIB_TABLE_COLUMNS(table, ...)                                                    \
    lib_table_columns(table, (const char *const[]){__VA_ARGS__},                         \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void lib_table_add(struct lib_table *table, struct lib_value value);
void lib_table_count(struct lib_table *table, uint64_t value);
void lib_table_real(struct lib_table *table, double value);
void lib_table_word(struct lib_table *table, const char *value); /* `value` NULL: null */

/* Adds a cell to a table row by row, with the key of its column. The cells of the first row make
 * the columns. Returns the column, which is valid until the next one is made. */
struct lib_column *lib_row(struct lib_table *table, const char *key,
                           struct lib_value value);

/* Gives a table, which has columns but no cells, `rows` rows. make(context, row, cells) computes a
 * row when it is needed. `context` must outlive the findings. */
void lib_table_make(struct lib_findings *findings, struct lib_table *table, size_t rows,
                    void (*make)(void *context, size_t row, struct lib_value *cells),
                    void *context);

/* --- reading ------------------------------------------------------------------------- */

/* Returns the number in a value, or NaN if it is not a number. */
static inline double lib_value_number(const struct lib_value *value)
{
    return value->kind == LIB_VALUE_COUNT  ? (double)value->count
           : value->kind == LIB_VALUE_INT  ? (double)value->integer
           : value->kind == LIB_VALUE_REAL ? value->real
                                           : __builtin_nan("");
}

/* Whether a value is a record, a list or a table. */
static inline bool lib_value_is_compound(const struct lib_value *value)
{
    return value->kind >= LIB_VALUE_RECORD;
}

/* Whether a list has only plain values: no records, lists or tables. */
bool lib_list_is_plain(const struct lib_record *list);

/* Returns the number of rows of a table, without the sums at its end. */
static inline size_t lib_table_rows(const struct lib_table *table)
{
    return table->made ? table->made->count
           : table->columns.count
               ? table->cells.count / table->columns.count - table->sum_rows
               : 0;
}

/* Returns a cell of a table, computed if necessary. It is valid until a cell of another row is
 * requested. */
const struct lib_value *lib_table_cell(const struct lib_table *table, size_t row,
                                       size_t column);

/* Returns the table with a key at the top level of the findings, or NULL. `findings` may be
 * NULL. */
const struct lib_table *lib_findings_find(const struct lib_findings *findings,
                                          const char *key);

/* Return the number of top-level values that are not tables, and value `number` of them. */
static inline size_t lib_findings_numbers(const struct lib_findings *findings)
{
    return findings->root.items.count - findings->tables.count;
}
const struct lib_item *lib_findings_number(const struct lib_findings *findings,
                                           size_t number);

/* Returns the top-level value with a key, or NULL. */
const struct lib_value *lib_findings_value(const struct lib_findings *findings,
                                           const char *key);

/* Returns the index of the column with a key, which the table must have. */
size_t lib_table_find(const struct lib_table *table, const char *key);

/* Returns part / whole, or NaN if `whole` is 0. */
static inline double lib_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : __builtin_nan("");
}

/* --- writing ------------------------------------------------------------------------- */

/* Writes findings in an output format; JSON as one object. `only` is the key of the one table to
 * write, "" for the values outside tables, or NULL for everything. */
void lib_findings_write(const struct lib_findings *findings, enum lib_form form,
                        const char *only, struct lib_text *out);

/* Makes findings called `name` (NULL: no name), calls `add` once to fill them, and writes them. */
void lib_findings_write_from(enum lib_form form, const char *name,
                             void (*add)(const void *context,
                                         struct lib_findings *findings),
                             const void *context, struct lib_text *out);

/* Adds findings to the open JSON object. `only` is as in lib_findings_write. */
void lib_findings_put_json(const struct lib_findings *findings, const char *only,
                           struct lib_json *json);

/* Adds a value to JSON. The value must not be or contain a table. */
void lib_value_put_json(const struct lib_value *value, const char *key,
                        struct lib_json *json);

/* Adds a table as text in aligned columns, indented by `indent` blanks, and its note, without its
 * help. */
void lib_table_write_text(const struct lib_table *table, size_t indent,
                          struct lib_text *out);

/* Adds a LaTeX tabular in the style of booktabs, with the note as a comment. If the table has a
 * help, it is the caption of a table environment around the tabular, with the note below and the
 * label tab:KEY. */
void lib_table_write_latex(const struct lib_table *table, struct lib_text *out);

/* Marks around a part of a string that is LaTeX already. */
#define LIB_LATEX_RAW_BEGIN "\x02"
#define LIB_LATEX_RAW_END "\x03"

/* Add a text escaped for LaTeX, except between the marks; or the text of a number, whose signs and
 * powers of ten become mathematics. */
void lib_latex_text(struct lib_text *out, const char *text);
void lib_latex_number(struct lib_text *out, const char *text);

/* Adds a text, escaped so that the manual page formatter scdoc prints it literally. */
void lib_scdoc_text(struct lib_text *out, const char *text);

/* Add a field of CSV: lib_csv_word quotes it if necessary, lib_csv_quoted unless it is empty. */
void lib_csv_word(struct lib_text *out, const char *word);
void lib_csv_quoted(struct lib_text *out, const char *word);

/* Adds a value as people read it: "-" for null, a list on one line. */
void lib_value_write(const struct lib_value *value, enum lib_style style,
                     struct lib_text *out);

/* --- used by the writers ------------------------------------------------------------- */

#define FORM(NAME, name)                                                                 \
    void lib_findings_write_##name(const struct lib_findings *findings,                  \
                                   const char *only, struct lib_text *out);
LIB_FORMS(FORM)
#undef FORM

/* Whether `only` (see lib_findings_write) selects an item. */
bool lib_findings_wants(const char *only, const struct lib_item *item);

/* Return the head above a column in a line of heads, and the number of columns that it covers. */
static inline const char *lib_table_over(const struct lib_table *table, size_t level,
                                         size_t column)
{
    return table->levels[level * table->columns.count + column];
}
size_t lib_table_covers(const struct lib_table *table, size_t level, size_t column);

/* If a group of rows begins at `row`, returns its title, else NULL. */
const char *lib_table_group(const struct lib_table *table, size_t row);

/* Calls `drain` if `out` is long. */
void lib_findings_drain(const struct lib_findings *findings, struct lib_text *out);

#endif
