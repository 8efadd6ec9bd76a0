#include "programs/dragnn/sentence.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELDS = 10,
    ID = 0,
    FORM = 1,
    UPOS = 3,
    HEAD = 6,
    DEPREL = 7,
    DEPS = 8,
    MISC = 9
};

struct line {
    int number; /* number in the text, from 1 */
    const char *bytes, *next;
    const char *fields[FIELDS];
    size_t lengths[FIELDS];
};

/* --- names ------------------------------------------------------------------------------ */

/* Names, numbered from 0; a hash table with linear probing. */
struct names {
    int count;
    size_t capacity; /* size of the table: a power of two, at most half full */
    char **items;    /* [count] */
    int *uses;       /* [count] */
    int *numbers;    /* [count]; numbers that the lexicon gives */
    int *table;      /* [capacity]; index of a name plus 1; 0: free */
};

struct dragnn_lexicon {
    struct names forms, tags;
    int word_count;
};

static size_t find_slot(const struct names *names, const char *bytes, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
    size_t slot = hash & (names->capacity - 1);
    for (; names->table[slot]; slot = (slot + 1) & (names->capacity - 1)) {
        const char *name = names->items[names->table[slot] - 1];
        if (strncmp(name, bytes, length) == 0 && !name[length])
            break;
    }
    return slot;
}

/* Returns the number of a name, or -1. */
static int find_name(const struct names *names, const char *bytes, size_t length)
{
    return names->capacity ? names->table[find_slot(names, bytes, length)] - 1 : -1;
}

static void grow_names(struct names *names)
{
    names->capacity = names->capacity ? 2 * names->capacity : 64;
    names->items = dragnn_resize(names->items,
                                 names->capacity / 2 * sizeof *names->items);
    names->uses = dragnn_resize(names->uses, names->capacity / 2 * sizeof *names->uses);
    names->numbers = dragnn_resize(names->numbers,
                                   names->capacity / 2 * sizeof *names->numbers);
    free(names->table);
    names->table = dragnn_new(names->capacity * sizeof *names->table);
    for (int i = 0; i < names->count; i++)
        names->table[find_slot(names, names->items[i], strlen(names->items[i]))] = i + 1;
}

static int add_name(struct names *names, const char *bytes, size_t length)
{
    int number = find_name(names, bytes, length);
    if (number >= 0)
        return number;
    if (2 * (size_t)names->count >= names->capacity)
        grow_names(names);
    number = names->count++;
    names->items[number] = dragnn_copy(bytes, length);
    names->uses[number] = names->numbers[number] = 0;
    names->table[find_slot(names, bytes, length)] = number + 1;
    return number;
}

static void free_names(struct names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    free(names->uses);
    free(names->numbers);
    free(names->table);
}

/* --- lines ------------------------------------------------------------------------------ */

static bool fail_field(const struct line *line, int field, const char *expected,
                       struct dragnn_error *error)
{
    const size_t length = line->lengths[field];
    return dragnn_fail_at(error, line->number,
                          (int)(line->fields[field] - line->bytes) + 1,
                          "expected %s; found `%.*s`", expected,
                          (int)(length < 40 ? length : 40), line->fields[field]);
}

static bool next_line(struct line *line)
{
    line->bytes = line->next;
    if (!*line->bytes)
        return false;
    line->number++;
    line->next = line->bytes + strcspn(line->bytes, "\n");
    line->next += *line->next == '\n';
    return true;
}

static size_t line_length(const struct line *line)
{
    const size_t length = strcspn(line->bytes, "\n");
    return length > 0 && line->bytes[length - 1] == '\r' ? length - 1 : length;
}

/* Whether a line has a word: it is neither empty nor a comment, range or empty node. */
static bool has_word(const struct line *line)
{
    const size_t digits = strspn(line->bytes, "0123456789");
    return line_length(line) > 0 && *line->bytes != '#' &&
           (digits == 0 || (line->bytes[digits] != '-' && line->bytes[digits] != '.'));
}

static bool split_line(struct line *line, struct dragnn_error *error)
{
    const size_t length = line_length(line);
    size_t count = 0, start = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && line->bytes[i] != '\t')
            continue;
        if (count < FIELDS) {
            line->fields[count] = line->bytes + start;
            line->lengths[count] = i - start;
        }
        count++;
        start = i + 1;
    }
    return count == FIELDS ||
           dragnn_fail_at(error, line->number, 1,
                          "expected %d fields, separated by tabs; found %zu", FIELDS,
                          count);
}

static bool is_blank(const struct line *line, int field)
{
    return line->lengths[field] == 1 && *line->fields[field] == '_';
}

/* Reads a number from 0. Returns -1 if the field has none. */
static int read_number(const struct line *line, int field)
{
    int64_t number = 0;
    for (size_t i = 0; i < line->lengths[field]; i++) {
        const char c = line->fields[field][i];
        if (c < '0' || c > '9' || (number = 10 * number + c - '0') > INT_MAX)
            return -1;
    }
    return line->lengths[field] > 0 ? (int)number : -1;
}

/* --- sentences -------------------------------------------------------------------------- */

static bool read_token(struct dragnn_token *token, int number, const struct line *line,
                       const struct dragnn_lexicon *lexicon, struct dragnn_error *error)
{
    char expected[48];
    const int head = read_number(line, HEAD);
    snprintf(expected, sizeof expected, "the ID %d", number + 1);
    if (read_number(line, ID) != number + 1)
        return fail_field(line, ID, expected, error);
    if (line->lengths[FORM] == 0)
        return fail_field(line, FORM, "a form", error);
    if (head < 0 && !is_blank(line, HEAD))
        return fail_field(line, HEAD, "the ID of the head, or 0, or `_`", error);
    const int form = find_name(&lexicon->forms, line->fields[FORM], line->lengths[FORM]);
    const int tag = find_name(&lexicon->tags, line->fields[UPOS], line->lengths[UPOS]);
    *token = (struct dragnn_token){
        .word = form < 0 ? 0 : lexicon->forms.numbers[form],
        .gold_tag = tag < 0 || is_blank(line, UPOS) ? DRAGNN_UNKNOWN : tag,
        .gold_head = head < 0 ? DRAGNN_UNKNOWN : head - 1,
        .tag = DRAGNN_UNKNOWN,
        .head = DRAGNN_UNKNOWN,
    };
    return true;
}

static bool check_heads(const struct dragnn_sentence *sentence, const int *lines,
                        struct dragnn_error *error)
{
    for (int i = 0; i < sentence->length; i++)
        if (sentence->tokens[i].gold_head >= sentence->length)
            return dragnn_fail_at(error, lines[i], 1,
                                  "expected a head from 0 to %d; found %d",
                                  sentence->length, sentence->tokens[i].gold_head + 1);
    return true;
}

static bool read_tokens(struct dragnn_sentence *sentence, int *lines,
                        const struct dragnn_lexicon *lexicon, struct dragnn_error *error)
{
    struct line line = {.next = sentence->text};
    bool has_ended = false;
    while (next_line(&line)) {
        if (line_length(&line) == 0)
            has_ended = true;
        else if (has_ended)
            return dragnn_fail_at(error, line.number, 1,
                                  "expected one sentence; found another one");
        if (!has_word(&line))
            continue;
        if (!split_line(&line, error) ||
            !read_token(&sentence->tokens[sentence->length], sentence->length, &line,
                        lexicon, error))
            return false;
        lines[sentence->length++] = line.number;
    }
    return sentence->length > 0 ||
           dragnn_fail_at(error, 1, 1, "the sentence has no word");
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

struct dragnn_sentence *dragnn_sentence_read(const char *text,
                                             const struct dragnn_lexicon *lexicon,
                                             struct dragnn_error *error)
{
    struct dragnn_sentence *sentence = dragnn_new(sizeof *sentence);
    const size_t count = count_lines(text);
    int *lines = dragnn_new(count * sizeof *lines);
    sentence->text = dragnn_copy(text, strlen(text));
    sentence->tokens = dragnn_new(count * sizeof *sentence->tokens);
    if (!read_tokens(sentence, lines, lexicon, error) ||
        !check_heads(sentence, lines, error)) {
        dragnn_sentence_free(sentence);
        sentence = NULL;
    }
    free(lines);
    return sentence;
}

void dragnn_sentence_free(struct dragnn_sentence *sentence)
{
    if (!sentence)
        return;
    free(sentence->tokens);
    free(sentence->text);
    free(sentence);
}

/* Writes a field of a token: predicted, or from the file. */
static void write_field(struct dragnn_text *text, const struct line *line, int field,
                        const struct dragnn_token *token,
                        const struct dragnn_lexicon *lexicon)
{
    char number[16];
    const char *value = NULL;
    if (field == UPOS && token->tag != DRAGNN_UNKNOWN)
        value = dragnn_lexicon_tag(lexicon, token->tag);
    if (token->head != DRAGNN_UNKNOWN) {
        snprintf(number, sizeof number, "%d", token->head + 1);
        if (field == HEAD)
            value = number;
        else if (field == DEPREL)
            value = token->head == DRAGNN_ROOT ? "root" : "dep";
        else if (field == DEPS)
            value = "_";
    }
    if (value)
        dragnn_text_add(text, value, strlen(value));
    else if (field != MISC || !token->note || !is_blank(line, MISC))
        dragnn_text_add(text, line->fields[field], line->lengths[field]);
    if (field == MISC && token->note) {
        dragnn_text_add(text, "|", !is_blank(line, MISC));
        dragnn_text_add(text, token->note, strlen(token->note));
    }
}

char *dragnn_sentence_write(const struct dragnn_sentence *sentence,
                            const struct dragnn_lexicon *lexicon)
{
    struct dragnn_text text = {NULL, 0, 0};
    struct line line = {.next = sentence->text};
    const struct dragnn_token *token = sentence->tokens;
    while (next_line(&line) && line_length(&line) > 0) {
        if (!has_word(&line)) {
            dragnn_text_add(&text, line.bytes, line_length(&line));
        } else {
            split_line(&line, NULL);
            for (int field = 0; field < FIELDS; field++) {
                if (field > 0)
                    dragnn_text_add(&text, "\t", 1);
                write_field(&text, &line, field, token, lexicon);
            }
            token++;
        }
        dragnn_text_add(&text, "\n", 1);
    }
    dragnn_text_add(&text, "\n", 1);
    return text.bytes;
}

/* --- lexica ----------------------------------------------------------------------------- */

struct dragnn_lexicon *dragnn_lexicon_read(const char *path, int held, int least,
                                           struct dragnn_error *error)
{
    struct dragnn_lexicon *lexicon = dragnn_new(sizeof *lexicon);
    struct dragnn_text text = {NULL, 0, 0};
    bool is_good = dragnn_text_read(&text, path, error), has_words = false;
    struct line line = {.next = is_good ? text.bytes : ""};
    for (int sentence = 0; is_good && next_line(&line);) {
        if (line_length(&line) == 0) {
            sentence += has_words;
            has_words = false;
        }
        if (!has_word(&line))
            continue;
        is_good = split_line(&line, error);
        has_words = true;
        if (!is_good)
            break;
        if (!is_blank(&line, UPOS))
            add_name(&lexicon->tags, line.fields[UPOS], line.lengths[UPOS]);
        if (held > 0 && sentence % held == held - 1)
            continue;
        const int form = add_name(&lexicon->forms, line.fields[FORM], line.lengths[FORM]);
        lexicon->forms.uses[form]++;
    }
    for (int i = 0; i < lexicon->forms.count; i++)
        if (lexicon->forms.uses[i] >= least)
            lexicon->forms.numbers[i] = ++lexicon->word_count;
    if (is_good && lexicon->forms.count == 0)
        is_good = dragnn_fail(error, "%s: expected words in ten fields; there is none",
                              path);
    free(text.bytes);
    if (!is_good) {
        dragnn_lexicon_free(lexicon);
        return NULL;
    }
    return lexicon;
}

void dragnn_lexicon_free(struct dragnn_lexicon *lexicon)
{
    if (!lexicon)
        return;
    free_names(&lexicon->forms);
    free_names(&lexicon->tags);
    free(lexicon);
}

int dragnn_lexicon_words(const struct dragnn_lexicon *lexicon)
{
    return lexicon->word_count;
}

int dragnn_lexicon_tags(const struct dragnn_lexicon *lexicon)
{
    return lexicon->tags.count;
}

const char *dragnn_lexicon_tag(const struct dragnn_lexicon *lexicon, int tag)
{
    return lexicon->tags.items[tag];
}

/* --- files ------------------------------------------------------------------------------ */

static void add_sentence(struct dragnn_file *file, const char *from, const char *to,
                         int line)
{
    file->texts = dragnn_resize(file->texts,
                                ((size_t)file->count + 1) * sizeof *file->texts);
    file->lines = dragnn_resize(file->lines,
                                ((size_t)file->count + 1) * sizeof *file->lines);
    file->texts[file->count] = dragnn_copy(from, (size_t)(to - from));
    file->lines[file->count++] = line;
}

bool dragnn_file_read(struct dragnn_file *file, const char *path,
                      struct dragnn_error *error)
{
    struct dragnn_text text = {NULL, 0, 0};
    *file = (struct dragnn_file){0, NULL, NULL};
    if (!dragnn_text_read(&text, path, error)) {
        free(text.bytes);
        return false;
    }
    struct line line = {.next = text.bytes};
    const char *start = text.bytes;
    int first = 1;
    bool has_words = false;
    while (next_line(&line)) {
        if (line_length(&line) == 0 && has_words)
            add_sentence(file, start, line.next, first);
        if (line_length(&line) > 0) {
            has_words |= *line.bytes != '#';
            continue;
        }
        has_words = false;
        start = line.next;
        first = line.number + 1;
    }
    if (has_words)
        add_sentence(file, start, line.bytes, first);
    free(text.bytes);
    return true;
}

void dragnn_file_free(struct dragnn_file *file)
{
    for (int i = 0; i < file->count; i++)
        free(file->texts[i]);
    free(file->texts);
    free(file->lines);
    *file = (struct dragnn_file){0, NULL, NULL};
}
