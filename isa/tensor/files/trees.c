#include "isa/tensor/files/trees.h"

#include "lib/invisible.h"
#include "lib/memory.h"
#include "lib/name_table.h"

#include <string.h>

enum { NONE = -1 };

struct open {
    struct lib_pos pos;
    int64_t label, word, children[2];
    unsigned child_count;
};

struct reader {
    const struct lib_source *source;
    struct lib_diags *diags;
    struct lib_arena *arena;
    struct lib_name_table *names;
    LIB_VEC(struct open) open;
    LIB_VEC(const char *) words;
    LIB_VEC(int64_t) roots;
    int64_t *left, *right, *word, *label; /* arrays of the result */
    size_t count;
};

/* A bracket or a word. */
struct lexeme {
    struct lib_pos pos;
    const char *bytes;
    size_t length;
};

struct cursor {
    const char *at, *end, *line_start;
    uint32_t line;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_bracket(char c)
{
    return c == '(' || c == ')';
}

static bool next_lexeme(struct cursor *c, struct lexeme *lexeme)
{
    for (; c->at < c->end && is_blank(*c->at); c->at++)
        if (*c->at == '\n') {
            c->line++;
            c->line_start = c->at + 1;
        }
    if (c->at == c->end)
        return false;
    lexeme->bytes = c->at++;
    if (!is_bracket(*lexeme->bytes))
        while (c->at < c->end && !is_blank(*c->at) && !is_bracket(*c->at))
            c->at++;
    lexeme->length = (size_t)(c->at - lexeme->bytes);
    lexeme->pos = (struct lib_pos){
        .line = c->line,
        .column = (uint32_t)(lexeme->bytes - c->line_start) + 1,
        .span = (uint32_t)lexeme->length,
    };
    return true;
}

static bool __attribute__((format(printf, 3, 4)))
fail(const struct reader *reader, struct lib_pos pos, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(reader->diags, LIB_DIAG_SYNTAX, reader->source, pos, format, ap);
    va_end(ap);
    return false;
}

static int shown(const struct lexeme *lexeme)
{
    return (int)(lexeme->length < 40 ? lexeme->length : 40);
}

static bool read_label(struct reader *reader, const struct lexeme *lexeme, int64_t *label)
{
    *label = 0;
    for (size_t i = 0; i < lexeme->length; i++) {
        const char c = lexeme->bytes[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(*label, 10, label) ||
            __builtin_add_overflow(*label, c - '0', label))
            return fail(reader, lexeme->pos,
                        "expected a label, a whole number from 0 on; found `%.*s`",
                        shown(lexeme), lexeme->bytes);
    }
    return true;
}

static int64_t number_of_word(struct reader *reader, const struct lexeme *lexeme)
{
    uint32_t number = lib_name_table_find(reader->names, lexeme->bytes, lexeme->length);
    if (number == LIB_NAME_TABLE_NONE) {
        number = (uint32_t)reader->words.count;
        lib_name_table_add(reader->names, lexeme->bytes, lexeme->length, number);
        *LIB_VEC_PUSH(&reader->words) = lib_arena_copy(reader->arena, lexeme->bytes,
                                                       lexeme->length);
    }
    return number;
}

static bool read_word(struct reader *reader, struct open *node,
                      const struct lexeme *lexeme)
{
    if (node->child_count > 0)
        return fail(reader, lexeme->pos,
                    "a node has one word or two children; this word is beside a child");
    if (node->word != NONE)
        return fail(reader, lexeme->pos, "a node has one word; this is a second one");
    if (memchr(lexeme->bytes, '\0', lexeme->length))
        return fail(reader, lexeme->pos, "a word with a byte 0");
    node->word = number_of_word(reader, lexeme);
    return true;
}

static bool open_node(struct reader *reader, const struct lexeme *lexeme,
                      struct cursor *cursor)
{
    struct lexeme label;
    struct open node = {.pos = lexeme->pos, .word = NONE, .children = {NONE, NONE}};
    const struct open *parent = reader->open.count
                                    ? &reader->open.items[reader->open.count - 1]
                                    : NULL;
    if (parent && parent->word != NONE)
        return fail(reader, lexeme->pos,
                    "a node has one word or two children; this child is beside a word");
    if (parent && parent->child_count == 2)
        return fail(reader, lexeme->pos, "a node has two children; this is a third one");
    if (!next_lexeme(cursor, &label))
        return fail(reader, lexeme->pos, "expected a label; the text ends");
    if (!read_label(reader, &label, &node.label))
        return false;
    *LIB_VEC_PUSH(&reader->open) = node;
    return true;
}

static bool close_node(struct reader *reader, const struct lexeme *lexeme)
{
    if (reader->open.count == 0)
        return fail(reader, lexeme->pos, "expected `(`; found `)`, and no node is open");
    const struct open *node = &reader->open.items[--reader->open.count];
    if (node->word == NONE && node->child_count < 2)
        return fail(reader, lexeme->pos, "a node has one word or two children; found %s",
                    node->child_count ? "one child" : "neither");
    const size_t number = reader->count++;
    reader->left[number] = node->children[0];
    reader->right[number] = node->children[1];
    reader->word[number] = node->word;
    reader->label[number] = node->label;
    if (reader->open.count > 0) {
        struct open *parent = &reader->open.items[reader->open.count - 1];
        parent->children[parent->child_count++] = (int64_t)number;
    } else
        *LIB_VEC_PUSH(&reader->roots) = (int64_t)number;
    return true;
}

static bool read_all(struct reader *reader)
{
    struct cursor cursor = {
        .at = lib_source_start(reader->source),
        .end = reader->source->bytes + reader->source->length,
        .line_start = reader->source->bytes,
        .line = 1,
    };
    struct lexeme lexeme;
    while (next_lexeme(&cursor, &lexeme)) {
        bool is_good;
        if (*lexeme.bytes == '(')
            is_good = open_node(reader, &lexeme, &cursor);
        else if (*lexeme.bytes == ')')
            is_good = close_node(reader, &lexeme);
        else if (reader->open.count > 0)
            is_good = read_word(reader, &reader->open.items[reader->open.count - 1],
                                &lexeme);
        else
            is_good = fail(reader, lexeme.pos, "expected `(`; found `%.*s`",
                           shown(&lexeme), lexeme.bytes);
        if (!is_good)
            return false;
    }
    if (reader->open.count > 0)
        return fail(reader, reader->open.items[reader->open.count - 1].pos,
                    "this node is not closed: expected `)`; the text ends");
    if (reader->count == 0)
        return fail(reader, (struct lib_pos){0},
                    "expected trees in brackets; there is none");
    return true;
}

static size_t count_nodes(const struct lib_source *source)
{
    size_t count = 0;
    for (size_t i = 0; i < source->length; i++)
        count += source->bytes[i] == '(';
    return count;
}

static void hand_over(const struct reader *reader, struct isa_trees *trees)
{
    int64_t *roots = LIB_ARENA_ARRAY(reader->arena, int64_t, reader->roots.count);
    const char **words = LIB_ARENA_ARRAY(reader->arena, const char *,
                                         reader->words.count + 1);
    memcpy(roots, reader->roots.items, reader->roots.count * sizeof *roots);
    if (reader->words.count > 0)
        memcpy(words, reader->words.items, reader->words.count * sizeof *words);
    *trees = (struct isa_trees){
        .count = reader->count,
        .left = reader->left,
        .right = reader->right,
        .word = reader->word,
        .label = reader->label,
        .root_count = reader->roots.count,
        .word_count = reader->words.count,
        .roots = roots,
        .words = words,
    };
}

bool isa_trees_read(struct isa_trees *trees, struct lib_arena *arena,
                    const struct lib_source *source, size_t most, struct lib_diags *diags)
{
    const size_t count = count_nodes(source);
    if (!lib_source_is_text(source, diags))
        return false;
    if (count > most) {
        lib_diag_error(diags, LIB_DIAG_LIMIT, source, (struct lib_pos){0},
                       "%zu nodes; %zu are the most", count, most);
        return false;
    }
    struct reader reader = {
        .source = source,
        .diags = diags,
        .arena = arena,
        .names = lib_name_table_new(),
        .left = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
        .right = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
        .word = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
        .label = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
    };
    const bool is_good = read_all(&reader);
    if (is_good)
        hand_over(&reader, trees);
    lib_name_table_free(reader.names);
    LIB_VEC_FREE(&reader.open, &reader.words, &reader.roots);
    return is_good;
}
