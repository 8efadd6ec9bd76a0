#include "isa/tensor/files/conllu.h"

#include "lib/invisible.h"
#include "lib/memory.h"
#include "lib/name_table.h"

#include <inttypes.h>
#include <string.h>

enum { FIELDS = 10 };
enum field_name { ID, FORM, UPOS = 3, HEAD = 6, DEPREL = 7 };

struct field {
    struct lib_pos pos;
    const char *bytes;
    size_t length;
};

/* Names, numbered by their first appearance. */
struct names {
    struct lib_name_table *table;
    LIB_VEC(const char *) items;
};

struct word {
    struct lib_pos id, head;
};

struct reader {
    const struct lib_source *source;
    const struct isa_conllu_options *options;
    struct lib_diags *diags;
    struct lib_arena *arena;
    struct names forms, tags, labels;
    LIB_VEC(struct word) words; /* words of the current sentence */
    LIB_VEC(int64_t) first, length, height[ISA_TRANSITION_SYSTEMS];
    LIB_VEC(int64_t) memory; /* scratch memory, which grows with the longest sentence */
    int64_t *form, *tag, *head, *label, *transitions[ISA_TRANSITION_SYSTEMS];
    size_t count, projective_count; /* sentences before the current one */
    /* last range of words in the current sentence, and where it ends */
    struct lib_pos range;
    int64_t range_end;
    uint32_t line;
    const char *at, *end;
};

static bool __attribute__((format(printf, 3, 4)))
fail(const struct reader *r, struct lib_pos pos, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    lib_diag_verror(r->diags, LIB_DIAG_SYNTAX, r->source, pos, format, ap);
    va_end(ap);
    return false;
}

static bool fail_expected(const struct reader *r, const struct field *field,
                          const char *expected)
{
    return fail(r, field->pos, "expected %s; found `%.*s`", expected,
                (int)(field->length < 40 ? field->length : 40), field->bytes);
}

/* Takes the next line, without its end. Returns false after the last one. */
static bool take_line(struct reader *r, struct field *line)
{
    if (r->at == r->end)
        return false;
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    const char *end = newline ? newline : r->end;
    line->bytes = r->at;
    line->length = (size_t)(end - r->at);
    if (line->length > 0 && end[-1] == '\r')
        line->length--;
    const size_t mark = r->line == 0 ? (size_t)(r->at - r->source->bytes) : 0;
    line->pos = (struct lib_pos){++r->line, (uint32_t)mark + 1, 1};
    r->at = newline ? newline + 1 : r->end;
    return true;
}

static bool split_line(const struct reader *r, const struct field *line,
                       struct field fields[static FIELDS])
{
    size_t count = 0, start = 0;
    for (size_t i = 0; i <= line->length; i++) {
        if (i < line->length && line->bytes[i] != '\t')
            continue;
        if (count < FIELDS)
            fields[count] = (struct field){
                .pos = {line->pos.line, line->pos.column + (uint32_t)start,
                        (uint32_t)(i - start)},
                .bytes = line->bytes + start,
                .length = i - start,
            };
        count++;
        start = i + 1;
    }
    if (count != FIELDS)
        return fail(r, line->pos, "expected %d fields, separated by tabs; found %zu",
                    FIELDS, count);
    return true;
}

/* Reads digits from `*at` on. Returns false if there is none, or the number is too large. */
static bool read_digits(const struct field *field, size_t *at, int64_t *number)
{
    const size_t start = *at;
    *number = 0;
    for (; *at < field->length; ++*at) {
        const char c = field->bytes[*at];
        if (c < '0' || c > '9')
            break;
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, c - '0', number))
            return false;
    }
    return *at > start;
}

static bool read_name(struct reader *r, struct names *names, const struct field *field,
                      const char *expected, int64_t *number)
{
    if (field->length == 0 || memchr(field->bytes, '\0', field->length))
        return fail_expected(r, field, expected);
    uint32_t found = lib_name_table_find(names->table, field->bytes, field->length);
    if (found == LIB_NAME_TABLE_NONE) {
        found = (uint32_t)names->items.count;
        lib_name_table_add(names->table, field->bytes, field->length, found);
        *LIB_VEC_PUSH(&names->items) = lib_arena_copy(r->arena, field->bytes,
                                                      field->length);
    }
    *number = found;
    return true;
}

static const char **copy_names(struct lib_arena *arena, const struct names *names)
{
    const char **copy = LIB_ARENA_ARRAY(arena, const char *, names->items.count + 1);
    if (names->items.count > 0)
        memcpy(copy, names->items.items, names->items.count * sizeof *copy);
    return copy;
}

/* Returns the ID that the next word must have, from 1 on. */
static int64_t next_id(const struct reader *r)
{
    return (int64_t)r->words.count + 1;
}

/* Reads a line that is skipped: a range `i-j` before word i, or an empty node `i.j` after word
 * i. */
static bool read_skipped(struct reader *r, const struct field *id, int64_t start,
                         size_t at)
{
    const bool is_range = id->bytes[at++] == '-';
    int64_t end;
    if (!read_digits(id, &at, &end) || at < id->length || (is_range && end < start))
        return fail_expected(r, id, "the ID of a word, a range or an empty node");
    if (start != (is_range ? next_id(r) : next_id(r) - 1))
        return fail(r, id->pos,
                    "expected a range from %" PRId64
                    " on, or an empty node after word %" PRId64 "; found `%.*s`",
                    next_id(r), next_id(r) - 1, (int)id->length, id->bytes);
    if (is_range) {
        r->range = id->pos;
        r->range_end = end;
    }
    return true;
}

static bool read_word(struct reader *r, const struct field *fields)
{
    const size_t number = r->count;
    const struct field *const head = &fields[HEAD];
    size_t at = 0;
    if (!read_name(r, &r->forms, &fields[FORM], "a form", &r->form[number]) ||
        !read_name(r, &r->tags, &fields[UPOS], "a part of speech", &r->tag[number]))
        return false;
    if (!read_digits(head, &at, &r->head[number]) || at < head->length)
        return fail_expected(r, head, "the ID of the head, or 0");
    r->head[number]--;
    if (!read_name(r, &r->labels, &fields[DEPREL], "a relation to the head",
                   &r->label[number]))
        return false;
    *LIB_VEC_PUSH(&r->words) = (struct word){fields[ID].pos, head->pos};
    r->count++;
    return true;
}

static bool read_line(struct reader *r, const struct field *line)
{
    struct field fields[FIELDS];
    size_t at = 0;
    int64_t id;
    if (!split_line(r, line, fields))
        return false;
    if (!read_digits(&fields[ID], &at, &id))
        return fail_expected(r, &fields[ID], "the ID of a word");
    if (at < fields[ID].length &&
        (fields[ID].bytes[at] == '-' || fields[ID].bytes[at] == '.'))
        return read_skipped(r, &fields[ID], id, at);
    if (at < fields[ID].length || id != next_id(r))
        return fail(r, fields[ID].pos, "expected the ID %" PRId64 "; found `%.*s`",
                    next_id(r), (int)(fields[ID].length < 40 ? fields[ID].length : 40),
                    fields[ID].bytes);
    return read_word(r, fields);
}

/* Checks that heads form no cycle. `seen` has room for `length` numbers. */
static bool check_circles(const struct reader *r, const int64_t *head, int64_t length,
                          int64_t *seen)
{
    for (int64_t word = 0; word < length; word++)
        seen[word] = -1;
    for (int64_t word = 0; word < length; word++) {
        int64_t above = word;
        for (; above != ISA_ROOT && seen[above] < 0; above = head[above])
            seen[above] = word;
        if (above != ISA_ROOT && seen[above] == word)
            return fail(r, r->words.items[above].head,
                        "expected a tree; the heads of word %" PRId64 " lead back to it",
                        above + 1);
    }
    return true;
}

static bool check_sentence(struct reader *r, const int64_t *head, int64_t length)
{
    for (int64_t word = 0; word < length; word++)
        if (head[word] >= length)
            return fail(r, r->words.items[word].head,
                        "expected a head from 0 to %" PRId64
                        ", the words of the sentence; found %" PRId64,
                        length, head[word] + 1);
    if (r->range_end > length)
        return fail(r, r->range,
                    "expected a range of words that are there; word %" PRId64
                    " is the last one",
                    length);
    return check_circles(r, head, length, r->memory.items);
}

static void find_transitions(struct reader *r, size_t first, int64_t length)
{
    bool is_projective = true;
    for (int system = 0; system < ISA_TRANSITION_SYSTEMS; system++) {
        int64_t *const transitions = r->transitions[system] + 2 * first;
        const int64_t height = isa_transitions_find((enum isa_transition_system)system,
                                                    r->head + first, length, transitions,
                                                    r->memory.items);
        for (int64_t i = 0; height < 0 && i < 2 * length; i++)
            transitions[i] = -1;
        *LIB_VEC_PUSH(&r->height[system]) = height;
        is_projective &= height >= 0;
    }
    r->projective_count += is_projective;
}

static bool end_sentence(struct reader *r)
{
    const int64_t length = (int64_t)r->words.count;
    const size_t first = r->count - r->words.count;
    if (length == 0 && r->range_end == 0)
        return true;
    while (r->memory.count < 3 * (size_t)length)
        *LIB_VEC_PUSH(&r->memory) = 0;
    if (!check_sentence(r, r->head + first, length))
        return false;
    *LIB_VEC_PUSH(&r->first) = (int64_t)first;
    *LIB_VEC_PUSH(&r->length) = length;
    find_transitions(r, first, length);
    for (size_t word = first; word < r->count; word++)
        if (r->head[word] != ISA_ROOT)
            r->head[word] += (int64_t)first;
    r->words.count = 0;
    r->range_end = 0;
    return true;
}

static bool read_all(struct reader *r)
{
    struct field line;
    while (take_line(r, &line)) {
        bool is_good = true;
        if (line.length == 0)
            is_good = end_sentence(r);
        else if (*line.bytes != '#')
            is_good = read_line(r, &line);
        if (!is_good)
            return false;
    }
    if (!end_sentence(r))
        return false;
    if (r->count == 0)
        return fail(r, (struct lib_pos){0},
                    "expected words in ten fields; there is none");
    return true;
}

static bool is_held(const struct reader *r, size_t sentence)
{
    return r->options->held && sentence % r->options->held == r->options->held - 1;
}

/* Counts occurrences of each form in sentences that are not held out. */
static void count_forms(const struct reader *r, uint64_t *counts)
{
    for (size_t s = 0; s < r->first.count; s++)
        for (int64_t k = 0; k < r->length.items[s] && !is_held(r, s); k++)
            counts[r->form[r->first.items[s] + k]]++;
}

/* Renumbers the forms by their first appearance in sentences that are not held out. Returns the
 * number of numbers. */
static size_t number_forms(const struct reader *r, const char **forms)
{
    const size_t old_count = r->forms.items.count;
    uint64_t *counts = lib_mem_new((old_count + 1) * sizeof *counts);
    int64_t *numbers = lib_mem_new((old_count + 1) * sizeof *numbers);
    size_t count = 1;
    count_forms(r, counts);
    for (size_t s = 0; s < r->first.count; s++)
        for (int64_t k = 0; k < r->length.items[s] && !is_held(r, s); k++) {
            const int64_t form = r->form[r->first.items[s] + k];
            if (numbers[form] == 0 && counts[form] >= r->options->least) {
                forms[count] = r->forms.items.items[form];
                numbers[form] = (int64_t)count++;
            }
        }
    for (size_t word = 0; word < r->count; word++)
        r->form[word] = numbers[r->form[word]];
    LIB_MEM_FREE(counts, numbers);
    return count;
}

static int64_t *copy_numbers(struct lib_arena *arena, const int64_t *numbers,
                             size_t count)
{
    int64_t *copy = LIB_ARENA_ARRAY(arena, int64_t, count + 1);
    memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

static void hand_over(const struct reader *r, struct isa_conllu *conllu)
{
    const size_t sentences = r->first.count;
    const char **forms = LIB_ARENA_ARRAY(r->arena, const char *,
                                         r->forms.items.count + 1);
    *conllu = (struct isa_conllu){
        .count = r->count,
        .sentence_count = sentences,
        .projective_count = r->projective_count,
        .form_count = number_forms(r, forms),
        .tag_count = r->tags.items.count,
        .label_count = r->labels.items.count,
        .form = r->form,
        .tag = r->tag,
        .head = r->head,
        .label = r->label,
        .first = copy_numbers(r->arena, r->first.items, sentences),
        .length = copy_numbers(r->arena, r->length.items, sentences),
        .forms = forms,
        .tags = copy_names(r->arena, &r->tags),
        .labels = copy_names(r->arena, &r->labels),
    };
    for (int system = 0; system < ISA_TRANSITION_SYSTEMS; system++) {
        conllu->transitions[system] = r->transitions[system];
        conllu->height[system] = copy_numbers(r->arena, r->height[system].items,
                                              sentences);
    }
}

/* Returns the number of lines that begin with a digit, which is at least that of words. */
static size_t count_lines(const struct lib_source *source)
{
    const char *const start = lib_source_start(source);
    const char *const end = source->bytes + source->length;
    size_t count = 0;
    for (const char *at = start; at < end; at++)
        count += (at == start || at[-1] == '\n') && *at >= '0' && *at <= '9';
    return count;
}

static void free_reader(struct reader *r)
{
    lib_name_table_free(r->forms.table);
    lib_name_table_free(r->tags.table);
    lib_name_table_free(r->labels.table);
    LIB_VEC_FREE(&r->forms.items, &r->tags.items, &r->labels.items, &r->words, &r->first);
    LIB_VEC_FREE(&r->length, &r->memory);
    for (int system = 0; system < ISA_TRANSITION_SYSTEMS; system++)
        LIB_VEC_FREE(&r->height[system]);
}

bool isa_conllu_read(struct isa_conllu *conllu, struct lib_arena *arena,
                     const struct lib_source *source,
                     const struct isa_conllu_options *options, struct lib_diags *diags)
{
    const size_t count = count_lines(source);
    if (!lib_source_is_text(source, diags))
        return false;
    if (count > options->most) {
        lib_diag_error(diags, LIB_DIAG_LIMIT, source, (struct lib_pos){0},
                       "%zu lines of words; %zu are the most", count, options->most);
        return false;
    }
    struct reader r = {
        .source = source,
        .options = options,
        .diags = diags,
        .arena = arena,
        .forms.table = lib_name_table_new(),
        .tags.table = lib_name_table_new(),
        .labels.table = lib_name_table_new(),
        .form = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
        .tag = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
        .head = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
        .label = LIB_ARENA_ARRAY(arena, int64_t, count + 1),
        .at = lib_source_start(source),
        .end = source->bytes + source->length,
    };
    for (int system = 0; system < ISA_TRANSITION_SYSTEMS; system++)
        r.transitions[system] = LIB_ARENA_ARRAY(arena, int64_t, 2 * count + 1);
    const bool is_good = read_all(&r);
    if (is_good)
        hand_over(&r, conllu);
    free_reader(&r);
    return is_good;
}
