/* What is found: records of named values, lists and tables, in any nesting. Analyses, costs, diffs,
 * studies and descriptions of all kinds make findings; the writers below turn them into text,
 * JSON, comma-separated values, HTML, LaTeX and entries of manual pages, and nothing else does.
 *
 * A findings object owns all that is added to it but texts: keys, helps and words are constants, or
 * live in its arena. Values are added to the innermost open record or list. */
#ifndef LIB_FINDINGS_H
#define LIB_FINDINGS_H

#include "lib/arena.h"
#include "lib/json.h"
#include "lib/memory.h"

/* Forms of findings: FORM(NAME, name); each has a writer in lib/findings_NAME.c. */
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

/* What a column or an item is left out of, as a set of bits. */
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
        LIB_VALUE_HEX,    /* a count as 16 hexadecimal digits */
        LIB_VALUE_NONE,   /* null in JSON, empty in CSV */
        LIB_VALUE_ABSENT, /* of a row: its object in JSON lacks the key */
        LIB_VALUE_RECORD, /* values with keys */
        LIB_VALUE_LIST,   /* values without keys */
        LIB_VALUE_TABLE,
    } kind;
    union {
        uint64_t count;
        int64_t integer;
        double real; /* NaN if it has no meaning: null in JSON, empty in CSV */
        bool flag;
        const char *word;
        struct lib_record *record; /* also of a list */
        struct lib_table *table;
    };
};

/* How a number appears in a text. */
enum lib_style {
    LIB_STYLE_PLAIN,
    LIB_STYLE_PERCENT, /* a share as "12.5 %" */
    LIB_STYLE_SIGNED,  /* with a sign, also of what is positive */
    LIB_STYLE_SHORT,   /* a real with four digits */
    LIB_STYLE_ON_LINE, /* a record in one line, not a line for each of its values */
};

struct lib_item {
    /* The key is NULL in a list, and for a note, which only texts have. */
    const char *key, *help;
    struct lib_value value;
    unsigned hidden; /* LIB_NOT_IN_..., or 0 */
    enum lib_style style;
};

/* A record or a list. */
struct lib_record {
    LIB_VEC(struct lib_item) items;
    struct lib_record *made_before; /* of the same findings */
};

/* Side of a column that its cells are at. AUTO: words left, numbers right. */
enum lib_side { LIB_SIDE_AUTO, LIB_SIDE_LEFT, LIB_SIDE_RIGHT };

struct lib_column {
    const char *key;
    const char *label; /* head in a text, NULL: the key; before a value in an entry */
    unsigned hidden;   /* LIB_NOT_IN_..., or 0 */
    enum lib_style style;
    enum lib_side side;
    bool hides_zeros; /* a text leaves the column out if all its numbers are 0 */
    /* The column is not shown: where its value changes, another group of rows begins. */
    bool is_group;
};

/* A table. `cells` has the values of a row, one per column, then those of the next row. */
struct lib_table {
    const char *key, *help;
    LIB_VEC(struct lib_column) columns;
    LIB_VEC(struct lib_value) cells;
    size_t bar;       /* column that bars show in a text, or 0 */
    size_t sum_rows;  /* last rows, which sum up those above; JSON and CSV have none */
    bool shows_all;   /* a text has all rows, however many */
    bool no_heads;    /* a text has no line with the heads of the columns */
    bool is_entries;  /* a text has the last column of each row in a line of its own */
    bool spells_rows; /* JSON has a line for each value, not for each row */

    /* Rows of a table that is too long to keep, or NULL. */
    struct lib_made_rows *made;
    struct lib_table *made_before; /* of the same findings */
};

/* Rows that are computed when they are written, each from its number. */
struct lib_made_rows {
    size_t count;
    void (*make)(void *context, size_t row, struct lib_value *cells);
    void *context;
    size_t row; /* row that is in `cells`, or SIZE_MAX */
    struct lib_value *cells;
};

enum { LIB_MAX_NESTING = 8 };

struct lib_findings {
    const char *name; /* names numbers and tables in texts; NULL: they need no name */
    struct lib_arena *arena; /* owned */
    struct lib_record root;
    LIB_VEC(struct lib_table *) tables; /* of the root */
    size_t most;                        /* most ranges of a table over time or depth */
    bool for_people; /* for a text: long tables for programs are left out */
    bool untitled;   /* CSV has no line "# NAME.KEY" before each table */

    /* Called while JSON or comma-separated values are written; may empty `out`. Can be NULL. */
    void (*drain)(void *context, struct lib_text *out);
    void *drain_context;

    /* Owned: */
    struct lib_record *open[LIB_MAX_NESTING], *last_record;
    size_t depth;
    struct lib_table *last_table;
};

/* Values. */
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

/* NULL: none. */
static inline struct lib_value lib_word(const char *value)
{
    return (struct lib_value){.kind = value ? LIB_VALUE_WORD : LIB_VALUE_NONE,
                              .word = value};
}

static inline struct lib_value lib_none(void)
{
    return (struct lib_value){.kind = LIB_VALUE_NONE};
}

/* In a row: its object in JSON lacks the key. */
static inline struct lib_value lib_absent(void)
{
    return (struct lib_value){.kind = LIB_VALUE_ABSENT};
}

void lib_findings_start(struct lib_findings *findings, const char *name, bool for_people);
void lib_findings_free(struct lib_findings *findings);

/* Add a value. Return the item, which is valid until the next one is added. */
struct lib_item *lib_findings_add(struct lib_findings *findings, const char *key,
                                  struct lib_value value, const char *help);
struct lib_item *lib_findings_count(struct lib_findings *findings, const char *key,
                                    uint64_t value, const char *help);
struct lib_item *lib_findings_real(struct lib_findings *findings, const char *key,
                                   double value, const char *help);
struct lib_item *lib_findings_flag(struct lib_findings *findings, const char *key,
                                   bool value, const char *help);

/* Adds a word; NULL: there is none, which is null in JSON. */
struct lib_item *lib_findings_word(struct lib_findings *findings, const char *key,
                                   const char *value, const char *help);

/* Adds the text as a word, and frees it. */
struct lib_item *lib_findings_text(struct lib_findings *findings, const char *key,
                                   struct lib_text *text, const char *help);

/* Adds a line for texts only. */
void lib_findings_note(struct lib_findings *findings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Open a record or list in the innermost open one, or by lib_findings_open_value one that the
 * caller adds as a value. lib_findings_close closes it. */
struct lib_item *lib_findings_open(struct lib_findings *findings, const char *key,
                                   const char *help);
struct lib_item *lib_findings_open_list(struct lib_findings *findings, const char *key,
                                        const char *help);
struct lib_value lib_findings_open_value(struct lib_findings *findings, int kind);
void lib_findings_close(struct lib_findings *findings);

/* Returns the words of "a|b|c" as a list. */
struct lib_value lib_findings_choices(struct lib_findings *findings, const char *choices);

/* Returns a new table. */
struct lib_table *lib_findings_table(struct lib_findings *findings, const char *key,
                                     const char *help);

/* Add to a table: all columns first, then the cells, row by row. */
struct lib_column *lib_table_column(struct lib_table *table, const char *key);
void lib_table_columns(struct lib_table *table, const char *const *keys, size_t count);
#define LIB_TABLE_COLUMNS(table, ...)                                                    \
    lib_table_columns(table, (const char *const[]){__VA_ARGS__},                         \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void lib_table_add(struct lib_table *table, struct lib_value value);
void lib_table_count(struct lib_table *table, uint64_t value);
void lib_table_real(struct lib_table *table, double value);
void lib_table_word(struct lib_table *table, const char *value); /* NULL: none */

/* Adds a cell of a row whose keys are given with it: the first row makes the columns. Returns the
 * column, which is valid until the next one is made. */
struct lib_column *lib_row(struct lib_table *table, const char *key,
                           struct lib_value value);

/* Gives a table that has its columns `rows` computed rows instead of cells. `context` must outlive
 * the findings. */
void lib_table_make(struct lib_findings *findings, struct lib_table *table, size_t rows,
                    void (*make)(void *context, size_t row, struct lib_value *cells),
                    void *context);

/* Returns a copy of a text in the arena of the findings, and frees the text. */
const char *lib_findings_keep(struct lib_findings *findings, struct lib_text *text);

/* --- reading ------------------------------------------------------------------------- */

/* Returns the number in a value; NaN for what is no number. */
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

/* Whether a list has no records, lists and tables. */
bool lib_list_is_plain(const struct lib_record *list);

/* Returns the number of rows without those that sum up others. */
static inline size_t lib_table_rows(const struct lib_table *table)
{
    return table->made ? table->made->count
           : table->columns.count
               ? table->cells.count / table->columns.count - table->sum_rows
               : 0;
}

/* Returns a cell of a table, computed if necessary. It is valid until a cell of another row is
 * asked for. */
const struct lib_value *lib_table_cell(const struct lib_table *table, size_t row,
                                       size_t column);

/* Returns the table of a key of the root, or NULL. `findings` may be NULL. */
const struct lib_table *lib_findings_find(const struct lib_findings *findings,
                                          const char *key);

/* Return the number of values of the root that are no tables, and the one of a number below it. */
static inline size_t lib_findings_numbers(const struct lib_findings *findings)
{
    return findings->root.items.count - findings->tables.count;
}
const struct lib_item *lib_findings_number(const struct lib_findings *findings,
                                           size_t number);

/* Returns the value of a key of the root, or NULL. */
const struct lib_value *lib_findings_value(const struct lib_findings *findings,
                                           const char *key);

/* Returns the column of a key, which the table must have. */
size_t lib_table_find(const struct lib_table *table, const char *key);

/* Returns part / whole, or NaN if `whole` is 0. */
static inline double lib_ratio(double part, double whole)
{
    return whole > 0 ? part / whole : __builtin_nan("");
}

/* --- writing ------------------------------------------------------------------------- */

/* Writes findings in a form: values and tables; JSON as one object. `only` is the key of one table,
 * "" for the values alone, or NULL for all. */
void lib_findings_write(const struct lib_findings *findings, enum lib_form form,
                        const char *only, struct lib_text *out);

/* Writes what `add` adds to findings of a name, or NULL: it is called once, with `context`. */
void lib_findings_write_from(enum lib_form form, const char *name,
                             void (*add)(const void *context,
                                         struct lib_findings *findings),
                             const void *context, struct lib_text *out);

/* Adds the values and tables to an object of JSON that is open. */
void lib_findings_put_json(const struct lib_findings *findings, const char *only,
                           struct lib_json *json);

/* Adds a value that is no table and has none. */
void lib_value_put_json(const struct lib_value *value, const char *key,
                        struct lib_json *json);

/* Adds a table in aligned columns, indented by some blanks, without its help. */
void lib_table_write_text(const struct lib_table *table, size_t indent,
                          struct lib_text *out);

/* Adds a tabular with the rules of booktabs; with a help, inside a table that has it as caption and
 * the label tab:KEY. */
void lib_table_write_latex(const struct lib_table *table, struct lib_text *out);

/* Marks around a part of a text that is LaTeX already. */
#define LIB_LATEX_RAW_BEGIN "\x02"
#define LIB_LATEX_RAW_END "\x03"

/* Add a text, escaped for LaTeX except between marks; and the text of a number, with signs and
 * powers of ten as mathematics. */
void lib_latex_text(struct lib_text *out, const char *text);
void lib_latex_number(struct lib_text *out, const char *text);

/* Adds a text so that scdoc prints it as it is. */
void lib_scdoc_text(struct lib_text *out, const char *text);

/* Adds a text so that scdoc prints it as it is. */
void lib_scdoc_text(struct lib_text *out, const char *text);

/* Adds a field of comma-separated values, in quotes if it has to be; or always, unless it is
 * empty. */
void lib_csv_word(struct lib_text *out, const char *word);
void lib_csv_quoted(struct lib_text *out, const char *word);

/* Adds a value for people: "-" for none, the values of a list in one line. */
void lib_value_write(const struct lib_value *value, enum lib_style style,
                     struct lib_text *out);

/* --- for writers --------------------------------------------------------------------- */

#define FORM(NAME, name)                                                                 \
    void lib_findings_write_##name(const struct lib_findings *findings,                  \
                                   const char *only, struct lib_text *out);
LIB_FORMS(FORM)
#undef FORM

/* Whether an item is wanted: a table by its key, other values by "". */
bool lib_findings_wants(const char *only, const struct lib_item *item);

/* Returns the text of the group that begins with a row, or NULL: it begins none. */
const char *lib_table_group(const struct lib_table *table, size_t row);

/* Calls `drain` if there is much in `out`. */
void lib_findings_drain(const struct lib_findings *findings, struct lib_text *out);

#endif
